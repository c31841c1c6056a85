// Drives a real client in a process of its own: a line of JSON to it, lines of JSON back.
//
// A driver is told {"do": "connect"}, {"do": "list"} or {"do": "call", "code", "answer", "until"}:
// `answer` is what its person does when asked, as soon as there is a file `until`, or at once. Each
// time the person is asked it says {"asked": message}, and at the end of an order {"said": …} or
// {"failed": …}.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Milliseconds after which a client is given up. */
const PATIENCE = 40_000;

/**
 * What a person does about a question.
 * @typedef {{ answer: "accept" | "decline" | "cancel", until?: string }} Reaction
 */

/** One client. */
export class Driver {
  #process;
  #lines;
  #errors = "";

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {Record<string, string>} [env]
   */
  constructor(command, args, env = {}) {
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
    this.#process.stderr.setEncoding("utf8").on("data", (text) => (this.#errors += text));
    // One that ended is noticed by the end of its lines.
    this.#process.stdin.on("error", () => {});
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Connects; gives the protocol's revision, or what else the client can say of it. */
  connect() {
    return this.#ask({ do: "connect" }, () => {});
  }

  /** @returns {Promise<string[]>} the names of the tools */
  list() {
    return this.#ask({ do: "list" }, () => {});
  }

  /**
   * Calls `execute`; gives the outcome and the questions that were asked meanwhile.
   * @param {string} code
   * @param {Reaction} [reaction]
   * @param {(question: string) => void} [heard] hears each question as it comes
   */
  async call(code, reaction = { answer: "decline" }, heard = () => {}) {
    /** @type {string[]} */
    const asked = [];
    const outcome = await this.#ask({ do: "call", code, ...reaction }, (question) => {
      asked.push(question);
      heard(question);
    });
    return { .../** @type {{ isError: boolean, text: string }} */ (outcome), asked };
  }

  /**
   * @param {Record<string, unknown>} order
   * @param {(question: string) => void} heard
   * @returns {Promise<any>} what was said
   */
  async #ask(order, heard) {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    const late = AbortSignal.timeout(PATIENCE);
    const given = new Promise((_, reject) => {
      late.onabort = () => reject(new Error(`no answer to ${JSON.stringify(order)}\n${this.#errors}`));
    });
    for (;;) {
      const line = await Promise.race([this.#lines.next(), given]);
      if (line.done) throw new Error(`the client ended\n${this.#errors}`);
      const { asked, said, failed } = read(line.value);
      if (asked !== undefined) heard(asked);
      if (failed !== undefined) throw new Error(`${failed}`);
      if (said !== undefined) return said;
    }
  }

  async end() {
    this.#process.kill("SIGKILL");
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}

/**
 * A driver's line; some clients print what they like to where those go.
 * @param {string} line
 * @returns {{ asked?: string, said?: unknown, failed?: string }}
 */
function read(line) {
  return line.startsWith('{"') ? JSON.parse(line) : {};
}
