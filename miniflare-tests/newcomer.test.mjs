// The README's way from an OpenAPI document to an agent's call, by the very texts that it
// shows and nothing else, with a clock.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./host/config.mjs";
import { Connected } from "./host/connected.mjs";
import { DEV } from "./host/workerd.mjs";

/** Milliseconds that it may take, the compiling of what reads documents included. */
const PATIENCE = 600_000;

/** The fenced blocks of a section. @param {string} title */
function blocks(title) {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const section = readme.split(`\n## ${title}\n`)[1].split("\n## ")[0];
  return [...section.matchAll(/```(\w+)\n(.*?)\n```/gs)].map(([, kind, text]) => ({ kind, text }));
}

/**
 * Types a line into a shell; gives what it printed.
 * @param {string} line
 * @returns {Promise<string>}
 */
async function typed(line) {
  // As from a shell, also where make runs the tests: below another, make says where it is.
  const { MAKELEVEL, MAKEFLAGS, MFLAGS, ...env } = process.env;
  const shell = spawn("sh", ["-c", line], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  shell.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  shell.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  const [code] = await once(shell, "close");
  assert.equal(code, 0, `${line}\n${out}${err}`);
  return out;
}

test("an_agent_calls_a_service_by_the_readme_alone", async (context) => {
  const [openapi, connection, grant, call] = blocks("Connect your service").map(({ text }) => text);
  // A name of its own, for the reader may have a petstore.
  const name = `petstore_newcomer_${process.pid}`;
  const mine = (/** @type {string} */ text) => text.replaceAll(/\bpetstore\b(?!\.yaml|\.example)/g, name);
  const table = join(ROOT, "tables", `${name}.json`);
  const service = createServer((incoming, outgoing) => {
    const id = Number(incoming.url?.split("/").at(-1));
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id, name: "Rex" }));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
  const begun = Date.now();
  try {
    await typed(mine(openapi).replace("petstore.yaml", "miniflare-tests/openapi/petstore.yaml"));
    const shipped = readFileSync(join(ROOT, "mycelium.toml"), "utf8");
    const toml = shipped.replace("[grants.dev]\n", `[grants.dev]\n${mine(grant)}\n`)
      + mine(connection).replace("https://petstore.example/v1", `http://127.0.0.1:${port}/v1`);
    const tables = { [`tables/${name}.json`]: readFileSync(table, "utf8") };
    await Connected.during({ toml, tables, vars: DEV }, async ({ url }) => {
      const printed = await typed(mine(call).replace("http://127.0.0.1:8787", url));
      assert.equal(printed.trim(), '{"id":7,"name":"Rex"}');
    });
  } finally {
    rmSync(table, { force: true });
    service.close();
  }
  const took = Date.now() - begun;
  context.diagnostic(`from a document to an agent's call: ${(took / 1000).toFixed(1)} s`);
  assert.ok(took < PATIENCE, `${took} ms`);
});
