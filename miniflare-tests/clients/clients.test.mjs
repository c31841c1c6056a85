// Real clients against the Worker: each lists, calls, is asked and accepts, declines and lets the
// time pass, and each meets a server that was ended without a word and started again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "../host/config.mjs";
import { DEV, Workerd } from "../host/workerd.mjs";
import { Driver } from "./driver.mjs";

const PYTHON = join(ROOT, ".tools/python/bin/python");
const RMCP = join(ROOT, "target/clients/debug/clients");

const home = mkdtempSync(join(tmpdir(), "mycelium-clients-"));
after(() => rmSync(home, { recursive: true, force: true }));

/** @type {[name: string, start: (url: string) => Driver, there: string][]} */
const CLIENTS = [
  ...["ts2-default", "ts2-auto", "ts2-pinned", "ts1", "mcp-remote"].map((kind) => node(kind)),
  ...["python-legacy", "python-auto", "python-2026-07-28", "fastmcp"].map((kind) => python(kind)),
  ...["default", "auto", "discover"].map((mode) => rmcp(mode)),
];

/** @returns {[string, (url: string) => Driver, string]} */
function node(/** @type {string} */ kind) {
  const script = join(import.meta.dirname, "node-driver.mjs");
  return [kind, (url) => new Driver(process.execPath, [script, kind, url], { HOME: home }), process.execPath];
}

/** @returns {[string, (url: string) => Driver, string]} */
function python(/** @type {string} */ kind) {
  const script = join(import.meta.dirname, "python_driver.py");
  return [kind, (url) => new Driver(PYTHON, [script, kind, url]), PYTHON];
}

/** @returns {[string, (url: string) => Driver, string]} */
function rmcp(/** @type {string} */ mode) {
  return [`rmcp-${mode}`, (url) => new Driver(RMCP, [mode, url]), RMCP];
}

const PING = "return demo.ping({})";
const REMOVE = "return guarded.remove({})";
/** What an approval may take here: short, for somebody lets it pass. */
const VARS = { ...DEV, MYCELIUM_APPROVAL_MS: "3000" };

/** Those that aren't there are skipped, but not where everything must be. */
const absent = (/** @type {string} */ there) =>
  existsSync(there) || process.env.CI ? false : `${there} isn't there: run make clients`;

for (const [name, start, there] of CLIENTS) {
  describe(name, { skip: absent(there) }, () => {
    const disk = mkdtempSync(join(tmpdir(), "mycelium-disk-"));
    /** @type {Workerd} */
    let workerd;
    /** @type {Driver} */
    let client;
    before(async () => {
      workerd = await Workerd.start({ build: "faults", vars: VARS, disk });
      client = start(`${workerd.url}/mcp`);
      await client.ask({ do: "connect" });
    });
    after(async () => {
      await client.end();
      await workerd.kill();
      rmSync(disk, { recursive: true, force: true });
    });

    const call = (/** @type {string} */ code, /** @type {string} */ answer = "accept") =>
      client.ask({ do: "call", code, answer });

    test(`a_client_lists_and_calls: ${name}`, async () => {
      assert.ok((await client.ask({ do: "list" })).includes("execute"));
      assert.deepEqual(await call(PING), { isError: false, text: '{"value":"pong"}' });
    });

    for (const [answer, expected] of [["accept", "removed"], ["decline", "declined"], ["cancel", "cancelled"], ["late", "timed-out"]]) {
      test(`a_client_s_person_is_asked: ${name} ${answer}`, async () => {
        const { isError, text } = await call(REMOVE, answer);
        const said = JSON.parse(text);
        assert.deepEqual([isError, said.reason ?? said], [false, expected]);
      });
    }

    test(`a_client_meets_a_server_that_was_started_again: ${name}`, async () => {
      const { port } = new URL(workerd.url);
      await workerd.kill();
      workerd = await Workerd.start({ build: "faults", vars: VARS, disk, port: Number(port) });
      assert.deepEqual(await call(PING), { isError: false, text: '{"value":"pong"}' });
      assert.equal(JSON.parse((await call(REMOVE)).text), "removed");
    });
  });
}

const INSPECTOR = join(ROOT, ".tools/inspector/node_modules/.bin/mcp-inspector");

describe("inspector", { skip: absent(INSPECTOR) }, () => {
  test("the_inspector_s_command_line_lists_and_calls", async () => {
    await Workerd.during({ build: "faults", vars: VARS }, async ({ url }) => {
      const run = async (/** @type {string[]} */ ...args) => {
        const all = [INSPECTOR, "--cli", `${url}/mcp`, "--transport", "http", "--format", "json", "-q", ...args];
        const env = { ...process.env, HOME: home };
        return JSON.parse((await promisify(execFile)(process.execPath, all, { env })).stdout);
      };
      const listed = await run("--method", "tools/list");
      assert.ok(JSON.stringify(listed).includes('"execute"'));
      const called = await run(
        "--method", "tools/call", "--tool-name", "execute", "--tool-args-json", JSON.stringify({ code: PING }),
      );
      assert.ok(JSON.stringify(called).includes("pong"));
    });
  });
});
