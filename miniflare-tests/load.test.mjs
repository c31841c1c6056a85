// Eight connections with many calls each: nothing is lost, nothing comes twice. `make soak` makes
// a thousand on each, which takes minutes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Session, text } from "./host/streaming.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const CONNECTIONS = 8;
const CALLS = Number(process.env.LOAD_CALLS ?? 100);
/** How many of one connection's calls are under way at once. */
const SIDE_BY_SIDE = 4;

test("eight_connections_with_many_calls_each_lose_nothing", { timeout: 900_000 }, async () => {
  await Workerd.during({ build: process.env.LOAD_BUILD, vars: DEV }, async ({ url }) => {
    const begun = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => calls(url, connection)));
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`${CONNECTIONS * CALLS} calls in ${seconds.toFixed(1)} s, ${Math.round((CONNECTIONS * CALLS) / seconds)} a second`);
  });
});

/**
 * @param {string} url
 * @param {number} connection
 */
async function calls(url, connection) {
  const session = await Session.open(url);
  let next = 0;
  const answered = new Set();
  const worker = async () => {
    for (let call; (call = next++) < CALLS; ) {
      const stream = await session.execute(`await demo.ping({}); return ${connection * CALLS + call}`, call);
      const answer = await stream.answer();
      assert.deepEqual([answer.id, text(answer)], [call, String(connection * CALLS + call)]);
      assert.equal((await stream.rest()).filter(({ message }) => message).length, 1, "one answer");
      answered.add(call);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  assert.equal(answered.size, CALLS);
  assert.equal(await session.end(), 204);
}
