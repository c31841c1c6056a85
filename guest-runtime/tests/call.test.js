import assert from "node:assert/strict";
import { test } from "node:test";

import { play } from "./host.js";

test("a_call_carries_its_ordinal_its_index_and_its_input", async () => {
  const { frames } = await play("async () => [await env.demo.ping(), await demo.ping({ a: 1 }), await env.apps.bazaar.windows.open('w'), await env.demo.nothing()].slice(0, 3)");
  assert.deepEqual(frames, [["call", 0, 0], ["call", 1, 0, { a: 1 }], ["call", 2, 4, "w"], ["call", 3, 2], ["done", ["pong", { a: 1 }, { opened: "w" }]]]);
});

test("ordinals_are_allotted_when_the_binding_is_called", async () => {
  const program = "async () => { const later = [3, 1, 2].map((n) => demo.ping(n)); return await Promise.all(later) }";
  const first = await play(program, {
    script: (frame, send) => {
      if (frame[0] === "call") setTimeout(() => send(["value", frame[1], frame[3] * 10]), 30 - frame[3] * 10);
      return frame[0] === "call";
    },
  });
  assert.deepEqual(first.frames, [["call", 0, 0, 3], ["call", 1, 0, 1], ["call", 2, 0, 2], ["done", [30, 10, 20]]]);
});

test("refused_and_failed_calls_use_up_an_ordinal_and_unknown_names_do_not", async () => {
  const { frames } = await play(`async () => {
    await demo.ping(1);
    await demo.ping(() => 1).catch(() => {});
    await demo.fail().catch(() => {});
    try { demo.pong(1) } catch {}
    await env.forage.search({ query: "x" });
    await demo.ping(2);
  }`, { task: { forage: true } });
  assert.deepEqual(frames.map(([kind, id]) => [kind, id]), [["call", 0], ["void", 1], ["call", 2], ["forage", "f0"], ["call", 3], ["done", undefined]]);
});

test("an_input_that_cannot_be_sent_is_told_to_both_sides", async () => {
  const { voids, end } = await play(`async () => {
    try { await demo.ping({ list: [1, { when: new Map() }] }) } catch (error) { return { ...error, message: error.message, is: error instanceof Error } }
  }`);
  const told = { code: "input-invalid", path: "/list/1/when", found: "a Map", remedy: "use Object.fromEntries(map) or [...map]" };
  assert.deepEqual(voids, [["void", 0, 0, told]]);
  assert.deepEqual(end[1], { ...told, operation: "demo.ping", message: `demo.ping: the input at /list/1/when is a Map; ${told.remedy}`, is: true });
});

test("the_places_of_the_first_calls_are_kept_and_a_later_error_says_that_its_is_not", async () => {
  const { end } = await play(`async () => {
    const stacks = [];
    const note = (error) => { stacks.push(error.stack.split("\\n")[1]) };
    for (let i = 0; i < 63; i++) await demo.ping();
    await demo.fail().catch(note);
    await demo.fail().catch(note);
    await demo.ping(() => 1).catch(note);
    return stacks;
  }`);
  assert.deepEqual(end[1], [
    "    at program (program.js:5:16)",
    "    (no place: too many calls were made before)",
    "    at program (program.js:7:16)",
  ]);
});

const INPUTS = [
  ["demo.ping('x'.repeat(70000))", /at least \d+ bytes of JSON/],
  ["demo.ping(1, 2)", /^2 arguments$/],
  ["['a', 'b'].map(demo.ping)[0]", /^3 arguments$/],
  ["demo.ping(Promise.resolve(1))", /^a Promise$/],
  ["demo.ping(1n)", /^a BigInt$/],
  ["(() => { const a = {}; a.a = a; return demo.ping(a) })()", /^a cycle back/],
];

for (const [source, found] of INPUTS) {
  test(`an_input_is_refused_in_words: ${source}`, async () => {
    const { voids, end } = await play(`async () => await ${source}`);
    assert.match(voids[0][3].found, found);
    assert.deepEqual([end[1].kind, end[1].ordinal, end[1].code], ["call", 0, "input-invalid"]);
  });
}

test("trailing_undefined_is_no_argument", async () => {
  const { calls } = await play("async () => { await demo.ping(undefined, undefined); await demo.ping({ a: undefined }) }");
  assert.deepEqual(calls, [["call", 0, 0], ["call", 1, 0, {}]]);
});

test("a_failed_call_rejects_with_a_readable_error", async () => {
  const { end } = await play(`async () => {
    try { await demo.fail({}) } catch (error) {
      return { own: Object.keys(error), text: String(error), stack: error.stack, code: error.code, operation: error.operation };
    }
  }`);
  const { own, text, stack, code, operation } = end[1];
  assert.deepEqual(own, ["code", "reference", "operation"]);
  assert.deepEqual([text, code, operation], ["Error: demo said no", "capability-failed", "demo.fail"]);
  assert.match(stack, /^Error: demo said no\n    at program \(program\.js:2:22\)/);
  assert.doesNotMatch(stack, /calls\.js|bindings\.js|run\.js/);
});

