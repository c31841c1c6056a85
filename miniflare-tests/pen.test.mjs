// The magic pen, from a sentence to the shared library: a model behind an endpoint that speaks
// the OpenAI chat API, programs in real isolates, books in objects, pens in R2, and restarts.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client } from "./host/client.mjs";
import { Connected } from "./host/connected.mjs";
import { AGREED, Session, text } from "./host/streaming.mjs";
import { answer } from "./host/trial.mjs";
import { DEV } from "./host/workerd.mjs";

/** The credential, which no program may see. */
const TOKEN = "canary-token";
const BUCKET = "PEN_BUCKET";
const COPYRIGHT = "国作登字-2026-A-00037559";

/** @param {string} value */
const sha256 = (value) => createHash("sha256").update(value).digest("hex");

/** @param {import("node:http").Server} server @returns {Promise<string>} where it listens */
async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
}

/** A model whose every answer a test chooses while it runs. */
class Model {
  /** @type {any[]} */
  requests = [];
  /** @type {(string | undefined)[]} */
  credentials = [];
  program = "";
  opinion = "keep";
  status = 200;
  /** @type {((outgoing: import("node:http").ServerResponse) => void) | undefined} What it does in place of an answer. */
  other;

  server = createServer(async (incoming, outgoing) => {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString());
    this.requests.push({ url: incoming.url, body });
    this.credentials.push(incoming.headers.authorization);
    if (this.other) return this.other(outgoing);
    const asked = body.messages[0].content;
    const content = asked.startsWith("You write one program") ? this.program : this.opinion;
    const said = { choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] };
    outgoing.writeHead(this.status, { "content-type": "application/json" }).end(JSON.stringify(said));
  });
}

/** A Worker with a method `run`, as Workers AI has one. */
const AI = `import { WorkerEntrypoint } from "cloudflare:workers";
export class Computer extends WorkerEntrypoint {
  run(model, { messages }) {
    const program = "\`\`\`js\\nreturn { model: " + JSON.stringify(model) + ", words: " + messages[1].content.split(" ").length + " }\\n\`\`\`";
    return { response: messages[0].content.startsWith("You write") ? program : "share" };
  }
}
export default { fetch: () => new Response() };
`;

