// What the loader is told, what it may answer, and how every run's connection ends.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, PONG, sleep } from "./host/client.mjs";
import { TAPPED, impersonate, refuse, tap } from "./host/tapped.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** @type {Workerd} */
let workerd;
/** @type {Client} */
let client;
const TIMEOUT_MS = 3_000;
before(async () => {
  const vars = { ...DEV, MYCELIUM_TIMEOUT_MS: String(TIMEOUT_MS), MYCELIUM_ADMISSION_WAIT_MS: "400" };
  workerd = await Workerd.start({ build: "faults", vars, entry: TAPPED });
  client = await Client.open(workerd.url);
  await client.execute(PONG);
});
after(() => workerd.stop(/panicked|Critical|Uncaught Error: no/));

test("the_loader_is_told_one_thing_and_no_more", async () => {
  await tap(workerd.url);
  assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
  const { codes, entrypoints } = await tap(workerd.url);
  const [{ limits, ...code }] = codes;
  assert.deepEqual(code, {
    compatibilityDate: "2026-06-01",
    compatibilityFlags: ["disallow_eval_during_startup"],
    globalOutbound: null,
    mainModule: "harness.js",
    modules: ["harness.js", "program.js"],
  });
  assert.deepEqual(Object.keys(limits).sort(), ["cpuMs", "subRequests"]);
  assert.deepEqual(entrypoints, [{ name: null, options: { limits } }], "the same at the entrypoint");
  assert.ok(limits.cpuMs > TIMEOUT_MS - 1_500 && limits.cpuMs <= TIMEOUT_MS, String(limits.cpuMs));
  assert.equal(limits.subRequests, 10_000);
  assert.equal(codes.length, 1);
});

const BUSY = ["Error: Dynamic worker concurrency limit exceeded.", "Too many concurrent dynamic workers"];

