// A client that reads event streams as they come, and may go away at any event.

import { HEADERS, request } from "./client.mjs";

const ACCEPT = "application/json, text/event-stream";

/** @typedef {{ id?: string, message?: any }} Event */

/** One connection to an event stream. */
export class Stream {
  #reader;
  #abort;
  #text = "";
  #decoder = new TextDecoder();
  /** @type {Event[]} */
  events = [];
  /** Everything that was written. */
  raw = "";

  /**
   * @param {Response} response
   * @param {AbortController} abort
   */
  constructor(response, abort) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    this.#reader = response.body?.getReader();
  }

  /**
   * @param {string} url the endpoint's
   * @param {RequestInit} init
   */
  static async open(url, init) {
    const abort = new AbortController();
    const headers = { accept: ACCEPT, ...init.headers };
    return new Stream(await fetch(url, { ...init, headers, signal: abort.signal }), abort);
  }

  /**
   * The next event; nothing at the end, or when the stream breaks.
   * @returns {Promise<Event | undefined>}
   */
  async next() {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const event = parsed(block);
        if (!event) continue;
        this.events.push(event);
        return event;
      }
      const read = await this.#reader?.read().catch(() => undefined);
      if (!read || read.done) return undefined;
      const text = this.#decoder.decode(read.value, { stream: true });
      this.raw += text;
      this.#text += text;
    }
  }

  /**
   * The first message, from now on, that is as wanted.
   * @param {(message: any) => boolean} wanted
   */
  async until(wanted) {
    for (let event; (event = await this.next()); ) {
      if (event.message && wanted(event.message)) return event.message;
    }
    throw new Error(`the stream ended: ${this.raw}`);
  }

  /** The question that a person is asked. */
  asked() {
    return this.until(({ method }) => method === "elicitation/create");
  }

  /** The answer to the request that opened it. */
  answer() {
    return this.until(({ method }) => method === undefined);
  }

  /** Reads to the end. */
  async rest() {
    while (await this.next());
    return this.events;
  }

  /** The id of the last event. */
  get last() {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  /** Goes away. */
  cut() {
    this.#abort.abort();
  }
}

/** @param {string} block */
function parsed(block) {
  /** @type {Event} */
  const event = {};
  let data = false;
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) event.id = line.slice(4);
    if (line.startsWith("data:")) {
      data = true;
      const text = line.slice(5).trim();
      if (text) event.message = JSON.parse(text);
    }
  }
  return data ? event : undefined;
}

/** A session whose calls are answered by streams. */
export class Session {
  #headers;
  #next = 0;

  /**
   * @param {string} url the Worker's
   * @param {string} id
   * @param {Record<string, string>} headers
   */
  constructor(url, id, headers) {
    this.url = `${url}/mcp`;
    this.id = id;
    this.#headers = { ...HEADERS, accept: ACCEPT, "mcp-session-id": id, ...headers };
  }

  /**
   * @param {string} url the Worker's
   * @param {Record<string, string>} [headers]
   * @param {unknown} [capabilities]
   * @param {boolean} [ready] whether it says at once that it is
   */
  static async open(url, headers = {}, capabilities = { elicitation: {} }, ready = true) {
    const clientInfo = { name: "tests", version: "0" };
    const body = request("open", "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers: { ...HEADERS, ...headers }, body });
    const id = answer.headers.get("mcp-session-id");
    if (!id) throw Object.assign(new Error(await answer.text()), { status: answer.status });
    const session = new Session(url, id, headers);
    if (ready) await session.ready();
    return session;
  }

  /** Says that the client is ready. */
  async ready() {
    return (await this.post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))).status;
  }

  /** @param {string} body */
  post(body) {
    return fetch(this.url, { method: "POST", headers: this.#headers, body });
  }

  /**
   * @param {string} method
   * @param {unknown} [params]
   */
  async request(method, params) {
    const answer = await this.post(request(++this.#next, method, params));
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  }

  /**
   * Starts a program.
   * @param {string} code
   * @param {string | number} [id]
   */
  execute(code, id = `run-${++this.#next}`) {
    const body = request(id, "tools/call", { name: "execute", arguments: { code } });
    return Stream.open(this.url, { method: "POST", headers: this.#headers, body });
  }

  /** @param {string} [last] the event after which to go on */
  get(last) {
    const headers = { ...this.#headers, accept: "text/event-stream", ...(last && { "last-event-id": last }) };
    return Stream.open(this.url, { headers });
  }

  /**
   * @param {unknown} id
   * @param {unknown} result
   */
  async reply(id, result) {
    return (await this.post(JSON.stringify({ jsonrpc: "2.0", id, result }))).status;
  }

  async end() {
    return (await fetch(this.url, { method: "DELETE", headers: this.#headers })).status;
  }
}

/** The text that answers a call. */
export const text = (/** @type {any} */ answer) => answer.result.content[0].text;

export const AGREED = { action: "accept", content: { approve: true } };

const REVISION = "2026-07-28";

/**
 * Calls a tool in the revision without sessions.
 * @param {string} url the Worker's
 * @param {string} code
 * @param {Record<string, unknown>} [more] parameters
 * @param {Record<string, string>} [headers]
 */
export function stateless(url, code, more = {}, headers = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const params = { name: "execute", arguments: { code }, _meta: meta, ...more };
  const said = { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": "execute" };
  const init = { method: "POST", headers: { ...HEADERS, accept: ACCEPT, ...said, ...headers }, body: request("c", "tools/call", params) };
  return Stream.open(`${url}/mcp`, init);
}