describe("the magic pen", () => {
  const model = new Model();
  const disk = mkdtempSync(join(tmpdir(), "mycelium-pen-"));
  /** @type {string[]} */
  const reached = [];
  let elsewhere = "";
  const site = createServer((incoming, outgoing) => {
    reached.push(`${incoming.headers.host} ${incoming.url}`);
    if (incoming.url === "/away") return void outgoing.writeHead(302, { location: `http://${elsewhere}/secret` }).end();
    if (incoming.url === "/here") return void outgoing.writeHead(302, { location: "/end" }).end();
    outgoing.end(`reached ${incoming.url}`);
  });
  const other = createServer((incoming, outgoing) => {
    reached.push(`${incoming.headers.host} ${incoming.url}`);
    outgoing.end("secret");
  });
  let host = "";
  /** @type {any} */
  let options;
  /** @type {Connected} */
  let connected;

  before(async () => {
    const at = await listening(model.server);
    host = await listening(site);
    elsewhere = await listening(other);
    const toml = `
[grants.dev]
pen = "write"
quill = "write"
[connections.pen]
type = "pen"
bucket = "${BUCKET}"
writer = { url = "http://${at}/v1", model = "mp-1.5b", secret = "MODEL_TOKEN" }
default_lang = "node"
shared_lib = "factory/module-registry/shared-lib"
hosts = ["${host}"]
reviewers = ["member:dev"]
[connections.pen.files]
bucket = "${BUCKET}"
prefix = "data"
[connections.pen.personas]
zhuyuan = ["member:dev"]
[connections.quill]
type = "pen"
bucket = "${BUCKET}"
writer = { binding = "AI", model = "@cf/test" }
default_lang = "node"
[connections.quill.personas]
zhuyuan = ["member:dev"]
`;
    options = { toml, vars: { ...DEV, MODEL_TOKEN: TOKEN }, buckets: [BUCKET], services: { AI }, disk };
    connected = await Connected.start(options);
  });
  after(async () => {
    await connected?.stop();
    for (const server of [model.server, site, other]) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(disk, { recursive: true, force: true });
  });

  /** Ends the host and starts another on the same disk. */
  async function restart() {
    await connected.stop();
    connected = await Connected.start(options);
  }

  /**
   * @param {string} program
   * @param {unknown} [sandbox]
   * @param {unknown} [inputs]
   * @returns {Promise<any>}
   */
  async function write(program, sandbox = {}, inputs = null) {
    model.program = program;
    const input = {
      intent: "把这些数字加起来",
      context: { persona_id: "zhuyuan", task_category: "data-process", upstream_inputs: inputs },
      options: { sandbox },
    };
    return answer(await Client.open(connected.url), `return await pen.write(${JSON.stringify(input)})`);
  }

  /**
   * @param {string} operation
   * @param {unknown} input
   * @returns {Promise<any>}
   */
  const call = async (operation, input) =>
    answer(await Client.open(connected.url), `return await pen.${operation}(${JSON.stringify(input)})`);

  /** @param {string} operation @param {unknown} input */
  async function failed(operation, input) {
    const client = await Client.open(connected.url);
    const { isError, text } = await client.execute(`return await pen.${operation}(${JSON.stringify(input)})`);
    assert.equal(isError, true, text);
    return text;
  }

  /** Every object there is, by key. @returns {Promise<Record<string, string>>} */
  async function objects() {
    const bucket = await connected.bucket(BUCKET);
    const { objects } = await bucket.list();
    const read = objects.map(async (/** @type {{ key: string }} */ { key }) => [key, await (await bucket.get(key)).text()]);
    return Object.fromEntries(await Promise.all(read));
  }

  /** @param {string} pen_id */
  const state = async (pen_id) => (await call("status", { pen_id })).state;

  /** @param {string} pen_id @param {string} verdict */
  async function review(pen_id, verdict) {
    const session = await Session.open(connected.url);
    const stream = await session.execute(`return await pen.review(${JSON.stringify({ pen_id, verdict, reason: "by the tests" })})`);
    const question = await stream.asked();
    await session.reply(question.id, AGREED);
    return JSON.parse(text(await stream.answer()));
  }

  test("an_intent_becomes_a_tool_in_the_shared_library_across_restarts", async () => {
    const factor = 2 + Math.floor(Math.random() * 1e6);
    const program = `console.log("adding"); console.warn("careful");\nreturn input.reduce((a, b) => a + b, 0) * ${factor}`;
    const pen = await write("Here it is:\n```js\n" + program + "\n```\n", {}, [1, 2, 3]);
    assert.equal(pen.execution.result, 6 * factor);
    assert.deepEqual({ ...pen.execution, duration_ms: 0 }, { status: "success", stdout: "adding\n", stderr: "careful\n", result: 6 * factor, duration_ms: 0 });
    assert.match(pen.pen_id, /^MPP-zhuyuan-\d{8}-001$/);
    assert.equal(pen.lang, "node");
    assert.equal(pen.suggestion, "keep");
    assert.equal(pen.audit.intent_hash, sha256("把这些数字加起来"));
    assert.equal(pen.audit.code_hash, sha256(pen.code));
    assert.ok(pen.code.includes(program));
    const [asked] = model.requests;
    assert.equal(asked.url, "/v1/chat/completions");
    assert.equal(asked.body.stream, false);
    assert.equal(model.credentials[0], `Bearer ${TOKEN}`);

    await restart();
    assert.equal(await state(pen.pen_id), "completed");
    const kept = await call("decide", { pen_id: pen.pen_id, action: "keep" });
    assert.equal(kept.state, "kept");
    const folder = `.github/persona-brain/zhuyuan/pen-private/${pen.pen_id}`;
    await restart();
    assert.equal(await state(pen.pen_id), "kept");
    const lying = await objects();
    assert.deepEqual(Object.keys(lying).sort(), [`${folder}/code.mjs`, `${folder}/pen.json`]);
    assert.equal(lying[`${folder}/code.mjs`], pen.code);
    assert.deepEqual(JSON.parse(lying[`${folder}/pen.json`]), pen);

    const second = await write(program, {}, [4]);
    assert.match(second.pen_id, pen.pen_id.slice(0, -4) === second.pen_id.slice(0, -4) ? /-002$/ : /-001$/, "a new day counts anew");
    const manifest = {
      pen_id: second.pen_id, persona_id: "zhuyuan", intent_summary: "Sums numbers.", use_cases: ["totals"],
      io_contract: { input_schema: { type: "array", items: { type: "number" } }, output_schema: { type: "number" } },
      dependencies: [], test_examples: [{ input: [4], expected: 4 * factor }], copyright: COPYRIGHT,
    };
    assert.match(await failed("decide", { pen_id: second.pen_id, action: "share", manifest: { ...manifest, copyright: "x" } }), /copyright/);
    await call("decide", { pen_id: second.pen_id, action: "share", manifest });
    await restart();
    assert.equal(await state(second.pen_id), "shared");
    const reviewed = await review(second.pen_id, "accept");
    assert.equal(reviewed.state, "accepted");
    await restart();
    assert.equal(await state(second.pen_id), "accepted");
    const shared = await objects();
    for (const name of ["code.mjs", "pen.json", "manifest.json"]) {
      const inbox = shared[`factory/module-registry/inbox/${second.pen_id}/${name}`];
      assert.ok(inbox, name);
      assert.equal(shared[`factory/module-registry/shared-lib/${second.pen_id}/${name}`], inbox);
    }
    const stored = JSON.parse(shared[`factory/module-registry/inbox/${second.pen_id}/manifest.json`]);
    assert.ok(Math.abs(Date.parse(stored.shared_at) - Date.now()) < 120_000);
    const { shared_at, ...said } = stored;
    assert.deepEqual(said, manifest);
    const { entries } = await call("audit", { persona_id: "zhuyuan", pen_id: second.pen_id });
    const events = entries.map((/** @type {{ event: string }} */ { event }) => event);
    assert.deepEqual(events, ["drafted", "executing", "completed", "suggested", "decided", "shared", "reviewed", "accepted"]);
    assert.ok(!JSON.stringify([pen, second, shared, entries]).includes(TOKEN) && !connected.log.includes(TOKEN));
  });

  const SAID = "ans" + "wer";
  /** @type {Record<string, [program: string, gives: unknown]>} */
  const usable = {
    "a plain program": [`return "${SAID}"`, SAID],
    "a program in a fence": ["```js\nreturn 6 * 7\n```", 42],
    "a program among words": ["Here it is:\n\n```js\nreturn [1, 2]\n```\n\nIt returns a list.", [1, 2]],
    "a function": ["async () => ({ n: 1 })", { n: 1 }],
  };
  for (const [kind, [program, gives]] of Object.entries(usable)) {
    test(`a model's answer is a pen: ${kind}`, async () => {
      const { execution } = await write(program);
      assert.equal(execution.status, "success", JSON.stringify(execution));
      assert.deepEqual(execution.result, gives);
    });
  }

  /** @param {unknown} message @param {string} [reason] */
  const chat = (message, reason = "stop") => JSON.stringify({ choices: [{ index: 0, message, finish_reason: reason }] });
  /** @param {string} text @param {number} [status] @returns {(outgoing: import("node:http").ServerResponse) => void} */
  const says = (text, status = 200) => (outgoing) => void outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
  /** @type {Record<string, [(outgoing: import("node:http").ServerResponse) => void, RegExp]>} */
  const unusable = {
    "two programs": [says(chat({ content: "```js\nreturn 1\n```\nor\n```js\nreturn 2\n```" })), /program/],
    "a refusal": [says(chat({ content: null, refusal: "canary" })), /refused/],
    "nothing": [says(chat({ content: "" })), /empty/],
    "cut at its length": [says(chat({ content: "return 1" }, "length")), /length/],
    "other JSON": [says('{"canary":1}'), /chat completion/],
    "no JSON": [says("<html>canary"), /chat completion/],
    "401": [says("canary", 401), /401/],
    "429": [says("canary", 429), /429|busy|again/],
    "500": [says("canary", 500), /500/],
    "a redirect": [(outgoing) => void outgoing.writeHead(302, { location: "/elsewhere" }).end(), /redirect/],
    "a cut body": [(outgoing) => void outgoing.writeHead(200, { "content-length": "1000" }).write("{", () => outgoing.destroy()), /broke off/],
    "no end": [
      (outgoing) => {
        outgoing.writeHead(200, { "content-type": "application/json" });
        const more = () => outgoing.destroyed || outgoing.write("[".repeat(1 << 16), () => setImmediate(more));
        more();
      },
      /1048576/,
    ],
  };
  for (const [kind, [other, cause]] of Object.entries(unusable)) {
    test(`a model's answer is MPP-E003 with its cause: ${kind}`, async () => {
      model.other = other;
      try {
        const input = { intent: "add these numbers", context: { persona_id: "zhuyuan", task_category: "data-process" } };
        const told = await failed("write", input);
        assert.match(told, /MPP-E003/);
        assert.match(told, cause);
        assert.doesNotMatch(told, /canary/);
      } finally {
        model.other = undefined;
      }
    });
  }

  test("an_erased_pen_leaves_its_audit_and_nothing_else", async () => {
    const pen = await write(`return "canary-${Math.random()}"`);
    const before = Object.keys(await objects());
    await call("decide", { pen_id: pen.pen_id, action: "erase" });
    assert.deepEqual(Object.keys(await objects()), before);
    const { entries } = await call("audit", { persona_id: "zhuyuan", pen_id: pen.pen_id });
    assert.equal(entries.at(-1).event, "erased");
    assert.equal(entries.at(-1).syslog_id, pen.audit.syslog_id);
    assert.ok(!JSON.stringify(entries).includes("canary"));
    assert.match(await failed("decide", { pen_id: pen.pen_id, action: "keep" }), /the pen is erased/);
  });

  test("a_pen_without_network_that_tries_it_is_e005_though_it_caught_the_error", async () => {
    const seen = reached.length;
    for (const attempt of [
      `await fetch("http://${host}/x").then((r) => r.text())`,
      `await fetch("https://example.invalid/x")`,
      `await new Promise((resolve, reject) => { const s = new WebSocket("ws://${host}/x"); s.onerror = reject; s.onopen = resolve; })`,
    ]) {
      const { execution } = await write(`try { ${attempt}; } catch (error) { return "caught: " + error.message; }\nreturn "reached";`);
      assert.equal(execution.status, "error", JSON.stringify(execution));
      assert.equal(execution.error.code, "MPP-E005", attempt);
      assert.match(execution.error.message, /network: /);
    }
    assert.equal(reached.length, seen, "nothing left the host");
  });

  test("an_attempt_that_nobody_waits_for_is_in_the_audit_too", async () => {
    const { pen_id } = await write(`fetch("http://${host}/late").catch(() => {}); await new Promise((go) => setTimeout(go, 100)); return 1`);
    assert.equal((await call("status", { pen_id })).error.code, "MPP-E005");
    assert.ok(!reached.some((line) => line.endsWith("/late")));
  });

  test("an_allowed_host_is_reached_and_a_redirect_off_the_list_is_not", async () => {
    const network = { allow: [host] };
    const near = await write(`const r = await fetch("http://${host}/here"); return await r.text()`, { network });
    assert.deepEqual([near.execution.status, near.execution.result], ["success", "reached /end"]);
    const far = await write(`try { const r = await fetch("http://${host}/away"); return await r.text() } catch { return "caught" }`, { network });
    assert.equal(far.execution.error?.code, "MPP-E005", JSON.stringify(far.execution));
    assert.ok(reached.includes(`${host} /away`) && !reached.some((line) => line.endsWith("/secret")));
    const port = `http://${elsewhere}/`;
    const beside = await write(`return await fetch("${port}").then(() => "reached", () => "refused")`, { network });
    assert.equal(beside.execution.error.code, "MPP-E005");
    assert.match(await failed("write", { intent: "sum the numbers", context: { persona_id: "zhuyuan" }, options: { sandbox: { network: { allow: [elsewhere] } } } }), /^MPP-E002/);
  });

  test("files_are_tmp_or_exactly_what_is_allowed", async () => {
    const tmp = await write(`await tmp.write({ path: "a", content: "x" }); return (await tmp.read({ path: "a" })).content`);
    assert.equal(tmp.execution.result, "x");
    const gone = await write(`return await tmp.read({ path: "a" }).then(() => "there", () => "gone")`);
    assert.deepEqual([gone.execution.status, gone.execution.result], ["success", "gone"]);
    const fs = { allow_paths: ["in"] };
    const own = await write(`await files.write({ path: "in/a.txt", content: "y" }); return (await files.read({ path: "in/a.txt" })).content`, { fs });
    assert.equal(own.execution.result, "y");
    assert.equal((await objects())["data/in/a.txt"], "y");
    const outside = await write(`try { await files.read({ path: "out.txt" }) } catch {} return 1`, { fs });
    assert.equal(outside.execution.error.code, "MPP-E005");
    const none = await write(`try { await tmp.write({ path: "a", content: "x" }) } catch {} return 1`, { fs: "none" });
    assert.equal(none.execution.error.code, "MPP-E005");
  });

  test("a_pen_that_takes_too_long_is_ended_with_e004", async () => {
    const { execution } = await write(`console.log("begun"); await new Promise((go) => setTimeout(go, 60_000)); return 1`, { timeout_ms: 400 });
    assert.equal(execution.status, "timeout");
    assert.equal(execution.error.code, "MPP-E004");
    assert.equal(execution.stdout, "begun\n");
    assert.ok(execution.duration_ms >= 300 && execution.duration_ms < 5_000, `${execution.duration_ms}`);
  });

  test("what_stops_a_pen_before_it_runs_is_typed_and_audited", async () => {
    const input = { intent: "sum the numbers", context: { persona_id: "zhuyuan" } };
    model.program = "return 1";
    assert.match(await failed("write", { ...input, intent: "use ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6 to fetch" }), /^MPP-E001.*GitHub token/s);
    assert.match(await failed("write", { ...input, options: { sandbox: { lang: "python" } } }), /^MPP-E002.*node/s);
    assert.match(await failed("write", { ...input, options: { sandbox: { lang: "shell" } } }), /^MPP-E002.*node/s);
    model.status = 500;
    assert.match(await failed("write", input), /^MPP-E003.*failed \(500\)/s);
    model.status = 200;
    model.program = "I'm sorry, I can't do that.";
    assert.match(await failed("write", input), /^MPP-E003/);
    model.program = "return /(/";
    assert.match(await failed("write", input), /^MPP-E003/);
    const all = [];
    for (let after = 0; ; ) {
      const page = await call("audit", { persona_id: "zhuyuan", after });
      all.push(...page.entries);
      if (page.next === null) break;
      after = page.next;
    }
    const codes = all.filter(({ event }) => event === "failed").map(({ code }) => code);
    assert.deepEqual(codes.slice(-6), ["MPP-E001", "MPP-E002", "MPP-E002", "MPP-E003", "MPP-E003", "MPP-E003"]);
    assert.ok(!JSON.stringify(all).includes("ghp_"));
    assert.match(await failed("write", { ...input, context: { persona_id: "other" } }), /^input-invalid/);
  });

  test("pens_of_one_program_are_written_one_after_the_other_each_with_its_own_id", async () => {
    model.program = "await new Promise((go) => setTimeout(go, 50)); return 1";
    const input = JSON.stringify({ intent: "sum the numbers", context: { persona_id: "zhuyuan" } });
    const code = `const pens = await Promise.all([1, 2, 3].map(() => pen.write(${input}))); return pens.map((p) => [p.pen_id, p.execution.status])`;
    const pens = await answer(await Client.open(connected.url), code);
    assert.equal(new Set(pens.map((/** @type {string[]} */ [id]) => id)).size, 3);
    assert.ok(pens.every((/** @type {string[]} */ [, status]) => status === "success"));
  });

  test("a_pen_has_no_pen_and_no_more_than_what_is_bound_to_it", async () => {
    const { execution } = await write(`return { pen: typeof pen, quill: typeof quill, there: Object.keys(env).sort(), process: typeof process }`);
    assert.deepEqual(execution.result, { pen: "undefined", quill: "undefined", there: ["files", "forage", "tmp"], process: "undefined" });
  });

  test("workers_ai_writes_too", async () => {
    const input = JSON.stringify({ intent: "count my words", context: { persona_id: "zhuyuan" } });
    const pen = await answer(await Client.open(connected.url), `return await quill.write(${input})`);
    assert.equal(pen.execution.result.model, "@cf/test");
    assert.equal(pen.suggestion, "share");
    const { entries } = await call("audit", { persona_id: "zhuyuan", pen_id: pen.pen_id });
    assert.equal(entries[0].event, "drafted", "connections with one bucket have one book");
  });
});
