// How long a trivial program takes from an MCP client's call to its answer.
//
//   node benches/execute.mjs worker 100     →  {"runs":100,"p50":…,"p95":…}
//
// In raw workerd, over one connection, one call after the other, in milliseconds.
// The first tenth is run and not counted.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Workerd } from "../miniflare-tests/host/workerd.mjs";

const PROGRAM = "return demo.ping({})";

/**
 * @param {Client} client
 * @param {number} runs
 */
async function times(client, runs) {
  const taken = [];
  const unheeded = Math.ceil(runs / 10);
  for (let run = 0; run < unheeded + runs; run++) {
    const begun = performance.now();
    const answer = await client.callTool({ name: "execute", arguments: { code: PROGRAM } });
    if (answer.isError) throw new Error(JSON.stringify(answer.content));
    if (run >= unheeded) taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b);
}

const [build = "worker", count = "100"] = process.argv.slice(2);
const runs = Number(count);
const workerd = await Workerd.start({ build, vars: { MYCELIUM_AUTH_DEV: "true" } });
try {
  const client = new Client({ name: "mycelium-bench", version: "0.1.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${workerd.url}/mcp`)));
  const taken = await times(client, runs);
  await client.close();
  /** @param {number} share */
  const quantile = (share) => taken[Math.min(runs - 1, Math.floor(runs * share))];
  console.log(JSON.stringify({ runs, p50: quantile(0.5), p95: quantile(0.95) }));
} finally {
  await workerd.kill();
}
