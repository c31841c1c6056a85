// What is wrong is answered, typed, and the Worker serves on.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, PONG, post, request } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const TIMEOUT_MS = 800;
const MIB = 1024 * 1024;

/** @type {Workerd} */
let workerd;
/** @type {Client} */
let client;
before(async () => {
  workerd = await Workerd.start({ build: "faults", vars: { ...DEV, MYCELIUM_TIMEOUT_MS: String(TIMEOUT_MS) } });
  client = await Client.open(workerd.url);
});
after(() => workerd.stop());

/** The Worker serves on, and so does the session. */
async function servesOn() {
  assert.deepEqual((await client.execute(PONG)).texts, ['{"value":"pong"}']);
}

/** @param {unknown} args */
const call = (args) => ({ jsonrpc: "2.0", id: "x", method: "tools/call", params: { name: "execute", arguments: args } });

describe("a_body_that_is_no_message_gets_its_json_rpc_code", () => {
  /** @type {[name: string, body: BodyInit, status: number, code: number, id?: unknown][]} */
  const cases = [
    ["nothing", "", 400, -32700],
    ["half a message", '{"jsonrpc":"2.0","id":1', 400, -32700],
    ["no JSON", "hello", 400, -32700],
    ["a key twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ["a number no double holds", '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1e999}}', 400, -32700],
    ["a lone surrogate", '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 400, -32700],
    ["100 000 brackets", "[".repeat(100_000), 400, -32700],
    ["a batch", "[]", 400, -32600],
    ["a string", '"ping"', 400, -32600],
    ["another protocol", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600, 1],
    ["a null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ["a fraction as id", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', 400, -32600, 1],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600, 1],
    ["an unknown method", request("m", "tools/run"), 200, -32601, "m"],
    ["a method of another time", request("m", "resources/list"), 200, -32601, "m"],
    ["an unknown tool", request("t", "tools/call", { name: "run", arguments: { code: "1" } }), 200, -32602, "t"],
    ["no tool", request("t", "tools/call", {}), 200, -32602, "t"],
    ["a tool that is a number", request("t", "tools/call", { name: 1 }), 200, -32602, "t"],
    ["a page there isn't", request("l", "tools/list", { cursor: "2" }), 200, -32602, "l"],
    ["a second initialize", request("i", "initialize", {}), 400, -32600],
  ];
  for (const [name, body, status, code, id] of cases) {
    test(name, async () => {
      const answer = await client.post(body);
      const { error, id: answered } = JSON.parse(answer.text);
      assert.deepEqual({ status: answer.status, code: error.code, id: answered }, { status, code, id });
      assert.ok(error.message.length > 0 && error.message.length < 2_048, error.message);
      await servesOn();
    });
  }

  test("bytes that are no UTF-8", async () => {
    const answer = await client.post(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
    assert.equal(answer.status, 400);
    assert.match(answer.text, /UTF-8/);
    await servesOn();
  });

  test("more than 4 MiB, declared or not", async () => {
    const body = "x".repeat(4 * MIB + 1);
    const streamed = new Blob([body]).stream();
    const declared = await client.post(body);
    const undeclared = await fetch(`${workerd.url}/mcp`, /** @type {any} */ ({
      method: "POST",
      duplex: "half",
      body: streamed,
      headers: { accept: "application/json", "content-type": "application/json", "mcp-session-id": client.session },
    }));
    assert.deepEqual([declared.status, undeclared.status], [413, 413]);
    assert.match(declared.text, /4 MiB/);
    await servesOn();
  });

  test("exactly 4 MiB is read", async () => {
    const body = request("pad", "ping", { pad: "" });
    const padded = request("pad", "ping", { pad: "x".repeat(4 * MIB - body.length) });
    assert.equal(padded.length, 4 * MIB);
    assert.equal(JSON.parse((await client.post(padded)).text).id, "pad");
  });
});

describe("arguments_that_are_no_program_say_what_to_send", () => {
  /** @type {[name: string, args: unknown, problem: RegExp][]} */
  const cases = [
    ["none", undefined, /code is missing/],
    ["null", null, /the arguments are an object/],
    ["a list", ["return 1"], /the arguments are an object/],
    ["no code", {}, /code is missing/],
    ["code that is null", { code: null }, /code is a string/],
    ["code that is a number", { code: 1 }, /code is a string/],
    ["code that is a list", { code: ["return 1"] }, /code is a string/],
    ["an argument more", { code: "return 1", timeout: 1 }, /no argument but code/],
  ];
  for (const [name, args, problem] of cases) {
    test(name, async () => {
      const { result } = JSON.parse((await client.post(JSON.stringify(call(args)))).text);
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /^input-invalid: .*call execute with/);
      assert.match(result.content[0].text, problem);
      await servesOn();
    });
  }
});

describe("a_program_that_fails_says_its_code_and_its_cause", () => {
  /** @type {[name: string, code: string, failure: RegExp][]} */
  const cases = [
    ["1 MiB of code", "x".repeat(MIB), /^program-too-large: .* 262144 bytes/],
    ["a character over the limit", `return 1//${"x".repeat(256 * 1024 - 9)}`, /^program-too-large: /],
    ["a syntax error", "const a = 1;\nreturn a +* 2", /^syntax-error: Unexpected token \(line 2, column 11\)\n/],
    ["an end too early", "return {", /^syntax-error: .*\(line 1, column \d+\)/],
    ["an import", "import fs from 'node:fs'; return 1", /^syntax-error: no imports here.*\(line 1, column \d+\)/],
    ["a dynamic import", "return import('node:fs')", /^syntax-error: no imports here/],
    ["nothing", "", /^no-answer: /],
    ["a name declared twice", "let a\nlet a\nreturn 1", /^syntax-error: .*already been declared \(line \d, column 5\)/],
    ["super outside a subclass", "class A { constructor() { super() } }\nreturn 1", /^syntax-error: .*\(line 1, column \d+\)/],
    ["an unended regular expression", "return 1\n+ /(/", /^syntax-error: .*\(line 2, column 3\)/],
    ["a label there isn't", "x: { break y }\nreturn 1", /^syntax-error: .*\(line 1, column \d+\)/],
    ["a thrown error", "\n  throw new TypeError('bad')", /^guest-exception: the program threw TypeError: bad \(line 2, column 9\)/],
    ["a thrown string", "throw 'bad'", /^guest-exception: .*the string "bad"/],
    ["a thrown null", "throw null", /^guest-exception: .*null/],
    ["a thrown undefined", "throw undefined", /^guest-exception: .*undefined/],
    ["a thrown object", "throw { code: 7 }", /^guest-exception: .*\{ ?"?code"?: ?7 ?\}/],
    ["an error without a message", "throw new Error('')", /^guest-exception: .*without a message/],
    ["an error that lies", "throw { __proto__: Error.prototype, get message() { throw 1 } }", /^guest-exception: /],
    ["a stack that is gone", "const f = () => f(); return f()", /^guest-exception: the program threw RangeError: /],
    ["a promise that never settles", "await new Promise(() => {})", /^deadline-exceeded: the 800 ms .*started: true/],
    ["one with a timer pending", "await new Promise((r) => setTimeout(r, 1e6))", /^deadline-exceeded: the 800 ms .*started: true/],
    ["an answer over the limit", "return 'x'.repeat(1024 * 1024)", /^result-too-large: .*1048578 bytes.*1048576.*string/],
    ["a Map", "return { a: [new Map()] }", /^result-invalid: the answer at \/a\/0 is a Map.*Object\.fromEntries/],
    ["a BigInt", "return 1n", /^result-invalid: the answer at \/ is a BigInt/],
    ["NaN", "return [NaN]", /^result-invalid: the answer at \/0 is NaN/],
    ["a cycle", "const a = {}; a.a = a; return a", /^result-invalid: the answer at \/a is /],
    ["a function", "return () => 1", /^result-invalid: the answer at \/ is a function/],
    ["an operation there isn't", "return demo.pnig({})", /^operation-unknown: .*demo\.pnig.*demo\.ping/],
    ["a module there isn't", "return env.dem.ping({})", /^operation-unknown: .*demo\.ping/],
    ["a name like no other", "return env.zzzz({})", /^operation-unknown: .*zzzz; Object\.keys\(env\) lists/],
    ["input of another type", "return demo.ping(1)", /^input-invalid: demo\.ping .*at \/: .*"object"/],
    ["input that is too much", "return demo.ping({ a: 1 })", /^input-invalid: demo\.ping /],
    ["two arguments", "return demo.ping({}, {})", /^input-invalid: demo\.ping .*at \/: 2 arguments/],
    ["input that JSON can't say", "return demo.ping({ a: 1n })", /^input-invalid: demo\.ping .*at \/a: a BigInt/],
  ];
  for (const [name, code, failure] of cases) {
    test(name, async () => {
      const { isError, text } = await client.execute(code);
      assert.equal(isError, true);
      assert.match(text, failure);
      assert.match(text, / \(reference [0-9a-f]{16}\)$/);
      await servesOn();
    });
  }

  test("a program of exactly 256 KiB runs", async () => {
    const code = "return 1//";
    assert.equal((await client.execute(code + "x".repeat(256 * 1024 - code.length))).text, "1");
  });
});

describe("a_depth_bomb_is_refused_while_a_neighbour_finishes", () => {
  const bombs = ["[", "(", "{", "a=>", "a?b:", "a=", "!", "`${", "A<", "if(1)", "function f(){", "x.y(", "- ", "async()=>"];
  /** @type {[string, number][]} */
  const sizes = [["2 KB", 2_048], ["100 000 times", 0]];
  for (const bomb of bombs) {
    for (const [name, bytes] of sizes) {
      test(`${name} of ${bomb}`, async () => {
        const times = bytes ? Math.floor(bytes / bomb.length) : Math.min(100_000, Math.floor((256 * 1024) / bomb.length));
        const neighbour = await Client.open(workerd.url);
        const [finished, bombed] = await Promise.all([
          neighbour.execute("return faults.wait({ ms: 150 })"),
          client.execute(bomb.repeat(times)),
        ]);
        assert.match(bombed.text, /^program-too-deep: .*split it/);
        assert.equal(finished.text, '{"waited":150}');
        await servesOn();
      });
    }
  }
});

describe("a_request_head_that_breaks_a_rule_gets_its_status", () => {
  const ping = request(1, "ping");
  /** @type {[name: string, headers: Record<string, string | undefined>, status: number][]} */
  const cases = [
    ["an Accept without JSON", { accept: "text/html" }, 406],
    ["a body that isn't declared JSON", { "content-type": "text/plain" }, 415],
    ["a page of another site", { origin: "https://evil.example" }, 403],
    ["a page of no site", { origin: "null" }, 403],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, 403],
    ["a revision there isn't", { "mcp-protocol-version": "1900-01-01" }, 400],
    ["no session", { "mcp-session-id": undefined }, 400],
    ["an empty session", { "mcp-session-id": "" }, 404],
    ["another's session", { "mcp-session-id": "0".repeat(32) }, 404],
    ["a session that is a path", { "mcp-session-id": "../../etc/passwd" }, 404],
    ["a very long session", { "mcp-session-id": "a".repeat(8_000) }, 404],
  ];
  for (const [name, headers, status] of cases) {
    test(name, async () => {
      const answer = await client.post(ping, headers);
      assert.equal(answer.status, status, answer.text);
      assert.ok(JSON.parse(answer.text).error.message);
      await servesOn();
    });
  }

  test("an ended session", async () => {
    const ended = await Client.open(workerd.url);
    assert.equal(await ended.end(), 204);
    assert.equal((await ended.post(ping)).status, 404);
    assert.equal(await ended.end(), 404);
    await servesOn();
  });

  for (const [method, allowed] of [["GET", "POST, OPTIONS"], ["PUT", "GET, POST, DELETE, OPTIONS"], ["PATCH", "GET, POST, DELETE, OPTIONS"]]) {
    test(`the method ${method}`, async () => {
      const answer = await fetch(`${workerd.url}/mcp`, { method });
      assert.deepEqual([answer.status, answer.headers.get("allow")], [405, allowed]);
    });
  }

  test("DELETE without a session", async () => {
    assert.equal((await fetch(`${workerd.url}/mcp`, { method: "DELETE" })).status, 400);
  });

  test("another path", async () => {
    assert.equal((await fetch(`${workerd.url}/`)).status, 404);
    assert.equal((await fetch(`${workerd.url}/mcp/`, { method: "POST", body: ping })).status, 404);
  });

  test("nobody is let in who isn't configured", async () => {
    await Workerd.during({}, async ({ url }) => {
      const answer = await post(url, ping);
      assert.deepEqual([answer.status, answer.headers.get("www-authenticate")], [401, "Bearer"]);
    });
  });
});
