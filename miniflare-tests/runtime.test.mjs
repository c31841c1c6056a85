// The runtime's laws where they touch the guest: what is counted, granted, cancelled and
// closed is so over real isolates too.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, PONG, sleep } from "./host/client.mjs";
import { answer, notes, trial, workerdWith } from "./host/trial.mjs";

/** @typedef {{ ordinal: number, execution: string, toolCall: string }} Facts */

describe("calls", () => {
  const host = workerdWith();

  test("ordinals_count_over_all_modules_in_the_order_of_the_calls_and_not_of_their_ends", async () => {
    const client = await Client.open(host.url);
    /** @type {Facts[]} */
    const facts = await answer(
      client,
      `return Promise.all([witness.see({ ms: 200 }), bystander.see({ ms: 100 }), witness.see({}), bystander.see({ ms: 50 })])`,
    );
    assert.deepEqual(facts.map(({ ordinal }) => ordinal), [0, 1, 2, 3]);
    assert.equal(new Set(facts.map(({ execution }) => execution)).size, 1);
  });

  test("an_ordinal_is_allotted_when_the_program_calls_and_not_when_it_awaits", async () => {
    const client = await Client.open(host.url);
    const code = `const later = witness.see({ ms: 50 }); await new Promise((r) => setTimeout(r, 100));
      const first = await bystander.see({}); return [(await later).ordinal, first.ordinal]`;
    assert.deepEqual(await answer(client, code), [0, 1]);
  });

  test("executions_side_by_side_count_for_themselves_and_know_their_own_call", async () => {
    const client = await Client.open(host.url);
    const code = "const [a, b] = await Promise.all([witness.see({ ms: 200 }), witness.see({ ms: 100 })]); return [a, b]";
    const runs = await Promise.all(["one", "two", 3].map(async (id) => {
      /** @type {Facts[]} */
      const facts = JSON.parse((await client.execute(code, { id })).text);
      assert.deepEqual(facts.map(({ ordinal, toolCall }) => [ordinal, toolCall]), [[0, String(id)], [1, String(id)]]);
      return facts[0].execution;
    }));
    assert.equal(new Set(runs).size, 3, "each has an id of its own");
  });

  test("every_execution_counts_from_0", async () => {
    const client = await Client.open(host.url);
    for (let run = 0; run < 2; run++) {
      assert.equal((await answer(client, "return witness.see({})")).ordinal, 0);
    }
  });

  test("a_call_that_is_refused_or_fails_keeps_its_ordinal", async () => {
    const client = await Client.open(host.url);
    const code = `await session.grant({ "test-vault": "none" });
      const refused = await vault.write({});
      const failed = await faults.wait({}).catch((error) => error.code);
      const unsent = await witness.see({ f() {} }).catch((error) => error.code);
      return [refused.reason, failed, unsent, (await witness.see({})).ordinal]`;
    assert.deepEqual(await answer(client, code), ["not-granted", "capability-failed", "input-invalid", 4]);
  });

  test("a_failed_run_lists_its_calls_by_their_ordinals", async () => {
    const client = await Client.open(host.url);
    const { texts } = await client.execute(
      "await Promise.all([witness.see({ ms: 100 }), bystander.see({})]); await vault.read({}); throw new Error('over')",
    );
    assert.equal(texts[1], "Calls made before it failed:\n0 witness.see: done\n1 bystander.see: done\n2 vault.read: done");
  });
});

describe("session_grants", () => {
  const host = workerdWith();

  test("a_revoked_grant_refuses_the_very_next_call_of_the_same_run", async () => {
    const client = await Client.open(host.url);
    const code = `const before = await vault.write({});
      await session.grant({ "test-vault": "none" });
      const after = await vault.write({});
      return [before, after, await session.writes({})]`;
    const { texts } = await client.execute(code);
    const [before, refused, writes] = JSON.parse(texts[0]);
    assert.deepEqual([before, writes], [{ writes: 1 }, 1], "the refused call did nothing");
    assert.deepEqual([refused.module, refused.operation, refused.reason], ["test-vault", "write", "not-granted"]);
    assert.match(texts[1], /^Calls that were not allowed and did not run:\nwrite of test-vault: not-granted\./);
  });

  test("a_grant_that_another_request_revokes_refuses_the_next_call_of_what_runs", async () => {
    const client = await Client.open(host.url);
    const code = `for (let calls = 0; calls < 1000; calls++) {
        const said = await vault.write({});
        if (said.reason) return { reason: said.reason, calls, writes: await session.writes({}) };
        await new Promise((next) => setTimeout(next, 5));
      }
      return "never refused"`;
    const running = answer(client, code);
    await sleep(400);
    await answer(client, `return (await session.grant({ "test-vault": "read" })) ?? "done"`);
    const { reason, calls, writes } = await running;
    assert.equal(reason, "read-only");
    assert.ok(calls > 0, "some were allowed before");
    assert.equal(writes, calls);
  });

  test("a_grant_that_comes_back_admits_the_very_next_call", async () => {
    const client = await Client.open(host.url);
    const code = `await session.grant({ "test-vault": "read" });
      const reasons = [(await vault.write({})).reason, (await vault.read({})).reason ?? "read"];
      await session.grant({ "test-vault": "write" });
      return [...reasons, await vault.write({})]`;
    assert.deepEqual(await answer(client, code), ["read-only", "read", { writes: 1 }]);
  });

  test("another_session_is_not_touched", async () => {
    const [one, other] = [await Client.open(host.url), await Client.open(host.url)];
    await answer(one, `return (await session.grant({ "test-vault": "none" })) ?? "done"`);
    assert.deepEqual(await answer(other, "return vault.write({})"), { writes: 1 });
  });

  test("a_module_of_which_nothing_is_granted_shows_nowhere", async () => {
    const client = await Client.open(host.url);
    const shown = async () => (await client.request("tools/list")).result.tools[0].description;
    assert.match(await shown(), /vault/);
    await answer(client, `return (await session.grant({ "test-vault": "none" })) ?? "done"`);
    assert.doesNotMatch(await shown(), /vault/);
    assert.deepEqual(await answer(client, "return Object.keys(env).includes('vault')"), false);
  });
});

