// Waiting for a turn across the requests of one object; and no stateless request waits
// for another.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, PONG, sleep } from "./host/client.mjs";
import { notes, workerdWith } from "./host/trial.mjs";

describe("a_busy_pool", () => {
  const host = workerdWith({
    MYCELIUM_SANDBOX_CAPACITY: "1",
    MYCELIUM_ADMISSION_WAIT_MS: "400",
    MYCELIUM_TIMEOUT_MS: "2500",
  });

  /**
   * Starts one that holds the only permit. It comes in an object, so as not to be awaited.
   * @param {Client} client
   * @param {number} ms
   */
  async function busy(client, ms) {
    const running = client.execute(`return witness.see({ note: "holder", ms: ${ms} })`, { id: "holder" });
    await sleep(150);
    return { running };
  }

  test("who_has_waited_too_long_is_refused_and_never_starts", async () => {
    const client = await Client.open(host.url);
    const { running } = await busy(client, 1_500);
    const begun = performance.now();
    const { isError, texts } = await client.execute(`return witness.see({ note: "late" })`);
    const waited = performance.now() - begun;
    assert.equal(isError, true);
    assert.match(texts[0], /^sandbox-busy: 1 programs run at once here, and in 4\d\d ms it was not this one's turn/);
    assert.equal(texts.length, 1, "it has no calls");
    assert.ok(waited >= 390 && waited < 1_000, `it waited ${waited} ms`);
    assert.equal((await running).isError, false, "who holds the permit is not touched");
    assert.deepEqual(await notes(client), ["holder: began", "holder: ended"]);
  });

  test("the_end_of_one_request_wakes_the_waiter_of_another_at_once", async () => {
    const client = await Client.open(host.url);
    const { running } = await busy(client, 300);
    const begun = performance.now();
    const waiter = await client.execute(`return witness.see({ note: "waiter" })`);
    const took = performance.now() - begun;
    assert.equal(waiter.isError, false, waiter.text);
    assert.ok(took < 350, `it took ${took} ms, until the wait would have ended`);
    assert.equal((await running).isError, false);
    assert.deepEqual(await notes(client), ["holder: began", "holder: ended", "waiter: began", "waiter: ended"]);
  });

  test("a_permit_lost_with_its_caller_is_passed_on", async () => {
    const client = await Client.open(host.url);
    const gone = new AbortController();
    const code = `return witness.see({ note: "lost", ms: 400 })`;
    const lost = client.execute(code, { signal: gone.signal }).catch(() => "gone");
    await sleep(200);
    gone.abort();
    assert.equal(await lost, "gone");
    const waiter = await client.execute(`return witness.see({ note: "waiter" })`);
    assert.equal(waiter.isError, false, waiter.text);
    // The object does not learn that nobody waits: what runs in it comes to its end.
    assert.deepEqual(await notes(client), ["lost: began", "lost: ended", "waiter: began", "waiter: ended"]);
  });

  test("another_object_has_a_pool_of_its_own", async () => {
    const [client, other] = [await Client.open(host.url), await Client.open(host.url)];
    const { running } = await busy(client, 700);
    const begun = performance.now();
    assert.equal((await other.execute(PONG)).text, '{"value":"pong"}');
    assert.ok(performance.now() - begun < 350);
    assert.equal((await running).isError, false);
  });
});

describe("waiting_as_long_as_its_own_time", () => {
  const host = workerdWith({ MYCELIUM_SANDBOX_CAPACITY: "1", MYCELIUM_TIMEOUT_MS: "1500" });

  test("waiters_are_served_in_the_order_of_their_arrival", async () => {
    const client = await Client.open(host.url);
    const names = ["a", "b", "c", "d"];
    const runs = [];
    for (const name of names) {
      runs.push(client.execute(`return witness.see({ note: "${name}", ms: 120 })`));
      await sleep(40);
    }
    for (const { isError, text } of await Promise.all(runs)) assert.equal(isError, false, text);
    assert.deepEqual(await notes(client), names.flatMap((name) => [`${name}: began`, `${name}: ended`]));
  });

  test("a_cancelled_waiter_never_starts_and_is_told_at_once", async () => {
    const client = await Client.open(host.url);
    const holder = client.execute(`return witness.see({ note: "holder", ms: 700 })`);
    await sleep(100);
    const waiter = client.execute(`return witness.see({ note: "waiter" })`, { id: "waiter" });
    const next = client.execute(`return witness.see({ note: "next" })`);
    await sleep(100);
    const begun = performance.now();
    await client.notify("notifications/cancelled", { requestId: "waiter" });
    assert.match((await waiter).text, /^cancelled: .* by the caller/);
    assert.ok(performance.now() - begun < 300);
    for (const run of [holder, next]) assert.equal((await run).isError, false);
    assert.deepEqual(await notes(client), ["holder: began", "holder: ended", "next: began", "next: ended"]);
  });

  test("a_waiter_whose_time_is_over_never_starts", async () => {
    const client = await Client.open(host.url);
    // Its own time ends first, and then it takes longer to stop than the waiter has.
    const holder = client.execute(`return witness.watch({ note: "holder", linger: 1_000 })`);
    await sleep(100);
    const waiter = await client.execute(`return witness.see({ note: "waiter" })`);
    assert.match(waiter.text, /^deadline-exceeded: the 1500 ms .*\(started: false\)/);
    assert.match((await holder).text, /^deadline-exceeded: the 1500 ms .*\(started: true\)/);
    assert.deepEqual(await notes(client), ["holder: began", "holder: heard", "holder: ended"]);
  });

  test("the_end_of_a_holders_time_passes_its_permit_on", async () => {
    const client = await Client.open(host.url);
    const holder = client.execute(`return witness.see({ ms: 100_000 })`);
    await sleep(300);
    const waiter = client.execute(PONG);
    assert.match((await holder).text, /^deadline-exceeded: .*\(started: true\)/);
    assert.equal((await waiter).text, '{"value":"pong"}');
  });
});

describe("a_stateless_request_waits_for_no_other", () => {
  const host = workerdWith({ MYCELIUM_SANDBOX_CAPACITY: "1" });
  /** @param {RequestInit} [init] */
  const stateless = async (query = "", init = {}) => {
    const begun = performance.now();
    const response = await fetch(`${host.url}/nothing${query}`, init);
    await response.text();
    return { status: response.status, took: performance.now() - begun };
  };

  test("while_an_object_is_full", async () => {
    const client = await Client.open(host.url);
    const runs = [1, 2, 3].map(() => client.execute("return witness.see({ ms: 300 })"));
    await sleep(150);
    for (const { status, took } of await Promise.all(Array.from({ length: 20 }, () => stateless()))) {
      assert.equal(status, 404);
      assert.ok(took < 200, `it took ${took} ms`);
    }
    for (const run of runs) assert.equal((await run).isError, false);
  });

  test("while_others_are_under_way", async () => {
    const slow = Array.from({ length: 5 }, () => stateless("?fault=gate.wait"));
    await sleep(100);
    for (const { took } of await Promise.all(Array.from({ length: 20 }, () => stateless()))) {
      assert.ok(took < 200, `it took ${took} ms`);
    }
    for (const { status, took } of await Promise.all(slow)) {
      assert.equal(status, 404);
      assert.ok(took >= 590 && took < 1_000, `it took ${took} ms`);
    }
  });

  test("and_one_that_is_aborted_leaves_the_others_alone", async () => {
    const gone = new AbortController();
    const first = stateless("?fault=gate.wait", { signal: gone.signal }).catch(() => "gone");
    await sleep(50);
    const second = stateless("?fault=gate.wait");
    await sleep(100);
    gone.abort();
    assert.equal(await first, "gone");
    const { status, took } = await second;
    assert.equal(status, 404);
    assert.ok(took >= 590 && took < 1_000, `it took ${took} ms`);
    assert.doesNotMatch(host.log, /different request|hung|never generate a response/);
  });
});
