// Starts `wrangler dev` on Workers that are bound to one another, and makes sure that it ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./config.mjs";
import { freePort } from "./workerd.mjs";

const require = createRequire(import.meta.url);
const BINARY = join(dirname(require.resolve("wrangler/package.json")), "bin", "wrangler.js");

/** Keeps wrangler from asking anything of the network or of the reader. */
const QUIET = { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false", CI: "1", NO_COLOR: "1" };

/** Milliseconds that wrangler has to bundle and to start. */
const START = 90_000;

/** The host's own configuration without the build, which the tests have done. */
const HOST = `
name = "mycelium"
main = "src/workers/entry.mjs"
compatibility_date = "2026-10-01"
worker_loaders = [{ binding = "LOADER" }]
durable_objects.bindings = [
  { name = "CONNECTIONS", class_name = "ConnectionObject" },
  { name = "PRINCIPALS", class_name = "PrincipalObject" },
]
migrations = [{ tag = "v1", new_sqlite_classes = ["ConnectionObject", "PrincipalObject"] }]
`;

/** One wrangler with the Worker of a configuration, and the host that it is bound to. */
export class Wrangler {
  #process;
  #folder;
  #exited;
  /** Everything it printed. */
  log = "";

  /**
   * Starts one and resolves when the Worker answers.
   * @param {string} config the Worker's wrangler.toml, from the checkout's top
   */
  static async start(config) {
    const folder = mkdtempSync(join(tmpdir(), "mycelium-"));
    cpSync(join(ROOT, "src", "workers"), join(folder, "src", "workers"), { recursive: true });
    cpSync(join(ROOT, "build", "worker-test"), join(folder, "build", "worker"), { recursive: true });
    writeFileSync(join(folder, "wrangler.toml"), HOST);
    const wrangler = new Wrangler(folder, config, await freePort());
    await wrangler.#answers();
    return wrangler;
  }

  /**
   * @param {string} folder
   * @param {string} config
   * @param {number} port
   */
  constructor(folder, config, port) {
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    const options = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", join(folder, "state"), "--show-interactive-dev-session=false"];
    this.#process = spawn(process.execPath, [BINARY, "dev", "-c", join(ROOT, config), "-c", join(folder, "wrangler.toml"), ...options], {
      cwd: ROOT,
      env: { ...process.env, ...QUIET },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: wrangler's children end with it.
      detached: true,
    });
    this.#exited = once(this.#process, "exit");
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (this.log += text));
    }
  }

  async #answers() {
    const until = Date.now() + START;
    while (Date.now() < until && this.#process.exitCode === null) {
      const answer = await fetch(this.url).catch(() => undefined);
      if (answer) return void (await answer.arrayBuffer());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await this.stop();
    throw new Error(`wrangler didn't start:\n${this.log}`);
  }

  /** Ends it with all that it started. */
  async stop() {
    if (this.#process.pid && this.#process.exitCode === null) process.kill(-this.#process.pid, "SIGKILL");
    await this.#exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
