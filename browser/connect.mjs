// The page's side of an app that is open in a session's browser: what an agent's programs
// reach as `ui.discover` and `ui.execute`. No build step, no dependency: serve this folder.
//
// It keeps one event stream open. When something is asked it claims the request first;
// only whoever is granted the claim is given the command's input, runs the command, and
// sends the result. After a cut it comes back as the page that it was, and goes on.
//
// A host answers 410 when the session's app connection is closed, and 404 when the session
// is gone: then it stops for good, and says so through `onClose`.

import { EventReader } from "./events.mjs";
import { unsayable } from "./json.mjs";

/** Milliseconds until the first and at most until any later attempt to come back. */
const BACK_MS = { first: 500, most: 15_000 };

/** How often a claim or a result that doesn't get through is sent. */
const ATTEMPTS = 5;

/** Answers after which there is no point in trying again. */
const FINAL = new Map([
  [401, "the credential is not good"],
  [403, "the host serves no page of this origin, or not with this credential"],
  [404, "there is no such session"],
  [410, "the session's app connection is closed"],
]);

/**
 * One command: what it declares of itself, and what it does.
 *
 * @typedef {object} Command
 * @property {string} [description] what it does
 * @property {object} input JSON Schema of what it takes
 * @property {object} output JSON Schema of what it gives
 * @property {"read" | "write"} [effect] `write` when it isn't said
 * @property {string[]} [requirements]
 * @property {boolean} [hidden] whether agents aren't shown it; it can be run all the same
 * @property {(input: any, options: { signal: AbortSignal }) => unknown} run gives its result, or a
 *   promise of it; nothing is null. The signal is given when nobody waits for the result any more.
 */

/** @typedef {{ [name: string]: Command }} Whistle the commands by name */

/**
 * @typedef {object} Options
 * @property {string} baseUrl `https://host/browser/sessions/<session>`; what is below it is ours
 * @property {Whistle | (() => Whistle)} whistle the commands, or a function that gives those there are now
 * @property {HeadersInit | (() => HeadersInit | Promise<HeadersInit>)} [headers] sent with every request,
 *   such as `Authorization`; a function is asked anew each time
 * @property {typeof globalThis.fetch} [fetch] the page's own without it
 * @property {(reason: string) => void} [onClose] told once when the host has ended the connection
 * @property {(problem: string) => void} [onProblem] told of what went wrong and goes on; the console is
 *   without it
 */

/**
 * @typedef {object} BrowserConnection
 * @property {() => void} close ends it
 * @property {Promise<string>} closed resolves to the reason when it is over
 * @property {string | undefined} client the name that the host has given this page
 */

/**
 * Connects this page to its session. It never throws for what a host does.
 * @param {Options} options
 * @returns {BrowserConnection}
 */
export function connectBrowser(options) {
  return new Connection(options);
}

/**
 * A command that is being run.
 * @typedef {{ claim: string, abort: AbortController }} Held
 */

