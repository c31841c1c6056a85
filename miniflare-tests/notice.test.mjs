// What the operator is told of the configuration.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, PONG, post, request } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const KEY = "MYCELIUM_LOCAL_DEV_UNENFORCED_LIMITS";
const LINES = {
  cpu: "CPU limits are not enforced in local dev",
  memory: "Memory limits are not enforced in local dev",
  output: "Output limits are not enforced in local dev",
  cancel: "Cancellation is not enforced in local dev",
};

/**
 * Runs programs one after another and side by side, in three objects.
 * @param {string} url the Worker's
 */
async function severalRuns(url) {
  const clients = [await Client.open(url), await Client.open(url), await Client.open(url)];
  for (const client of clients) for (let run = 0; run < 2; run++) await client.execute(PONG);
  await Promise.all(clients.map((client) => client.execute(PONG)));
}

/**
 * @param {string} log
 * @param {string} line
 */
const times = (log, line) => log.split("\n").filter((one) => one === line).length;

describe("a_limit_that_is_not_enforced_is_told_once", () => {
  for (const declared of [[], ["cpu"], ["cpu", "memory", "output", "cancel"]]) {
    test(declared.join() || "none", async () => {
      const vars = declared.length > 0 ? { ...DEV, [KEY]: declared.join() } : DEV;
      await Workerd.during({ vars }, async (workerd) => {
        await severalRuns(workerd.url);
        for (const [name, line] of Object.entries(LINES)) {
          assert.equal(times(workerd.log, line), declared.includes(name) ? 1 : 0, line);
        }
      });
    });
  }
});

describe("a_wrong_setting_is_named_on_every_route", () => {
  /** @type {[vars: Record<string, string>, errors: string[]][]} */
  const cases = [
    [{ [KEY]: "disk" }, [`${KEY} is "disk": cpu or memory or output or cancel is accepted`]],
    [{ [KEY]: "cpu,cpu" }, [`${KEY} is "cpu,cpu": a list of cpu, memory, output and cancel, each at most once, is accepted`]],
    [{ MYCELIUM_TIMEOUT_MS: "1e3" }, ['MYCELIUM_TIMEOUT_MS is "1e3": a whole number from 1 to 900000 is accepted']],
    [
      { MYCELIUM_AUTH_DEV: "yes", MYCELIUM_TIMEOUT_MS: "0" },
      [
        'MYCELIUM_AUTH_DEV is "yes": true or false is accepted',
        'MYCELIUM_TIMEOUT_MS is "0": a whole number from 1 to 900000 is accepted',
      ],
    ],
  ];
  for (const [vars, errors] of cases) {
    test(JSON.stringify(vars), async () => {
      await Workerd.during({ vars: { ...DEV, ...vars } }, async ({ url }) => {
        const answers = [
          fetch(url),
          fetch(`${url}/mcp`),
          fetch(`${url}/mcp`, { method: "DELETE", headers: { "mcp-session-id": "0" } }),
          fetch(`${url}/anything`, { method: "POST", body: "x" }),
        ];
        for (const answer of await Promise.all(answers)) {
          assert.equal(answer.status, 500);
          assert.deepEqual(await answer.json(), { code: "config-invalid", errors });
        }
        assert.equal((await post(url, request(1, "initialize", {}))).status, 500);
      });
    });
  }
});
