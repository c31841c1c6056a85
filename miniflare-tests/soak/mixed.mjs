// A mixed load with restarts: every ask is entered in one ledger, which has to add up at the end.
//
//   node miniflare-tests/soak/mixed.mjs MINUTES [SEED] [BUILD]     →  the ledger; 1 when it doesn't add up
//
// In the first part of the time workerd is killed at times that the seed chooses, amid whatever
// runs, and started again on the same storage. The rest is one stretch without a restart, at whose
// end memory is compared. V8 is told to keep its baseline code: every new isolate makes workerd drop
// that of the whole process, and making it anew grows the process by itself.

import { Session } from "../host/streaming.mjs";
import { sleep } from "../host/client.mjs";
import { Chance } from "./chance.mjs";
import { Far } from "./far.mjs";
import { Host, growth } from "./host.mjs";
import { KINDS } from "./kinds.mjs";
import { Ledger, printed } from "./ledger.mjs";

/** @typedef {import("./kinds.mjs").Kind} Kind */

/** How many sessions there are, and how many asks of one are under way at once: more than run at once. */
const SESSIONS = 3;
const LANES = 7;
/** The share of the time in which workerd is killed. */
const RESTARTING = 0.5;
/** Milliseconds between two restarts. */
const GAPS = Object.freeze([3_000, 45_000]);
/** Milliseconds after which an ask has no answer. */
const PATIENCE = 120_000;
/** Memory at the end of a stretch may be so many times what it was at its 2 000th execution. */
export const GROWTH = 1.15;
/** A load of so many minutes has a stretch in which memory is compared. */
const COMPARED = 10;
/** Milliseconds that a program has, its wait included. */
const TIMEOUT_MS = 15_000;

/** What no run may print, in whatever comes to it. */
const ALARMS = /panicked|RuntimeError|is gone|previous WASM instance|Maximum call stack/;

/**
 * @param {{ minutes: number, seed: number, build: string, kinds?: readonly Kind[], restarting?: number, say?: (line: string) => void }} options
 */
export async function mixed({ minutes, seed, build, kinds = KINDS, restarting = RESTARTING, say = () => {} }) {
  const far = await Far.start();
  const vars = { MYCELIUM_TIMEOUT_MS: String(TIMEOUT_MS) };
  const host = new Host({ build, toml: far.toml, tables: far.tables, vars, v8Flags: ["--no-flush-liftoff-code"] });
  const ledger = new Ledger();
  const ends = performance.now() + minutes * 60_000;
  try {
    await host.start();
    const watch = watching(host, ledger, say);
    const load = Promise.all(Array.from({ length: SESSIONS }, (_, session) => connection({ host, ledger, kinds, ends, seed: seed + session * 1_000 })));
    await Promise.all([load, restarts(host, ledger, new Chance(seed), ends - minutes * 60_000 * (1 - restarting), minutes)]);
    clearInterval(watch);
    alarms(host, ledger);
    // What was left to itself has come to its end by then.
    await sleep(3_000);
  } finally {
    await host.stop();
    far.stop();
  }
  const stretches = host.stretches.map(growth).filter((stretch) => stretch !== undefined);
  for (const { ratio, runs } of stretches) if (ratio > GROWTH) ledger.problem(`memory grew ${ratio.toFixed(3)} times in ${runs} executions, more than ${GROWTH}`);
  if (minutes >= COMPARED && stretches.length === 0) ledger.problem("no stretch was long enough to compare memory");
  return { closed: ledger.close(far.done), restarts: host.restarts, hung: far.accepted, stretches, samples: host.stretches };
}

/**
 * One session with several asks under way, until the time is over.
 * @param {{ host: Host, ledger: Ledger, kinds: readonly Kind[], ends: number, seed: number }} options
 */
async function connection({ host, ledger, kinds, ends, seed }) {
  await host.up;
  const session = await Session.open(host.url);
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const chance = new Chance(seed + lane + 1);
    while (performance.now() < ends) {
      await host.up;
      const { kind, ends: allowed, works, make } = chance.of(kinds);
      const ask = ledger.ask(kind, allowed, works);
      const end = await Promise.race([make({ host, session, ask, chance }), sleep(PATIENCE).then(() => undefined)]);
      // Without one it stays open, which the ledger will tell.
      if (end) ledger.settle(ask, end.fate, end.text);
    }
  }));
}

/**
 * Kills it at times of chance, until then.
 * @param {Host} host
 * @param {Ledger} ledger
 * @param {Chance} chance
 * @param {number} until
 * @param {number} minutes
 */
async function restarts(host, ledger, chance, until, minutes) {
  const longest = Math.min(GAPS[1], (minutes * 60_000) / 6);
  for (;;) {
    const gap = chance.between(Math.min(GAPS[0], longest / 2), longest);
    if (performance.now() + gap > until) return;
    await sleep(gap);
    alarms(host, ledger);
    await host.restart();
  }
}

/** @param {Host} host @param {Ledger} ledger */
function alarms(host, ledger) {
  for (const line of host.log.split("\n")) if (ALARMS.test(line)) ledger.problem(`workerd said: ${line.slice(0, 300)}`);
}

/** Samples memory every second, and says where things stand every half minute. @param {Host} host @param {Ledger} ledger @param {(line: string) => void} say */
function watching(host, ledger, say) {
  let [restarts, before, seconds] = [0, 0, 0];
  return setInterval(() => {
    if (host.restarts !== restarts) [restarts, before] = [host.restarts, ledger.settled];
    host.sample(ledger.settled - before);
    if (++seconds % 30 !== 0) return;
    const mb = host.stretches.at(-1)?.at(-1)?.mb.toFixed(0) ?? "-";
    say(`${String(seconds).padStart(5)} s  ${String(ledger.settled).padStart(7)} settled  ${String(host.restarts).padStart(3)} restarts  ${mb.padStart(5)} MB`);
  }, 1_000);
}

if (import.meta.main) {
  const [minutes = "30", seed = String(Date.now() % 1_000_000), build = "worker"] = process.argv.slice(2);
  console.log(`seed ${seed}: node miniflare-tests/soak/mixed.mjs ${minutes} ${seed} ${build}`);
  const { closed, restarts, hung, stretches } = await mixed({ minutes: Number(minutes), seed: Number(seed), build, say: (line) => console.log(line) });
  console.log(printed(closed));
  console.log(`${restarts} restarts; ${hung} connections accepted and never answered`);
  for (const { runs, early, late, ratio } of stretches) {
    console.log(`memory after ${runs} executions without a restart: ${late.toFixed(0)} MB, at the 2000th ${early.toFixed(0)} MB, ${ratio.toFixed(3)} times; the bound is ${GROWTH}`);
  }
  process.exitCode = closed.problems.length > 0 ? 1 : 0;
}
