// One real client and one workerd that can be ended without a word and started again.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Workerd } from "../host/workerd.mjs";

/** Milliseconds that a person has to answer at first. */
const SHORT = 3_000;
/** As many as nobody uses up, after the first restart. */
const LONG = 60_000;

const KEY = "a-key-of-the-tests";
const KEYS = { tests: { sha256: createHash("sha256").update(KEY).digest("hex"), kind: "agent", id: "tests" } };

/** @typedef {import("./driver.mjs").Driver} Driver */
/** @typedef {(url: string, env: Record<string, string>) => Driver} Start */

/** The two, with a folder of their own. */
export class Trial {
  #folder = mkdtempSync(join(tmpdir(), "mycelium-client-"));
  #gates = 0;
  /** @type {Workerd | undefined} */
  #workerd;
  /** @type {Driver | undefined} */
  #client;

  /** The environment of a client that has no key; its home is empty. */
  get stranger() {
    return { HOME: this.#folder };
  }

  /** The environment of a client that has one. */
  get known() {
    return { ...this.stranger, AUTHORIZATION: `Bearer ${KEY}` };
  }

  get url() {
    return `${this.#running.url}/mcp`;
  }

  /** @returns {Driver} */
  get client() {
    if (!this.#client) throw new Error("no client yet");
    return this.#client;
  }

  get #running() {
    if (!this.#workerd) throw new Error("no workerd yet");
    return this.#workerd;
  }

  /** @param {Start} [start] */
  async begin(start) {
    await this.#serve(SHORT);
    this.#client = start?.(this.url, this.known);
  }

  /** Ends workerd by SIGKILL and starts another on the same port with the same storage. */
  async restart() {
    const { port } = new URL(this.url);
    await this.#running.kill();
    await this.#serve(LONG, Number(port));
  }

  /**
   * @param {number} patience milliseconds
   * @param {number} [port]
   */
  async #serve(patience, port) {
    const vars = { MYCELIUM_API_KEYS: JSON.stringify(KEYS), MYCELIUM_APPROVAL_MS: String(patience) };
    this.#workerd = await Workerd.start({ build: "faults", vars, disk: this.#folder, port });
  }

  /** A file that isn't there, and what makes it. */
  gate() {
    const until = join(this.#folder, `gate-${this.#gates++}`);
    return { until, open: () => writeFileSync(until, "") };
  }

  /** A gate, and what opens it when nobody may answer any more. */
  tooLate() {
    const { until, open } = this.gate();
    return { until, open: () => new Promise((done) => setTimeout(() => done(open()), SHORT + 1_000)) };
  }

  async end() {
    await this.#client?.end();
    await this.#workerd?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