class Connection {
  #options;
  #base;
  #fetch;
  #ended = new AbortController();
  /** @type {PromiseWithResolvers<string>} */
  #closed = Promise.withResolvers();
  /** This page's name; the host gives it. @type {string | undefined} */
  #client;
  /** What is claimed or being claimed here, by request. @type {Map<string, Held | undefined>} */
  #held = new Map();
  #leave = () => this.#left();

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#base = `${options.baseUrl.replace(/\/+$/, "")}/browser/`;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    globalThis.addEventListener?.("pagehide", this.#leave);
    void this.#listen();
  }

  get client() {
    return this.#client;
  }

  /** Resolves to the reason when it is over. */
  get closed() {
    return this.#closed.promise;
  }

  /** Ends the connection; what runs is told by its signal. */
  close() {
    this.#left();
    this.#end("closed by the page");
  }

  /** @param {string} reason */
  #end(reason) {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    globalThis.removeEventListener?.("pagehide", this.#leave);
    for (const held of this.#held.values()) held?.abort.abort();
    this.#held.clear();
    this.#closed.resolve(reason);
    this.#options.onClose?.(reason);
  }

  /** @param {string} problem */
  #problem(problem) {
    if (this.#options.onProblem) this.#options.onProblem(problem);
    else console.warn(`connectBrowser: ${problem}`);
  }

  /** Keeps the stream open until it is over. */
  async #listen() {
    let wait = BACK_MS.first;
    while (!this.#ended.signal.aborted) {
      try {
        const response = await this.#request("events", {
          headers: { accept: "text/event-stream", ...(this.#client && { "last-event-id": this.#client }) },
          signal: this.#ended.signal,
        });
        const final = FINAL.get(response.status);
        if (final && !this.#mayRenew(response.status)) return this.#end(final);
        if (!response.ok || !response.body) throw new Error(`the host answered ${response.status}`);
        wait = BACK_MS.first;
        await this.#read(response.body);
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        this.#problem(`the event stream: ${said(error)}; trying again in ${wait} ms`);
      }
      await this.#sleep(wait);
      wait = Math.min(wait * 2, BACK_MS.most);
    }
  }

  /**
   * Whether the next request may come with another credential.
   * @param {number} status
   */
  #mayRenew(status) {
    return status === 401 && typeof this.#options.headers === "function";
  }

  /** @param {ReadableStream<Uint8Array>} body */
  async #read(body) {
    const events = new EventReader();
    const parts = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await parts.read();
      if (done) return;
      for (const event of events.read(decoder.decode(value, { stream: true }))) this.#hear(event.name, JSON.parse(event.data));
    }
  }

  /**
   * @param {string} name
   * @param {any} data
   */
  #hear(name, data) {
    switch (name) {
      case "open":
        this.#opened(data.client, new Set(data.claimed));
        break;
      case "request":
        if (!this.#held.has(data.request)) void this.#serve(data);
        break;
      case "withdrawn":
        this.#stop(data.request);
        break;
    }
  }

  /**
   * The host's own view of what this page holds: the rest is over.
   * @param {string} client
   * @param {Set<string>} claimed
   */
  #opened(client, claimed) {
    this.#client = client;
    for (const [request, held] of this.#held) {
      if (held && !claimed.has(request)) this.#stop(request);
    }
  }

  /** @param {string} request */
  #stop(request) {
    const held = this.#held.get(request);
    if (!held) return;
    held.abort.abort();
    this.#held.delete(request);
  }

  /**
   * Claims a request, does what is asked, and sends what came of it.
   * @param {{ request: string, kind: string, command?: string }} asked
   */
  async #serve({ request, kind, command }) {
    this.#held.set(request, undefined);
    try {
      const whistle = this.#whistle();
      const own = command !== undefined && Object.hasOwn(whistle, command) ? whistle[command] : undefined;
      const granted = await this.#claim(request, declared(kind, own, whistle));
      if (!granted || this.#ended.signal.aborted) return void this.#held.delete(request);
      const abort = new AbortController();
      this.#held.set(request, { claim: granted.claim, abort });
      const outcome = await (kind === "discover"
        ? outcomeOf(() => ({ methods: declarations(whistle) }))
        : outcomeOf(() => /** @type {Command} */ (own).run(granted.input, { signal: abort.signal })));
      await this.#answer(request, granted.claim, outcome);
      this.#held.delete(request);
    } catch (error) {
      this.#held.delete(request);
      if (!this.#ended.signal.aborted) this.#problem(`request ${request}: ${said(error)}`);
    }
  }

  #whistle() {
    const { whistle } = this.#options;
    return typeof whistle === "function" ? whistle() : whistle;
  }

  /**
   * @param {string} request
   * @param {object} said
   * @returns {Promise<{ claim: string, input?: unknown } | undefined>} nothing when it isn't this page's
   */
  async #claim(request, said) {
    const response = await this.#post("claims", { request, ...said });
    if (response.ok) return await response.json();
    // Another page's, or over: nothing is wrong with that.
    if (response.status !== 409) this.#problem(`a claim: ${await problemOf(response)}`);
    return undefined;
  }

  /**
   * @param {string} request
   * @param {string} claim
   * @param {object} outcome
   */
  async #answer(request, claim, outcome) {
    // It is over: nobody takes the result.
    if (!this.#held.has(request)) return;
    const response = await this.#post("results", { request, claim, ...outcome });
    if (response.ok || response.status === 409) return;
    const problem = await problemOf(response);
    this.#problem(`a result: ${problem}`);
    // The program that waits is told, unless the host has told it.
    if (response.status === 400 || response.status === 413) {
      const message = `the command ran, and its result was not taken: ${problem}`;
      await this.#post("results", { request, claim, error: { message } });
    }
  }

  /**
   * Posts, again when it doesn't get through: the host takes each claim and result once.
   * @param {"claims" | "results"} endpoint
   * @param {object} body
   */
  async #post(endpoint, body) {
    const text = JSON.stringify({ client: this.#client, ...body });
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#request(endpoint, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: text,
          signal: this.#ended.signal,
        });
        const final = response.status === 404 || response.status === 410 ? FINAL.get(response.status) : undefined;
        if (final) this.#end(final);
        if (response.status < 500 || attempt === ATTEMPTS) return response;
      } catch (error) {
        if (attempt === ATTEMPTS || this.#ended.signal.aborted) throw error;
      }
      await this.#sleep(BACK_MS.first * attempt);
    }
  }

  /**
   * @param {string} endpoint
   * @param {RequestInit & { headers: Record<string, string> }} init
   */
  async #request(endpoint, init) {
    const { headers } = this.#options;
    const all = new Headers(typeof headers === "function" ? await headers() : headers);
    for (const [name, value] of Object.entries(init.headers)) all.set(name, value);
    return this.#fetch(this.#base + endpoint, { ...init, headers: all, cache: "no-store" });
  }

  /** The page is being left: whoever waits for it is told at once that nobody knows the outcome. */
  #left() {
    for (const [request, held] of this.#held) {
      if (!held) continue;
      const body = JSON.stringify({ client: this.#client, request, claim: held.claim, gone: true });
      const headers = { "content-type": "application/json" };
      this.#request("results", { method: "POST", headers, body, keepalive: true }).catch(() => {});
    }
  }

  /** @param {number} ms */
  #sleep(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#ended.signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    });
  }
}

