// One attack, tried three ways, each time with the same question of what the host saw.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { Client, PONG, sleep } from "../host/client.mjs";
import { tap } from "../host/tapped.mjs";
import { DEV, Workerd } from "../host/workerd.mjs";
import { ENTRY } from "./open.mjs";

/**
 * What the host saw of a run.
 *
 * @typedef {object} Seen
 * @property {string[]} frames the beginnings of the frames that the guest sent
 * @property {{ ordinal: number, index: number, input: any }[]} calls among them, also after the end
 * @property {number[]} ordinals of the calls and of those that couldn't be sent
 * @property {string | undefined} end `done` or `failed`, if either came
 * @property {any} value that came with `done`
 * @property {number} late frames after the end
 * @property {number} longest frame, in units
 * @property {number} units of all frames
 * @property {string[]} network connections that reached the listener
 * @property {{ calls: number }} limits that the guest was told
 */
/**
 * @typedef {object} Attack
 * @property {string} [top] text before the function, where a module has its imports
 * @property {string} code the function's body; URL stands for the listener's address, PORT for its port
 * @property {(seen: Seen) => boolean} escaped whether it succeeded
 * @property {boolean} [twice] it is run twice, and the second run counts
 * @property {boolean} [imports] that it can be refused only by reading the program
 * @property {{ calls: number }} [limits]
 */

const LIMITS = { calls: 10_000, frameBytes: 8_388_608, flightBytes: 33_554_432, resultBytes: 1_048_576, logBytes: 65_536, logLines: 1_000 };
const OPERATIONS = ["demo.ping", "witness.see"];
/** Milliseconds that a run has where somebody keeps its time, and where nobody does. */
const DEADLINE = 2_500;
const PATIENCE = 6_000;

/** A wait that no program can take away. */
const SLEEP = "const wait = setTimeout; const sleep = (ms) => new Promise((done) => wait(done, ms));";

/** The Worker, the open isolates and the listener for the attacks of one file. */
export function range() {
  /** @type {Workerd} */
  let workerd;
  /** @type {string[]} */
  let network = [];
  const server = createServer((socket) => {
    network.push("reached");
    socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  /** @type {number} */
  let port;
  before(async () => {
    await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
    port = /** @type {import("node:net").AddressInfo} */ (server.address()).port;
    const vars = { ...DEV, MYCELIUM_TIMEOUT_MS: String(DEADLINE) };
    workerd = await Workerd.start({ build: "faults", vars, entry: ENTRY });
  });
  after(async () => {
    server.close();
    // Attacks on the open isolates leave uncaught errors behind.
    await workerd.stop(/Uncaught|uncaught/);
  });

  /** @param {string} text */
  const aimed = (text) => text.replaceAll("URL", `http://127.0.0.1:${port}/x`).replaceAll("PORT", String(port));

  /**
   * @param {Attack} attack
   * @param {boolean} open
   */
  const direct = async ({ top = "", code, twice, limits }, open) => {
    const told = { ...LIMITS, ...limits };
    const program = aimed(`${top}\nexport default async () => {\n${SLEEP} ${code}\n}`);
    const body = JSON.stringify({ open, program, twice, operations: OPERATIONS, limits: told, deadline: open ? PATIENCE : DEADLINE });
    const answer = await fetch(`${workerd.url}/attack`, { method: "POST", body, signal: AbortSignal.timeout(30_000) });
    const { frames, sizes } = await /** @type {Promise<any>} */ (answer.json());
    return seen(frames, sizes, network, told);
  };

  /** @param {Attack} attack */
  const through = async ({ top = "", code, twice }) => {
    const client = await Client.open(workerd.url);
    await tap(workerd.url);
    const program = aimed(`${top}\n${SLEEP} ${code}`);
    for (let run = 0; run < (twice ? 2 : 1); run++) await client.execute(program);
    await sleep(150);
    const { runs } = await tap(workerd.url);
    const { frames, sizes } = runs.at(-1) ?? { frames: [], sizes: [] };
    return seen(frames, sizes, network, LIMITS);
  };

  /** @param {() => Promise<Seen>} trial */
  const watched = async (trial) => {
    network = [];
    return trial();
  };

  /**
   * Tries an attack in an open isolate, where it must succeed, in a closed one, and in the Worker.
   * @param {string} name
   * @param {Attack} attack
   */
  return (name, attack) =>
    test(name, { timeout: 60_000 }, async () => {
      const control = await watched(() => direct(attack, true));
      assert.ok(attack.escaped(control), `it fails even where everything is open: ${JSON.stringify(control).slice(0, 1_500)}`);
      if (!attack.imports) await holds(attack, "the isolate", await watched(() => direct(attack, false)));
      await holds(attack, "the Worker", await watched(() => through(attack)));
      const client = await Client.open(workerd.url);
      assert.equal((await client.execute(PONG)).text, '{"value":"pong"}', "and it serves on");
    });
}

/**
 * @param {Attack} attack
 * @param {string} where
 * @param {Seen} seen
 */
async function holds({ escaped }, where, seen) {
  assert.ok(!escaped(seen), `it escaped from ${where}: ${JSON.stringify(seen).slice(0, 1_500)}`);
  assert.deepEqual(seen.network, [], where);
}

/**
 * @param {string[]} frames
 * @param {number[]} sizes
 * @param {string[]} network
 * @param {{ calls: number }} limits
 * @returns {Seen}
 */
function seen(frames, sizes, network, limits) {
  const read = frames.map(parsed);
  const last = read.findIndex(([kind]) => kind === "done" || kind === "failed");
  return {
    frames,
    calls: read.filter(([kind]) => kind === "call").map(([, ordinal, index, input]) => ({ ordinal, index, input })),
    ordinals: read.filter(([kind, ordinal]) => (kind === "call" || kind === "void") && ordinal !== undefined).map(([, ordinal]) => ordinal),
    end: read[last]?.[0],
    value: read[last]?.[0] === "done" ? read[last][1] : undefined,
    late: last < 0 ? 0 : frames.length - last - 1,
    longest: Math.max(0, ...sizes),
    units: sizes.reduce((sum, size) => sum + size, 0),
    network,
    limits,
  };
}

/** @param {string} frame @returns {any[]} */
function parsed(frame) {
  try {
    const read = JSON.parse(frame);
    return Array.isArray(read) ? read : [];
  } catch {
    // A long one was cut.
    const kind = /^\["(\w+)"/.exec(frame);
    return kind ? [kind[1]] : [];
  }
}
