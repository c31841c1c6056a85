// One workerd in which every side runs, each behind a socket of its own.

import { buildSync } from "esbuild";
import { join } from "node:path";
import { ROOT, modules } from "../../miniflare-tests/host/config.mjs";
import { freePort } from "../../miniflare-tests/host/workerd.mjs";

/** Every side, by the service and the entry point that answer for it. */
const SIDES = /** @type {const} */ ({
  mcp: ["ours", ""],
  ours: ["ours", "Bench"],
  codemode: ["rivals", "Codemode"],
  floor: ["rivals", "Floor"],
  validation: ["ours", "Validation"],
  reading: ["ours", "Reading"],
  crossing: ["ours", "Crossing"],
  cfworker: ["rivals", "Cfworker"],
  zod: ["rivals", "Zod"],
});

/** The ports of the sides. @typedef {Record<keyof typeof SIDES, number>} Ports */

/** A port for each. @returns {Promise<Ports>} */
export async function freePorts() {
  const ports = /** @type {Ports} */ ({});
  for (const side of /** @type {(keyof Ports)[]} */ (Object.keys(SIDES))) ports[side] = await freePort();
  return ports;
}

/**
 * The text of the configuration that will lie in `folder`.
 * @param {string} folder
 * @param {Ports} ports
 * @param {string[]} v8Flags
 * @param {string} [build] the folder under build/ with our side
 */
export function sidesConfig(folder, ports, v8Flags, build = "bench") {
  bundle(folder, "rivals.mjs");
  bundle(folder, "ours.mjs", ["*/entry.mjs", "*/warming.mjs", "*/host.js"]);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(v8Flags)},
  services = [
    (name = "ours", worker = .ours),
    (name = "rivals", worker = .rivals),
    (name = "disk", disk = (path = ${JSON.stringify(folder)}, writable = true)),
  ],
  sockets = [
${sockets(ports)}
  ],
);
const ours :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [(name = "benches/sides/ours.mjs", esModule = embed "ours.mjs"), ${modules(build, folder).join(", ")}],
  bindings = [
    (name = "LOADER", workerLoader = ()),
    (name = "CONNECTIONS", durableObjectNamespace = "ConnectionObject"),
    (name = "PRINCIPALS", durableObjectNamespace = "PrincipalObject"),
    (name = "MYCELIUM_AUTH_DEV", text = "true"),
    # As many as one bench runs at once: what is measured isn't the queue.
    (name = "MYCELIUM_SANDBOX_CAPACITY", text = "16"),
  ],
  durableObjectNamespaces = [
    (className = "ConnectionObject", uniqueKey = "connection", enableSql = true),
    (className = "PrincipalObject", uniqueKey = "principal", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
);
const rivals :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  compatibilityFlags = ["nodejs_compat"],
  modules = [(name = "rivals.mjs", esModule = embed "rivals.mjs")],
  bindings = [(name = "LOADER", workerLoader = ())],
);
`;
}

/** @param {Ports} ports */
function sockets(ports) {
  return Object.entries(SIDES)
    .map(([side, [service, entrypoint]]) => {
      const designator = entrypoint === "" ? `"${service}"` : `(name = "${service}", entrypoint = "${entrypoint}")`;
      return `    (name = "${side}", address = "127.0.0.1:${ports[/** @type {keyof Ports} */ (side)]}", http = (), service = ${designator}),`;
    })
    .join("\n");
}

/**
 * Writes a module with what it imports, but for what the platform has and what is left out.
 * @param {string} folder
 * @param {string} name
 * @param {string[]} [leftOut]
 */
function bundle(folder, name, leftOut = []) {
  buildSync({
    entryPoints: [join(ROOT, "benches/sides", name)],
    bundle: true,
    format: "esm",
    outfile: join(folder, name),
    external: ["cloudflare:*", "node:*", ...leftOut],
  });
}
