// What a program costs over MCP, in our runtime alone, in @cloudflare/codemode, and in
// plain JavaScript with nothing around it: all in one workerd, side by side.
//
//   node benches/execute.mjs [rounds] [compiled | profile | default | flag]     →  {"text":…,"ratios":{…}}
//
// Every side gets the same text for the same run, no text comes twice, and the sides
// take turns, so that a busy machine slows all of them alike. A figure is the median
// over the rounds of a round's median; p99 is over all runs. `cpu` is the processor time
// of the thread that runs the isolates, which tells the same on a busy machine; the ratios
// are made of it where the machine tells it, but for executes at once. What a side does for a
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
// `--no-flush-liftoff-code` leaves that out. The build without warming is beside. Then comes
// where the processor's time of a trivial run goes on each side, where `perf` is installed.

import { existsSync, readFileSync } from "node:fs";
import { Client } from "../miniflare-tests/host/client.mjs";
import { Workerd } from "../miniflare-tests/host/workerd.mjs";
import { compiled } from "./sides/compiled.mjs";
import { freePorts, sidesConfig } from "./sides/config.mjs";
import { profile } from "./sides/profile.mjs";

const SIDES = /** @type {const} */ (["mcp", "ours", "codemode", "floor"]);
/** @typedef {(typeof SIDES)[number]} Side */
/** @typedef {(code: string) => Promise<string>} Run gives the answer as JSON text */
/** @typedef {Record<Side, number>} Figures */
/** @typedef {{ wall: number, cpu: number }} Taken milliseconds by the clock, and of the thread where that is told */

/** How many runs of each side are made before any is measured: ours are warm by then. */
const WARMING = 100;
const CALLS = 500;
const AT_ONCE = 16;

let texts = 0;

/** What was measured, as it is shown. */
let shown = "";

/** @param {string} line */
function show(line) {
  console.error(line);
  shown += `${line}\n`;
}

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
  const thread = `/proc/${workerd.pid}/task/${workerd.pid}/schedstat`;
  // Its first number is nanoseconds.
  const cpu = () => (existsSync(thread) ? Number(readFileSync(thread, "utf8").split(" ")[0]) / 1e6 : NaN);

  /**
   * What one run takes, whose answer is looked at.
   * @param {Side} side
   * @param {keyof typeof BODIES} body
   * @returns {Promise<Taken>}
   */
  async function timed(side, body) {
    const { code, answer } = program(BODIES[body]);
    const [begun, spent] = [performance.now(), cpu()];
    const text = await runs[side](code);
    const taken = { wall: performance.now() - begun, cpu: cpu() - spent };
    if (text !== answer) throw new Error(`answered ${text} and not ${answer}: ${code}`);
    return taken;
  }
  return { workerd, timed };
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

/** @param {() => Promise<unknown>} make @param {number} count */
async function repeat(make, count) {
  for (let index = 0; index < count; index++) await make();
}

/**
 * Rounds in which the sides take turns at every sample, in another order each time.
 * @param {number} rounds
 * @param {number} samples in a round
 * @param {(side: Side) => Promise<Taken>} sample
 */
async function interleaved(rounds, samples, sample) {
  /** @type {Record<Side, Taken[][]>} */
  const all = { mcp: [], ours: [], codemode: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) all[side].push([]);
    for (let index = 0; index < samples; index++) {
      for (let turn = 0; turn < SIDES.length; turn++) {
        const side = /** @type {Side} */ (SIDES[(turn + index + round) % SIDES.length]);
        all[side].at(-1)?.push(await sample(side));
      }
    }
  }
  /** @param {keyof Taken} kind */
  const median = (kind) => each((side) => quantile(all[side].map((round) => quantile(round.map((taken) => taken[kind]), 0.5)), 0.5));
  return { p50: median("wall"), p99: each((side) => quantile(all[side].flat().map(({ wall }) => wall), 0.99)), cpu: median("cpu") };
}

/** @param {(side: Side) => number} figure @returns {Figures} */
function each(figure) {
  return { mcp: figure("mcp"), ours: figure("ours"), codemode: figure("codemode"), floor: figure("floor") };
}

/**
 * Executes by the second with so many under way at once.
 * @param {() => Promise<unknown>} run
 * @returns {Promise<Taken>} with the rate in the place of milliseconds
 */
async function throughput(run) {
  let left = AT_ONCE * 3;
  const begun = performance.now();
  const worker = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { wall: (AT_ONCE * 3 * 1000) / (performance.now() - begun), cpu: NaN };
}

