// The Worker under load: started, killed at any time, and started again on the same storage.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEV, Workerd, freePort } from "../host/workerd.mjs";

/** A Worker that calls operations of the Worker without a program. */
const FRONT = `export default {
  async fetch(request, env) {
    return Response.json(await env.MAIN.invoke(await request.json()));
  },
};`;

/** Executions after which memory is first looked at, and between that and its last look. */
const EARLY = 2_000;
/** How many samples a figure of memory is the middle of. */
const SAMPLES = 5;

/** @typedef {{ runs: number, mb: number }} Sample */

/** workerd, again and again on one disk and port. */
export class Host {
  #options;
  #disk = mkdtempSync(join(tmpdir(), "mycelium-soak-"));
  /** @type {Workerd | undefined} */
  #workerd;
  #up = Promise.resolve();
  /** When it last became ready; infinite while it is down. */
  #since = -Infinity;
  restarts = 0;
  /** Memory of each stretch between restarts. @type {Sample[][]} */
  stretches = [[]];
  url = "";
  front = "";

  /** @param {import("../host/config.mjs").Options} options */
  constructor(options) {
    this.#options = { ...options, vars: { ...DEV, ...options.vars }, disk: this.#disk, front: FRONT };
  }

  async start() {
    const [port, frontPort] = [await freePort(), await freePort()];
    this.#options = { ...this.#options, port, frontPort };
    this.#workerd = await Workerd.start(this.#options);
    this.url = this.#workerd.url;
    this.front = `http://127.0.0.1:${frontPort}`;
  }

  /** Kills it as it is, and starts it again. */
  async restart() {
    this.restarts += 1;
    this.#since = Infinity;
    const { promise, resolve } = Promise.withResolvers();
    this.#up = promise;
    await this.#workerd?.kill();
    this.#workerd = await Workerd.start(this.#options);
    this.stretches.push([]);
    this.#since = performance.now();
    resolve(undefined);
  }

  /** Resolves when it is up. */
  get up() {
    return this.#up;
  }

  /** Whether it was down at any time since. @param {number} since */
  downSince(since) {
    return this.#since >= since;
  }

  /** Notes its memory after so many executions of this stretch. @param {number} runs */
  sample(runs) {
    if (this.#since === Infinity) return;
    const status = readFileSync(`/proc/${this.#workerd?.pid}/status`, "utf8");
    this.stretches.at(-1)?.push({ runs, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 });
  }

  /** What it printed since it was last started. */
  get log() {
    return this.#workerd?.log ?? "";
  }

  async stop() {
    await this.#workerd?.kill();
    rmSync(this.#disk, { recursive: true, force: true });
  }
}

/**
 * Memory at the end of a stretch beside that at its 2 000th execution; nothing where a stretch has
 * fewer than twice as many.
 * @param {Sample[]} samples
 */
export function growth(samples) {
  const from = samples.findIndex(({ runs }) => runs >= EARLY);
  const last = samples.at(-1);
  if (from < 0 || !last || last.runs < 2 * EARLY) return undefined;
  const early = middle(samples.slice(from, from + SAMPLES));
  const late = middle(samples.slice(-SAMPLES));
  return { runs: last.runs, early, late, ratio: late / early };
}

/** @param {Sample[]} samples */
function middle(samples) {
  const sorted = samples.map(({ mb }) => mb).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}
