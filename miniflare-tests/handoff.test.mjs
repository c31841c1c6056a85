// One request of an isolate wakes another: through a promise of the platform's the sleeper goes
// on as its own request, and through a Rust waker alone it would go on as the other's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** How long a sleeper that was woken may take to answer. */
const PATIENCE = 3_000;

/**
 * Two stateless requests: the first sleeps, the second wakes it. What the first answers, which
 * is the body it was sent if it can still read that.
 * @param {Workerd} workerd
 * @param {"sleep" | "doze"} how
 * @param {string} body
 */
async function woken(workerd, how, body) {
  const signal = AbortSignal.timeout(PATIENCE);
  const sleeper = fetch(`${workerd.url}/?fault=gate.${how}`, { method: "POST", body, signal })
    .then((response) => response.text())
    .catch((error) => `none: ${error}`);
  await sleep(300);
  const waker = await fetch(`${workerd.url}/?fault=gate.wake`, { signal: AbortSignal.timeout(PATIENCE) });
  assert.equal(await waker.text(), "woken");
  return sleeper;
}

test("a_sleeper_that_is_handed_over_to_goes_on_as_its_own_request", async () => {
  await Workerd.during({ build: "faults", vars: DEV }, async (workerd) => {
    for (const body of ["one", "two", "three"]) assert.equal(await woken(workerd, "sleep", body), body);
    assert.doesNotMatch(workerd.log, /different request/);
  });
});

test("a_sleeper_woken_by_a_rust_waker_alone_would_not", async () => {
  await Workerd.during({ build: "faults", vars: DEV }, async (workerd) => {
    const text = await woken(workerd, "doze", "one");
    assert.notEqual(text, "one");
    assert.match(`${text}\n${workerd.log}`, /Cannot perform I\/O on behalf of a different request/);
  }, /different request|Uncaught|uncaught/);
});
