// The page's side against a host that a test plays.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { connectBrowser } from "../connect.mjs";

/** @typedef {{ endpoint: string, headers: Headers, body: any, keepalive?: boolean }} Posted */

/** A host with one page. */
class Played {
  /** @type {Posted[]} */
  posts = [];
  /** @type {(Headers)[]} */
  opened = [];
  /** @type {string[]} */
  problems = [];
  /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
  #stream;
  #waiting = new Set();
  /** @type {(posted: Posted) => Response | Promise<Response>} */
  answers = ({ endpoint, body }) =>
    endpoint === "claims" ? Response.json({ claim: `claim-${body.request}`, input: { n: 1 } }) : new Response(null, { status: 204 });
  events = () => 200;

  /** @type {typeof fetch} */
  fetch = async (url, init = {}) => {
    const endpoint = String(url).replace("http://host/browser/sessions/s1/browser/", "");
    const headers = new Headers(init.headers);
    init.signal?.throwIfAborted();
    if (endpoint === "events") {
      this.opened.push(headers);
      const status = this.events();
      this.#told();
      if (status !== 200) return new Response("{}", { status });
      const body = new ReadableStream({ start: (controller) => void (this.#stream = controller) });
      init.signal?.addEventListener("abort", () => this.cut());
      this.say("open", { client: "c1", claimed: [] });
      return new Response(body);
    }
    const posted = { endpoint, headers, body: JSON.parse(String(init.body)), keepalive: init.keepalive };
    this.posts.push(posted);
    this.#told();
    return this.answers(posted);
  };

  #told() {
    for (const look of this.#waiting) look();
  }

  /**
   * @param {string} name
   * @param {unknown} data
   */
  say(name, data) {
    this.#stream?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  }

  cut() {
    try {
      this.#stream?.close();
    } catch {
      // It is cut already.
    }
  }

  /**
   * Resolves when there are so many posts to an endpoint.
   * @param {string} endpoint
   * @param {number} [count]
   * @returns {Promise<Posted>} the last of them
   */
  posted(endpoint, count = 1) {
    return this.until(() => this.posts.filter((post) => post.endpoint === endpoint)[count - 1]);
  }

  /**
   * @template T
   * @param {() => T | undefined} look
   * @returns {Promise<T>}
   */
  until(look) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`never: ${look}`)), 5_000);
      // What a command does nobody tells.
      const often = setInterval(() => again(), 5);
      const again = () => {
        const found = look();
        if (found === undefined || found === false) return;
        clearTimeout(timer);
        clearInterval(often);
        this.#waiting.delete(again);
        resolve(found);
      };
      this.#waiting.add(again);
      again();
    });
  }

  /**
   * @param {import("../connect.mjs").Whistle | (() => import("../connect.mjs").Whistle)} whistle
   * @param {Partial<import("../connect.mjs").Options>} [options]
   */
  connect(whistle, options = {}) {
    const connection = connectBrowser({
      baseUrl: "http://host/browser/sessions/s1/",
      whistle,
      fetch: this.fetch,
      onProblem: (problem) => void this.problems.push(problem),
      ...options,
    });
    open.push(connection);
    return connection;
  }
}

/** @type {{ close(): void }[]} */
const open = [];
afterEach(() => open.splice(0).forEach((connection) => connection.close()));

/** @param {(input: any, options: { signal: AbortSignal }) => unknown} run */
const command = (run) => ({ description: "d", input: {}, output: {}, run });

/** Long enough for what must not come. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 30));

/** @param {string} request */
const ask = (request, name = "go") => ({ request, kind: "execute", command: name });

