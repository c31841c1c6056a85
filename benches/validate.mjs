// How many texts a second are held to a schema: ours in WebAssembly, across the boundary, beside
// @cfworker/json-schema and zod, which read the text by JSON.parse first. Ours are three: `crossing`
// only takes the text over, `ours` says whether the schema takes it, and `read` makes the value of
// it too, which is what a call's input costs: an operation is handed the value.
//
//   node benches/validate.mjs [rounds]     →  {"text":…,"rates":{"small":{"ours":…,…},…}}
//
// All in one workerd, in turns; a figure is the median over the rounds, by the processor time of
// the thread that runs the isolates, or by the clock where nobody tells that. What a request takes
// that validates nothing is taken off.

import { existsSync, readFileSync } from "node:fs";
import { Workerd } from "../miniflare-tests/host/workerd.mjs";
import { freePorts, sidesConfig } from "./sides/config.mjs";

const SIDES = /** @type {const} */ (["crossing", "validation", "reading", "cfworker", "zod"]);
/** @typedef {(typeof SIDES)[number]} Side */

/** Bytes of a text, and how often a round validates it. */
const SIZES = /** @type {const} */ ([
  ["small", 100, 20_000],
  ["10 KiB", 10_240, 1_000],
  ["100 KiB", 102_400, 100],
]);

/** Rounds before those that count: engines compile what is used much. */
const WARMING = 3;

/** JSON text of about so many bytes that the schema takes. @param {number} bytes */
function text(bytes) {
  const row = (/** @type {number} */ id) => ({ id, name: `a file, number ${id}`, kind: "file", tags: ["old", "new"], size: id / 4 });
  const count = Math.max(1, Math.round(bytes / (JSON.stringify(row(100)).length + 1)));
  return JSON.stringify({ rows: Array.from({ length: count }, (_, id) => row(id)) });
}

const rounds = Number(process.argv[2] ?? 7);
const ports = await freePorts();
const workerd = await Workerd.on(ports.mcp, (folder) => sidesConfig(folder, ports, []));
const thread = `/proc/${workerd.pid}/task/${workerd.pid}/schedstat`;
// Its first number is nanoseconds.
const now = () => (existsSync(thread) ? Number(readFileSync(thread, "utf8").split(" ")[0]) / 1e6 : performance.now());

/** Milliseconds of one request. @param {Side} side @param {number} times @param {string} text */
async function taken(side, times, text) {
  const begun = now();
  const answer = await fetch(`http://127.0.0.1:${ports[side]}/`, { method: "POST", body: JSON.stringify({ times, text }) });
  const accepted = await answer.text();
  if (accepted !== String(times)) throw new Error(`${side} accepted ${accepted} of ${times}`);
  return now() - begun;
}

/** @param {number[]} values */
const median = (values) => /** @type {number} */ (values.toSorted((a, b) => a - b)[values.length >> 1]);

/** Whether a side sees what is wrong. @param {Side} side */
async function sees(side) {
  const wrong = JSON.stringify({ rows: [{ id: 1, name: "", kind: "file" }] });
  const answer = await fetch(`http://127.0.0.1:${ports[side]}/`, { method: "POST", body: JSON.stringify({ times: 1, text: wrong }) });
  if ((await answer.text()) !== "0") throw new Error(`${side} takes what is wrong`);
}

/** @type {Record<string, Record<Side, number>>} */
const rates = {};
let shown = "texts a second           crossing       ours       read   cfworker        zod  ours/cfworker  read/cfworker   ours/zod\n";
try {
  for (const side of SIDES) if (side !== "crossing") await sees(side);
  for (const [name, bytes, count] of SIZES) {
    const value = text(bytes);
    /** @type {Record<Side, number[]>} */
    const all = { crossing: [], validation: [], reading: [], cfworker: [], zod: [] };
    for (let round = 0; round < WARMING + rounds; round++) {
      for (const side of SIDES) {
        const idle = await taken(side, 0, value);
        const rate = (count * 1000) / Math.max(0.001, (await taken(side, count, value)) - idle);
        if (round >= WARMING) all[side].push(rate);
      }
    }
    const of = (/** @type {Side} */ side) => median(all[side]);
    rates[name] = { crossing: of("crossing"), validation: of("validation"), reading: of("reading"), cfworker: of("cfworker"), zod: of("zod") };
    const { validation, reading, cfworker, zod } = rates[name];
    const figures = SIDES.map((side) => of(side).toFixed(0).padStart(10)).join(" ");
    const times = [validation / cfworker, reading / cfworker].map((ratio) => ratio.toFixed(2).padStart(14)).join(" ");
    shown += `${`${name}, ${value.length} bytes`.padEnd(22)}${figures} ${times} ${(validation / zod).toFixed(2).padStart(10)}\n`;
  }
} finally {
  await workerd.kill();
}
console.error(shown);
console.log(JSON.stringify({ text: shown, rates }));
