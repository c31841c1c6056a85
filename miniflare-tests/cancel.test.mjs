// Ending a run from another request.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, PONG, request, sleep } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** @type {Workerd} */
let workerd;
before(async () => (workerd = await Workerd.start({ build: "faults", vars: DEV })));
after(() => workerd.stop());

/** Programs that would run for minutes: a guest that waits, a host that does. */
const ENDLESS = {
  guest: "await new Promise((done) => setTimeout(done, 100_000))",
  host: "return faults.wait({ ms: 100_000 })",
  both: "return Promise.all([faults.wait({ ms: 100_000 }), new Promise(() => {})])",
};

for (const [name, code] of Object.entries(ENDLESS)) {
  test(`a_cancelled_run_ends_at_once: ${name}`, async () => {
    const client = await Client.open(workerd.url);
    const running = client.execute(code, { id: "run" });
    await sleep(300);
    const begun = performance.now();
    assert.equal(await client.notify("notifications/cancelled", { requestId: "run", reason: "enough" }), 202);
    const { isError, text } = await running;
    assert.equal(isError, true);
    assert.match(text, /^cancelled: the execution was cancelled by the caller/);
    assert.ok(performance.now() - begun < 1_000);
    assert.equal((await client.execute(PONG, { id: "run" })).text, '{"value":"pong"}', "the id is free again");
  });
}

test("a_cancelled_run_lists_the_calls_that_may_have_taken_effect", async () => {
  const client = await Client.open(workerd.url);
  const code = "await demo.ping({}); return faults.wait({ ms: 100_000 })";
  const running = client.execute(code, { id: "run" });
  await sleep(300);
  await client.notify("notifications/cancelled", { requestId: "run" });
  const { texts } = await running;
  assert.equal(texts[1], "Calls made before it failed:\n0 demo.ping: done\n1 faults.wait: unsettled, may have taken effect");
});

test("only_the_named_run_of_the_same_session_is_cancelled", async () => {
  const [one, other] = [await Client.open(workerd.url), await Client.open(workerd.url)];
  const code = "return faults.wait({ ms: 600 })";
  const runs = [one.execute(code, { id: 7 }), one.execute(code, { id: "7" }), other.execute(code, { id: 7 })];
  await sleep(250);
  await one.notify("notifications/cancelled", { requestId: 7 });
  const texts = (await Promise.all(runs)).map(({ text }) => text.slice(0, 14));
  assert.deepEqual(texts, ["cancelled: the", '{"waited":600}', '{"waited":600}']);
});

test("cancelling_what_does_not_run_changes_nothing", async () => {
  const client = await Client.open(workerd.url);
  for (const params of [undefined, {}, { requestId: "none" }, { requestId: null }, { requestId: 1.5 }, { requestId: [] }]) {
    assert.equal(await client.notify("notifications/cancelled", params), 202, JSON.stringify(params));
  }
  assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
});

test("an_id_in_use_is_refused_and_its_run_goes_on", async () => {
  const client = await Client.open(workerd.url);
  const running = client.execute("return faults.wait({ ms: 500 })", { id: "twice" });
  await sleep(200);
  const answer = await client.request("tools/call", { name: "execute", arguments: { code: PONG } }, "twice");
  assert.equal(answer.error.code, -32600);
  assert.equal((await running).text, '{"waited":500}');
});

test("delete_ends_what_runs_and_then_there_is_no_session", async () => {
  const client = await Client.open(workerd.url);
  const runs = Object.values(ENDLESS).map((code) => client.execute(code));
  await sleep(400);
  const begun = performance.now();
  assert.equal(await client.end(), 204);
  for (const { text } of await Promise.all(runs)) assert.match(text, /^cancelled: .* by the host/);
  assert.ok(performance.now() - begun < 1_000);
  assert.equal(await client.end(), 404);
  assert.equal((await client.post(request(1, "ping"))).status, 404);
});