test("a command is claimed with its declaration before it runs and its result is sent with the claim", async () => {
  const host = new Played();
  /** @type {string[]} */
  const order = [];
  const answers = host.answers;
  host.answers = (posted) => (order.push(posted.endpoint), answers(posted));
  host.connect({ go: command((input) => (order.push("runs"), { got: input })) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  const { body } = await host.posted("results");
  assert.deepEqual(host.posts[0].body, { client: "c1", request: "7", declaration: { description: "d", input: {}, output: {} } });
  assert.deepEqual(body, { client: "c1", request: "7", claim: "claim-7", value: { got: { n: 1 } } });
  assert.deepEqual(order, ["claims", "runs", "results"]);
});

test("without a claim nothing runs", async () => {
  const host = new Played();
  let runs = 0;
  host.answers = () => Response.json({ error: "another page" }, { status: 409 });
  host.connect({ go: command(() => runs++) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  await host.posted("claims");
  host.say("request", ask("8"));
  await host.posted("claims", 2);
  await moment();
  assert.deepEqual([runs, host.posts.length, host.problems], [0, 2, []]);
});

test("the commands are listed as they are at that moment, without what they do", async () => {
  const host = new Played();
  let names = ["a"];
  host.connect(() => Object.fromEntries(names.map((name) => [name, command(() => 1)])));
  await host.until(() => host.opened[0]);
  for (const [request, now] of /** @type {const} */ ([["1", ["a"]], ["2", ["b", "c"]]])) {
    names = [...now];
    host.say("request", { request, kind: "discover" });
    const { body } = await host.posted("results", Number(request));
    assert.deepEqual(Object.keys(body.value.methods), now);
    assert.deepEqual(body.value.methods[now[0]], { description: "d", input: {}, output: {} });
  }
});

test("a command that there isn't is claimed with those that there are, but the hidden ones", async () => {
  const host = new Played();
  host.answers = () => Response.json({ error: "ended" }, { status: 409 });
  host.connect({ go: command(() => 1), secret: { ...command(() => 1), hidden: true } });
  await host.until(() => host.opened[0]);
  for (const [at, name] of ["other", "toString"].entries()) {
    host.say("request", ask(String(at), name));
    assert.deepEqual((await host.posted("claims", at + 1)).body.known, ["go"]);
  }
});

test("what a command throws, and what JSON can't say, is its failure", async () => {
  const host = new Played();
  const runs = [() => { throw new Error("no milk"); }, () => Promise.reject("later"), () => ({ n: NaN }), () => undefined];
  host.connect(Object.fromEntries(runs.map((run, at) => [`go${at}`, command(run)])));
  await host.until(() => host.opened[0]);
  const outcomes = [];
  for (const at of runs.keys()) {
    host.say("request", ask(String(at), `go${at}`));
    outcomes.push((await host.posted("results", at + 1)).body);
  }
  assert.equal(outcomes[0].error.message, "no milk");
  assert.equal(outcomes[1].error.message, "later");
  assert.match(outcomes[2].error.message, /\/n is NaN/);
  assert.equal(outcomes[3].value, null);
});

test("after a cut the page comes back as itself and runs nothing a second time", async () => {
  const host = new Played();
  let runs = 0;
  /** @type {PromiseWithResolvers<number>} */
  const result = Promise.withResolvers();
  host.connect({ go: command(() => (runs++, result.promise)) });
  await host.until(() => host.opened[0]);
  assert.equal(host.opened[0].get("last-event-id"), null);
  host.say("request", ask("7"));
  await host.until(() => runs || undefined);
  host.cut();
  const played = host.say.bind(host);
  // What the host says of this page when it comes back.
  host.say = (name, data) => played(name, name === "open" ? { client: "c1", claimed: ["7"] } : data);
  await host.until(() => host.opened[1]);
  assert.equal(host.opened[1].get("last-event-id"), "c1");
  host.say("request", ask("7"));
  result.resolve(5);
  assert.equal((await host.posted("results")).body.value, 5);
  await moment();
  assert.equal(runs, 1);
});

test("what is withdrawn, or is over when the page comes back, is told by its signal and not sent", async () => {
  const host = new Played();
  /** @type {AbortSignal[]} */
  const signals = [];
  host.connect({ go: command((_, { signal }) => new Promise((resolve) => (signals.push(signal), signal.addEventListener("abort", resolve)))) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  await host.until(() => signals[0]);
  host.say("withdrawn", { request: "7" });
  host.say("request", ask("8"));
  await host.until(() => signals[1]);
  assert.ok(signals[0].aborted);
  host.cut();
  await host.until(() => host.opened[1]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(signals[1].aborted, "the host holds it no longer");
  assert.equal(host.posts.filter(({ endpoint }) => endpoint === "results").length, 0);
});

test("a claim and a result that don't get through are sent again", async () => {
  const host = new Played();
  const failed = { claims: 0, results: 0 };
  const answers = host.answers;
  host.answers = (posted) => {
    const endpoint = /** @type {"claims" | "results"} */ (posted.endpoint);
    if (failed[endpoint]++ > 0) return answers(posted);
    if (endpoint === "claims") throw new TypeError("no network");
    return new Response("{}", { status: 503 });
  };
  host.connect({ go: command(() => 3) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  assert.equal((await host.posted("results", 2)).body.value, 3);
});

test("a result that is too large is answered with a failure", async () => {
  const host = new Played();
  const answers = host.answers;
  host.answers = (posted) => (posted.body.value ? Response.json({ error: "4 MiB" }, { status: 413 }) : answers(posted));
  host.connect({ go: command(() => "large") });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  const { body } = await host.posted("results", 2);
  assert.match(body.error.message, /ran.*4 MiB/);
  assert.match(host.problems.join(), /413/);
});

test("it stops for good when the connection is closed or the session is gone and tries again otherwise", async () => {
  for (const status of [410, 404, 403, 401]) {
    const host = new Played();
    host.events = () => status;
    /** @type {string[]} */
    const closed = [];
    const connection = host.connect({}, { onClose: (reason) => void closed.push(reason) });
    assert.deepEqual([await connection.closed], closed);
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(host.opened.length, 1, String(status));
  }
  const host = new Played();
  host.events = () => (host.opened.length === 1 ? 503 : 200);
  host.connect({});
  await host.until(() => host.opened[1]);
});

test("a 410 on a claim ends it too, and what runs is told", async () => {
  const host = new Played();
  /** @type {AbortSignal | undefined} */
  let signal;
  const answers = host.answers;
  host.answers = (posted) => (posted.body.request === "8" ? new Response("{}", { status: 410 }) : answers(posted));
  const connection = host.connect({ go: command((_, options) => new Promise(() => void (signal = options.signal))) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  await host.until(() => signal);
  host.say("request", ask("8"));
  assert.match(await connection.closed, /closed/);
  assert.ok(signal?.aborted);
});

test("headers are asked for anew with every request, and may be renewed after a 401", async () => {
  const host = new Played();
  let token = 0;
  host.events = () => (host.opened.length === 1 ? 401 : 200);
  host.connect({ go: command(() => 1) }, { headers: async () => ({ authorization: `Bearer ${++token}` }) });
  await host.until(() => host.opened[1]);
  host.say("request", ask("7"));
  const { headers } = await host.posted("results");
  assert.deepEqual(host.opened.map((opened) => opened.get("authorization")), ["Bearer 1", "Bearer 2"]);
  assert.equal(headers.get("authorization"), "Bearer 4");
});

test("a page that is left says so for what it holds", async () => {
  const host = new Played();
  const connection = host.connect({ go: command(() => new Promise(() => {})) });
  await host.until(() => host.opened[0]);
  host.say("request", ask("7"));
  await host.posted("claims");
  await new Promise((resolve) => setTimeout(resolve, 20));
  connection.close();
  const { body, keepalive } = await host.posted("results");
  assert.deepEqual(body, { client: "c1", request: "7", claim: "claim-7", gone: true });
  assert.equal(keepalive, true);
  assert.equal(await connection.closed, "closed by the page");
});
