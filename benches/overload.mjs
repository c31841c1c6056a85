// What happens when more comes than can be done: arrivals at 0.5, 1, 2 and 4 times the capacity.
//
//   node benches/overload.mjs [seconds] [build]     →  {"text":…,"rows":[…]}, and docs/overload.svg
//
// Over MCP, at one connection and at several. Each program calls a server beside the Worker, which
// counts by id and takes 300 ms: with six programs at once a connection has a capacity of its own,
// and several share the processor. The capacity is measured first, by as many clients as keep it
// busy. Then arrivals come when chance has them come, as in the open world, whatever has become of
// those before. It fails when an arrival has no answer, or one that is no answer of ours, when
// work was done twice, or was done for a program that was refused.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, sleep } from "../miniflare-tests/host/client.mjs";
import { ROOT } from "../miniflare-tests/host/config.mjs";
import { DEV, Workerd } from "../miniflare-tests/host/workerd.mjs";
import { Chance } from "../miniflare-tests/soak/chance.mjs";
import { Far } from "../miniflare-tests/soak/far.mjs";
import { end } from "../miniflare-tests/soak/kinds.mjs";
import { Ledger } from "../miniflare-tests/soak/ledger.mjs";
import { plot } from "./sides/plot.mjs";

const LOADS = [0.5, 1, 2, 4];
const CONNECTIONS = [1, 4];
/** Milliseconds that the server takes, that a program waits for its turn, and that a client waits at all. */
const [WORK_MS, WAIT_MS, PATIENCE_MS] = [300, 2_000, 60_000];
/** How many programs a connection runs at once. */
const AT_ONCE = 6;
/** Milliseconds before programs by the second are counted. */
const SPREAD_MS = 1_000;
const SEED = 11;

/** @typedef {{ ask: import("../miniflare-tests/soak/ledger.mjs").Ask, fate: string, text: string, ms: number }} Came */
/** @typedef {{ connections: number, capacity: number, load: number, arrivals: number, rate: number, done: number, refused: number, lost: number, twice: number, wait: number[], answer: number[], told: number[] }} Row */

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The middle and the worst of a hundred. @param {number[]} values */
const both = (values) => [quantile(values, 0.5), quantile(values, 0.99)];

/** One workerd with its clients, and what was asked of it. */
class Bed {
  /** @param {Workerd} workerd @param {Far} far @param {Client[]} clients */
  constructor(workerd, far, clients) {
    this.workerd = workerd;
    this.far = far;
    this.clients = clients;
    this.ledger = new Ledger();
    this.next = 0;
  }

  /** Sends one program, and says what it came to. @returns {Promise<Came>} */
  async one() {
    const client = this.clients[this.next++ % this.clients.length];
    const ask = this.ledger.ask("execute", { answered: "once", "failed sandbox-busy": "never", "failed deadline-exceeded": "perhaps" }, 1);
    const code = `return (await book.json({ body: { id: "${ask.works[0]}", ms: ${WORK_MS} } })).method`;
    const begun = performance.now();
    const came = await client
      .request("tools/call", { name: "execute", arguments: { code } }, ask.id, AbortSignal.timeout(PATIENCE_MS))
      .then((answer) => end(answer, '"PUT"'), (error) => ({ fate: "failed without an answer", text: String(error) }));
    this.ledger.settle(ask, came.fate, came.text);
    return { ask, fate: came.fate, text: came.text ?? "", ms: performance.now() - begun };
  }

  /** Programs by the second, when there is always another. @param {number} seconds */
  async capacity(seconds) {
    const lanes = this.clients.length * AT_ONCE * 1.5;
    let done = 0;
    // The first of all end together; by then they are spread.
    const from = performance.now() + SPREAD_MS;
    const until = from + seconds * 1_000;
    await Promise.all(Array.from({ length: lanes }, async () => {
      while (performance.now() < until) {
        const { fate } = await this.one();
        if (fate === "answered" && performance.now() >= from && performance.now() < until) done += 1;
      }
    }));
    return done / seconds;
  }

  /** So many arrivals by the second, each when chance has it come. @param {number} rate @param {number} seconds */
  async arrivals(rate, seconds) {
    const chance = new Chance(SEED);
    /** @type {Promise<Came>[]} */
    const all = [];
    const begun = performance.now();
    for (let at = 0; ; ) {
      at += (-Math.log(1 - chance.next()) * 1_000) / rate;
      if (at >= seconds * 1_000) break;
      const left = begun + at - performance.now();
      if (left > 0) await sleep(left);
      all.push(this.one());
    }
    return Promise.all(all);
  }

  /** Milliseconds in the queue, as the host accounts for them, since its log had this length. @param {number} from */
  waits(from) {
    const lines = this.workerd.log.slice(from).split("\n").filter((line) => line.startsWith('{"event":"execution"'));
    const accounts = lines.map((line) => JSON.parse(line)).filter(({ outcome }) => outcome === "ok");
    return accounts.map(({ durations }) => Number(durations.queuedMs));
  }
}