describe("cancelling", () => {
  const host = workerdWith({ MYCELIUM_SANDBOX_CAPACITY: "1" });

  test("an_operation_that_watches_its_signal_hears_of_it_and_is_awaited", async () => {
    const client = await Client.open(host.url);
    const running = client.execute(`return witness.watch({ note: "run", linger: 300 })`, { id: "run" });
    await sleep(300);
    const begun = performance.now();
    await client.notify("notifications/cancelled", { requestId: "run" });
    const { texts } = await running;
    const took = performance.now() - begun;
    assert.match(texts[0], /^cancelled: the execution was cancelled by the caller.*\)$/);
    assert.equal(texts[1], "Calls made before it failed:\n0 witness.watch: done");
    assert.ok(took >= 290 && took < 2_000, `it took ${took} ms`);
    assert.deepEqual(await notes(client), ["run: began", "run: heard", "run: ended"]);
  });

  test("a_call_that_was_not_made_yet_is_not_made_after_it", async () => {
    const client = await Client.open(host.url);
    const code = `await witness.see({ note: "first", ms: 400 }); await witness.see({ note: "second" })`;
    const running = client.execute(code, { id: "run" });
    await sleep(200);
    await client.notify("notifications/cancelled", { requestId: "run" });
    assert.match((await running).text, /^cancelled: /);
    await sleep(400);
    assert.deepEqual(await notes(client), ["first: began"]);
  });

  test("a_permit_stays_until_work_that_nobody_acknowledged_has_settled", { timeout: 30_000 }, async () => {
    const client = await Client.open(host.url);
    const stubborn = client.execute(`return witness.watch({ note: "stubborn", linger: 6_500 })`, { id: "stubborn" });
    await sleep(300);
    const begun = performance.now();
    const waiter = client.execute(`return witness.see({ note: "waiter" })`);
    await client.notify("notifications/cancelled", { requestId: "stubborn" });
    const { text } = await stubborn;
    assert.match(text, /^cancelled: .*nobody has confirmed that it stopped\.$/);
    const told = performance.now() - begun;
    assert.ok(told >= 4_900 && told < 6_400, `it was told after ${told} ms`);
    assert.equal((await waiter).isError, false);
    assert.ok(performance.now() - begun >= 6_400, "the waiter came after the work");
    assert.deepEqual(await notes(client), ["stubborn: began", "stubborn: heard", "stubborn: ended", "waiter: began", "waiter: ended"]);
  });
});

describe("closing", () => {
  const host = workerdWith({ MYCELIUM_SANDBOX_CAPACITY: "1" });

  test("it_ends_who_waits_awaits_who_runs_and_takes_no_more", async () => {
    const client = await Client.open(host.url);
    const order = /** @type {string[]} */ ([]);
    const noted = (/** @type {string} */ name) => (/** @type {any} */ value) => (order.push(name), value);
    const running = client.execute(`return witness.see({ note: "running", ms: 2500 })`).then(noted("running"));
    await sleep(600);
    const waiting = client.execute(`return witness.see({ note: "waiting" })`).then(noted("waiting"));
    await sleep(600);
    const closing = trial(client, "close").then(noted("closing"));
    assert.match((await waiting).text, /^cancelled: .* by the host/);
    const again = trial(client, "close");
    const refused = await client.request("tools/call", { name: "execute", arguments: { code: PONG } });
    order.push("refused");
    assert.match(refused.error.message, /^runtime-closed: /);
    assert.equal((await running).isError, false, "who runs is awaited");
    assert.match((await closing).text, /"result":\{\}/);
    assert.match((await again).text, /"result":\{\}/);
    assert.deepEqual(order, ["waiting", "refused", "running", "closing"]);
  });

  test("another_object_goes_on", async () => {
    const [closed, other] = [await Client.open(host.url), await Client.open(host.url)];
    assert.match((await trial(closed, "close")).text, /"result":\{\}/);
    assert.equal((await other.execute(PONG)).text, '{"value":"pong"}');
  });
});

describe("the_sandbox_contract", () => {
  const host = workerdWith();

  test("isolates_of_the_worker_loader_keep_every_law", async () => {
    const { status, text } = await trial(await Client.open(host.url), "contract");
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), {});
  });

  test("and_here_too_the_laws_notice_who_breaks_them", async () => {
    const broken = JSON.parse((await trial(await Client.open(host.url), "mute")).text);
    for (const law of ["an_answer_is_the_programs_own", "a_cancelled_run_calls_nothing", "no_run_sees_what_another_left"]) {
      assert.match(broken[law], / came, not /);
    }
  });
});
