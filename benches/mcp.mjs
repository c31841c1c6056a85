// Requests per second over MCP beside `createMcpHandler` of the npm package `agents`, whose
// tool is the same and whose programs run in @cloudflare/codemode: both in one workerd.
//
//   node benches/mcp.mjs [build] [rounds]     →  {"rows":[{"what":…,"ours":…,"agents":…,"ratio":…}],"profile":…}
//
// `list` is tools/list and `execute` a trivial program, in the revision without sessions and in
// 2025-11-25: there ours has a session, which is an object with its storage, and the other side
// answers each request by itself. So many connections send one request after the other; the
// sides take turns, and a figure is the median over the rounds. Beside it stand the milliseconds
// of processor time that workerd spends for a request, where the machine tells them, and where
// those of a stateless execute go.

import { existsSync, readFileSync } from "node:fs";
import { Agent, request as send } from "node:http";
import { Workerd, freePort } from "../miniflare-tests/host/workerd.mjs";
import { agentsConfig, brought, bundle } from "./sides/agents/config.mjs";
import { profile } from "./sides/profile.mjs";

const SIDES = /** @type {const} */ (["ours", "agents"]);
/** @typedef {(typeof SIDES)[number]} Side */
/** @typedef {{ method: string, params: Record<string, unknown>, stateless: boolean }} Ask */

const CONNECTIONS = 4;
const MODERN = "2026-07-28";
const META = { "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {} };
const WORK = [
  { what: "list, stateless", stateless: true, method: "tools/list", requests: 400 },
  { what: "list, 2025-11-25", stateless: false, method: "tools/list", requests: 400 },
  { what: "execute, stateless", stateless: true, method: "tools/call", requests: 40 },
  { what: "execute, 2025-11-25", stateless: false, method: "tools/call", requests: 40 },
];

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let texts = 0;

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {unknown} message
 * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, text: string }>}
 */
function post(url, headers, message) {
  const body = JSON.stringify(message);
  const all = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = send(`${url}/mcp`, { method: "POST", agent, headers: all }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}

/** The message in an answer, which comes by JSON or as the last event. @param {string} text */
function message(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const data = text.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(data.at(-1)?.slice("data: ".length) ?? "null");
}

/** One client of a side, in both kinds of protocol. */
class Client {
  #session = "";
  #id = 0;

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  async open() {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "0" } };
    const answer = await post(this.url, {}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
    if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${answer.text}`);
    this.#session = String(answer.headers["mcp-session-id"] ?? "");
    await post(this.url, this.#headers(false, ""), { jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** @param {boolean} stateless @param {string} method @returns {Record<string, string>} */
  #headers(stateless, method) {
    if (!stateless) {
      return { "mcp-protocol-version": "2025-11-25", ...(this.#session && { "mcp-session-id": this.#session }) };
    }
    return { "mcp-protocol-version": MODERN, "mcp-method": method, ...(method === "tools/call" && { "mcp-name": "execute" }) };
  }

  /** @param {Ask} ask */
  async ask({ method, params, stateless }) {
    const id = ++this.#id;
    const sent = { jsonrpc: "2.0", id, method, params: stateless ? { ...params, _meta: META } : params };
    const answer = await post(this.url, this.#headers(stateless, method), sent);
    const told = message(answer.text);
    if (told?.id !== id || told.result === undefined || told.result.isError) throw new Error(`${method}: ${answer.text}`);
    return told.result;
  }

  /** @param {string} method @param {boolean} stateless */
  async once(method, stateless) {
    if (method === "tools/list") {
      const { tools } = await this.ask({ method, params: {}, stateless });
      if (tools.length !== 1) throw new Error("another list");
      return;
    }
    const answer = String(++texts);
    const code = `async () => { await demo.ping({}); return ${answer}; }`;
    const { content } = await this.ask({ method, params: { name: "execute", arguments: { code } }, stateless });
    if (content[0].text !== answer) throw new Error(`answered ${content[0].text}`);
  }
}

/** Processor milliseconds of a process so far; none where the machine doesn't tell. @param {number | undefined} pid */
function processor(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Requests by the second, and the processor's milliseconds for one.
 * @param {Workerd} workerd
 * @param {Client[]} clients
 * @param {(typeof WORK)[number]} work
 */
async function rate(workerd, clients, { method, stateless, requests }) {
  const before = processor(workerd.pid);
  const begun = performance.now();
  let left = requests;
  await Promise.all(clients.map(async (client) => {
    while (left-- > 0) await client.once(method, stateless);
  }));
  const seconds = (performance.now() - begun) / 1_000;
  const spent = before === undefined ? 0 : (processor(workerd.pid) ?? 0) - before;
  return { rate: requests / seconds, cpu: spent / requests };
}

/** What our tool says of itself: the other side's says the same. @param {string} build */
async function tool(build) {
  let said;
  await Workerd.during({ build, vars: { MYCELIUM_AUTH_DEV: "true" } }, async ({ url }) => {
    const { tools } = await new Client(url).ask({ method: "tools/list", params: {}, stateless: true });
    const { title, description, annotations } = tools[0];
    said = { title, description, annotations };
  });
  return said;
}

const [build = "bench", rounds = "7"] = process.argv.slice(2);
if (!brought) {
  console.log(JSON.stringify({ missing: "agents" }));
  process.exit(0);
}
const said = await tool(build);
const ports = { ours: await freePort(), agents: await freePort() };
const workerd = await Workerd.on(ports.ours, (folder) => {
  bundle(folder);
  return agentsConfig(folder, ports, said, build);
});
try {
  /** @type {Record<Side, Client[]>} */
  const clients = { ours: [], agents: [] };
  for (const side of SIDES) {
    for (let count = 0; count < CONNECTIONS; count++) {
      const client = new Client(`http://127.0.0.1:${ports[side]}`);
      await client.open();
      clients[side].push(client);
    }
  }
  const rows = [];
  for (const work of WORK) {
    /** @type {Record<Side, { rate: number, cpu: number }[]>} */
    const taken = { ours: [], agents: [] };
    // Once beforehand: what is compiled and cached is by then.
    for (const side of SIDES) await rate(workerd, clients[side], work);
    for (let round = 0; round < Number(rounds); round++) {
      for (const side of round % 2 ? SIDES : SIDES.toReversed()) taken[side].push(await rate(workerd, clients[side], work));
    }
    const of = (/** @type {Side} */ side, /** @type {"rate" | "cpu"} */ what) => median(taken[side].map((one) => one[what]));
    const [ours, agents] = [of("ours", "rate"), of("agents", "rate")];
    const ratios = taken.ours.map((one, round) => one.rate / (taken.agents[round]?.rate ?? 1));
    rows.push({ what: work.what, ours, agents, ratio: median(ratios), oursCpu: of("ours", "cpu"), agentsCpu: of("agents", "cpu") });
    console.error(JSON.stringify(rows.at(-1)));
  }
  const execute = (/** @type {string} */ side) => /** @type {Client} */ (clients[/** @type {Side} */ (side)][0]).once("tools/call", true);
  console.log(JSON.stringify({ rows, profile: await profile(workerd, SIDES, execute) }));
} finally {
  agent.destroy();
  await workerd.kill();
}
