// A client of the Worker's MCP endpoint that can also say what no good client says.

// By JSON alone: then a call that was cancelled has an answer too. Streams are read by `Streaming`.
const ACCEPT = "application/json";

/** The headers of a well-behaved request. */
export const HEADERS = Object.freeze({ accept: ACCEPT, "content-type": "application/json" });

/** Milliseconds after which a request without a signal of its own is given up. */
const PATIENCE = 20_000;

/** @typedef {{ signal?: AbortSignal, query?: string }} Options */

/**
 * Posts a body as it is.
 * @param {string} url the Worker's
 * @param {BodyInit} body
 * @param {Record<string, string | undefined>} [headers] added to the good ones; undefined leaves one out
 * @param {Options} [options]
 */
export async function post(url, body, headers = {}, { signal = AbortSignal.timeout(PATIENCE), query = "" } = {}) {
  const sent = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== undefined);
  const init = { method: "POST", headers: /** @type {any} */ (sent), body, signal };
  const response = await fetch(`${url}/mcp${query}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * The text of a request.
 * @param {number | string} id
 * @param {string} method
 * @param {unknown} [params]
 */
export function request(id, method, params) {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** One MCP connection, which is one object. */
export class Client {
  #url;
  #next = 0;

  /**
   * @param {string} url
   * @param {string} session
   */
  constructor(url, session) {
    this.#url = url;
    this.session = session;
  }

  /**
   * Opens a connection.
   * @param {string} url the Worker's
   */
  static async open(url) {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "tests", version: "0" },
    };
    const answer = await post(url, request("open", "initialize", params));
    const session = answer.headers.get("mcp-session-id");
    if (!session) throw new Error(`no session: ${answer.status} ${answer.text}`);
    const client = new Client(url, session);
    await client.notify("notifications/initialized");
    return client;
  }

  /**
   * Posts a body within the session.
   * @param {BodyInit} body
   * @param {Record<string, string | undefined>} [headers]
   * @param {Options} [options]
   */
  post(body, headers = {}, options = {}) {
    return post(this.#url, body, { "mcp-session-id": this.session, ...headers }, options);
  }

  /**
   * Sends a request and gives its whole answer.
   * @param {string} method
   * @param {unknown} [params]
   * @param {number | string} [id]
   * @param {AbortSignal} [signal]
   */
  async request(method, params, id = ++this.#next, signal) {
    const answer = await this.post(request(id, method, params), {}, { signal });
    return { status: answer.status, ...JSON.parse(answer.text) };
  }

  /**
   * @param {string} method
   * @param {unknown} [params]
   */
  async notify(method, params) {
    const { status } = await this.post(JSON.stringify({ jsonrpc: "2.0", method, params }));
    return status;
  }

  /**
   * Runs a program: its texts, the first of which is the answer or the failure.
   * @param {string} code
   * @param {{ id?: number | string, signal?: AbortSignal }} [options]
   */
  async execute(code, { id, signal } = {}) {
    const answer = await this.request("tools/call", { name: "execute", arguments: { code } }, id, signal);
    if (!answer.result) throw new Error(`no result: ${JSON.stringify(answer)}`);
    const texts = answer.result.content.map((/** @type {{ text: string }} */ part) => part.text);
    return { isError: answer.result.isError, text: texts[0], texts };
  }

  /** Ends the session; gives the status. */
  async end() {
    const headers = { "mcp-session-id": this.session };
    return (await fetch(`${this.#url}/mcp`, { method: "DELETE", headers })).status;
  }
}

/** The program whose answer is known byte for byte. */
export const PONG = "return demo.ping({})";

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
