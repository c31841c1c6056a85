// Another Worker that is bound to the host: what crosses, what is let go, what it may reach.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Workerd } from "./host/workerd.mjs";

/**
 * The other Worker. It answers with what a scenario gives, and with how many functions it handed over and
 * how many of them the host let go.
 */
const FRONT = `
class Handed {
  made = 0;
  gone = 0;
  /** How many were let go only with the run. */
  late = 0;
  called = [];
  /** A function that says when the other side has let go of it. */
  fn(work) {
    this.made += 1;
    const call = async (...args) => {
      this.called.push(args);
      return work(...args);
    };
    call[Symbol.dispose] = () => (this.gone += 1);
    return call;
  }
  /** A run to its end, which is still held when everything that was handed over has been let go. */
  async outcome(env, request) {
    using run = await env.MAIN.execute(request);
    const told = await run.result();
    await this.empty();
    this.late += this.made - this.gone;
    return told;
  }
  async empty() {
    for (let i = 0; i < 100 && this.gone < this.made; i++) await scheduler.wait(20);
  }
  crm(work = (input) => input, rest = {}) {
    const find = { input: { type: "object" }, access: "read", ...rest, execute: this.fn(work) };
    return [{ id: "crm", name: "crm", operations: { find } }];
  }
}

const CALL = "return crm.find({ name: 'Ada' })";
const WAIT = "await new Promise((done) => setTimeout(done, 20_000)); return 1";
const outcome = async (env, request) => {
  using run = await env.MAIN.execute(request);
  return await run.result();
};

const SCENARIOS = {
  async works(env, handed) {
    const request = { code: CALL, toolCallId: "t1", modules: handed.crm() };
    return await handed.outcome(env, request);
  },
  async pipelined(env, handed) {
    return await env.MAIN.execute({ code: CALL, modules: handed.crm() }).result();
  },
  async twice(env) {
    using run = await env.MAIN.execute({ code: "return [1, { a: null }]" });
    return [await run.result(), await run.result()];
  },
  async throws(env, handed) {
    const fail = () => {
      throw Object.assign(new RangeError("no customer Ada"), { secret: "canary", cause: new Error("canary") });
    };
    return await handed.outcome(env, { code: CALL, modules: handed.crm(fail) });
  },
  async odd(env, handed) {
    const odd = [() => new Date(0), () => ({ a: [1n] }), () => ({ f() {} }), () => undefined, () => new Map(), () => ({ n: NaN })];
    const told = [];
    for (const work of odd) told.push(await handed.outcome(env, { code: CALL, modules: handed.crm(work) }));
    return told.map(({ ok, code, message, value }) => ({ ok, code, message, value }));
  },
  async refused(env, handed) {
    const find = () => handed.crm();
    const requests = [
      () => ({ code: 1, modules: find() }),
      () => ({ code: CALL, modules: find(), when: new Date(0) }),
      () => ({ code: CALL, modules: handed.crm(undefined, { access: "Write" }) }),
      () => ({ code: CALL, modules: handed.crm(undefined, { confirm: 1 }) }),
      () => ({ code: CALL, modules: handed.crm(undefined, { input: { type: "objekt" } }) }),
      () => ({ code: handed.fn(() => "return 1"), modules: find() }),
      () => ({ code: CALL, signal: {}, modules: find() }),
      () => ({ code: "return crm.find(", modules: find() }),
    ];
    const told = [];
    for (const request of requests) told.push(await handed.outcome(env, request()));
    return told.map(({ ok, code, message }) => ({ ok, code, message }));
  },
  async cancelled(env, handed) {
    using run = await env.MAIN.execute({ code: WAIT, modules: handed.crm() });
    const result = run.result();
    await scheduler.wait(300);
    await run.cancel("the user went home");
    return await result;
  },
  async abandoned(env, handed) {
    const run = await env.MAIN.execute({ code: WAIT, modules: handed.crm() });
    await scheduler.wait(300);
    run[Symbol.dispose]();
    return null;
  },
  async midway(env, handed) {
    let begun;
    const started = new Promise((resolve) => (begun = resolve));
    const slow = async () => {
      begun();
      await scheduler.wait(400);
      return "late";
    };
    const run = await env.MAIN.execute({ code: CALL, modules: handed.crm(slow) });
    await started;
    run[Symbol.dispose]();
    await scheduler.wait(600);
    return null;
  },
  async access(env, handed) {
    const code = "return [await crm.find({}), await crm.find({})]";
    const asked = [];
    const confirm = handed.fn((question) => (asked.push(question), asked.length === 1));
    const grants = [];
    const sessionGrants = handed.fn(() => ({ crm: grants.push(1) < 100 ? "read" : "none" }));
    const modules = handed.crm(() => "found", { confirm: true });
    const confirmed = await handed.outcome(env, { code, modules, confirm, sessionGrants, required: ["crm"] });
    const write = await handed.outcome(env, { code: CALL, modules: handed.crm(undefined, { access: "write" }), grants: { crm: "read" } });
    return { confirmed, write, asked };
  },
  async discovery(env, handed) {
    const modules = handed.crm();
    return [
      await env.MAIN.list({ modules }),
      await env.MAIN.search({ query: "find", modules: handed.crm() }),
      await env.MAIN.describe({ path: "crm.find", modules: handed.crm() }),
      await env.MAIN.invoke({ module: "crm", operation: "find", input: { n: 1 }, modules: handed.crm() }),
      await env.MAIN.invoke({ module: "crm", operation: "find", input: [], modules: handed.crm() }),
      await env.MAIN.status(),
      await env.MAIN.list({}),
      await env.MAIN.list({ nothing: true }),
      await env.MAIN.status({ any: 1 }),
    ];
  },
  async status(env, handed) {
    const before = await env.MAIN.status();
    await handed.outcome(env, { code: CALL, modules: handed.crm() });
    await handed.outcome(env, { code: "throw new Error('no')" });
    return [before.value, (await env.MAIN.status()).value];
  },
  async hosts(env, handed) {
    return [
      await handed.outcome(env, { code: "return demo.ping({})", grants: { "demo": "write", demo: "write" } }),
      await env.MAIN.list({}),
      await env.MAIN.invoke({ module: "demo", operation: "ping", input: {} }),
    ];
  },
  async large(env, handed) {
    const told = {};
    const long = "x".repeat(7 * 1024 * 1024);
    const doubles = new Array(1_700_000).fill(1e9 + 0.5);
    const invoke = async (input, work) => {
      const request = { module: "crm", operation: "find", input, modules: handed.crm(work) };
      const { ok, code, message, value } = await env.MAIN.invoke(request);
      return { ok, code, message, length: value?.length ?? value?.long?.length };
    };
    told.there = await invoke({ long });
    told.over = await invoke({ long: "x".repeat(9 * 1024 * 1024) });
    told.wide = await invoke({ long: "x".repeat(17 * 1024 * 1024) });
    told.doubles = await invoke({}, () => doubles.slice(0, 600_000));
    told.answer = await invoke({}, () => "y".repeat(9 * 1024 * 1024));
    told.platform = await invoke({}, () => "y".repeat(33 * 1024 * 1024));
    const code = "return crm.find({})";
    const run = await handed.outcome(env, { code, modules: handed.crm(() => "z".repeat(2 * 1024 * 1024)) });
    told.result = { ok: run.ok, code: run.code };
    const many = "let n = 0; for (let i = 0; i < 9_000; i++) n += (await crm.find({})) === 1 ? 1 : 0; return n";
    const refused = await handed.outcome(env, { code: many, modules: handed.crm(() => 1, { access: "write" }), grants: { crm: "read" } });
    told.refusals = { ok: refused.ok, value: refused.value, listed: refused.refusals.listed.length, omitted: refused.refusals.omitted };
    try {
      await env.MAIN.execute({ code: "x".repeat(33 * 1024 * 1024) });
    } catch (error) {
      told.sent = String(error);
    }
    return told;
  },
  async run(env) {
    using run = await env.MAIN.execute({ code: "return 1" });
    const told = {};
    for (const name of ["free", "reply", "execution", "constructor", "toString", "__proto__", "env", "ctx", "then2"]) {
      try {
        told[name] = String(await run[name]());
      } catch (error) {
        told[name] = String(error);
      }
    }
    return told;
  },
  async faulty(env, handed) {
    const modules = () => handed.crm();
    // A run of another request, on its way while the instance is lost.
    const bystander = outcome(env, { code: "return faults.wait({ ms: 800 })", modules: modules() });
    const panicked = await outcome(env, { code: "return faults.panic({})", modules: modules() });
    const after = await outcome(env, { code: CALL, modules: modules() });
    const lost = await outcome(env, { code: "return faults.overflow({})", modules: modules() });
    const told = { panicked, after, lost, bystander: await bystander };
    told.again = await outcome(env, { code: CALL, modules: modules() });
    return told;
  },
  async together(env, handed) {
    const one = (n) => outcome(env, { code: CALL, modules: handed.crm(() => n) });
    return (await Promise.all([1, 2, 3, 4].map(one))).map(({ value }) => value);
  },
};

export default {
  async fetch(request, env) {
    const name = new URL(request.url).searchParams.get("name");
    if (!name) return new Response("ready");
    const handed = new Handed();
    const told = await SCENARIOS[name](env, handed);
    // Letting go crosses too.
    await handed.empty();
    const { made, gone, late, called } = handed;
    return Response.json({ told, made, gone, late, called });
  },
};
`;

