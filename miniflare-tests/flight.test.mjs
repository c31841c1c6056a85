// Calls that nobody awaits can't fill the host's memory.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Client, PONG } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** What it may come to with 32 MiB under way; unbounded it was 1 300 MB. */
const PEAK_MB = 650;

/**
 * Resident memory of a process in MB.
 * @param {number | undefined} pid
 */
function resident(pid) {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

test("40_calls_of_8_mib_side_by_side_stay_within_bounds_and_are_refused_by_name", { timeout: 120_000 }, async (context) => {
  await Workerd.during({ build: "faults", vars: DEV }, async ({ url, pid }) => {
    const client = await Client.open(url);
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, resident(pid))), 20);
    const code = `const pad = 'x'.repeat(8 * 1024 * 1024 - 200);
      const said = (call) => call.then(() => "done", (error) => error.code + ": " + error.remedy);
      const all = Array.from({ length: 40 }, () => said(faults.wait({ ms: 300, pad })));
      return Promise.all(all)`;
    const { text } = await client.execute(code, { signal: AbortSignal.timeout(100_000) }).finally(() => clearInterval(watch));
    context.diagnostic(`at most ${peak.toFixed(0)} MB resident`);
    /** @type {string[]} */
    const said = JSON.parse(text);
    assert.deepEqual(said.filter((line) => line === "done").length, 4, "32 MiB of them");
    for (const line of said.slice(4)) assert.match(line, /^input-invalid: await calls before you make more: 33554432 bytes/);
    assert.ok(peak > 0 && peak < PEAK_MB, `it came to ${peak} MB`);
    assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
  });
});
