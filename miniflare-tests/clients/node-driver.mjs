// Drives the clients that are JavaScript packages: `node node-driver.mjs KIND URL`, with what is in
// AUTHORIZATION, if anything, as that header.

import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const [kind, url] = process.argv.slice(2);
const about = { name: "tests", version: "0" };
const capabilities = { elicitation: {} };
const authorization = process.env.AUTHORIZATION;
const requestInit = authorization === undefined ? {} : { headers: { authorization } };

/**
 * What the person does who is asked.
 * @type {{ answer: string, until?: string }}
 */
let reaction = { answer: "decline" };

/** @param {any} request */
async function elicited({ params }) {
  console.log(JSON.stringify({ asked: params.message }));
  const { answer, until } = reaction;
  while (until !== undefined && !existsSync(until)) await sleep(50);
  return answer === "accept" ? { action: answer, content: { approve: true } } : { action: answer };
}

/** The second generation of the TypeScript client. */
async function second(/** @type {unknown} */ versionNegotiation) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(about, /** @type {any} */ ({ capabilities, versionNegotiation }));
  client.setRequestHandler("elicitation/create", /** @type {any} */ (elicited));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { client, revision: client.getNegotiatedProtocolVersion() };
}

/** The first generation, which most hosts carry. */
async function first(/** @type {any} */ transport) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = new Client(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, /** @type {any} */ (elicited));
  await client.connect(transport);
  return { client, revision: transport.protocolVersion };
}

async function direct() {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return first(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
}

/** A client that only speaks over pipes, with mcp-remote between it and the server. */
async function remote() {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const proxy = fileURLToPath(new URL("../../node_modules/mcp-remote/dist/proxy.js", import.meta.url));
  // Its own way to read the environment; a space after the colon would be lost on some systems.
  const header = authorization === undefined ? [] : ["--header", "Authorization:${AUTHORIZATION}"];
  const args = [proxy, url, "--transport", "http-only", "--allow-http", ...header];
  const env = /** @type {any} */ (process.env);
  return first(new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" }));
}

/** @type {Record<string, () => Promise<{ client: any, revision?: string }>>} */
const KINDS = {
  "ts2-default": () => second(undefined),
  "ts2-auto": () => second({ mode: "auto" }),
  "ts2-pinned": () => second({ mode: { pin: "2026-07-28" } }),
  ts1: direct,
  "mcp-remote": remote,
};

/** @type {Awaited<ReturnType<typeof direct>> | undefined} */
let open;

/** @param {{ do: string, code: string, answer: string, until?: string }} order */
async function obeyed(order) {
  if (order.do === "connect") {
    open = /** @type {any} */ (await KINDS[kind]());
    return open?.revision ?? null;
  }
  if (!open) throw new Error("not connected");
  if (order.do === "list") return (await open.client.listTools()).tools.map(({ name }) => name);
  reaction = order;
  const result = /** @type {any} */ (await open.client.callTool({ name: "execute", arguments: { code: order.code } }));
  return { isError: result.isError ?? false, text: result.content[0].text };
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify({ said: await obeyed(JSON.parse(line)) }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error) }));
  }
}
process.exit(0);