test("an_uncaught_failed_call_is_told_by_its_ordinal_and_place", async () => {
  const { end } = await play("async () => {\n  await demo.ping();\n  await demo.fail();\n}");
  assert.deepEqual(end[1], { kind: "call", ordinal: 1, code: "capability-failed", message: "demo said no", frames: [[3, 14, ""]] });
});

test("only_the_very_error_of_a_call_counts_as_its_failure", async () => {
  const wrapped = await play("async () => { try { await demo.fail() } catch (cause) { throw new Error('outer', { cause }) } }");
  assert.equal(wrapped.end[1].kind, "guest-exception");
  assert.match(wrapped.end[1].message, /^outer \(cause: Error: demo said no/);
  const copied = await play("async () => { try { await demo.fail() } catch (e) { throw Object.assign(new Error(e.message), e) } }");
  assert.equal(copied.end[1].kind, "guest-exception");
});

test("a_call_beyond_the_budget_is_refused_and_not_sent", async () => {
  const { calls, end } = await play("async () => { for (let i = 0; i < 4; i++) await demo.ping(i) }", { limits: { calls: 3 } });
  assert.equal(calls.length, 3);
  assert.deepEqual([end[1].kind, end[1].limit], ["call-budget-exceeded", 3]);
  const caught = await play("async () => { const all = await Promise.allSettled([0, 1, 2, 3].map((i) => demo.ping(i))); return all[3].reason.code }", { limits: { calls: 3 } });
  assert.deepEqual(caught.end, ["done", "call-budget-exceeded"]);
});

test("a_call_after_the_end_is_refused_and_not_sent", async () => {
  const { frames } = await play(`async () => {
    globalThis.seen = [];
    setTimeout(() => demo.ping("late").catch((error) => seen.push(error.code)), 5);
    const answer = { toJSON() { demo.ping("while encoding").catch(() => {}); return 1 } };
    return answer;
  }`, { linger: 40 });
  assert.deepEqual(frames, [["done", 1]]);
});

test("a_call_made_while_an_input_is_read_is_refused", async () => {
  const { calls, end } = await play(`async () => {
    let inner;
    await demo.ping({ get a() { inner = demo.ping("inner").catch((error) => error.code); return 1 } });
    return await inner;
  }`);
  assert.deepEqual(calls, [["call", 0, 0, { a: 1 }]]);
  assert.deepEqual(end, ["done", "input-invalid"]);
});

test("a_full_stack_leaves_no_gap_in_the_ordinals", async () => {
  const { calls, end } = await play(`async () => {
    const dive = () => { try { dive() } catch {} demo.ping(1).catch(() => {}) };
    const count = { made: 0 };
    const deep = (n) => { try { deep(n + 1) } catch (error) { try { demo.ping(n); count.made++ } catch {} } if (count.made < 5) { try { demo.ping(n); count.made++ } catch {} } };
    deep(0);
    return await demo.ping("end");
  }`);
  assert.equal(end[1], "end");
  assert.deepEqual(calls.map(([, ordinal]) => ordinal), calls.map((_, i) => i));
});

test("replies_after_the_end_do_nothing", async () => {
  const { frames } = await play("async () => { demo.never().then(() => console.log('woken')); return 1 }", {
    linger: 30,
    script: (frame, send) => {
      if (frame[0] === "done") send(["value", 0, "late"]);
      return false;
    },
  });
  assert.deepEqual(frames, [["call", 0, 3], ["done", 1]]);
});

test("forage_helpers_have_names_of_their_own_and_both_spellings", async () => {
  const { frames } = await play("async () => [await forage.search({ query: 'q' }), await env.forage.describe('p'), await forage.list()]", { task: { forage: true } });
  assert.deepEqual(frames, [
    ["forage", "f0", "search", { query: "q" }],
    ["forage", "f1", "describe", "p"],
    ["forage", "f2", "list"],
    ["done", [["search", { query: "q" }], ["describe", "p"], ["list"]]],
  ]);
});

test("an_uncaught_forage_error_is_told_as_such", async () => {
  const { end } = await play("async () => await forage.search(1)", {
    task: { forage: true },
    script: (frame, send) => frame[0] === "forage" && (send(["error", "f0", { code: "input-invalid", message: "no query" }]), true),
  });
  assert.deepEqual(end[1], { kind: "forage", code: "input-invalid", message: "no query", frames: [[1, 41, ""]] });
});

test("inputs_under_way_are_bounded_together_and_an_answer_makes_room", async () => {
  const program = `async () => {
    const big = "x".repeat(60000);
    const first = env.demo.ping(big);
    const refused = await env.demo.ping(big).catch((error) => [error.code, error.message]);
    await first;
    return [refused, (await env.demo.ping(big)).length];
  }`;
  const { end, calls, voids } = await play(program);
  const [[code, message], length] = end[1];
  assert.deepEqual([code, length, calls.length], ["input-invalid", 60000, 2]);
  assert.match(message, /^demo\.ping: the input is 60002 bytes beside the 60002 of calls under way; await calls before you make more: 100000 bytes/);
  assert.deepEqual(voids.map(([, ordinal]) => ordinal), [1], "it keeps its ordinal");
});
