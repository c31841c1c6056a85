// Many executions in one Worker: what its memory does, and whether every call is made once.
//
//   node miniflare-tests/soak/soak.mjs 10000      →  one line for each part, then the verdict
//
// Each execution has an isolate of its own. V8 is told to keep its baseline code: every new isolate
// makes workerd drop that of the whole process, and making it anew grows the process by itself.

import { execFileSync } from "node:child_process";
import { Client } from "../host/client.mjs";
import { DEV, Workerd } from "../host/workerd.mjs";

/** How many executions run side by side, each on a connection of its own. */
const CLIENTS = 4;
/** Lines of memory in the report. */
const PARTS = 10;
/** Memory at the end may be so many times what it was after the first fifth. */
export const GROWTH = 1.15;

/**
 * A kind of program: how many writes it makes, and how its answer reads.
 *
 * @typedef {{ code: string, writes: number, answers: RegExp }} Kind
 */

/** @type {Kind[]} */
const KINDS = [
  { code: "return vault.write({})", writes: 1, answers: /^\{"writes":\d+\}$/ },
  { code: "return demo.ping({})", writes: 0, answers: /^\{"value":"pong"\}$/ },
  { code: "const all = await Promise.all([1, 2, 3].map(() => vault.write({}))); return all.length", writes: 3, answers: /^3$/ },
  { code: "vault.write({}); return 'left'", writes: 1, answers: /^"left"$/ },
  { code: "await vault.write({}); throw new Error('over')", writes: 1, answers: /^guest-exception: the program threw Error: over/ },
  { code: "console.log({ n: 1 }); return (await vault.write({})).writes > 0", writes: 1, answers: /^true$/ },
  { code: "return 'x'.repeat(2_000_000)", writes: 0, answers: /^result-too-large: / },
  { code: "return {", writes: 0, answers: /^syntax-error: / },
  { code: "return demo.pnig({})", writes: 0, answers: /^operation-unknown: / },
  { code: "return new Map()", writes: 0, answers: /^result-invalid: / },
];
/** The first kinds are the usual ones. */
const USUAL = 2;

/** @param {number} run @returns {Kind} every fifth run is an unusual one, each in its turn */
function kindOf(run) {
  if (run % 5 !== 4) return KINDS[run % USUAL];
  return KINDS[USUAL + (Math.floor(run / 5) % (KINDS.length - USUAL))];
}

/**
 * Resident memory of a process in MB.
 * @param {number | undefined} pid
 */
function resident(pid) {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

/**
 * Runs so many executions, `CLIENTS` at a time.
 * @param {Workerd} workerd
 * @param {number} runs
 * @param {(line: string) => void} say
 */
export async function soak(workerd, runs, say) {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => Client.open(workerd.url)));
  const expected = clients.map(() => 0);
  /** @type {string[]} */
  const wrong = [];
  /** @type {{ runs: number, mb: number }[]} */
  const curve = [];
  let next = 0;
  let done = 0;
  const begun = performance.now();
  const part = Math.max(1, Math.floor(runs / PARTS));
  await Promise.all(clients.map(async (client, position) => {
    while (next < runs) {
      const kind = kindOf(next++);
      const { text } = await client.execute(kind.code);
      if (!kind.answers.test(text)) wrong.push(`${kind.code}: ${text.slice(0, 200)}`);
      expected[position] += kind.writes;
      done += 1;
      if (done % part === 0) {
        curve.push({ runs: done, mb: resident(workerd.pid) });
        say(`${String(done).padStart(6)} runs  ${curve.at(-1)?.mb.toFixed(0).padStart(5)} MB  ${((performance.now() - begun) / done).toFixed(1)} ms a run`);
      }
    }
  }));
  const made = await Promise.all(clients.map(async (client) => Number((await client.execute("return session.writes({})")).text)));
  const lost = made.filter((count, position) => count !== expected[position]).length;
  return { curve, wrong, lost, calls: made.reduce((sum, count) => sum + count, 0) };
}

/**
 * Memory at the end beside that after the first fifth.
 * @param {{ runs: number, mb: number }[]} curve
 */
export function growth(curve) {
  const early = curve[Math.floor(curve.length / 5) - 1] ?? curve[0];
  const late = curve.at(-1) ?? early;
  return { early, late, ratio: late.mb / early.mb };
}

/** The options of the workerd that is soaked. */
export const OPTIONS = { build: "faults", vars: DEV, v8Flags: ["--no-flush-liftoff-code"] };

if (import.meta.main) {
  const runs = Number(process.argv[2] ?? 10_000);
  const workerd = await Workerd.start(OPTIONS);
  try {
    const { curve, wrong, lost, calls } = await soak(workerd, runs, (line) => console.log(line));
    const { early, late, ratio } = growth(curve);
    console.log(`${calls} calls made once each, ${lost} connections with another count; ${wrong.length} answers wrong`);
    for (const line of wrong.slice(0, 10)) console.log(line);
    console.log(`memory at ${late.runs} runs is ${ratio.toFixed(3)} times that at ${early.runs}; the bound is ${GROWTH}`);
    process.exitCode = wrong.length > 0 || lost > 0 || ratio > GROWTH ? 1 : 0;
  } finally {
    await workerd.kill();
  }
}
