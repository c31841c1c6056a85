import assert from "node:assert/strict";
import { test } from "node:test";

import { LIMITS, play } from "./host.js";

const run = (changes = {}) => ["run", 1, { operations: ["demo.ping"], limits: LIMITS, ...changes }];

const WRONG_FIRST = [
  "not json",
  "{}",
  "[]",
  '["run"]',
  ["run", 2, run()[2]],
  ["run", "1", run()[2]],
  ["run", 1, null],
  ["run", 1, {}],
  run({ operations: "demo.ping" }),
  run({ limits: { ...LIMITS, calls: 0 } }),
  run({ limits: { ...LIMITS, resultBytes: undefined } }),
  ["value", 0, 1],
  ["dance", 1],
];

for (const frame of WRONG_FIRST) {
  test(`a_wrong_first_frame_ends_the_run: ${JSON.stringify(frame)}`, async () => {
    const { frames } = await play("async () => 1", { task: null, script: (seen, send) => (seen === undefined && send(frame), false) });
    assert.equal(frames.length, 1);
    assert.deepEqual([frames[0][0], frames[0][1].kind, frames[0][1].versions], ["failed", "bad-protocol", [1]]);
  });
}

const WRONG_LATER = [
  run(),
  ["value", 1, "no such call"],
  ["value", "0", "an ordinal is a number"],
  ["error", 0, { code: 5, message: "m" }],
  ["error", 0],
  ["error", 0, null],
  "[",
];

for (const frame of WRONG_LATER) {
  test(`a_wrong_later_frame_ends_the_run: ${JSON.stringify(frame)}`, async () => {
    const { frames } = await play("async () => { await demo.ping(); return 1 }", {
      linger: 20,
      script: (seen, send) => seen?.[0] === "call" && (send(frame), true),
    });
    assert.deepEqual(frames.map(([kind]) => kind), ["call", "failed"]);
    assert.equal(frames[1][1].kind, "bad-protocol");
  });
}

test("a_second_reply_to_a_call_ends_the_run", async () => {
  const { end } = await play("async () => { await demo.ping(); await demo.never() }", {
    script: (seen, send) => seen[0] === "call" && (send(["value", 0]), send(["value", 0]), true),
  });
  assert.equal(end[1].kind, "bad-protocol");
});

test("a_program_without_a_default_function_is_the_hosts_fault", async () => {
  const { end } = await play("export const x = 1;");
  assert.deepEqual([end[1].kind, end[1].message], ["bad-protocol", "a program without a default function"]);
});

test("undefined_is_an_end_without_a_value", async () => {
  assert.deepEqual((await play("async () => {}")).frames, [["done"]]);
});

test("a_program_that_answers_at_once_is_answered_too", async () => {
  assert.deepEqual((await play("() => 5")).frames, [["done", 5]]);
});
