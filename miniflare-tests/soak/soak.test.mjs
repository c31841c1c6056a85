// The soak, short: whether it counts right. What memory does in the long run, `make soak` tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Workerd } from "../host/workerd.mjs";
import { OPTIONS, growth, soak } from "./soak.mjs";

const RUNS = 300;

test("300_runs_lose_and_double_no_call_and_every_failure_is_typed", { timeout: 120_000 }, async (context) => {
  await Workerd.during(OPTIONS, async (workerd) => {
    const { curve, wrong, lost, calls } = await soak(workerd, RUNS, (line) => context.diagnostic(line));
    assert.deepEqual(wrong, []);
    assert.equal(lost, 0);
    assert.ok(calls > RUNS / 3, String(calls));
    assert.equal(curve.at(-1)?.runs, RUNS);
  });
});

test("growth_is_told_from_the_first_fifth_to_the_end", () => {
  const curve = [100, 110, 120, 130, 140, 150, 160, 170, 180, 220].map((mb, part) => ({ runs: (part + 1) * 1_000, mb }));
  assert.deepEqual(growth(curve), { early: { runs: 2_000, mb: 110 }, late: { runs: 10_000, mb: 220 }, ratio: 2 });
});
