// The mixed load, short: that every ask comes to an end that is told, across a restart and without
// work done twice. What half an hour does, `make soak` tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { printed } from "./ledger.mjs";
import { mixed } from "./mixed.mjs";

test("a_mixed_load_with_restarts_adds_up", { timeout: 120_000 }, async (context) => {
  const { closed, restarts } = await mixed({ minutes: 0.25, seed: 3, build: "worker-test" });
  context.diagnostic(printed(closed));
  assert.deepEqual(closed.problems, []);
  assert.ok(restarts >= 1, String(restarts));
  assert.ok(closed.classes.answered > 50, String(closed.classes.answered));
  assert.equal(closed.twice, 0);
});
