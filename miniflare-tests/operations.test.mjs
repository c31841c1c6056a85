// What an operator sees of the Worker: its log, its status, the traces that it is part of.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client, request, sleep } from "./host/client.mjs";
import { Session, stateless, text } from "./host/streaming.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const TABLE = readFileSync(join(import.meta.dirname, "openapi", "echo.table.json"), "utf8");
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const CALL = `return echo.scalar({ path_id: "a", query_id: 7, "X-Trace": "t" })`;

describe("operations", () => {
  /** @type {Workerd} */
  let workerd;
  /** @type {(string | undefined)[]} */
  const traced = [];
  const server = createServer((incoming, outgoing) => {
    traced.push(/** @type {string | undefined} */ (incoming.headers.traceparent));
    const { method, url } = incoming;
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ method, url, headers: { host: incoming.headers.host }, body: "" }));
  });

  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const vars = { ...DEV, ECHO_TABLE: TABLE, ECHO_SERVER: `http://127.0.0.1:${port}/v1`, ECHO_TOKEN: "canary-token" };
    workerd = await Workerd.start({ build: "faults", vars });
  });
  after(async () => {
    await workerd?.stop();
    server.close();
  });

  /** The log's lines of an event. @param {string} event @returns {any[]} */
  function lines(event) {
    const read = workerd.log.split("\n").filter((line) => line.includes(`"event":"${event}"`));
    return read.map((line) => JSON.parse(line.slice(line.indexOf("{"))));
  }

  /** The line of the last execution, once it is there. @param {number} count how many there are with it */
  async function execution(count) {
    for (let waited = 0; lines("execution").length < count; waited += 50) {
      assert.ok(waited < 5_000, `no line: ${workerd.log.slice(-500)}`);
      await sleep(50);
    }
    return lines("execution").at(-1);
  }

  test("an_execution_is_one_line_with_nothing_of_what_it_said", async () => {
    const session = await Session.open(workerd.url);
    const before = lines("execution").length;
    const answer = await (await session.execute(`const canary = "canary of code"; await demo.ping({}); return canary`)).answer();
    assert.equal(text(answer), '"canary of code"');
    const line = await execution(before + 1);
    assert.equal(line.outcome, "ok");
    assert.equal(line.principalKind, "member");
    assert.deepEqual(line.calls, { made: 1, refused: 0, failed: 0, unsettled: 0 });
    assert.equal(line.traceId, line.executionId);
    assert.equal(line.isolates, 1);
    assert.ok(line.bytes.code > 50 && line.bytes.answer === 16, JSON.stringify(line.bytes));
    assert.equal(lines("execution").length, before + 1);
    assert.ok(!workerd.log.includes("canary"));
  });

  test("a_failure_is_found_under_the_reference_that_the_model_has", async () => {
    const client = await Client.open(workerd.url);
    const before = lines("execution").length;
    const { text: told } = await client.execute("throw new Error('no')");
    const reference = /reference (\w{16})/.exec(told ?? "")?.[1];
    const line = await execution(before + 1);
    assert.deepEqual([line.outcome, line.reference], ["guest-exception", reference]);
    const failure = lines("failure").at(-1);
    assert.deepEqual([failure.code, failure.reference, failure.executionId], ["guest-exception", reference, line.executionId]);
  });

  test("a_refusal_is_a_line", async () => {
    const session = await Session.open(workerd.url, {}, {});
    await (await session.execute("return guarded.remove({})")).answer();
    const refusal = lines("refusal").at(-1);
    assert.deepEqual([refusal.module, refusal.operation, refusal.reason], ["test-guarded", "remove", "confirm-unavailable"]);
  });

  test("a_trace_goes_from_the_request_to_the_line_and_to_the_server_that_is_asked", async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    const session = await Session.open(workerd.url, headers);
    const modern = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const calls = [
      () => session.execute(CALL),
      () => stateless(workerd.url, CALL, { _meta: modern }, headers),
    ];
    for (const call of calls) {
      const before = lines("execution").length;
      traced.length = 0;
      await (await call()).answer();
      const line = await execution(before + 1);
      assert.deepEqual([line.traceId, line.parentSpanId], [TRACE, PARENT]);
      assert.deepEqual(traced, [`00-${TRACE}-${line.spanId}-01`]);
    }
  });

  test("the_status_is_what_was_counted", async () => {
    const status = async () => {
      const answer = await fetch(`${workerd.url}/status`);
      assert.deepEqual([answer.status, answer.headers.get("cache-control")], [200, "no-store"]);
      return answer.json();
    };
    const before = await status();
    const client = await Client.open(workerd.url);
    await client.execute("await demo.ping({}); return 1");
    const after = await status();
    assert.equal(after.name, "mycelium");
    assert.equal(after.isolate.ended, before.isolate.ended + 1);
    assert.equal(after.isolate.succeeded, before.isolate.succeeded + 1);
    assert.equal(after.isolate.calls, before.isolate.calls + 1);
    assert.equal(after.isolate.running, 0);
    assert.equal((await fetch(`${workerd.url}/status`, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${workerd.url}/status`, { headers: { origin: "https://evil.example" } })).status, 403);
  });
});

test("code_and_inputs_are_in_the_log_only_where_the_owner_asks_and_secrets_never", async () => {
  const secret = "canary-of-a-secret";
  const code = `const said = "canary of code"; // ${secret}
await demo.ping({ canary: "canary of an input", password: "canary of a password", long: ${JSON.stringify(secret)} }).catch(() => 0);
await demo.ping({ canary: "y".repeat(5_000) }).catch(() => 0);
return said // ${"x".repeat(20_000)}`;
  /** The log, and the line of the one execution. @param {string} log */
  const line = async (log) => {
    /** @type {[string, any]} */
    let told = ["", undefined];
    const toml = `[grants.dev]\ndemo = "read"\n${log}`;
    await Workerd.during({ toml, vars: { ...DEV, ANY_SECRET: secret } }, async (workerd) => {
      const session = await Session.open(workerd.url);
      await (await session.execute(code)).answer();
      const found = () => workerd.log.split("\n").find((one) => one.includes('"event":"execution"'));
      for (let waited = 0; !found(); waited += 50) {
        assert.ok(waited < 5_000, workerd.log.slice(-500));
        await sleep(50);
      }
      const printed = found() ?? "";
      told = [workerd.log, JSON.parse(printed.slice(printed.indexOf("{")))];
    });
    return told;
  };
  const [silent, facts] = await line("");
  assert.deepEqual([facts.outcome, facts.code, facts.inputs, silent.includes("canary")], ["ok", undefined, undefined, false]);
  const [coded, withCode] = await line("[log]\ncode = true\n");
  assert.ok(withCode.code.text.startsWith('const said = "canary of code"; // [masked]\n'), withCode.code.text);
  assert.deepEqual([withCode.code.cut, withCode.code.bytes, withCode.code.text.length], [true, code.length, 16_384]);
  assert.deepEqual([withCode.inputs, coded.includes(secret)], [undefined, false]);
  const [put, withInputs] = await line("[log]\ninputs = true\n");
  const [short, long] = withInputs.inputs.listed;
  assert.deepEqual(JSON.parse(short.input.text), { canary: "canary of an input", password: "[masked]", long: "[masked]" });
  assert.deepEqual([short.ordinal, short.path, short.input.cut], [0, "demo.ping", false]);
  assert.deepEqual([long.input.cut, long.input.text.length, withInputs.inputs.omitted], [true, 2_048, 0]);
  assert.deepEqual([withInputs.code, put.includes(secret), put.includes("canary of a password")], [undefined, false, false]);
});

test("a_status_is_for_whoever_may_call", async () => {
  const sha256 = createHash("sha256").update("key").digest("hex");
  const vars = { MYCELIUM_API_KEYS: JSON.stringify({ ci: { sha256, kind: "agent", id: "ci" } }) };
  await Workerd.during({ build: "faults", vars }, async ({ url }) => {
    assert.equal((await fetch(`${url}/status`)).status, 401);
    const headers = { authorization: "Bearer key" };
    assert.equal((await fetch(`${url}/status`, { headers })).status, 200);
    const post = await fetch(`${url}/mcp`, { method: "POST", headers, body: request("x", "ping") });
    assert.notEqual(post.status, 401);
  });
});
