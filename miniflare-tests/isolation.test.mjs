// What a program can reach: nothing of another run, no network, none of the runtime
// that runs it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { Client, PONG } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** @type {Workerd} */
let workerd;
/** @type {Client} */
let client;
before(async () => {
  workerd = await Workerd.start({ vars: DEV });
  client = await Client.open(workerd.url);
});
after(() => workerd.stop());

/** @param {string} code @returns {Promise<any>} */
async function answer(code) {
  const { isError, text } = await client.execute(code);
  assert.equal(isError, false, text);
  return JSON.parse(text);
}

test("a_second_run_sees_nothing_of_the_first", async () => {
  const traces = `[
    typeof globalThis.left, typeof Array.prototype.left, {}.left === undefined, typeof fetch.left,
    Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("left")).length,
    JSON.stringify({ a: 1 }), typeof globalThis.caches,
  ]`;
  const before = await answer(`return ${traces}`);
  const first = await client.execute(`
    globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1; fetch.left = 1; globalThis.leftToo = {};
    JSON.stringify = () => '"poisoned"'; Promise.prototype.then = function () { return this };
    setTimeout(() => { globalThis.left = 2 }, 50);
    return 1`);
  assert.equal(first.text, "1");
  assert.deepEqual(await answer(`await new Promise((r) => setTimeout(r, 100)); return ${traces}`), before);
});

test("side_by_side_runs_share_nothing", async () => {
  const code = `globalThis.seen = (globalThis.seen ?? 0) + 1;
    await new Promise((r) => setTimeout(r, 200)); return globalThis.seen`;
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => answer(code))), [1, 1, 1]);
});

describe("there_is_no_network", () => {
  /** @type {string[]} */
  const heard = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? "");
    response.end("reached");
  });
  /** @type {number} */
  let port;
  before(async () => {
    await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
    port = /** @type {import("node:net").AddressInfo} */ (server.address()).port;
  });
  after(() => server.close());

  /** @type {[name: string, code: (url: string) => string][]} */
  const ways = [
    ["fetch", (url) => `return (await fetch("${url}")).text()`],
    ["a Request", (url) => `return (await fetch(new Request("${url}", { method: "POST", body: "x" }))).text()`],
    ["a WebSocket", (url) => `await new Promise((open, fail) => { const s = new WebSocket("${url.replace("http", "ws")}"); s.onopen = open; s.onerror = (e) => fail(new Error(e.message)) }); return 1`],
    ["an EventSource", (url) => `await new Promise((open, fail) => { const s = new EventSource("${url}"); s.onopen = open; s.onerror = (e) => fail(new Error("closed")) }); return 1`],
    ["an own Worker", () => `return new Worker("x") && 1`],
    ["a socket", () => `const { connect } = await (async () => import("cloudflare:sockets"))(); return typeof connect`],
  ];
  for (const [name, code] of ways) {
    test(name, async () => {
      const { isError, text } = await client.execute(code(`http://127.0.0.1:${port}/${name}`));
      assert.equal(isError, true, text);
      assert.match(text, /^(guest-exception|syntax-error): /);
      assert.deepEqual(heard, []);
    });
  }

  test("a beacon, which reports no failure", async () => {
    const url = `http://127.0.0.1:${port}/beacon`;
    await answer(`navigator.sendBeacon("${url}", "x"); await new Promise((r) => setTimeout(r, 200)); return 1`);
    assert.deepEqual(heard, []);
  });

  test("and from here the server can be reached", async () => {
    await (await fetch(`http://127.0.0.1:${port}/control`)).text();
    assert.deepEqual(heard, ["/control"]);
  });
});

test("nothing_can_be_kept_in_a_cache", async () => {
  const put = "cache.put('https://kept.example/', new Response('x', { headers: { 'cache-control': 'max-age=60' } }))";
  for (const cache of ["caches.default", "await caches.open('kept')"]) {
    const { isError, text } = await client.execute(`const cache = ${cache}; await ${put}; return 1`);
    assert.equal(isError, true, text);
  }
});

