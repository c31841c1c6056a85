// The kinds of asks in a mixed load: what each sends, what it may come to, and how its client learns
// of that.

import { Client, sleep } from "../host/client.mjs";
import { AGREED, Session, stateless } from "../host/streaming.mjs";

/** @typedef {import("./ledger.mjs").Ends} Ends */
/** @typedef {import("./ledger.mjs").Ask} Ask */
/** @typedef {import("./host.mjs").Host} Host */
/** @typedef {import("./chance.mjs").Chance} Chance */
/** @typedef {{ fate: string, text?: string }} End */

/**
 * What an ask has to work with.
 * @typedef {{ host: Host, session: Session, ask: Ask, chance: Chance }} Given
 */

/**
 * @typedef {object} Kind
 * @property {string} kind
 * @property {number} weight
 * @property {number} [works]
 * @property {Ends} ends
 * @property {(given: Given) => Promise<End>} make
 */

/** @type {Ends} */
const ANSWERED = { answered: "once" };

/** How often a broken connection may be come back to before the client gives up. */
const RETURNS = 20;

/** What the answer to a program comes to. @param {any} message @param {string} [wanted] the text of a good answer @returns {End} */
export function end(message, wanted) {
  if (!message.result) return { fate: `failed error ${message.error?.code}`, text: JSON.stringify(message) };
  const text = String(message.result.content?.[0]?.text);
  if (message.result.isError) {
    const code = /^([A-Za-z][A-Za-z0-9-]*): /.exec(text)?.[1];
    if (code === "execution-lost") return { fate: "lost execution-lost, told when asked again", text };
    return { fate: `failed ${code ?? "without a code"}`, text };
  }
  const reason = /"reason":"([a-z-]+)"/.exec(text)?.[1];
  if (reason) return { fate: `refused ${reason}`, text };
  if (wanted !== undefined && text !== wanted) return { fate: "failed another answer", text };
  return { fate: "answered", text };
}

/** What a broken connection comes to, which no restart need have broken. @param {Given} given @param {unknown} error @returns {End} */
function broken({ host, ask }, error) {
  const told = error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error);
  if (host.downSince(ask.begun)) return { fate: "lost connection broken, before it was taken on record", text: told };
  return { fate: "failed connection broken without a restart", text: told };
}

/**
 * Reads the answer from a stream, and comes back to it for as long as it breaks.
 * @param {Given} given
 * @param {import("../host/streaming.mjs").Stream} stream
 * @param {string} [wanted]
 * @returns {Promise<End>}
 */
async function read(given, stream, wanted) {
  let last = stream.last;
  for (let turn = 0; turn < RETURNS; turn++) {
    const answer = await stream.answer().catch(() => undefined);
    if (answer) return end(answer, wanted);
    last = stream.last ?? last;
    if (last === undefined) return broken(given, stream.raw || `status ${stream.status}, and nothing said`);
    await given.host.up;
    const again = await given.session.get(last).catch(() => undefined);
    if (again && again.status !== 200) return { fate: `failed status ${again.status} when asked again`, text: last };
    if (again) stream = again;
    else await sleep(50);
  }
  return { fate: "failed no answer however often asked again" };
}

/**
 * Runs a program and reads its answer.
 * @param {Given} given
 * @param {string} code
 * @param {string} [wanted]
 */
async function run(given, code, wanted) {
  try {
    return await read(given, await given.session.execute(code, given.ask.id), wanted);
  } catch (error) {
    return broken(given, error);
  }
}

/** @param {string} work @param {number} [ms] */
const note = (work, ms = 0) => `book.json({ body: { id: "${work}", ms: ${ms} } })`;

/**
 * A program of which nothing but the answer is of interest.
 * @param {string} kind
 * @param {number} weight
 * @param {(given: Given) => [code: string, wanted?: string]} program
 * @param {Ends} [ends]
 * @param {number} [works]
 * @returns {Kind}
 */
function program(kind, weight, program, ends = ANSWERED, works = 0) {
  return { kind, weight, ends, works, make: (given) => run(given, ...program(given)) };
}

/**
 * A program that waits for a person, who says this.
 * @param {string} kind
 * @param {number} weight
 * @param {unknown} reply
 * @param {Ends} ends
 * @returns {Kind}
 */
function asking(kind, weight, reply, ends) {
  /** @param {Given} given */
  const make = async (given) => {
    const { session, ask, chance } = given;
    try {
      const stream = await session.execute(`return mcp.people.ask({ id: "${ask.works[0]}" })`, ask.id);
      const asked = await stream.until(({ method, id }) => method === "elicitation/create" || id === ask.id).catch(() => undefined);
      if (asked?.method === undefined && asked) return end(asked);
      if (asked) {
        await sleep(chance.between(0, 300));
        // It may be down by now: the answer is asked for all the same.
        await session.reply(asked.id, reply).catch(() => undefined);
      }
      return await read(given, stream);
    } catch (error) {
      return broken(given, error);
    }
  };
  return { kind, weight, works: 1, ends, make };
}

/** @param {Given} given */
async function cancelled(given) {
  const { host, session, ask, chance } = given;
  const client = new Client(host.url, session.id);
  const params = { name: "execute", arguments: { code: `return (await ${note(ask.works[0], 4_000)}).method` } };
  const answer = client.request("tools/call", params, ask.id, AbortSignal.timeout(60_000));
  // It is awaited below, and may fail before.
  answer.catch(() => undefined);
  await sleep(chance.between(50, 500));
  try {
    await client.notify("notifications/cancelled", { requestId: ask.id });
    return end(await answer);
  } catch (error) {
    await answer.catch(() => undefined);
    return broken(given, error);
  }
}

