// How cost grows: with the operations that there are, with what one call carries, and with how many
// programs run at once.
//
//   node benches/growth.mjs [build] [times]     →  {"text":…,"rows":[…]}, and docs/growth.svg
//
// Over MCP at one connection, by the client's clock, after as many programs as the release takes to
// be warm. One client asks one thing after the other, but for those at once. Answers are looked at.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../miniflare-tests/host/client.mjs";
import { ROOT } from "../miniflare-tests/host/config.mjs";
import { DEV, Workerd } from "../miniflare-tests/host/workerd.mjs";
import { plot } from "./sides/plot.mjs";

const OPERATIONS = [50, 500, 3_000];
/** Bytes of the text that a call carries there and back: the largest fits the 8 MiB of a frame. */
const PAYLOADS = [1_000, 16_000, 128_000, 1_000_000, 4_000_000, 8_000_000];
const AT_ONCE = [1, 4, 16, 64];
const WARMING = 100;

/** @typedef {{ what: string, size: number, p50: number, rate: number }} Row milliseconds, and how many a second */

const ECHO = JSON.parse(readFileSync(join(ROOT, "miniflare-tests/openapi/echo.table.json"), "utf8"));

/** A table of so many operations, each with words of its own. @param {number} count */
function tableOf(count) {
  const verbs = ["find", "list", "create", "update", "remove", "archive", "share", "export"];
  const nouns = ["invoice", "customer", "ticket", "report", "calendar", "document", "channel", "payment", "order"];
  const put = ECHO.operations.find((/** @type {{ name: string }} */ { name }) => name === "json");
  const operations = Array.from({ length: count }, (_, number) => {
    const [verb, noun] = [verbs[number % verbs.length], nouns[Math.floor(number / verbs.length) % nouns.length]];
    return { ...put, name: `${verb}_${noun}_${String(number).padStart(5, "0")}`, description: `Can ${verb} the ${noun} of office ${number}.` };
  });
  return JSON.stringify({ ...ECHO, operations });
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

let texts = 0;

/**
 * Runs a program whose text no other has, and looks at its answer.
 * @param {Client} client
 * @param {string} code which makes `answer`
 */
async function execute(client, code) {
  texts += 1;
  const { isError, text } = await client.execute(`${code}; return ${texts}`, { signal: AbortSignal.timeout(120_000) });
  if (isError || text !== String(texts)) throw new Error(`answered ${text.slice(0, 500)}: ${code}`);
}

/**
 * @param {string} what
 * @param {number} size
 * @param {number} times
 * @param {() => Promise<unknown>} make
 * @param {number} [atOnce]
 * @returns {Promise<Row>}
 */
async function row(what, size, times, make, atOnce = 1) {
  await make();
  /** @type {number[]} */
  const took = [];
  let left = times;
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (left-- > 0) {
      const from = performance.now();
      await make();
      took.push(performance.now() - from);
    }
  }));
  const told = { what, size, p50: median(took), rate: (took.length * 1_000) / (performance.now() - begun) };
  console.error(JSON.stringify(told));
  return told;
}

/**
 * @param {string} build
 * @param {number} operations
 * @param {(client: Client) => Promise<Row[]>} body
 */
async function during(build, operations, body) {
  const toml = `[grants.dev]\nmany = "write"\nbench = "write"\n[connections.many]\ntype = "openapi"\nserver = "http://127.0.0.1:9"\n`;
  const vars = { ...DEV, MYCELIUM_SANDBOX_CAPACITY: String(Math.max(...AT_ONCE)) };
  const workerd = await Workerd.start({ build, vars, toml, tables: { "tables/many.json": tableOf(operations) } });
  try {
    const client = await Client.open(workerd.url);
    for (let run = 0; run < WARMING; run++) await execute(client, "");
    return await body(client);
  } finally {
    await workerd.kill();
  }
}

/** @param {number} bytes */
const carrying = (bytes) => `const value = "x".repeat(${bytes}); if ((await bench.echo({ value })).value.length !== ${bytes}) throw new Error("changed")`;

/** @param {string} build @param {number} times */
async function measured(build, times) {
  /** @type {Row[]} */
  const rows = [];
  for (const size of OPERATIONS) {
    const search = `if ((await forage.search("archive the invoice of an office")).results.length === 0) throw new Error("nothing found")`;
    rows.push(...(await during(build, size, async (client) => [
      await row("tools/list", size, times * 3, async () => {
        if ((await client.request("tools/list")).result?.tools?.length !== 1) throw new Error("no list of one tool");
      }),
      await row("execute", size, times, () => execute(client, "")),
      await row("execute with a search", size, times, () => execute(client, search)),
    ])));
  }
  rows.push(...(await during(build, 50, async (client) => {
    const own = [];
    for (const size of PAYLOADS) own.push(await row("bytes both ways", size, Math.max(5, Math.round(times / (1 + size / 1_000_000))), () => execute(client, carrying(size))));
    for (const size of AT_ONCE) own.push(await row("at once", size, Math.max(times, 3 * size), () => execute(client, ""), size));
    return own;
  })));
  return rows;
}

/** @param {Row[]} rows */
function table(rows) {
  const line = (/** @type {Row} */ { what, size, p50, rate }) => `${what.padEnd(22)}${String(size).padStart(9)}${p50.toFixed(1).padStart(10)}${rate.toFixed(1).padStart(11)}`;
  return [`${"".padEnd(22)}${"size".padStart(9)}${"p50 ms".padStart(10)}${"a second".padStart(11)}`, ...rows.map(line)].join("\n");
}

/** @param {number} size */
const short = (size) => (size >= 1_000_000 ? `${size / 1_000_000} MB` : size >= 1_000 ? `${size / 1_000} KB` : String(size));

/** @param {Row[]} rows */
function picture(rows) {
  const of = (/** @type {string} */ what) => rows.filter((row) => row.what === what);
  const p50 = (/** @type {string} */ what, name = what) => ({ name, values: of(what).map((row) => row.p50) });
  return plot([
    { title: "Operations that there are", x: "operations", y: "milliseconds, p50", at: OPERATIONS.map(String), lines: [p50("tools/list"), p50("execute"), p50("execute with a search", "with a search")] },
    { title: "What one call carries", x: "bytes there and back", y: "milliseconds, p50", at: PAYLOADS.map(short), lines: [p50("bytes both ways", "execute")] },
    { title: "Programs at once: how long", x: "programs at once", y: "milliseconds, p50", at: AT_ONCE.map(String), lines: [p50("at once", "execute")] },
    { title: "Programs at once: how many", x: "programs at once", y: "programs a second", at: AT_ONCE.map(String), lines: [{ name: "execute", values: of("at once").map(({ rate }) => rate) }] },
  ]);
}

const [build = "bench", times = "30"] = process.argv.slice(2);
const rows = await measured(build, Number(times));
writeFileSync(join(ROOT, "docs/growth.svg"), picture(rows));
console.log(JSON.stringify({ text: table(rows), rows }));