describe("a_program_reaches_none_of_what_runs_it", () => {
  /** @type {[name: string, code: string, failure: RegExp][]} */
  const refused = [
    ["importing the harness", "return import('./harness.js')", /^syntax-error: no imports/],
    ["importing by a made-up name", "const name = './run.js'; return import(name)", /^syntax-error: no imports/],
    ["an import in a template", "return `${await import('./wire.js')}`", /^syntax-error: no imports/],
    ["a static import", "import './harness.js'; return 1", /^syntax-error: no imports/],
    ["an escape from the function", "}; export const fetch = 1; const x = () => {", /^syntax-error: /],
    ["an export that takes the harness's place", "export default { fetch() {} }", /^result-invalid: .*\/fetch is a function/],
    ["eval", "return eval('1')", /^guest-exception: .*EvalError/],
    ["indirect eval", "return (0, eval)('1')", /^guest-exception: .*EvalError/],
    ["Function", "return Function('return 1')()", /^guest-exception: .*EvalError/],
    ["a function's constructor", "return (async () => {}).constructor('return import(\"./run.js\")')()", /^guest-exception: .*EvalError/],
    ["a timer made of text", "setTimeout('1', 0); return 1", /^guest-exception: .*TypeError/],
    ["WebAssembly from bytes", "return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) && 1", /^guest-exception: .*CompileError/],
    ["overwriting env", "'use strict'; env = {}; return 1", /^guest-exception: .*TypeError/],
    ["overwriting an operation", "demo.ping = () => 1; return 1", /^guest-exception: .*TypeError/],
    ["listening to the host", "self.addEventListener('message', () => {}); throw new Error('ended')", /^guest-exception: .*ended/],
  ];
  for (const [name, code, failure] of refused) {
    test(name, async () => {
      const { isError, text } = await client.execute(code);
      assert.equal(isError, true, text);
      assert.match(text, failure);
    });
  }

  test("env_holds_operations_and_nothing_of_the_platform", async () => {
    assert.deepEqual(await answer("return [Object.keys(env), Object.getPrototypeOf(env)]"), [["demo", "forage"], null]);
    assert.match((await client.execute("return env.LOADER")).text, /^operation-unknown: /);
    assert.match((await client.execute("return env.CONNECTIONS.getByName('x')")).text, /^operation-unknown: /);
  });

  test("poisoned_globals_change_neither_calls_nor_the_answer", async () => {
    const poison = `
      const bad = () => { throw new Error("poisoned") };
      JSON.stringify = JSON.parse = bad; Array.prototype.push = bad; Array.prototype.map = bad;
      Object.defineProperty = Object.keys = Object.freeze = bad; Map.prototype.get = Map.prototype.set = bad;
      globalThis.Promise = undefined; globalThis.WebSocketPair = bad; globalThis.setTimeout = bad;
      String.prototype.slice = bad; Reflect.apply = bad; Function.prototype.call = Function.prototype.apply = bad;
      Object.prototype.toJSON = () => "poisoned"; globalThis.addEventListener = bad; WebSocket.prototype.send = bad;`;
    assert.equal((await client.execute(`${poison} return demo.ping({})`)).text, '{"value":"pong"}');
  });

  test("the_stack_of_a_failed_call_names_the_program_alone", async () => {
    const stack = await answer("return await demo.ping(1).catch((error) => error.stack)");
    assert.match(stack, /program\.js:2:/);
    assert.doesNotMatch(stack, /(?<!program)\.js/);
  });

  test("a_guest_that_closes_or_floods_harms_only_itself", async () => {
    const flood = "for (let i = 0; i < 5_000; i++) console.log('x'.repeat(100)); return 1";
    const { text, texts } = await client.execute(flood);
    assert.equal(text, "1");
    assert.match(texts[1], /^Printed:\n/);
    assert.match(texts[1], /lines? more/);
    assert.ok(texts[1].length < 100_000, String(texts[1].length));
    assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
  });
});