describe("a bound Worker", () => {
  /** @type {Workerd} */
  let workerd;
  before(async () => {
    workerd = await Workerd.start({ front: FRONT });
  });
  after(() => workerd?.stop());

  /**
   * What a scenario gives, once everything that it handed over has been let go.
   * @param {string} name
   * @returns {Promise<{ told: any, made: number, called: any[][] }>}
   */
  async function scenario(name) {
    const response = await fetch(`${workerd.url}/?name=${name}`);
    const text = await response.text();
    assert.equal(response.status, 200, `${text}\n${workerd.log.slice(-2000)}`);
    const { told, made, gone, late, called } = JSON.parse(text);
    assert.equal(late, 0, `${name}: ${late} functions were let go only when the run was`);
    assert.equal(gone, made, `${name}: ${gone} of ${made} functions were let go`);
    return { told, made, called };
  }

  test("a_program_calls_a_function_of_the_bound_worker", async () => {
    const { told, called } = await scenario("works");
    assert.equal(told.ok, true, JSON.stringify(told));
    assert.deepEqual([told.value, told.isolates], [{ name: "Ada" }, 1]);
    assert.deepEqual(told.calls, { listed: [{ ordinal: 0, path: "crm.find", outcome: "done" }], omitted: 0 });
    const [[input, context]] = called;
    assert.deepEqual(input, { name: "Ada" });
    const { executionId, deadlineMs, ...rest } = context;
    assert.deepEqual(rest, { operationOrdinal: 0, toolCallId: "t1" });
    assert.equal(executionId, told.executionId);
    assert.ok(deadlineMs > Date.now());
  });

  test("a_result_can_be_asked_for_at_once_and_again", async () => {
    assert.deepEqual((await scenario("pipelined")).told.value, { name: "Ada" });
    const [one, other] = (await scenario("twice")).told;
    assert.deepEqual(one.value, [1, { a: null }]);
    assert.deepEqual(other, one);
  });

  test("of_what_a_function_throws_only_the_message_is_taken", async () => {
    const { told } = await scenario("throws");
    assert.deepEqual([told.ok, told.code], [false, "capability-failed"]);
    assert.match(told.message, /crm\.find failed: no customer Ada/);
    assert.ok(!JSON.stringify(told).includes("canary"), JSON.stringify(told));
  });

  test("an_answer_that_json_can_not_say_is_a_typed_failure_with_its_place", async () => {
    const { told } = await scenario("odd");
    const [date, big, fn, nothing, map, nan] = told;
    for (const [answer, said] of [[date, /a Date/], [big, /at \/a\/0: a bigint/], [fn, /at \/f: a function/], [map, /a Map/], [nan, /at \/n: NaN/]]) {
      assert.deepEqual([answer.ok, answer.code], [false, "output-invalid"]);
      assert.match(answer.message, said);
    }
    assert.deepEqual([nothing.ok, nothing.value], [true, null]);
  });

  test("a_wrong_request_is_answered_as_data_and_lets_go_of_everything", async () => {
    const { told, called } = await scenario("refused");
    const said = [/at \/code: give a string/, /at \/when: a Date/, /access is exactly/, /confirm is true or false/, /input schema is refused/, /at \/code: give a string/, /no key "signal"/, /./];
    assert.deepEqual(told.map((/** @type {any} */ { code }) => code), [...Array(7).fill("request-invalid"), "syntax-error"]);
    said.forEach((pattern, index) => assert.match(told[index].message, pattern));
    assert.deepEqual(called, []);
  });

  test("a_cancelled_run_says_so_with_its_reason", async () => {
    const { told } = await scenario("cancelled");
    assert.deepEqual([told.ok, told.code, told.reason], [false, "cancelled", "the user went home"], JSON.stringify(told));
  });

  test("a_run_that_is_let_go_is_cancelled_and_lets_go_too", async () => {
    const begun = Date.now();
    await scenario("abandoned");
    await scenario("midway");
    assert.ok(Date.now() - begun < 8_000, "nobody waited for the programs");
  });

  test("grants_and_a_person_are_asked_of_the_caller", async () => {
    const { told } = await scenario("access");
    const { confirmed, write, asked } = told;
    assert.equal(confirmed.ok, true, JSON.stringify(confirmed));
    assert.equal(confirmed.value[0], "found");
    assert.equal(confirmed.value[1].reason, "declined");
    assert.deepEqual(asked, Array(2).fill({ module: "caller:crm", operation: "find", access: "read" }));
    assert.equal(write.refusals.listed[0].reason, "read-only", JSON.stringify(write));
  });

  test("the_other_methods_answer_over_what_the_caller_brings", async () => {
    const [list, search, described, invoked, invalid, status, empty, unknown, asked] = (await scenario("discovery")).told;
    assert.deepEqual(list.value.results.map((/** @type {any} */ { path }) => path), ["crm.find"]);
    assert.equal(search.value.results[0].path, "crm.find");
    assert.match(JSON.stringify(described), /crm/);
    assert.deepEqual(invoked, { ok: true, value: { n: 1 } });
    assert.deepEqual([invalid.ok, invalid.code, invalid.ran], [false, "input-invalid", "nothing"]);
    assert.deepEqual([status.ok, status.value.modules], [true, []]);
    assert.deepEqual([status.value.name, status.value.connections], ["mycelium", []]);
    assert.deepEqual([empty.ok, empty.value.results], [true, []]);
    assert.equal(unknown.code, "request-invalid");
    assert.equal(asked.code, "request-invalid");
  });

  test("a_caller_sees_nothing_of_the_host_that_is_not_granted_to_services", async () => {
    const [run, list, invoked] = (await scenario("hosts")).told;
    assert.equal(run.ok, false);
    assert.deepEqual(run.calls.listed, []);
    assert.deepEqual(list.value.results, []);
    assert.equal(invoked.code, "operation-unknown");
  });

  test("what_the_platform_would_not_carry_is_refused_before", async () => {
    const { told } = await scenario("large");
    assert.deepEqual([told.there.ok, told.there.length], [true, 7 * 1024 * 1024]);
    assert.deepEqual([told.doubles.ok, told.doubles.length], [true, 600_000]);
    assert.equal(told.over.code, "input-invalid");
    assert.equal(told.wide.code, "request-invalid");
    assert.match(told.wide.message, /more than 16777216 bytes/);
    assert.equal(told.answer.code, "output-invalid");
    assert.equal(told.platform.code, "output-invalid");
    assert.match(told.platform.message, /more than the 32 MiB/);
    assert.deepEqual(told.result, { ok: false, code: "result-too-large" });
    assert.deepEqual(told.refusals, { ok: true, value: 0, listed: 1_000, omitted: 8_000 });
    // Only this isn't the host's to answer: it never arrives.
    assert.match(told.sent, /limited to 32MiB/);
  });

  test("a_run_answers_to_two_methods_and_nothing_else", async () => {
    const { told } = await scenario("run");
    for (const [name, said] of Object.entries(told)) assert.match(/** @type {string} */ (said), /does not implement|not a function|Cannot|object/, name);
  });

  test("runs_of_one_caller_do_not_mix", async () => {
    assert.deepEqual((await scenario("together")).told, [1, 2, 3, 4]);
  });
});