/** Goes away once its stream has begun, and comes back for the answer. @param {Given} given */
async function returning(given) {
  const { session, ask, chance } = given;
  try {
    const stream = await session.execute(`return (await ${note(ask.works[0], 400)}).method`, ask.id);
    await stream.next();
    stream.cut();
    await sleep(chance.between(0, 1_000));
    return await read(given, stream, '"PUT"');
  } catch (error) {
    return broken(given, error);
  }
}

/** Goes away for good, which cancels where there is no session. @param {Given} given @returns {Promise<End>} */
async function vanished({ host, ask, chance }) {
  const stream = await stateless(host.url, `return (await ${note(ask.works[0], 2_000)}).method`).catch(() => undefined);
  await sleep(chance.between(0, 200));
  stream?.cut();
  return { fate: "left" };
}

/** @param {Given} given */
async function sessionless(given) {
  try {
    const { host, ask } = given;
    const stream = await stateless(host.url, `return (await ${note(ask.works[0])}).method`);
    const answer = await stream.answer().catch(() => undefined);
    return answer ? end(answer, '"PUT"') : broken(given, stream.raw);
  } catch (error) {
    return broken(given, error);
  }
}

/** One operation, called by a Worker that is bound, without a program. @param {Given} given @returns {Promise<End>} */
async function direct(given) {
  const { host, ask } = given;
  const body = JSON.stringify({ module: "book", operation: "json", input: { body: { id: ask.works[0] } } });
  try {
    const told = /** @type {any} */ (await (await fetch(host.front, { method: "POST", body })).json());
    return told.ok ? { fate: "answered" } : { fate: `failed ${told.code}`, text: JSON.stringify(told) };
  } catch (error) {
    return broken(given, error);
  }
}

/** @param {Given} given @returns {Promise<End>} */
async function listed(given) {
  try {
    const { body } = await given.session.request("tools/list");
    return body.result?.tools?.length === 1 ? { fate: "answered" } : end(body);
  } catch (error) {
    return broken(given, error);
  }
}

/** A session of its own, used once and ended. @param {Given} given */
async function passing(given) {
  try {
    const session = await Session.open(given.host.url);
    const ended = await run({ ...given, session }, `return "${given.ask.id}"`, `"${given.ask.id}"`);
    await session.end();
    return ended;
  } catch (error) {
    return broken(given, error);
  }
}

/** Of each hundred asks about so many are of a kind. @type {readonly Kind[]} */
export const KINDS = [
  program("a trivial program", 24, ({ ask }) => [`return "${ask.id}"`, `"${ask.id}"`]),
  program("one call", 20, ({ ask }) => [`return (await ${note(ask.works[0])}).method`, '"PUT"'], ANSWERED, 1),
  program("three calls at once", 8, ({ ask: { works } }) => [`return (await Promise.all([${works.map((work) => note(work))}])).length`, "3"], ANSWERED, 3),
  program("100 KB there and back", 3, ({ ask }) => [
    `const pad = "x".repeat(100_000); return (await book.json({ body: { id: "${ask.works[0]}", pad } })).body.length > 130_000`, "true"], ANSWERED, 1),
  program("a search", 4, () => [`return (await forage.search("json body")).results.length > 0`, "true"]),
  program("a call, then a throw", 3, ({ ask }) => [`await ${note(ask.works[0])}; throw new Error("over")`], { "failed guest-exception": "once" }, 1),
  program("a syntax error", 2, () => ["return {"], { "failed syntax-error": "never" }),
  program("an unknown operation", 2, () => ["return book.jsn({})"], { "failed operation-unknown": "never" }),
  program("an answer that JSON can't say", 2, () => ["return new Map()"], { "failed result-invalid": "never" }),
  program("an answer too large", 1, () => ["return 'x'.repeat(2_000_000)"], { "failed result-too-large": "never" }),
  program("a program that never ends", 0.3, () => ["await new Promise(() => {})"], { "failed deadline-exceeded": "never" }),
  program("a server that never answers", 2, () => ["return hung.silent({})"], { "failed capability-failed": "never" }),
  program("a write that is never answered", 1, ({ ask }) => [`return hung.text({ body: "<${ask.works[0]}>" })`], { "failed capability-failed": "once" }, 1),
  asking("a person agrees", 3, AGREED, ANSWERED),
  asking("a person declines", 2, { action: "decline" }, { "refused declined": "never" }),
  asking("a person closes the question", 1, { action: "cancel" }, { "refused cancelled": "never" }),
  { kind: "cancelled by its client", weight: 3, works: 1, ends: { "failed cancelled": "perhaps", answered: "once" }, make: cancelled },
  { kind: "a client that vanishes and comes back", weight: 3, works: 1, ends: ANSWERED, make: returning },
  { kind: "a client that vanishes", weight: 2, works: 1, ends: {}, make: vanished },
  { kind: "without a session", weight: 6, works: 1, ends: ANSWERED, make: sessionless },
  { kind: "a direct call", weight: 6, works: 1, ends: ANSWERED, make: direct },
  { kind: "tools/list", weight: 3, ends: ANSWERED, make: listed },
  { kind: "a session for one program", weight: 2, ends: ANSWERED, make: passing },
];
