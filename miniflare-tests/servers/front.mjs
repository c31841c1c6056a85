// A front that serves a published MCP server, which speaks over its standard streams, over
// Streamable HTTP: one process a session. One more is always begun beforehand, for processes
// begin slowly: the front itself initializes it, and hands on what it said.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

/** @typedef {{ jsonrpc: "2.0", id?: number | string, method?: string, params?: any, result?: any, error?: any }} Message */

/** The id of the front's own request. */
const FRONT = "front";

/** One process, and who waits for its answers. */
class Session {
  #process;
  /** @type {Map<number | string, import("node:http").ServerResponse>} */
  #waiting = new Map();
  /** @type {PromiseWithResolvers<unknown>} */
  #initialized = Promise.withResolvers();

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {string} cwd
   * @param {Record<string, string>} env
   */
  constructor(command, args, cwd, env) {
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], cwd, env: { ...process.env, ...env } });
    this.#process.on("exit", () => this.#waiting.forEach((response) => response.destroy()));
    this.#process.stdin.on("error", () => {});
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#said(line));
    const clientInfo = { name: "front", version: "0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: FRONT, method: "initialize", params })}\n`);
    this.#process.on("exit", () => this.#initialized.reject(new Error(`${command} ${args} ended`)));
    this.#initialized.promise.catch(() => {});
  }

  /** What it said when it was initialized. */
  get initialized() {
    return this.#initialized.promise;
  }

  /** @param {string} line */
  #said(line) {
    if (!line.startsWith("{")) return;
    /** @type {Message} */
    const message = JSON.parse(line);
    if (message.id === FRONT) return this.#initialized.resolve(message.result);
    const event = `event: message\ndata: ${line}\n\n`;
    // What is said of no request is said to all of them.
    if (message.method !== undefined) return this.#waiting.forEach((response) => response.write(event));
    const response = this.#waiting.get(message.id ?? "");
    this.#waiting.delete(message.id ?? "");
    response?.end(event);
  }

  /**
   * @param {string} text
   * @param {Message} message
   * @param {import("node:http").ServerResponse} response
   */
  post(text, message, response) {
    this.#process.stdin.write(`${text}\n`);
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    const { id } = message;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    this.#waiting.set(id, response);
    response.on("close", () => this.#waiting.delete(id));
  }

  /** Stops it, or lets it go on. @param {"SIGSTOP" | "SIGCONT"} signal */
  signal(signal) {
    this.#process.kill(signal);
  }

  async end() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}

/** A server that is started anew for each session. */
export class Front {
  #server;
  /** @type {Map<string, Session>} */
  #sessions = new Map();
  /** @type {Message[]} Every message that came. */
  seen = [];
  #make;
  /** The process for the next session. */
  #next;

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {string} cwd where it may leave what it likes
   * @param {Record<string, string>} [env]
   */
  constructor(command, args, cwd, env = {}) {
    this.#make = () => new Session(command, args, cwd, env);
    this.#next = this.#make();
    this.#server = createServer(async (request, response) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      const text = Buffer.concat(parts).toString();
      if (request.method !== "POST") return void response.writeHead(405).end();
      /** @type {Message} */
      const message = JSON.parse(text);
      this.seen.push(message);
      let id = String(request.headers["mcp-session-id"] ?? "");
      if (message.method === "initialize") {
        const session = this.#next;
        this.#next = this.#make();
        id = randomUUID();
        this.#sessions.set(id, session);
        response.writeHead(200, { "content-type": "application/json", "mcp-session-id": id });
        return void response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: await session.initialized }));
      }
      const session = this.#sessions.get(id);
      if (!session) return void response.writeHead(404).end();
      session.post(text, message, response);
    });
  }

  async begin() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    await this.#next.initialized;
    return this;
  }

  get url() {
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}/mcp`;
  }

  /** Stops every process: whatever is called takes as long as that. */
  pause() {
    for (const session of this.#sessions.values()) session.signal("SIGSTOP");
  }

  goOn() {
    for (const session of this.#sessions.values()) session.signal("SIGCONT");
  }

  /** Ends every process, as a restart of the server does. */
  async restart() {
    const ended = [...this.#sessions.values()].map((session) => session.end());
    this.#sessions.clear();
    await Promise.all(ended);
    await this.#next.initialized;
  }

  async end() {
    await Promise.all([this.#next, ...this.#sessions.values()].map((session) => session.end()));
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