/**
 * What a claim says of the command.
 * @param {string} kind
 * @param {Command | undefined} own
 * @param {Whistle} whistle
 */
function declared(kind, own, whistle) {
  if (kind === "discover") return {};
  if (own) return { declaration: declarationOf(own) };
  return { known: Object.keys(whistle).filter((name) => !whistle[name].hidden) };
}

/** @param {Whistle} whistle */
function declarations(whistle) {
  return Object.fromEntries(Object.entries(whistle).map(([name, command]) => [name, declarationOf(command)]));
}

/** @param {Command} command */
function declarationOf({ run, ...declaration }) {
  return declaration;
}

/**
 * What came of work, as it is sent.
 * @param {() => unknown} work
 */
async function outcomeOf(work) {
  try {
    const value = (await work()) ?? null;
    const problem = unsayable(value);
    if (problem === undefined) return { value };
    return { error: { message: `the command ran, and JSON can't say its result: ${problem}` } };
  } catch (error) {
    return { error: { message: said(error) } };
  }
}

/** @param {Response} response */
async function problemOf(response) {
  const text = await response.text().catch(() => "");
  try {
    return `${response.status}: ${JSON.parse(text).error}`;
  } catch {
    return `${response.status}: ${text.slice(0, 200)}`;
  }
}

/** @param {unknown} error */
function said(error) {
  return error instanceof Error ? error.message || error.name : String(error);
}