test("a_service_s_status_has_the_counters_and_of_connections_those_that_are_granted", async () => {
  const connection = (/** @type {string} */ name) => `[connections.${name}]\ntype = "files"\nbucket = "${name.toUpperCase()}"\n`;
  const toml = `[grants.service]\nshared = "read"\nclosed = "none"\n${["shared", "closed", "private"].map(connection).join("")}`;
  await Workerd.during({ front: FRONT, toml }, async ({ url }) => {
    const { told } = await (await fetch(`${url}/?name=status`)).json();
    const [before, after] = told;
    assert.equal(after.isolate.ended, before.isolate.ended + 2);
    assert.equal(after.isolate.succeeded, before.isolate.succeeded + 1);
    assert.equal(after.isolate.calls, before.isolate.calls + 1);
    assert.equal(after.isolate.failures["guest-exception"], 1);
    assert.deepEqual(after.connections.map((/** @type {any} */ { name }) => name), ["shared"]);
    assert.ok(!JSON.stringify(after).includes("private"));
    assert.ok(after.limits.timeoutMs > 0 && after.version.length > 0);
  });
});

test("services_see_what_the_owner_grants_them", async () => {
  const toml = '[grants.service]\ndemo = "read"\n';
  await Workerd.during({ front: FRONT, toml }, async ({ url }) => {
    const { told } = await (await fetch(`${url}/?name=hosts`)).json();
    const [run, list, invoked] = told;
    assert.deepEqual(run.value, { value: "pong" }, JSON.stringify(run));
    assert.deepEqual(list.value.results.map((/** @type {any} */ { path }) => path), ["demo.ping"]);
    assert.deepEqual(invoked, { ok: true, value: { value: "pong" } });
  });
});

test("a_panic_or_a_lost_instance_is_a_failure_as_data", async () => {
  const toml = '[grants.service]\ntest-faults = "write"';
  const expected = /panicked|RuntimeError|RangeError|is gone|Maximum call stack|the instance was lost|out of bounds/;
  await Workerd.during({ build: "faults", front: FRONT, toml }, async ({ url }) => {
    const { told } = await (await fetch(`${url}/?name=faulty`)).json();
    const { panicked, after, lost, bystander, again } = told;
    assert.equal(panicked.ok, false, JSON.stringify(panicked));
    assert.ok(!JSON.stringify(panicked).includes("injected"), "a panic's text is the operator's");
    assert.deepEqual([after.ok, after.value], [true, { name: "Ada" }], JSON.stringify(after));
    for (const gone of [lost, bystander]) {
      assert.deepEqual([gone.ok, gone.code, gone.ran], [false, "execution-lost", "perhaps"], JSON.stringify(gone));
    }
    assert.deepEqual([again.ok, again.value], [true, { name: "Ada" }], JSON.stringify(again));
  }, expected);
});
