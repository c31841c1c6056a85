// Published MCP servers as connections: each listed, described, called and cancelled by programs
// in real isolates.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client, sleep } from "../host/client.mjs";
import { answer } from "../host/trial.mjs";
import { DEV, Workerd } from "../host/workerd.mjs";
import { MISSING, SERVERS, version } from "./servers.mjs";

/** @typedef {import("./servers.mjs").Running} Running */

/** The configuration that connects the servers under their names. @param {Map<string, Running>} running */
function configured(running) {
  const connections = [...running].map(([name, { url }]) => `[connections.${name}]\ntype = "mcp"\nurl = "${url}"\n`);
  const grants = [...running.keys()].map((name) => `${name} = "write"`);
  return `${connections.join("\n")}\n[grants.dev]\n${grants.join("\n")}\n`;
}

describe("published MCP servers", () => {
  const folder = mkdtempSync(join(tmpdir(), "mycelium-servers-"));
  /** @type {Map<string, Running>} */
  const running = new Map();
  /** @type {Workerd} */
  let workerd;
  const page = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html><body><p>known words</p></body></html>");
  });

  before(async () => {
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    const started = SERVERS.map(async ({ name, start }) => /** @type {const} */ ([name, await start(folder)]));
    for (const [name, one] of await Promise.all(started)) running.set(name, one);
    workerd = await Workerd.start({ build: "faults", vars: DEV, toml: configured(running) });
    await allConnected();
  });
  after(async () => {
    await workerd?.stop();
    await Promise.all([...running.values()].map(({ end }) => end()));
    page.closeAllConnections();
    page.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Processes begin slowly on a busy machine: one that was too slow is asked again. */
  async function allConnected() {
    for (let attempt = 0; attempt < 8; attempt++) {
      const client = await Client.open(workerd.url);
      const names = await answer(client, "return Object.keys(env.mcp)");
      if (names.length === SERVERS.length) return;
      await sleep(5_000);
    }
    assert.fail(workerd.log);
  }

  /** @param {string} expression of a server's tool, called by a program */
  function program(expression) {
    const { port } = /** @type {import("node:net").AddressInfo} */ (page.address());
    return `const FOLDER = ${JSON.stringify(folder)}; const PAGE = "http://127.0.0.1:${port}/";\n${expression}`;
  }

  test("at_least_eight_servers_are_there", (context) => {
    for (const server of SERVERS) {
      const calls = ["list", "describe", "call", ...(server.write ? ["write"] : []), "error", "cancel"];
      context.diagnostic(`${server.name} ${version(server)}: ${calls.join(", ")}`);
      assert.match(version(server) ?? "", /^\d/);
    }
    assert.ok(!process.env.CI || MISSING.length === 0, `missing: ${MISSING}`);
    assert.ok(SERVERS.length >= 8, `missing: ${MISSING}`);
  });

  for (const { name, tools, read, answers, write, slow } of SERVERS) {
    test(`${name} is listed, each tool once, and described`, async () => {
      const client = await Client.open(workerd.url);
      const names = await answer(client, `return Object.keys(env.mcp.${name})`);
      assert.ok(names.length >= tools, `${names}`);
      assert.equal(new Set(names).size, names.length);
      const described = await answer(client, `return await Promise.all(Object.keys(env.mcp.${name}).map((tool) => forage.describe({ path: "mcp.${name}." + tool })))`);
      assert.equal(described.length, names.length);
      for (const one of described) assert.match(JSON.stringify(one), /mcp\./);
    });

    test(`${name} is called and answers`, async () => {
      const client = await Client.open(workerd.url);
      const told = await answer(client, program(`return await env.mcp.${name}.${read}`));
      assert.notEqual(told.isError, true, JSON.stringify(told));
      assert.match(JSON.stringify(told), answers);
    });

    // Some have nothing to change.
    if (write) {
      test(`${name} is changed by a call`, async () => {
        const client = await Client.open(workerd.url);
        const told = await answer(client, program(`await env.mcp.${name}.${write}`));
        assert.match(JSON.stringify(told), /changed|Bob/);
      });
    }

    test(`${name} refuses wrong input as a failure or as an answer that says so`, async () => {
      const client = await Client.open(workerd.url);
      const call = `env.mcp.${name}.${read.slice(0, read.indexOf("("))}({ "no such input": [1] })`;
      const told = await answer(client, `try { return await ${call} } catch (error) { return { isError: true, code: error.code } }`);
      // A tool that needs nothing takes what it doesn't know.
      assert.ok(told.isError === true || name === "playwright", JSON.stringify(told));
    });

    test(`${name} is told when a call is cancelled`, async () => {
      const client = await Client.open(workerd.url);
      const { front } = running.get(name) ?? {};
      const before = front?.seen.length ?? 0;
      front?.pause();
      const began = Date.now();
      const call = client.execute(program(`return await env.mcp.${name}.${slow ?? read}`), { id: `slow-${name}` });
      await sleep(700);
      await client.notify("notifications/cancelled", { requestId: `slow-${name}` });
      const { isError, text } = await call.catch((error) => ({ isError: true, text: String(error) }));
      assert.ok(Date.now() - began < 10_000, "it isn't waited for");
      assert.equal(isError, true, text);
      for (let attempt = 0; front && attempt < 100; attempt++) {
        if (front.seen.slice(before).some(({ method }) => method === "notifications/cancelled")) break;
        await sleep(50);
      }
      const seen = front?.seen.slice(before) ?? [];
      const call_ = seen.find(({ method }) => method === "tools/call");
      const cancelled = seen.find(({ method }) => method === "notifications/cancelled");
      front?.goOn();
      if (front) assert.ok(call_ && cancelled?.params.requestId === call_.id);
      const told = await answer(client, program(`return await env.mcp.${name}.${read}`));
      assert.match(JSON.stringify(told), answers, "the next call is answered");
    });
  }

  test("a_server_that_is_started_anew_is_spoken_to_anew", async () => {
    const client = await Client.open(workerd.url);
    const { front } = running.get("time") ?? {};
    assert.ok(front);
    await front.restart();
    const told = await answer(client, `return await env.mcp.time.get_current_time({ timezone: "UTC" })`);
    assert.notEqual(told.isError, true, JSON.stringify(told));
  });
});
