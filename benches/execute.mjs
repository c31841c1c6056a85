// What a program costs over MCP, in our runtime alone, in @cloudflare/codemode, and in
// plain JavaScript with nothing around it: all in one workerd, side by side.
//
//   node benches/execute.mjs [rounds]
//
// Every side gets the same text for the same run, no text comes twice, and the sides
// take turns, so that a busy machine slows all of them alike. A figure is the median
// over the rounds of a round's median; p99 is over all runs. What a side does for a
// run, besides loading an isolate and calling the same operations:
//
//   mcp       HTTP to the connection's object, JSON-RPC, principal, session; then as ours
//   ours      settings, a runtime and a lease of its own; the program is parsed and
//             checked; admission, deadline, access; inputs and outputs are held to
//             their schemas, answers to their bounds
//   codemode  the program is parsed with acorn and spliced into a module; calls by RPC
//   floor     nothing: the program is a module, its calls are frames of a WebSocket
//
// What V8 compiles of our WebAssembly for one run is told first. workerd tells V8 at
// each new isolate that memory is short, which drops the baseline code of the whole
// process, so that every run compiles anew what isn't optimized yet;
// `--no-flush-liftoff-code` leaves that out. The build without warming is beside.

import { readFileSync } from "node:fs";
import { Client } from "../miniflare-tests/host/client.mjs";
import { Workerd } from "../miniflare-tests/host/workerd.mjs";
import { compiled } from "./sides/compiled.mjs";
import { freePorts, sidesConfig } from "./sides/config.mjs";

const SIDES = /** @type {const} */ (["mcp", "ours", "codemode", "floor"]);
/** @typedef {(typeof SIDES)[number]} Side */
/** @typedef {(code: string) => Promise<string>} Run gives the answer as JSON text */
/** @typedef {Record<Side, number>} Figures */

/** How many runs of each side are made before any is measured: ours are warm by then. */
const WARMING = 60;
const CALLS = 500;
const AT_ONCE = 16;

let texts = 0;

/** A program whose text no other has; the number is its answer. @param {string} body */
function program(body) {
  texts += 1;
  return { code: `async () => { ${body}; return ${texts}; }`, answer: String(texts) };
}

const BODIES = {
  trivial: "await bench.ping({})",
  calls: `for (let i = 0; i < ${CALLS}; i++) await bench.ping({})`,
  parallel: "await Promise.all(Array.from({ length: 100 }, () => bench.ping({})))",
  text: `const value = "x".repeat(1e6); if ((await bench.echo({ value })).value !== value) throw new Error("changed")`,
  records: `const value = Array.from({ length: 14000 }, (_, id) => ({ id, name: "a record, number " + id, tags: ["a", "b"], ok: true }));
    if ((await bench.echo({ value })).value.length !== value.length) throw new Error("changed")`,
};

/** @param {string[]} v8Flags @param {string} [build] */
async function start(v8Flags, build) {
  const ports = await freePorts();
  const workerd = await Workerd.on(ports.mcp, (folder) => sidesConfig(folder, ports, v8Flags, build));
  const client = await Client.open(`http://127.0.0.1:${ports.mcp}`);
  /** @param {Exclude<Side, "mcp">} side @returns {Run} */
  const posted = (side) => async (code) => {
    const answer = await fetch(`http://127.0.0.1:${ports[side]}/`, { method: "POST", body: code });
    return answer.text();
  };
  /** @type {Record<Side, Run>} */
  const runs = {
    mcp: async (code) => /** @type {string} */ ((await client.execute(code)).text),
    ours: posted("ours"),
    codemode: posted("codemode"),
    floor: posted("floor"),
  };
  return { workerd, runs };
}

/**
 * The milliseconds of one run, whose answer is looked at.
 * @param {Run} run
 * @param {string} body
 */
