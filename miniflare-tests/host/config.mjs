// The workerd configuration that runs one build of the Worker.

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** The checkout. */
export const ROOT = join(import.meta.dirname, "..", "..");

/**
 * @typedef {object} Options
 * @property {string} [build] the folder under build/ to run
 * @property {Record<string, string>} [vars] text bindings
 * @property {string} [toml] the configuration; without it one that grants the developer the demo,
 *   for the checkout's own is its owner's to change
 * @property {Record<string, string>} [tables] tables by the names that the configuration has
 * @property {string} [disk] a folder that keeps the objects' storage; one of its own without it
 * @property {number} [port] a free one without it
 * @property {string[]} [v8Flags]
 * @property {boolean} [loader] whether the Worker Loader is bound
 * @property {string} [entry] a module's text: it is the Worker's main module instead of the entry, which
 *   it may import
 * @property {string} [front] a Worker's text: it answers instead, may import the entry, and has the
 *   Worker bound as MAIN and its other entry points as RUNNER, GRANTS and OBJECT
 * @property {number} [frontPort] where the front answers; then the Worker itself answers at its own port
 */

/**
 * The text of a configuration that will lie in `folder`: embedded paths are relative to it.
 * @param {string} folder
 * @param {number} port
 * @param {Options} options
 */
export function workerdConfig(folder, port, options) {
  const { build = "worker-test", vars = {}, disk = folder, v8Flags = [], loader = true, entry, front, frontPort } = options;
  const imported = modules(build, folder, options.toml ?? '[grants.dev]\ndemo = "read"\n', options.tables);
  const bindings = [
    ...(loader ? [`(name = "LOADER", workerLoader = ())`] : []),
    `(name = "CONNECTIONS", durableObjectNamespace = "ConnectionObject")`,
    `(name = "PRINCIPALS", durableObjectNamespace = "PrincipalObject")`,
    `(name = "UPSTREAMS", durableObjectNamespace = "UpstreamObject")`,
    `(name = "PENS", durableObjectNamespace = "PenObject")`,
    ...Object.entries(vars).map(([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [${v8Flags.map(quote).join(", ")}],
  services = [
    (name = "main", worker = .worker),
    # What the Worker itself can reach; by default it would be no address of this machine.
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "disk", disk = (path = ${quote(disk)}, writable = true)),${front === undefined ? "" : ' (name = "front", worker = .front),'}
  ],
  sockets = [${sockets(port, front, frontPort).join(", ")}],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [${[...(entry === undefined ? [] : [`(name = "entry.mjs", esModule = ${quote(entry)})`]), ...imported].join(", ")}],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [
    (className = "ConnectionObject", uniqueKey = "connection", enableSql = true),
    (className = "PrincipalObject", uniqueKey = "principal", enableSql = true),
    (className = "UpstreamObject", uniqueKey = "upstream", enableSql = true),
    (className = "PenObject", uniqueKey = "pen", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
);
${front === undefined ? "" : frontWorker(front, imported)}`;
}

/**
 * @param {number} port
 * @param {string} [front]
 * @param {number} [frontPort]
 */
function sockets(port, front, frontPort) {
  const socket = (/** @type {string} */ service, /** @type {number} */ at) =>
    `(name = "${service}-http", address = "127.0.0.1:${at}", http = (), service = "${service}")`;
  if (frontPort !== undefined) return [socket("main", port), socket("front", frontPort)];
  return [socket(front === undefined ? "main" : "front", port)];
}

/**
 * @param {string} text
 * @param {string[]} modules
 */
function frontWorker(text, modules) {
  const main = `(name = "front.mjs", esModule = ${quote(text)})`;
  return `const front :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [${[main, ...modules].join(", ")}],
  bindings = [
    (name = "MAIN", service = "main"),
    (name = "RUNNER", service = (name = "main", entrypoint = "Runner")),
    (name = "GRANTS", service = (name = "main", entrypoint = "SessionGrants")),
    (name = "OBJECT", durableObjectNamespace = (className = "ConnectionObject", serviceName = "main")),
  ],
);
`;
}

/**
 * The entry and everything it imports, under the names it imports them by.
 * @param {string} build
 * @param {string} folder
 * @param {string} [toml]
 * @param {Record<string, string>} [tables]
 */
export function modules(build, folder, toml, tables = {}) {
  const output = join(ROOT, "build", build);
  const built = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`build/worker/${relative(output, path)}`, path]);
  const own = ["entry.mjs", "warming.mjs"].map((name) => [`src/workers/${name}`, join(ROOT, "src/workers", name)]);
  return [...own, ...built].map(([name, path]) => {
    const configured = toml !== undefined && name === "build/worker/configuration.json";
    if (configured) return `(name = ${quote(name)}, json = ${quote(JSON.stringify({ toml, tables }))})`;
    return moduleOf(name, relative(folder, path));
  });
}

/**
 * @param {string} name
 * @param {string} path
 */
export function moduleOf(name, path) {
  const kind = name.endsWith(".wasm") ? "wasm" : name.endsWith(".json") ? "json" : "esModule";
  return `(name = ${quote(name)}, ${kind} = embed ${quote(path)})`;
}

/** @param {string} text */
export function quote(text) {
  return JSON.stringify(text);
}
