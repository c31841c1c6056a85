// The workerd configuration of a Worker that is made with the library.

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT, moduleOf, quote } from "./config.mjs";
import { Workerd, freePort } from "./workerd.mjs";

/**
 * Starts the Worker in a folder of the checkout, with text bindings.
 * @param {string} library
 * @param {Record<string, string>} vars
 */
export async function startLibrary(library, vars) {
  const port = await freePort();
  return Workerd.on(port, (folder) => config(join(ROOT, library), folder, port, vars));
}

/**
 * @param {string} library
 * @param {string} folder
 * @param {number} port
 * @param {Record<string, string>} vars
 */
function config(library, folder, port, vars) {
  const objects = { CONNECTIONS: "ConnectionObject", PRINCIPALS: "PrincipalObject", NOTEBOOK: "NotebookObject" };
  const bindings = [
    `(name = "LOADER", workerLoader = ())`,
    ...Object.entries(objects).map(([name, kind]) => `(name = "${name}", durableObjectNamespace = "${kind}")`),
    ...Object.entries(vars).map(([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`),
  ];
  const namespaces = Object.values(objects).map((kind) => `(className = "${kind}", uniqueKey = "${kind}", enableSql = true)`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (path = ${quote(folder)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [${modules(library, folder).join(", ")}],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (localDisk = "disk"),
);
`;
}

/**
 * The Worker's own entry, and all that was built for it.
 * @param {string} library
 * @param {string} folder
 */
function modules(library, folder) {
  const built = readdirSync(join(library, "build"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".stamp"))
    .map((entry) => join(entry.parentPath, entry.name));
  return [join(library, "entry.mjs"), ...built].map((path) => moduleOf(relative(library, path), relative(folder, path)));
}
