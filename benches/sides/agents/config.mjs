// One workerd with our Worker and the other one, each behind a socket of its own.

import { buildSync } from "esbuild";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, modules } from "../../../miniflare-tests/host/config.mjs";

/** Where the other side's packages are brought to. */
const PACKAGES = join(ROOT, ".tools/agents/node_modules");

/** Whether they were. */
export const brought = existsSync(join(PACKAGES, "agents"));

/**
 * Writes the other side's module into `folder`.
 * @param {string} folder
 */
export function bundle(folder) {
  buildSync({
    entryPoints: [join(ROOT, "benches/sides/agents/worker.mjs")],
    bundle: true,
    format: "esm",
    outfile: join(folder, "agents.mjs"),
    nodePaths: [PACKAGES, join(ROOT, "node_modules")],
    conditions: ["workerd", "worker", "browser", "import"],
    external: ["cloudflare:*", "node:*"],
  });
}

/**
 * The text of the configuration that will lie in `folder`.
 * @param {string} folder
 * @param {{ ours: number, agents: number }} ports
 * @param {unknown} tool what the tool says of itself
 * @param {string} build the folder under build/ with our side
 */
export function agentsConfig(folder, ports, tool, build) {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "ours", worker = .ours),
    (name = "agents", worker = .agents),
    (name = "disk", disk = (path = ${JSON.stringify(folder)}, writable = true)),
  ],
  sockets = [
    (name = "ours", address = "127.0.0.1:${ports.ours}", http = (), service = "ours"),
    (name = "agents", address = "127.0.0.1:${ports.agents}", http = (), service = "agents"),
  ],
);
const ours :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [${modules(build, folder).join(", ")}],
  bindings = [
    (name = "LOADER", workerLoader = ()),
    (name = "CONNECTIONS", durableObjectNamespace = "ConnectionObject"),
    (name = "PRINCIPALS", durableObjectNamespace = "PrincipalObject"),
    (name = "MYCELIUM_AUTH_DEV", text = "true"),
    (name = "MYCELIUM_SANDBOX_CAPACITY", text = "16"),
  ],
  durableObjectNamespaces = [
    (className = "ConnectionObject", uniqueKey = "connection", enableSql = true),
    (className = "PrincipalObject", uniqueKey = "principal", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
);
const agents :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  compatibilityFlags = ["nodejs_compat"],
  modules = [(name = "agents.mjs", esModule = embed "agents.mjs")],
  bindings = [
    (name = "LOADER", workerLoader = ()),
    (name = "TOOL", json = ${JSON.stringify(JSON.stringify(tool))}),
  ],
);
`;
}