/** @param {number | undefined} pid */
function residentMegabytes(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** @param {string} name @param {string} unit @param {Figures} figures @param {number} [digits] */
function print(name, unit, figures, digits = 1) {
  if (SIDES.some((side) => Number.isNaN(figures[side]))) return;
  const { mcp, ours, codemode, floor } = figures;
  const values = SIDES.map((side) => figures[side].toFixed(digits).padStart(9)).join("");
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) => (a / b).toFixed(2).padStart(9);
  show(`${`${name}, ${unit}`.padEnd(34)}${values}${ratio(ours, floor)}${ratio(ours, codemode)}${ratio(mcp, codemode)}`);
}

/**
 * @param {string} name
 * @param {{ p50: Figures, p99: Figures, cpu: Figures }} measured
 * @returns {Figures} what ratios are made of
 */
function printAll(name, { p50, p99, cpu }, unit = "ms", digits = 1) {
  print(`${name}, p50`, unit, p50, digits);
  print(`${name}, p99`, unit, p99, digits);
  print(`${name}, cpu`, unit, cpu, digits);
  return Number.isNaN(cpu.ours) ? p50 : cpu;
}

/** @param {number} rounds @param {string[]} v8Flags */
async function table(rounds, v8Flags) {
  const { workerd, timed } = await start(v8Flags);
  try {
    for (const side of SIDES) {
      const before = residentMegabytes(workerd.pid);
      await repeat(() => timed(side, "trivial"), WARMING);
      const grown = (residentMegabytes(workerd.pid) - before) / WARMING;
      console.error(`  warmed ${side}: ${grown.toFixed(2)} MB a run`);
    }
    show(`\nflags: ${v8Flags.join(" ") || "default"}`);
    const head = [...SIDES, "ours/fl.", "ours/cm.", "mcp/cm."];
    show(`${"".padEnd(34)}${head.map((name) => name.padStart(9)).join("")}`);
    const execute = printAll("trivial execute", await interleaved(rounds, 20, (side) => timed(side, "trivial")));
    const calls = await interleaved(rounds, 3, async (side) => {
      const without = await timed(side, "trivial");
      const { wall, cpu } = await timed(side, "calls");
      const one = (/** @type {number} */ all, /** @type {number} */ none) => ((all - none) / (CALLS - 1)) * 1000;
      return { wall: one(wall, without.wall), cpu: one(cpu, without.cpu) };
    });
    const call = printAll(`one of ${CALLS} calls`, calls, "µs", 0);
    for (const [body, name] of /** @type {const} */ ([["parallel", "100 parallel calls"], ["text", "1 MB text and back"], ["records", "1 MB of records and back"]])) {
      printAll(name, await interleaved(rounds, 5, (side) => timed(side, body)));
    }
    const { p50: many } = await interleaved(rounds, 1, (side) => throughput(() => timed(side, "trivial")));
    print(`${AT_ONCE} at once`, "executes/s", many);
    show(`resident at the end, after ${texts} programs: ${residentMegabytes(workerd.pid).toFixed(0)} MB`);
    return {
      execute_vs_floor: execute.ours / execute.floor,
      execute_vs_codemode: execute.ours / execute.codemode,
      call_vs_websocket_echo: call.ours / call.floor,
      concurrent16_vs_codemode: many.ours / many.codemode,
    };
  } finally {
    await workerd.kill();
  }
}

/** What is compiled for one run once the first have been made, with and without warming. */
async function compilation() {
  show("\ncompiled for one run                host functions, bytes    intake functions, bytes     ms");
  for (const build of ["bench", "bench-plain"]) {
    const { workerd, timed } = await start(["--trace-wasm-compilation-times"], build);
    try {
      for (const side of /** @type {const} */ (["mcp", "ours"])) {
        await repeat(() => timed(side, "trivial"), WARMING);
        const { host, intake, ms } = await compiled(workerd, () => timed(side, "trivial"));
        const figures = [host.functions, host.bytes, intake.functions, intake.bytes].map((figure) => String(figure).padStart(12));
        show(`${`${side}${build === "bench" ? "" : ", not warmed"}`.padEnd(34)}${figures.join("")}${ms.toFixed(1).padStart(9)}`);
      }
    } finally {
      await workerd.kill();
    }
  }
}

/** Where a trivial run's processor time goes, side by side. */
async function phases() {
  const { workerd, timed } = await start([]);
  try {
    show(`\n${await profile(workerd, SIDES, (side) => timed(/** @type {Side} */ (side), "trivial"))}`);
  } finally {
    await workerd.kill();
  }
}

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3];
/** @type {Record<string, number>} */
let ratios = {};
if (!only || only === "compiled") await compilation();
if (!only || only === "profile") await phases();
if (!only || only === "default") ratios = await table(rounds, []);
if (!only || only === "flag") await table(rounds, ["--no-flush-liftoff-code"]);
console.log(JSON.stringify({ text: shown, ratios }));
