// How long @cloudflare/codemode's search takes and what it finds, over the operations and the
// questions of benches/forage.rs.
//
//   node benches/search.mjs     →  {"sizes":[{"size":…,"build":…,"search":…}],"relevance":{…}}
//
// Its search is that of its runtime's handle, in Node: over connectors, which are the tools by
// server here. Saved snippets would be searched too, and there are none. It makes no index:
// `build` is what the descriptions take before the first search. Milliseconds, medians.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";

/** It imports classes of the Workers runtime to extend, which a search has no need of. */
const WORKERS = "export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}";
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cloudflare:workers"
      ? { url: `data:text/javascript,${encodeURIComponent(WORKERS)}`, shortCircuit: true }
      : next(specifier, context),
});
const { CodemodeConnector, createCodemodeRuntime } = await import("@cloudflare/codemode");

const SIZES = [100, 1_000, 3_000, 10_000];
const RUNS = 3;
const QUERIES = [
  "take a screenshot of the page",
  "send SQL to the warehouse",
  "create isue on githb",
  "unreliable specs that sometimes fail in CI",
  "rename a column of an airtable sheet",
  "which fields do documents in mongodb have",
  "s3.list_records",
  "delete",
];

/** @typedef {{ server: string, name: string, description: string, inputSchema: object }} Tool */

/** @returns {Tool[]} */
function tools() {
  const folder = join(import.meta.dirname, "../../shared/corpora/mcp-tools");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json")).sort();
  return files.flatMap((file) => {
    const { pages } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const server = file.slice(0, -".json".length);
    return pages.flatMap((/** @type {{ tools: Tool[] }} */ page) =>
      page.tools.map(({ name, description = "", inputSchema }) => ({ server, name, description, inputSchema })),
    );
  });
}

/** @param {string} name */
const said = (name) => name.replace(/[^A-Za-z0-9]/g, "_");

class Server extends CodemodeConnector {
  /** @type {string} */ #name;
  /** @type {Tool[]} */ #tools;

  /**
   * @param {string} name
   * @param {Tool[]} tools
   */
  constructor(name, tools) {
    super(/** @type {any} */ ({}), {});
    this.#name = name;
    this.#tools = tools;
  }

  name() {
    return this.#name;
  }

  tools() {
    const tool = (/** @type {Tool} */ { name, description, inputSchema }) => [name, { description, inputSchema, execute: async () => null }];
    return Object.fromEntries(this.#tools.map(tool));
  }
}

/** The runtime's handle over these tools, each server a connector. @param {Tool[]} tools */
function handle(tools) {
  const connectors = [...Map.groupBy(tools, ({ server }) => server)].map(([server, own]) => new Server(server, own));
  const snippets = { listSnippets: async () => [] };
  const ctx = { exports: { CodemodeRuntime: class {} }, facets: { get: () => snippets } };
  const executor = { execute: async () => ({ result: null }) };
  return createCodemodeRuntime(/** @type {any} */ ({ ctx, connectors, executor }));
}

/** The operations of benches/forage.rs. @param {Tool[]} tools @param {number} count */
function operations(tools, count) {
  return Array.from({ length: count }, (_, number) => {
    const tool = tools[(number * 37) % tools.length];
    return {
      ...tool,
      server: `s${Math.floor(number / 20)}`,
      name: `${said(tool.name)}${number}`,
      description: `${tool.description} Of office ${Math.floor(number / tools.length)}.`,
    };
  });
}

/** @param {number[]} times */
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** @param {Tool[]} tools @param {number} size */
async function speed(tools, size) {
  const all = operations(tools, size);
  const build = [];
  for (let run = 0; run < 3; run++) build.push(await timed(() => handle(all).search("delete")));
  const ready = handle(all);
  for (const query of QUERIES) await ready.search(query);
  const search = [];
  for (let run = 0; run < RUNS * QUERIES.length; run++) {
    search.push(await timed(() => ready.search(QUERIES[run % QUERIES.length])));
  }
  return { size, build: median(build), search: median(search) };
}

/** @param {Tool[]} tools */
async function relevance(tools) {
  const named = tools.map((tool) => ({ ...tool, server: said(tool.server), name: said(tool.name) }));
  const meant = new Map(tools.map((tool) => [`${said(tool.server)}.${said(tool.name)}`, `${tool.server} ${tool.name}`]));
  const ready = handle(named);
  const file = join(import.meta.dirname, "../tests/laws/forage/queries.txt");
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  /** @type {number[]} */
  const ranks = [];
  for (const line of lines) {
    const [text, answers] = line.split(" | ");
    const { results } = await ready.search(text);
    const found = results.map(({ path }) => meant.get(path) ?? "");
    ranks.push(found.findIndex((path) => answers.split(", ").includes(path)));
  }
  const share = (/** @type {number} */ most) => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 1 / (rank + 1)), 0) / ranks.length;
  return { questions: ranks.length, first: share(1), five: share(5), reciprocal };
}

const all = tools();
if (all.length === 0) {
  console.log(JSON.stringify({ missing: "corpora/mcp-tools" }));
} else {
  const sizes = [];
  for (const size of SIZES) sizes.push(await speed(all, size));
  console.log(JSON.stringify({ sizes, relevance: await relevance(all) }));
}