/**
 * @param {Bed} bed
 * @param {number} capacity
 * @param {number} load
 * @param {number} seconds
 * @returns {Promise<Row & { sample: string }>}
 */
async function row(bed, capacity, load, seconds) {
  const from = bed.workerd.log.length;
  const came = await bed.arrivals(capacity * load, seconds);
  const [done, busy] = ["answered", "failed sandbox-busy"].map((fate) => came.filter((one) => one.fate === fate));
  const late = came.filter((one) => one.fate === "failed deadline-exceeded");
  return {
    connections: bed.clients.length,
    capacity,
    load,
    arrivals: came.length,
    rate: came.length / seconds,
    done: done.length,
    refused: busy.length + late.length,
    lost: came.length - done.length - busy.length - late.length,
    twice: came.filter(({ ask }) => bed.far.times(ask.works[0]) > 1).length,
    wait: both(bed.waits(from)),
    answer: both(done.map(({ ms }) => ms)),
    told: both(busy.map(({ ms }) => ms)),
    sample: busy[0]?.text ?? "",
  };
}

/** @param {number} connections @param {number} seconds @param {string} build */
async function measured(connections, seconds, build) {
  const far = await Far.start();
  const vars = { ...DEV, MYCELIUM_SANDBOX_CAPACITY: String(AT_ONCE), MYCELIUM_ADMISSION_WAIT_MS: String(WAIT_MS) };
  const workerd = await Workerd.start({ build, vars, toml: far.toml, tables: far.tables });
  try {
    const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(workerd.url)));
    const bed = new Bed(workerd, far, clients);
    // By then what a release does after its first answers is done.
    await bed.capacity(seconds / 2);
    const capacity = await bed.capacity(seconds);
    const rows = [];
    for (const load of LOADS) {
      rows.push(await row(bed, capacity, load, seconds));
      console.error(JSON.stringify(rows.at(-1)));
    }
    const { problems } = bed.ledger.close(far.done);
    if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 10).join("\n")}`);
    return rows;
  } finally {
    await workerd.kill();
    far.stop();
  }
}

/** @param {(Row & { sample: string })[]} rows */
function table(rows) {
  const head = ["connections", "capacity/s", "times", "arrivals", "done", "refused", "lost", "twice", "wait p50", "p99", "answer p50", "p99", "refused p50", "p99"];
  const widths = head.map((name) => Math.max(name.length, 6) + 1);
  const line = (/** @type {(string | number)[]} */ cells) => cells.map((cell, column) => String(cell).padStart(widths[column])).join("");
  const ms = (/** @type {number[]} */ values) => values.map((value) => value.toFixed(0));
  const lines = rows.map((row) => line([
    row.connections, row.capacity.toFixed(1), row.load, row.arrivals, row.done, row.refused, row.lost, row.twice,
    ...ms(row.wait), ...ms(row.answer), ...(row.refused > 0 ? ms(row.told) : ["-", "-"]),
  ]));
  const sample = rows.find((row) => row.sample !== "")?.sample ?? "nobody was refused";
  return [line(head), ...lines, "", "Waits are milliseconds in the queue of those done, by the host's account; the others the client's clock.", `Who is refused is told: ${sample}`].join("\n");
}

/** @param {Row[]} rows @param {number} seconds */
function picture(rows, seconds) {
  return plot(CONNECTIONS.flatMap((connections) => {
    const own = rows.filter((row) => row.connections === connections);
    const name = connections === 1 ? "one connection" : `${connections} connections`;
    const shared = { x: `arrivals, times the capacity of ${own[0]?.capacity.toFixed(0)}/s`, at: own.map(({ load }) => `${load} ×`) };
    const rate = (/** @type {"arrivals" | "done" | "refused" | "lost"} */ what) => ({ name: what, values: own.map((row) => row[what] / seconds) });
    return [
      { ...shared, title: `What becomes of programs, ${name}`, y: "programs a second", lines: [rate("arrivals"), rate("done"), rate("refused"), rate("lost")] },
      { ...shared, title: `How long they take, ${name}`, y: "milliseconds", lines: [
        { name: "wait p50", values: own.map(({ wait }) => wait[0] ?? 0) },
        { name: "wait p99", values: own.map(({ wait }) => wait[1] ?? 0) },
        { name: "answer p50", values: own.map(({ answer }) => answer[0] ?? 0) },
        { name: "answer p99", values: own.map(({ answer }) => answer[1] ?? 0) },
      ] },
    ];
  }));
}

const [seconds = "10", build = "worker"] = process.argv.slice(2);
const rows = [];
for (const connections of CONNECTIONS) rows.push(...(await measured(connections, Number(seconds), build)));
writeFileSync(join(ROOT, "docs/overload.svg"), picture(rows, Number(seconds)));
console.log(JSON.stringify({ text: table(rows), rows }));
