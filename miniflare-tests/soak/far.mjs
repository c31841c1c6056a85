// What lies beyond the Worker in a soak and under load: a server that counts what it is told by
// id, an MCP server whose one tool a person must agree to, and one that accepts and never answers.
//
// They are no part of what is restarted, so that what they have counted is what was really done.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "../host/config.mjs";

const TABLE = readFileSync(join(ROOT, "miniflare-tests/openapi/echo.table.json"), "utf8");

/** Milliseconds after which the Worker gives up a server that doesn't answer. */
export const HUNG_MS = 1_500;

/** The servers, for as long as something is asked of them. */
export class Far {
  #book = createServer((request, response) => void this.#note(request, response));
  #people = createServer((request, response) => void this.#speak(request, response));
  #hung = createSocketServer((socket) => this.#accept(socket));
  /** @type {Set<import("node:net").Socket>} */
  #held = new Set();
  #sessions = 0;
  /** How often each id was done. @type {Map<string, number>} */
  done = new Map();
  /** How many connections were accepted and never answered. */
  accepted = 0;

  static async start() {
    const far = new Far();
    for (const server of [far.#book, far.#people, far.#hung]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    return far;
  }

  /** How often so named work was done. @param {string} id */
  times(id) {
    return this.done.get(id) ?? 0;
  }

  /** The connections to them, as text of a configuration in which all of them are granted. */
  get toml() {
    const grants = ["book", "people", "hung", "mute"].map((name) => `${name} = "write"\n`).join("");
    return `[grants.dev]
${grants}[grants.service]
book = "write"
[connections.book]
type = "openapi"
server = "${at(this.#book)}"
[connections.hung]
type = "openapi"
server = "${at(this.#hung)}"
timeout_ms = ${HUNG_MS}
[connections.people]
type = "mcp"
url = "${at(this.#people)}/mcp"
[connections.people.tools.ask]
confirm = true
[connections.mute]
type = "mcp"
url = "${at(this.#hung)}/mcp"
`;
  }

  /** The tables that these connections need. */
  get tables() {
    return { "tables/book.json": TABLE, "tables/hung.json": TABLE };
  }

  stop() {
    for (const socket of this.#held) socket.destroy();
    for (const server of [this.#book, this.#people]) {
      server.closeAllConnections();
      server.close();
    }
    this.#hung.close();
  }

  /** @param {string} id */
  #count(id) {
    this.done.set(id, this.times(id) + 1);
  }

  /**
   * `PUT /json` with `{id, ms}` notes the id at once, and answers after so many milliseconds.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #note(request, response) {
    const text = await read(request);
    if (text === undefined) return;
    const { id, ms = 0 } = text.startsWith("{") ? JSON.parse(text) : {};
    if (id !== undefined) this.#count(id);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    // What has come is sent back, as the table has it.
    const body = Buffer.from(text).toString("base64");
    json(response, { method: request.method, url: request.url, headers: {}, body });
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #speak(request, response) {
    const text = await read(request);
    if (text === undefined) return;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    const result = this.#answer(method, params);
    /** @type {Record<string, string>} */
    const headers = method === "initialize" ? { "mcp-session-id": `s${++this.#sessions}` } : {};
    const answer = result ? { result } : { error: { code: -32_601, message: "no such method" } };
    json(response, { jsonrpc: "2.0", id, ...answer }, headers);
  }

  /** @param {string} method @param {any} params */
  #answer(method, params) {
    if (method === "initialize") return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "people", version: "0" } };
    const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    if (method === "tools/list") return { tools: [{ name: "ask", description: "Does what a person agreed to.", inputSchema }] };
    if (method !== "tools/call") return undefined;
    this.#count(params.arguments.id);
    return { structuredContent: { id: params.arguments.id }, content: [] };
  }

  /** @param {import("node:net").Socket} socket */
  #accept(socket) {
    this.accepted += 1;
    this.#held.add(socket);
    let text = "";
    socket.setEncoding("latin1").on("data", (part) => {
      const before = named(text);
      text += part;
      const work = named(text);
      if (work !== undefined && before === undefined) this.#count(work);
    });
    socket.on("error", () => {}).on("close", () => this.#held.delete(socket));
  }
}

/** @param {import("node:net").Server} server */
function at(server) {
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
}

/** The work that a request names in its body, once that is there whole: `<a1.0>`. @param {string} text */
const named = (text) => /\r\n\r\n[^]*<([a-z0-9.]+)>/.exec(text)?.[1];

/** The whole body; nothing when its sender is gone before its end. @param {import("node:http").IncomingMessage} request */
async function read(request) {
  const parts = [];
  try {
    for await (const part of request) parts.push(part);
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString();
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {unknown} value
 * @param {Record<string, string>} [headers]
 */
function json(response, value, headers = {}) {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}
