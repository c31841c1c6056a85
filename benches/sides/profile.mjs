// Where workerd's processor time goes, by samples of its stack that `perf` takes.
//
// A sample counts for the first of these phases whose function is on its stack. What runs a
// program is told apart by how V8 runs it: a fresh isolate's JavaScript is interpreted, while
// the host's WebAssembly and its bindings were compiled long before.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("../../miniflare-tests/host/workerd.mjs").Workerd} Workerd */

/** Each phase by the functions of workerd and V8 that make it. */
const PHASES = /** @type {const} */ ([
  ["an isolate's end", ["workerd::server::CompiledWorker::Impl::~Impl", "workerd::Worker::~Worker"]],
  ["compiling its modules", ["workerd::server::WorkerdApi::compileModules"]],
  ["its context and globals", ["workerd::server::WorkerdApi::newContext"]],
  ["the rest of an isolate's start", ["compileWorker"]],
  ["collecting garbage", ["v8::internal::Heap::CollectGarbage", "v8::internal::MinorGCJob"]],
  ["compiling WebAssembly", ["v8::internal::wasm::CompileLazy", "v8::internal::wasm::WasmEngine"]],
  ["interpreted code: the guest's", ["Builtins_InterpreterEntryTrampoline"]],
  ["compiled code: the host's", ["v8::internal::(anonymous namespace)::Invoke"]],
]);
const REST = "everything else: requests, sockets, RPC";

const NAMES = [...PHASES.map(([name]) => name), REST];

/** Samples a second. */
const FREQUENCY = 4_000;

/** How long `perf` takes to begin, in milliseconds. */
const BEGUN = 500;

/** How many runs are timed, and how many more are sampled. */
const TIMED = 100;
const SAMPLED = 300;

/**
 * The milliseconds that one run of each side spends in each phase, as a table.
 * @param {Workerd} workerd whose first thread runs the isolates of all sides
 * @param {readonly string[]} sides
 * @param {(side: string) => Promise<unknown>} run
 * @returns {Promise<string>}
 */
export async function profile(workerd, sides, run) {
  const head = "milliseconds of a trivial run, by perf";
  if (process.platform !== "linux" || spawnSync("perf", ["--version"]).status !== 0) return `${head}: not measured, perf isn't installed`;
  /** @type {Awaited<ReturnType<typeof column>>[]} */
  const columns = [];
  for (const side of sides) columns.push(await column(workerd, () => run(side)));
  const line = (/** @type {string} */ name, /** @type {string[]} */ cells) => `${name.padEnd(39)}${cells.map((cell) => cell.padStart(9)).join("")}`;
  const rows = NAMES.map((name, at) => line(name, columns.map(({ whole, shares }) => (whole * (shares[at] ?? 0)).toFixed(2))));
  const sums = line("all of it", columns.map(({ whole }) => whole.toFixed(2)));
  return [line(head, [...sides]), ...rows, sums].join("\n");
}

/** @param {Workerd} workerd @param {() => Promise<unknown>} run */
async function column(workerd, run) {
  const repeated = async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time++) await run();
  };
  await repeated(TIMED);
  const before = spent(workerd);
  await repeated(TIMED);
  const whole = (spent(workerd) - before) / TIMED;
  return { whole, shares: await sampled(workerd, () => repeated(SAMPLED)) };
}

/** Milliseconds of its first thread so far. @param {Workerd} workerd */
function spent({ pid }) {
  // The file's first number is nanoseconds.
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/**
 * Each phase's share of what `work` takes, in the order of the names.
 * @param {Workerd} workerd
 * @param {() => Promise<unknown>} work
 */
async function sampled({ pid }, work) {
  const file = join(tmpdir(), `mycelium-${pid}.perf`);
  const perf = spawn("perf", ["record", "-F", String(FREQUENCY), "-g", "-o", file, "-t", String(pid)], { stdio: "ignore" });
  try {
    await new Promise((resolve) => setTimeout(resolve, BEGUN));
    await work();
  } finally {
    perf.kill("SIGINT");
    await once(perf, "exit");
  }
  try {
    return await read(file);
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
async function read(file) {
  const script = spawn("perf", ["script", "-i", file, "-F", "ip,sym"], { stdio: ["ignore", "pipe", "ignore"] });
  const counts = NAMES.map(() => 0);
  let [samples, held] = [0, ""];
  for await (const text of script.stdout.setEncoding("utf8")) {
    const stacks = (held + text).split("\n\n");
    held = stacks.pop() ?? "";
    for (const stack of stacks) {
      const at = phaseOf(stack);
      counts[at] = (counts[at] ?? 0) + 1;
      samples += 1;
    }
  }
  if (samples === 0) throw new Error("perf took no sample: is kernel.perf_event_paranoid over 2?");
  return counts.map((count) => count / samples);
}

/** @param {string} stack @returns {number} the place of its phase */
function phaseOf(stack) {
  const at = PHASES.findIndex(([, functions]) => functions.some((name) => stack.includes(name)));
  return at < 0 ? PHASES.length : at;
}
