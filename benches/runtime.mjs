// What the runtime costs in an isolate: processor time, and memory where it is kept.
//
//   node benches/runtime.mjs bench [graph calls …]     →  {"rows":[{"work":…,"size":…,"cold":…,…}]}
//
// The build has the faults in it, through which an object is asked for work. `cold` is the
// processor time that the first request for it takes in a fresh workerd, of the one thread that
// runs the isolate: others compile and collect beside it, which no isolate is billed for. `warm`
// is the least that the same takes afterwards, and `p50` the middle. All are milliseconds for one, and what a request
// for no work takes is taken off. `bytes` is by how much linear memory grows the first time. A
// machine without /proc can't tell, and the clock is taken.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { Client, request } from "../miniflare-tests/host/client.mjs";
import { DEV, Workerd } from "../miniflare-tests/host/workerd.mjs";

/** So many operations are asked about; of some there are four times as many. */
const DISCOVERED = [100, 400, 1_000, 3_000, 4_000, 10_000, 12_000];

/**
 * What is measured, on `from` where something is made before, which doesn't count.
 * @type {{ work: string, sizes: number[], per: number, times: number, from?: string }[]}
 */
const WORK = [
  { work: "graph", sizes: [750, 3_000, 12_000], per: 1, times: 3, from: "texts" },
  { work: "calls", sizes: [100, 400, 1_600], per: 100, times: 5 },
  { work: "calls", sizes: [6_400, 25_600, 102_400], per: 100, times: 3 },
  { work: "admissions", sizes: [2_500, 10_000, 40_000], per: 1, times: 3 },
  { work: "build", sizes: DISCOVERED, per: 1, times: 3, from: "operations" },
  { work: "stamp", sizes: DISCOVERED, per: 1, times: 3, from: "operations" },
  { work: "search", sizes: DISCOVERED, per: 40, times: 5, from: "operations" },
  { work: "list", sizes: DISCOVERED, per: 40, times: 5, from: "operations" },
  { work: "describe", sizes: DISCOVERED, per: 40, times: 5, from: "operations" },
];

/**
 * Work whose first time is another matter each time: what it works on is made anew, and what was
 * made of it before is let go.
 */
const FRESH = ["graph", "build", "stamp"];

/** Milliseconds after which work is given up. */
const PATIENCE = 600_000;

/**
 * Processor milliseconds of each thread so far; the first number of `schedstat` is nanoseconds.
 * @param {number | undefined} pid
 * @returns {Map<string, number>}
 */
function processorTimes(pid) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return new Map([["clock", performance.now()]]);
  const time = (/** @type {string} */ thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  return new Map(readdirSync(threads).map((thread) => [thread, time(thread)]));
}

/**
 * Waits until what a release does after its first request, preparing itself for the next, is over.
 * @param {Workerd} workerd
 */
async function settled(workerd) {
  const total = () => [...processorTimes(workerd.pid).values()].reduce((sum, time) => sum + time, 0);
  for (let quiet = 0, before = total(); quiet < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const now = total();
    quiet = now - before < 10 || !existsSync(`/proc/${workerd.pid}/task`) ? quiet + 1 : 0;
    before = now;
  }
}

/**
 * Has the client's object do some work, and says what it took.
 * @param {Workerd} workerd
 * @param {Client} client
 * @param {string} what
 */
async function measured(workerd, client, what) {
  const before = processorTimes(workerd.pid);
  const signal = AbortSignal.timeout(PATIENCE);
  const query = `?fault=object.bench.${what}`;
  const { text } = await client.post(request("bench", "ping"), {}, { query, signal });
  const spent = [...processorTimes(workerd.pid)].map(([thread, time]) => time - (before.get(thread) ?? 0));
  const { error, bytes } = JSON.parse(text);
  if (error !== undefined || bytes === undefined) throw new Error(`${what}: ${text}`);
  return { cpu: Math.max(...spent), bytes };
}

/**
 * @param {string} build
 * @param {(typeof WORK)[number]} kind
 * @param {number} size
 */
async function row(build, { work, per, times, from }, size) {
  const workerd = await Workerd.start({ build, vars: DEV });
  try {
    const client = await Client.open(workerd.url);
    await measured(workerd, client, "nothing");
    await settled(workerd);
    const idle = (await measured(workerd, client, "nothing")).cpu;
    if (from !== undefined) await measured(workerd, client, `${from}.${size}`);
    const first = await measured(workerd, client, `${work}.${size}`);
    const then = [];
    for (let time = 0; time < times; time++) {
      if (from !== undefined && FRESH.includes(work)) await measured(workerd, client, `${from}.${size}`);
      then.push((await measured(workerd, client, `${work}.${size}`)).cpu);
    }
    then.sort((a, b) => a - b);
    const one = (/** @type {number} */ cpu) => Math.max(0, cpu - idle) / per;
    const [warm, p50] = [then[0] ?? NaN, then[then.length >> 1] ?? NaN];
    return { work, size, cold: one(first.cpu), warm: one(warm), p50: one(p50), bytes: first.bytes };
  } finally {
    await workerd.kill();
  }
}

const [build = "bench", ...only] = process.argv.slice(2);
const rows = [];
for (const kind of WORK.filter(({ work }) => only.length === 0 || only.includes(work))) {
  for (const size of kind.sizes) {
    rows.push(await row(build, kind, size));
    console.error(JSON.stringify(rows.at(-1)));
  }
}
console.log(JSON.stringify({ rows }));
