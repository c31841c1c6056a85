// What local workerd can't do: stop guest code that never yields. Deployed, the
// platform ends such an isolate at its CPU limit; workerd knows no such limit, and
// one thread serves every isolate, so the whole process stands still. That is what
// the notice "CPU limits are not enforced in local dev" is about.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, PONG } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

test("local_workerd_cannot_stop_a_loop_without_end_and_is_ended_by_its_pid", async () => {
  const workerd = await Workerd.start({ vars: { ...DEV, MYCELIUM_TIMEOUT_MS: "500" } });
  try {
    const [looping, bystander] = [await Client.open(workerd.url), await Client.open(workerd.url)];
    assert.equal((await bystander.execute(PONG)).text, '{"value":"pong"}');
    const signal = AbortSignal.timeout(3_000);
    const answers = await Promise.allSettled([
      looping.execute("while (true) {}", { signal }),
      bystander.execute(PONG, { signal }),
    ]);
    // The bystander may have been quicker than the loop.
    assert.equal(answers[0].status, "rejected");
    await assert.rejects(bystander.execute(PONG, { signal: AbortSignal.timeout(1_000) }), { name: "TimeoutError" });
  } finally {
    const begun = performance.now();
    await workerd.kill();
    assert.ok(performance.now() - begun < 1_000);
  }
});