async function timed(run, body) {
  const { code, answer } = program(body);
  const begun = performance.now();
  const text = await run(code);
  const taken = performance.now() - begun;
  if (text !== answer) throw new Error(`answered ${text} and not ${answer}: ${code}`);
  return taken;
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

/** @param {() => Promise<number>} make @param {number} count */
async function series(make, count) {
  const values = [];
  for (let index = 0; index < count; index++) values.push(await make());
  return values;
}

/**
 * Rounds in which the sides take turns at every sample, in another order each time.
 * @param {number} rounds
 * @param {number} samples in a round
 * @param {(side: Side) => Promise<number>} sample
 */
async function interleaved(rounds, samples, sample) {
  /** @type {Record<Side, number[]>} */
  const medians = { mcp: [], ours: [], codemode: [], floor: [] };
  /** @type {Record<Side, number[]>} */
  const all = { mcp: [], ours: [], codemode: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    /** @type {Record<Side, number[]>} */
    const taken = { mcp: [], ours: [], codemode: [], floor: [] };
    for (let index = 0; index < samples; index++) {
      for (let turn = 0; turn < SIDES.length; turn++) {
        const side = /** @type {Side} */ (SIDES[(turn + index + round) % SIDES.length]);
        taken[side].push(await sample(side));
      }
    }
    for (const side of SIDES) {
      medians[side].push(quantile(taken[side], 0.5));
      all[side].push(...taken[side]);
    }
  }
  /** @param {(side: Side) => number} figure @returns {Figures} */
  const each = (figure) => ({ mcp: figure("mcp"), ours: figure("ours"), codemode: figure("codemode"), floor: figure("floor") });
  return { p50: each((side) => quantile(medians[side], 0.5)), p99: each((side) => quantile(all[side], 0.99)) };
}

/**
 * Executes by the second with so many under way at once.
 * @param {Run} run
 */
async function throughput(run) {
  let left = AT_ONCE * 3;
  const begun = performance.now();
  const worker = async () => {
    while (left-- > 0) await timed(run, BODIES.trivial);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (AT_ONCE * 3 * 1000) / (performance.now() - begun);
}

/** @param {number | undefined} pid */
function residentMegabytes(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** @param {string} name @param {string} unit @param {Figures} figures @param {number} [digits] */
function print(name, unit, figures, digits = 1) {
  const { mcp, ours, codemode, floor } = figures;
  const shown = SIDES.map((side) => figures[side].toFixed(digits).padStart(9)).join("");
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) => (a / b).toFixed(2).padStart(9);
  console.log(`${`${name}, ${unit}`.padEnd(34)}${shown}${ratio(ours, floor)}${ratio(ours, codemode)}${ratio(mcp, codemode)}`);
}

/** @param {number} rounds @param {string[]} v8Flags */
async function table(rounds, v8Flags) {
  const { workerd, runs } = await start(v8Flags);
  try {
    for (const side of SIDES) {
      const before = residentMegabytes(workerd.pid);
      await series(() => timed(runs[side], BODIES.trivial), WARMING);
      const grown = (residentMegabytes(workerd.pid) - before) / WARMING;
      console.error(`  warmed ${side}: ${grown.toFixed(2)} MB a run`);
    }
    console.log(`\nflags: ${v8Flags.join(" ") || "default"}`);
    const head = [...SIDES, "ours/fl.", "ours/cm.", "mcp/cm."];
    console.log(`${"".padEnd(34)}${head.map((name) => name.padStart(9)).join("")}`);
    const trivial = await interleaved(rounds, 20, (side) => timed(runs[side], BODIES.trivial));
    print("trivial execute, p50", "ms", trivial.p50);
    print("trivial execute, p99", "ms", trivial.p99);
    const calls = await interleaved(rounds, 3, async (side) => {
      const without = await timed(runs[side], BODIES.trivial);
      return ((await timed(runs[side], BODIES.calls)) - without) / (CALLS - 1);
    });
    print(`one of ${CALLS} calls, p50`, "µs", scaled(calls.p50, 1000), 0);
    print(`one of ${CALLS} calls, p99`, "µs", scaled(calls.p99, 1000), 0);
    for (const [body, name] of /** @type {const} */ ([["parallel", "100 parallel calls"], ["text", "1 MB text and back"], ["records", "1 MB of records and back"]])) {
      const taken = await interleaved(rounds, 5, (side) => timed(runs[side], BODIES[body]));
      print(`${name}, p50`, "ms", taken.p50);
      print(`${name}, p99`, "ms", taken.p99);
    }
    const many = await interleaved(rounds, 1, (side) => throughput(runs[side]));
    print(`${AT_ONCE} at once`, "executes/s", many.p50);
    console.log(`resident at the end, after ${texts} programs: ${residentMegabytes(workerd.pid).toFixed(0)} MB`);
  } finally {
    await workerd.kill();
  }
}

/** @param {Figures} figures @param {number} factor @returns {Figures} */
function scaled({ mcp, ours, codemode, floor }, factor) {
  return { mcp: mcp * factor, ours: ours * factor, codemode: codemode * factor, floor: floor * factor };
}

/** What is compiled for one run once the first have been made, with and without warming. */
async function compilation() {
  console.log("\ncompiled for one run                host functions, bytes    intake functions, bytes     ms");
  for (const build of ["bench", "bench-plain"]) {
    const { workerd, runs } = await start(["--trace-wasm-compilation-times"], build);
    try {
      for (const side of /** @type {const} */ (["mcp", "ours"])) {
        await series(() => timed(runs[side], BODIES.trivial), WARMING);
        const { host, intake, ms } = await compiled(workerd, () => timed(runs[side], BODIES.trivial));
        const shown = [host.functions, host.bytes, intake.functions, intake.bytes].map((figure) => String(figure).padStart(12));
        console.log(`${`${side}${build === "bench" ? "" : ", not warmed"}`.padEnd(34)}${shown.join("")}${ms.toFixed(1).padStart(9)}`);
      }
    } finally {
      await workerd.kill();
    }
  }
}

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3];
if (!only || only === "compiled") await compilation();
if (!only || only === "default") await table(rounds, []);
if (!only || only === "flag") await table(rounds, ["--no-flush-liftoff-code"]);
