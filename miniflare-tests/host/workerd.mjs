// Starts workerd on one build of the Worker, and makes sure that it ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workerdConfig } from "./config.mjs";

const require = createRequire(import.meta.url);
const BINARY = join(dirname(require.resolve("workerd/package.json")), "bin", "workerd");

/** Lines that no run may print unless its test expects them. */
const ALARMS = /panicked|Critical|Uncaught|uncaught exception|RuntimeError|is gone|previous WASM instance/;

/** The variables of a Worker that lets the developer in. */
export const DEV = Object.freeze({ MYCELIUM_AUTH_DEV: "true" });

/** One workerd process. */
export class Workerd {
  #process;
  #folder;
  #exited;
  /** Everything it printed. */
  log = "";

  /**
   * Starts one and resolves when it answers.
   * @param {import("./config.mjs").Options} [options]
   */
  static async start(options = {}) {
    const port = options.port ?? (await freePort());
    return Workerd.on(port, (folder) => workerdConfig(folder, port, options));
  }

  /**
   * Starts one with a configuration of another kind, and resolves when it answers at `port`.
   * @param {number} port
   * @param {(folder: string) => string} config its text, for the folder that it will lie in
   */
  static async on(port, config) {
    const folder = mkdtempSync(join(tmpdir(), "mycelium-"));
    writeFileSync(join(folder, "config.capnp"), config(folder));
    const workerd = new Workerd(folder, port);
    await workerd.#answers();
    return workerd;
  }

  /**
   * Runs `body` with one of its own, and ends it whatever comes of that.
   * @param {import("./config.mjs").Options} options
   * @param {(workerd: Workerd) => Promise<void>} body
   * @param {RegExp} [expected] alarms that the body brings about
   */
  static async during(options, body, expected) {
    const workerd = await Workerd.start(options);
    try {
      await body(workerd);
    } catch (error) {
      await workerd.kill();
      throw new Error(`${error}\nworkerd's log:\n${workerd.log}`, { cause: error });
    }
    await workerd.stop(expected);
  }

  /**
   * @param {string} folder
   * @param {number} port
   */
  constructor(folder, port) {
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.#process = spawn(BINARY, ["serve", "--experimental", join(folder, "config.capnp")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#exited = once(this.#process, "exit");
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (this.log += text));
    }
  }

  /** Its process id. */
  get pid() {
    return this.#process.pid;
  }

  async #answers() {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (this.#process.exitCode !== null) break;
      const answer = await fetch(this.url).catch(() => undefined);
      if (answer) {
        await answer.arrayBuffer();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await this.kill();
    throw new Error(`workerd didn't start:\n${this.log}`);
  }

  /**
   * Ends it, and fails when it printed something alarming.
   * @param {RegExp} [expected] alarms that the test brought about
   */
  async stop(expected) {
    await this.kill();
    const alarms = this.log
      .split("\n")
      .filter((line) => ALARMS.test(line) && !expected?.test(line));
    if (alarms.length > 0) throw new Error(`alarms in workerd's log:\n${this.log}`);
  }

  /** Ends it without looking at its log. A busy workerd doesn't heed any other signal. */
  async kill() {
    this.#process.kill("SIGKILL");
    await this.#exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A port that nobody listens at. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
