// The Worker with connections: its configuration, buckets, and other Workers beside it.
//
// Miniflare starts the same workerd, and brings R2 as `wrangler dev` has it.

import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { ROOT } from "./config.mjs";

/**
 * @typedef {object} Options
 * @property {string} [build] the folder under build/ to run
 * @property {string} [toml] the configuration
 * @property {Record<string, string>} [tables] tables by the names that the configuration has
 * @property {Record<string, string>} [vars] variables and secrets
 * @property {string[]} [buckets] bindings of R2 buckets, each another one
 * @property {Record<string, string>} [services] other Workers by their bindings, each a module's text
 *   that exports a class `Computer`
 * @property {string} [disk] a folder that keeps objects and buckets; gone with it when left out
 */

const DATE = "2026-10-01";

/** The Worker, for as long as tests run. */
export class Connected {
  #miniflare;
  /** Everything it printed. */
  log = "";
  url = "";

  /** @param {Options} options */
  constructor({ build = "worker-test", toml = "", tables = {}, vars = {}, buckets = [], services = {}, disk }) {
    const others = Object.entries(services).map(([name, text]) => ({
      name: name.toLowerCase(),
      compatibilityDate: DATE,
      modules: [{ type: /** @type {const} */ ("ESModule"), path: "computer.mjs", contents: text }],
    }));
    const bound = Object.keys(services).map((name) => [name, { name: name.toLowerCase(), entrypoint: "Computer" }]);
    const main = {
      name: "main",
      compatibilityDate: DATE,
      modulesRoot: ROOT,
      modules: modules(build, JSON.stringify({ toml, tables })),
      workerLoaders: { LOADER: {} },
      durableObjects: {
        CONNECTIONS: { className: "ConnectionObject", useSQLite: true },
        PRINCIPALS: { className: "PrincipalObject", useSQLite: true },
        UPSTREAMS: { className: "UpstreamObject", useSQLite: true },
        PENS: { className: "PenObject", useSQLite: true },
      },
      bindings: vars,
      r2Buckets: buckets,
      serviceBindings: Object.fromEntries(bound),
    };
    const options = {
      host: "127.0.0.1",
      port: 0,
      cf: false,
      ...(disk === undefined ? {} : { resourcePersistencePath: disk }),
      handleStructuredLogs: (/** @type {{ message: string }} */ { message }) => void (this.log += `${message}\n`),
      workers: [main, ...others],
    };
    this.#miniflare = new Miniflare(convertV4MiniflareOptions(/** @type {any} */ (options)));
  }

  /** @param {Options} options */
  static async start(options) {
    const connected = new Connected(options);
    connected.url = (await connected.#miniflare.ready).origin;
    return connected;
  }

  /**
   * A bucket, to look into it from outside.
   * @param {string} binding
   * @returns {Promise<any>}
   */
  async bucket(binding) {
    return (await this.#miniflare.getBindings("main"))[binding];
  }

  async stop() {
    await this.#miniflare.dispose();
  }

  /**
   * Runs `body` with one of its own, and ends it whatever comes of that.
   * @param {Options} options
   * @param {(connected: Connected) => Promise<void>} body
   */
  static async during(options, body) {
    const connected = await Connected.start(options);
    try {
      await body(connected);
    } catch (error) {
      throw new Error(`${error}\nits log:\n${connected.log}`, { cause: error });
    } finally {
      await connected.stop();
    }
  }
}

/**
 * The entry and everything it imports, as it lies in the checkout, with another configuration.
 * @param {string} build
 * @param {string} configuration
 */
function modules(build, configuration) {
  const output = join(ROOT, "build", build);
  const built = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join("build/worker", relative(output, path)), path]);
  const own = ["entry.mjs", "warming.mjs"].map((name) => [`src/workers/${name}`, join(ROOT, "src/workers", name)]);
  return [...own, ...built].map(([name, path]) => {
    const at = join(ROOT, name);
    if (name.endsWith(".wasm")) return { type: "CompiledWasm", path: at, contents: readFileSync(path) };
    const text = name.endsWith("/configuration.json") ? configuration : readFileSync(path, "utf8");
    return { type: "ESModule", path: at, contents: name.endsWith(".json") ? `export default ${text}` : text };
  });
}
