// Runs the protocol's official conformance suite against the build with the fixture's tools, for
// both sets of requirements, and ends with what passed and what failed of each.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../host/config.mjs";
import { DEV, Workerd } from "../host/workerd.mjs";

const SUITE = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** The sets of requirements, each with the failures that are allowed: those of methods that this server doesn't offer. */
const SETS = ["2025-11-25", "2026-07-28"].map((name) => ({
  name,
  allowed: join(import.meta.dirname, `allowed-${name}.yml`),
}));

/**
 * @param {string} url the Worker's
 * @param {{ name: string, allowed: string }} set
 */
async function run(url, { name, allowed }) {
  const output = mkdtempSync(join(tmpdir(), "conformance-"));
  const suite = spawn(
    process.execPath,
    [SUITE, "server", "--url", `${url}/mcp`, "--requirements", name, "--expected-failures", allowed, "-o", output],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  suite.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    process.stderr.write(chunk);
  });
  const [code] = await once(suite, "exit");
  rmSync(output, { recursive: true, force: true });
  const total = /Total: (\d+) passed, (\d+) failed/.exec(text);
  if (!total) throw new Error(`the suite for ${name} said no total`);
  return { name, passed: Number(total[1]), failed: Number(total[2]), well: code === 0 };
}

const workerd = await Workerd.start({ build: "faults", vars: DEV });
/** @type {{ name: string, passed: number, failed: number, well: boolean }[]} */
const ran = [];
try {
  for (const set of SETS) ran.push(await run(workerd.url, set));
} finally {
  await workerd.kill();
}
for (const { name, passed, failed, well } of ran) {
  console.log(`${name}: ${passed} passed, ${failed} failed, ${well ? "none of them unexpected" : "not as allowed"}`);
}
if (ran.some(({ well }) => !well)) process.exitCode = 1;