describe("the_platforms_own_refusal", () => {
  test("is_waited_out_and_the_program_runs_once", async () => {
    await tap(workerd.url);
    await refuse(workerd.url, BUSY);
    const { text } = await client.execute(`return witness.see({ note: "busy" })`);
    assert.equal(JSON.parse(text).ordinal, 0);
    const { codes, runs } = await tap(workerd.url);
    assert.equal(codes.length, 3, "two refusals and one load");
    assert.ok(codes[2].limits.cpuMs < codes[0].limits.cpuMs, "only the time that is left");
    assert.equal(runs.filter(({ frames }) => frames.some((frame) => frame.startsWith('["call"'))).length, 1);
  });

  test("is_sandbox_busy_when_the_wait_is_over", async () => {
    await refuse(workerd.url, Array(1_000).fill(BUSY[0]));
    const begun = performance.now();
    const { text } = await client.execute(PONG);
    await refuse(workerd.url, []);
    assert.match(text, /^sandbox-busy: 6 programs run at once here, and in 4\d\d ms it was not this one's turn: none of it has run/);
    assert.ok(performance.now() - begun < 900);
    assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
  });
});

describe("what_the_platform_says_of_an_isolate_it_ended", () => {
  /** @type {[text: string, failure: RegExp][]} */
  const cases = [
    ["Worker exceeded CPU time limit.", /^cpu-exceeded: .*its [12]\d\d\d ms of CPU/],
    ["Worker exceeded memory limit.", /^memory-exceeded: /],
    ["Failed to start Worker:\nUncaught SyntaxError: Nothing to repeat\n  at program.js:2:7", /^syntax-error: Nothing to repeat \(line 1, column 8\)/],
    ["Failed to start Worker:\nUncaught Error: no\n  at harness.js:1:1", /^unknown: /],
    ["internal error; reference = 123", /^unknown: /],
  ];
  for (const [said, failure] of cases) {
    test(said, async () => {
      await refuse(workerd.url, [said]);
      const { isError, text } = await client.execute(PONG);
      assert.equal(isError, true);
      assert.match(text, failure);
      assert.doesNotMatch(text, /reference = 123|harness/);
    });
  }
});

describe("what_only_the_isolates_own_parser_sees_names_the_programs_line", () => {
  const broken = ["/[b-a]/", "/(?<a>x)(?<a>y)/", "/a**/", "/(?<=a/", "/\\p{Nope}/u"];
  for (const literal of broken) {
    test(literal, async () => {
      const { isError, text } = await client.execute(`const a = 1;\nreturn a +\n  ${literal}.source`);
      assert.equal(isError, true);
      assert.match(text, /^syntax-error: .*\(line 3, column 3\)/);
    });
  }
});

describe("a_guest_that_keeps_to_nothing_is_ended_typed_and_told_to_the_operator", () => {
  const long = "'x'.repeat(9 * 1024 * 1024)";
  /** @type {[name: string, act: string, failure: RegExp, told: RegExp][]} */
  const guests = [
    ["bytes", "guest.send(new Uint8Array(12))", /^bad-response: .*a frame is text/, /12 bytes that are no text/],
    ["a long frame", `guest.send(${long})`, /^bad-response: .*over the limit/, /a frame of 9437184 units, which wasn't read/],
    ["a close of its own", "guest.close(4001, 'of the guest')", /^transport-lost: /, /code 4001, reason \\"of the guest\\"/],
    ["the platform's words", "guest.close(1011, 'Worker exceeded memory limit.')", /^transport-lost: /, /code 1011, reason \\"Worker exceeded/],
    ["no frame", "guest.send('hello')", /^bad-response: .*a frame is a JSON array/, /"detail":null/],
    [
      "calls without end",
      "const pad = 'x'.repeat(8_000_000); for (let n = 0; n < 20; n++) guest.send(`[\"call\",${n},0,{\"ms\":900,\"pad\":\"${pad}\"}]`)",
      /^bad-response: .*more is under way than may be/,
      /more than 33554432 bytes under way/,
    ],
  ];
  for (const [name, act, failure, told] of guests) {
    test(name, async () => {
      await impersonate(workerd.url, act);
      const before = workerd.log.length;
      const { isError, text } = await client.execute(PONG);
      await impersonate(workerd.url);
      assert.equal(isError, true);
      assert.match(text, failure);
      assert.match(workerd.log.slice(before), told);
      assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
    });
  }
});

/** @param {import("./host/tapped.mjs").Tap} seen */
function endedOnce({ runs, settled, aborted }) {
  assert.deepEqual({ runs: runs.length, settled, aborted }, { runs: 1, settled: 1, aborted: 1 });
  assert.equal(runs[0].closed.filter((end) => end.startsWith("host")).length, 1, "the guest's end hears of it");
}

test("a_loop_of_quick_calls_takes_nobodys_turn_and_not_its_own_deadline", { timeout: 60_000 }, async () => {
  const [looping, neighbour] = [await Client.open(workerd.url), await Client.open(workerd.url)];
  /** @type {string[]} */
  const order = [];
  const signal = AbortSignal.timeout(50_000);
  const loop = looping
    .execute("for (let n = 0; n < 10_000; n++) await demo.ping({}); await new Promise(() => {})", { signal })
    .then(({ text }) => (order.push("loop"), text));
  await sleep(300);
  for (let asked = 0; asked < 3; asked++) {
    await neighbour.request("ping", undefined, `turn ${asked}`, signal);
    order.push("neighbour");
  }
  assert.match(await loop, /^deadline-exceeded: /);
  assert.deepEqual(order, ["neighbour", "neighbour", "neighbour", "loop"]);
});

describe("every_run_ends_its_connection_once", () => {
  /** @type {[name: string, code: string, settled: RegExp][]} */
  const exits = [
    ["done", PONG, /pong/],
    ["nothing", "const f = () => {}; f()", /returned nothing/],
    ["failed", "throw new Error('x')", /^guest-exception/],
    ["a failed call", "return faults.wait({})", /^capability-failed/],
    ["an operation there isn't", "return demo.pnig({})", /^operation-unknown/],
    ["a panic in an operation", "return faults.panic({})", /^unknown/],
    ["the deadline", "await new Promise(() => {})", /^deadline-exceeded/],
    ["too large an answer", "return 'x'.repeat(2_000_000)", /^result-too-large/],
    ["the budget of calls", "for (let n = 0; n < 10_001; n++) demo.ping({}).catch(() => {}); await demo.ping({})", /^call-budget-exceeded|^deadline/],
    ["a call after the end", "setTimeout(() => demo.ping({}), 0); return 1", /^1$/],
    ["work left behind", "demo.ping({}); setInterval(() => {}, 5); return 1", /^1$/],
  ];
  for (const [name, code, settled] of exits) {
    test(name, async () => {
      await tap(workerd.url);
      assert.match((await client.execute(code)).text, settled);
      await sleep(100);
      endedOnce(await tap(workerd.url));
    });
  }

  test("cancelled", async () => {
    await tap(workerd.url);
    const running = client.execute("await new Promise(() => {})", { id: "exit" });
    await sleep(300);
    await client.notify("notifications/cancelled", { requestId: "exit" });
    assert.match((await running).text, /^cancelled: /);
    await sleep(100);
    endedOnce(await tap(workerd.url));
  });
});
