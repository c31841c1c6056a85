// Drives the clients that are JavaScript packages: `node node-driver.mjs KIND URL`.

import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [kind, url] = process.argv.slice(2);

/** What the person does who is asked. */
let answer = "accept";

const elicited = () => {
  if (answer === "accept") return { action: "accept", content: { approve: true } };
  if (answer === "late") return new Promise((done) => setTimeout(() => done({ action: "accept", content: { approve: true } }), 4_500));
  return { action: answer };
};

const about = { name: "tests", version: "0" };
const capabilities = { elicitation: {} };

async function second() {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const modes = { "ts2-default": undefined, "ts2-auto": { mode: "auto" }, "ts2-pinned": { mode: { pin: "2026-07-28" } } };
  const client = new Client(about, /** @type {any} */ ({ capabilities, versionNegotiation: /** @type {any} */ (modes)[kind] }));
  client.setRequestHandler("elicitation/create", /** @type {any} */ (async () => elicited()));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { client, call: (/** @type {any} */ params) => client.callTool(params) };
}

async function first(/** @type {any} */ transport) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = new Client(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => /** @type {any} */ (elicited()));
  await client.connect(transport);
  return { client, call: (/** @type {any} */ params) => client.callTool(params) };
}

async function connected() {
  if (kind.startsWith("ts2")) return second();
  if (kind === "ts1") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return first(new StreamableHTTPClientTransport(new URL(url)));
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const remote = fileURLToPath(new URL("../../node_modules/mcp-remote/dist/proxy.js", import.meta.url));
  const args = [remote, url, "--transport", "http-only", "--allow-http"];
  const env = /** @type {any} */ (process.env);
  return first(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
}

/** @type {Awaited<ReturnType<typeof connected>> | undefined} */
let open;

/** @param {{ do: string, code?: string, answer?: string }} order */
async function done(order) {
  if (order.do === "connect") {
    open = await connected();
    return "connected";
  }
  if (!open) throw new Error("not connected");
  if (order.do === "list") return (await open.client.listTools()).tools.map(({ name }) => name);
  answer = order.answer ?? "accept";
  const result = /** @type {any} */ (await open.call({ name: "execute", arguments: { code: order.code } }));
  return { isError: result.isError ?? false, text: result.content[0].text };
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify({ said: await done(JSON.parse(line)) }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error) }));
  }
}
process.exit(0);
