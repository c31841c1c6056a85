// Drives a real client in a process of its own, a line of JSON to it and a line back.
//
// A driver is told {"do": "connect" | "list" | "call" | "end", "code"?, "answer"?} and says
// {"said": …} or {"failed": …}. `answer` is what its person does when asked.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Milliseconds after which a client is given up. */
const PATIENCE = 40_000;

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
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /**
   * @param {Record<string, unknown>} order
   * @returns {Promise<any>} what was said
   */
  async ask(order) {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    const late = new Promise((_, reject) =>
      setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(order)}\n${this.#errors}`)), PATIENCE).unref(),
    );
    for (;;) {
      const line = await Promise.race([this.#lines.next(), late]);
      if (line.done) throw new Error(`the client ended\n${this.#errors}`);
      // Some print what they like to where answers go.
      if (!line.value.startsWith('{"')) continue;
      const { said, failed } = JSON.parse(line.value);
      if (failed !== undefined) throw new Error(`${failed}`);
      return said;
    }
  }

  async end() {
    this.#process.kill("SIGKILL");
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}
