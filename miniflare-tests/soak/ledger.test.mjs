// The ledger: that it adds up when all is well, and that each way in which it may not is told.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chance } from "./chance.mjs";
import { growth } from "./host.mjs";
import { Ledger, printed } from "./ledger.mjs";

/** @type {import("./ledger.mjs").Ends} */
const ENDS = { answered: "once", "failed cancelled": "perhaps", "failed syntax-error": "never" };

/**
 * One ask with one piece of work, which came to these fates and was done so often.
 * @param {string[]} fates
 * @param {number} times
 */
function closed(fates, times) {
  const ledger = new Ledger();
  const ask = ledger.ask("one", ENDS, 1);
  for (const fate of fates) ledger.settle(ask, fate);
  return ledger.close(new Map(times === 0 ? [] : [[ask.works[0], times]]));
}

describe("a ledger", () => {
  /** @type {[string[], number][]} */
  const good = [
    [["answered"], 1],
    [["failed cancelled"], 0],
    [["failed cancelled"], 1],
    [["failed syntax-error"], 0],
    [["lost told when asked again"], 0],
    [["lost told when asked again"], 1],
    [["left"], 1],
  ];
  for (const [fates, times] of good) {
    test(`${fates.join()}_with_work_done_${times}_times_adds_up`, () => assert.deepEqual(closed(fates, times).problems, []));
  }

  /** @type {[string, string[], number, RegExp][]} */
  const bad = [
    ["a_call_without_an_answer", [], 0, /was never answered/],
    ["a_second_answer", ["answered", "answered"], 1, /came to an end twice/],
    ["a_failure_that_its_kind_has_not", ["failed unknown"], 0, /came to `failed unknown`/],
    ["a_failure_without_a_code", ["failed without a code"], 0, /came to `failed without a code`/],
    ["an_answer_whose_work_was_lost", ["answered"], 0, /was done 0 times, not once/],
    ["work_done_twice", ["answered"], 2, /was done 2 times, not once/],
    ["work_done_twice_for_what_was_lost", ["lost told when asked again"], 2, /was done 2 times, not perhaps/],
    ["work_done_for_what_was_refused", ["failed syntax-error"], 1, /was done 1 times, not never/],
  ];
  for (const [name, fates, times, problem] of bad) {
    test(`${name}_is_a_problem`, () => {
      const told = closed(fates, times);
      assert.match(told.problems.join("\n"), problem);
      assert.equal(told.twice, times > 1 ? 1 : 0);
      assert.match(printed(told), problem);
    });
  }

  test("work_that_nobody_asked_for_is_a_problem", () => {
    assert.match(new Ledger().close(new Map([["a9.0", 1]])).problems.join(), /never asked for/);
  });

  test("a_sum_is_told_that_differs_from_what_was_asked", () => {
    assert.match(closed([], 0).problems.join("\n"), /1 were asked and 0 came to an end/);
    assert.match(closed(["answered", "left"], 1).problems.join("\n"), /1 were asked and 2 came to an end/);
  });
});

test("memory_is_compared_from_the_2000th_execution_to_the_end_of_its_stretch", () => {
  const samples = Array.from({ length: 60 }, (_, second) => ({ runs: second * 100, mb: second * 100 < 2_000 ? 50 : second < 50 ? 100 : 130 }));
  assert.deepEqual(growth(samples), { runs: 5_900, early: 100, late: 130, ratio: 1.3 });
  assert.equal(growth(samples.slice(0, 35)), undefined, "too short to compare");
});

test("a_seed_makes_the_same_choices_again", () => {
  const drawn = (/** @type {number} */ seed) => {
    const chance = new Chance(seed);
    return Array.from({ length: 1_000 }, () => chance.next());
  };
  assert.deepEqual(drawn(7), drawn(7));
  assert.notDeepEqual(drawn(7), drawn(8));
  const mean = drawn(7).reduce((sum, value) => sum + value, 0) / 1_000;
  assert.ok(mean > 0.45 && mean < 0.55, String(mean));
});
