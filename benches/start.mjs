// What the Worker adds to workerd's own start.
//
//   node benches/start.mjs worker 11
//   {"samples":11,"cpu":…,"wall":…,"whole":{"cpu":…,"wall":…},"floor":{…},"next":…}
//
// A sample launches one workerd and ends with the first answer of the Worker's own
// Rust code. Beside each, a workerd is launched with the same configuration and
// files but a Worker of one line that uses none of them, which is the floor: most
// of the time goes into reading a configuration with megabytes in it. `cpu` and
// `wall` are what ours takes beyond that floor, of processor time (which is what
// the platform bounds, and what a busy machine doesn't change) and by the clock.
// `next` is the wall time of a second request. All are medians, in milliseconds;
// `cpu` is null where the system doesn't tell it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { workerdConfig } from "../miniflare-tests/host/config.mjs";

/** @type {string} The executable itself: the package's `bin` may be a script around it. */
const WORKERD = createRequire(import.meta.url)("workerd").default;

const BARE = `export class ConnectionObject {}
export class PrincipalObject {}
export class UpstreamObject {}
export class PenObject {}
export default { fetch() { return new Response(); } };
`;

/**
 * The same configuration with every file as inert data, and the one-line Worker.
 * @param {string} config
 * @param {string} folder
 */
function floorConfig(config, folder) {
  writeFileSync(join(folder, "bare.mjs"), BARE);
  return config
    .replace(/\b(wasm|json|esModule) = embed/g, "data = embed")
    .replace(/"src\/workers\/entry\.mjs", data = embed "[^"]*"/, `"bare.mjs", esModule = embed "bare.mjs"`);
}

/**
 * Launches one workerd, asks it twice, and ends it.
 * @param {(config: string, folder: string) => string} change
 */
async function sample(change) {
  const folder = mkdtempSync(join(tmpdir(), "mycelium-start-"));
  const file = join(folder, "config.capnp");
  writeFileSync(file, change(workerdConfig(folder, 0, { build }), folder));
  const launched = performance.now();
  const process = spawn(WORKERD, ["serve", "--experimental", "--control-fd=1", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const port = await listening(/** @type {import("node:stream").Readable} */ (process.stdout));
    await answer(port);
    const first = performance.now();
    const cpu = processorTime(process.pid);
    await answer(port);
    return { wall: first - launched, cpu, next: performance.now() - first };
  } finally {
    process.kill("SIGKILL");
    if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import("node:stream").Readable} control */
async function listening(control) {
  for await (const line of createInterface({ input: control })) {
    const message = JSON.parse(line);
    // There is one socket.
    if (message.event === "listen") return message.port;
  }
  throw new Error("workerd ended before it listened");
}

/** @param {number} port */
async function answer(port) {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`the Worker answers ${response.status}`);
}

/**
 * The processor time of all threads so far; the first number of `schedstat` is in nanoseconds.
 * @param {number | undefined} pid
 */
function processorTime(pid) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return null;
  return readdirSync(threads)
    .map((thread) => Number(readFileSync(join(threads, thread, "schedstat"), "utf8").split(" ")[0]))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
}

/** @param {Awaited<ReturnType<typeof sample>>[]} taken */
function medians(taken) {
  const cpu = taken.map((one) => one.cpu).filter((one) => one !== null);
  return {
    cpu: cpu.length === 0 ? null : median(cpu),
    wall: median(taken.map((one) => one.wall)),
    next: median(taken.map((one) => one.next)),
  };
}

const [build = "worker", count = "11"] = process.argv.slice(2);
const samples = Number(count);
const ours = [];
const bare = [];
for (let index = 0; index < samples; index++) {
  ours.push(await sample((config) => config));
  bare.push(await sample(floorConfig));
}
const { next, ...whole } = medians(ours);
const { next: _, ...floor } = medians(bare);
const cpu = whole.cpu === null || floor.cpu === null ? null : whole.cpu - floor.cpu;
console.log(JSON.stringify({ samples, cpu, wall: whole.wall - floor.wall, whole, floor, next }));
