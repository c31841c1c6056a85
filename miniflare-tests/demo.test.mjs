// The demo believes nothing that it isn't told.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { DEV, Workerd } from "./host/workerd.mjs";

/**
 * What the demo's client prints, and how it exits.
 * @param {string} url
 * @param {string} code
 * @returns {Promise<{ exit: number, printed: string }>}
 */
function demo(url, code) {
  const script = join(import.meta.dirname, "demo.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, `${url}/mcp`], { env: { ...process.env, CODE: code } }, (error, printed) => {
      resolve({ exit: error ? Number(error.code) : 0, printed: printed.trim() });
    });
  });
}

/** The Worker, saying another count of isolates than it has. @param {string} count */
const lying = (count) => `
import Main from "./src/workers/entry.mjs";
export { ConnectionObject, Runner } from "./src/workers/entry.mjs";
export default class extends Main {
  async fetch(request) {
    const response = await super.fetch(request);
    return new Response((await response.text()).replace('"isolates":1', ${JSON.stringify(count)}), response);
  }
}`;

test("it_prints_the_answer_of_a_program_in_its_one_isolate", async () => {
  await Workerd.during({ vars: DEV }, async ({ url }) => {
    assert.deepEqual(await demo(url, "return { n: 6 * 7 }"), { exit: 0, printed: '{"n":42}' });
    const failed = await demo(url, "throw new Error('no')");
    assert.deepEqual([failed.exit, failed.printed.slice(0, 16)], [10, "guest-exception:"]);
    assert.equal((await demo(url, "return {")).exit, 10, "refused before there is any isolate");
  });
});

test("without_the_loader_it_does_not_end_well", async () => {
  await Workerd.during({ vars: DEV, loader: false }, async ({ url }) => {
    const { exit, printed } = await demo(url, "return { n: 6 * 7 }");
    assert.notEqual(exit, 0);
    assert.match(printed, /^unknown: /);
  });
});

for (const count of ['"isolates":0', '"isolates":2', '"other":1']) {
  test(`nor_with_${count}`, async () => {
    await Workerd.during({ vars: DEV, entry: lying(count) }, async ({ url }) => {
      assert.equal((await demo(url, "return 1")).exit, 2);
    });
  });
}
