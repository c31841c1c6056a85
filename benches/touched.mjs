// Which functions of a build's WebAssembly modules an agent's ordinary work touches.
//
//   node benches/touched.mjs worker     →  {"host":[…],"intake":[…]}
//
// By index in each module. The build asks, to know what to have optimized; the list may
// differ a little from one time to the next, by what the engine did meanwhile.

import { Client, post, request } from "../miniflare-tests/host/client.mjs";
import { Session, stateless } from "../miniflare-tests/host/streaming.mjs";
import { Workerd } from "../miniflare-tests/host/workerd.mjs";
import { freePorts, sidesConfig } from "./sides/config.mjs";

/** What models send: forms of code, and what goes wrong every day. */
const PROGRAMS = [
  "return demo.ping({})",
  "async () => { const answer = await demo.ping({}); return answer.value; }",
  "const answers = await Promise.all([1, 2, 3].map(() => env.demo.ping({})));\nconsole.log('answers', answers);\nanswers.length",
  "interface Answer { value: string }\nconst answer: Answer = await demo.ping({});\n({ answer, list: [1.5, true, null, 'text'], nested: { name: answer.value as string } })",
  "```js\nfor (let i = 0; i < 3; i++) { if (i === 1) continue; await demo.ping({}); }\nreturn { done: true };\n```",
  "return await demo.ping({ unexpected: 1 })",
  "return await forage.search({ query: 'answer a ping' })",
  "const page = await forage.list({});\nreturn { page, found: await forage.search('pign') };",
  "return [await forage.describe({ path: 'demo.ping' }), await forage.describe('demo')];",
  "return demo.pong({})",
  "throw new TypeError('a failure of the program')",
  "return {",
  "return undefined",
];

/** What a build for benches calls beside, in the form that its programs have. */
const BENCHED = ["async () => { await bench.ping({}); return 7; }", "async () => { return await bench.echo({ value: [1] }); }"];

/** How often all are run after a first time, in which everything is compiled that is needed once. */
const TIMES = 2;

/**
 * One connection from its start to its end, and what a build for benches has beside.
 * @param {import("./sides/config.mjs").Ports} ports
 */
async function work(ports) {
  const benched = build.startsWith("bench");
  const programs = benched ? [...PROGRAMS, ...BENCHED] : PROGRAMS;
  const client = await Client.open(`http://127.0.0.1:${ports.mcp}`);
  await client.request("tools/list");
  for (const code of programs) await client.execute(code);
  await client.end();
  await streaming(`http://127.0.0.1:${ports.mcp}`);
  if (benched) {
    for (const body of programs) {
      const answer = await fetch(`http://127.0.0.1:${ports.ours}/`, { method: "POST", body });
      await answer.text();
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/**
 * The same by event streams, with a session and without one.
 * @param {string} url
 */
async function streaming(url) {
  const session = await Session.open(url);
  const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } };
  for (const code of PROGRAMS) {
    await (await session.execute(code)).rest();
    await (await stateless(url, code, modern)).rest();
  }
  await session.end();
  await listed(url, modern);
}

/** @param {string} url @param {object} params */
async function listed(url, params) {
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const { status, text } = await post(url, request("list", "tools/list", params), headers);
  if (status !== 200) throw new Error(text);
}

const [build = "worker"] = process.argv.slice(2);
const ports = await freePorts();
const flags = ["--trace-wasm-compilation-times"];
const workerd = await Workerd.on(ports.mcp, (folder) => sidesConfig(folder, ports, flags, build));
try {
  await work(ports);
  const started = workerd.log.length;
  for (let time = 0; time < TIMES; time++) await work(ports);
  // The host's module is there before anything is asked for; the intake's comes second.
  const modules = [...new Set(indexes(workerd.log).map(([module]) => module))];
  const touched = indexes(workerd.log.slice(started));
  const of = (/** @type {string | undefined} */ wanted) =>
    [...new Set(touched.filter(([module]) => module === wanted).map(([, index]) => index))].sort((a, b) => a - b);
  if (modules.length !== 2) throw new Error(`${modules.length} modules were compiled and not 2:\n${workerd.log}`);
  console.log(JSON.stringify({ host: of(modules[0]), intake: of(modules[1]) }));
} finally {
  await workerd.kill();
}

/** @param {string} log @returns {[string, number][]} modules and indexes of compiled functions */
function indexes(log) {
  const lines = log.matchAll(/^Compiled function (\w+)#(\d+) using /gm);
  return [...lines].map(([, module, index]) => [String(module), Number(index)]);
}
