// Memory over many runs in one object.
//
// Each run's isolate must go when its run has ended. V8 is told to keep its baseline
// code: every new isolate makes workerd drop that of the whole process, and making it
// anew grows the process by itself. Without the flag the growth is only reported.
//
// Some of the growth is garbage that V8 hasn't come round to. Collected now and then,
// there is next to none: that test is the sharp one, and the shorter for it.
//
// The builds are of the profile `worker-test`: their code is larger than a release's,
// which makes the tests no easier.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Client, PONG, request } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

// V8 collects for the first time after about 2 000 runs: the count begins where most of that
// garbage is there already, and ends well after it has been collected.
const WARM_UP = 1_000;
const RUNS = 2_000;
const BOUND_MB = 100;
const KEPT_MB = 20;

/**
 * Resident memory of a process in MB.
 * @param {number | undefined} pid
 */
function resident(pid) {
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Math.round(Number(kilobytes) / 1024);
}

/**
 * @param {Client} client
 * @param {number} count
 */
async function run(client, count) {
  for (let done = 0; done < count; done++) {
    assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
  }
}

/**
 * Memory after the warm-up and after the runs.
 * @param {Workerd} workerd
 * @param {number} runs
 */
async function grown({ url, pid }, runs) {
  const client = await Client.open(url);
  await run(client, WARM_UP);
  const before = resident(pid);
  const begun = performance.now();
  await run(client, runs);
  const each = ((performance.now() - begun) / runs).toFixed(1);
  return { before, after: resident(pid), each };
}

test("2000_runs_in_one_object_keep_no_isolate", { timeout: 600_000 }, async (context) => {
  await Workerd.during({ vars: DEV, v8Flags: ["--no-flush-liftoff-code"] }, async (workerd) => {
    const { before, after, each } = await grown(workerd, RUNS);
    context.diagnostic(`${RUNS} runs: ${before} MB, then ${after} MB; ${each} ms a run`);
    assert.ok(after - before < BOUND_MB, `it grew from ${before} to ${after} MB`);
  });
});

test("after_a_collection_nothing_is_left_of_400_runs", { timeout: 600_000 }, async (context) => {
  const options = { build: "faults", vars: DEV, v8Flags: ["--no-flush-liftoff-code", "--expose-gc"] };
  await Workerd.during(options, async ({ url, pid }) => {
    const client = await Client.open(url);
    const collected = async () => {
      await client.post(request("collect", "ping"), {}, { query: "?fault=object.collect" });
      return resident(pid);
    };
    await run(client, WARM_UP);
    const before = await collected();
    for (let part = 0; part < 4; part++) {
      await run(client, 100);
      await collected();
    }
    const after = await collected();
    context.diagnostic(`400 runs: ${before} MB, then ${after} MB`);
    assert.ok(after - before < KEPT_MB, `it grew from ${before} to ${after} MB`);
  });
});

test("reported_only_the_same_with_v8s_own_flags", { timeout: 600_000 }, async (context) => {
  await Workerd.during({ vars: DEV }, async (workerd) => {
    const runs = RUNS / 5;
    const { before, after, each } = await grown(workerd, runs);
    context.diagnostic(`${runs} runs: ${before} MB, then ${after} MB; ${each} ms a run`);
  });
});
