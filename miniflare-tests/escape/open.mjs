// An entry on which attacks are tried three ways: through the Worker as it is, tapped; straight into
// its isolates, past the reading of programs; and into isolates that are left open on purpose, where
// each attack must succeed. POST /attack tries the last two.

import { TAPPED } from "../host/tapped.mjs";

/** The least that a harness may do, by somebody who trusts the program. */
const OPEN_HARNESS = `
// At start-up, when the engine lets text become code.
import program from "./program.js";

let calls = 0;
let socket;
const pending = new Map();
const call = (index, input) => {
  const ordinal = calls++;
  return new Promise((resolve, reject) => {
    pending.set(ordinal, { resolve, reject });
    socket.send(JSON.stringify(["call", ordinal, index, input]));
  });
};
globalThis.harness = { call, pending };
console.log = (...values) => socket.send(JSON.stringify(["log", "log", values.map(String).join(" ")]));

const expire = () => new Promise((_, reject) => setTimeout(() => reject(new Error("Execution timed out")), 600));

const start = async ({ operations }) => {
  const env = {};
  operations.forEach((path, index) => {
    const [module, name] = path.split(".");
    (env[module] ??= {})[name] = (input) => call(index, input);
  });
  globalThis.env = env;
  Object.assign(globalThis, env);
  await Promise.race([program(), expire()]).then(
    (value) => {
      if (value?.length > 1_048_576) throw new Error("too large");
      socket.send(JSON.stringify(["done", value]));
    },
    (error) => socket.send(JSON.stringify(["failed", { name: error.name, message: error.message }])),
  );
};

export default {
  fetch() {
    const pair = new WebSocketPair();
    socket = pair[1];
    socket.accept();
    calls = 0;
    socket.addEventListener("message", ({ data }) => {
      const [kind, id, body] = JSON.parse(data);
      if (kind === "run") start(body).catch(() => {});
      else pending.get(id)?.resolve(body);
    });
    return new Response(null, { status: 101, webSocket: pair[0] });
  },
};
`;

export const ENTRY = `${TAPPED}
import { WorkerEntrypoint } from "cloudflare:workers";

const HARNESS = ${JSON.stringify(OPEN_HARNESS)};

/** Loads isolates with everything that the Runner takes away: the network, a secret, a past. */
export class Open extends WorkerEntrypoint {
  fetch(request) {
    const { program, name } = this.ctx.props;
    const code = {
      compatibilityDate: "2026-06-01",
      compatibilityFlags: ["nodejs_compat"],
      mainModule: "harness.js",
      modules: { "harness.js": HARNESS, "program.js": program },
      env: { SECRET: "of the host" },
    };
    const stub = name ? this.env.LOADER.get(name, () => code) : this.env.LOADER.load(code);
    return stub.getEntrypoint().fetch(request);
  }
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const ANSWERS = { "demo.ping": { value: "pong" } };

/** Plays the host of one run, and writes down whatever the guest sends. */
async function play(runner, { operations, limits, deadline }) {
  const seen = { frames: [], sizes: [], refused: "", closed: "" };
  const abort = new AbortController();
  let response;
  try {
    response = await runner.fetch("https://guest.invalid/", { headers: { Upgrade: "websocket" }, signal: abort.signal });
  } catch (error) {
    return { ...seen, refused: String(error.message) };
  }
  const socket = response.webSocket;
  if (!socket) return { ...seen, refused: "no socket" };
  socket.accept();
  const ended = Promise.withResolvers();
  socket.addEventListener("close", ({ code }) => ((seen.closed = String(code)), ended.resolve()));
  socket.addEventListener("error", ended.resolve);
  socket.addEventListener("message", ({ data }) => {
    seen.frames.push(data.slice(0, 2_000));
    seen.sizes.push(data.length);
    if (data.length > 100_000) return ended.resolve();
    const frame = (() => { try { return JSON.parse(data) } catch { return [] } })();
    if (frame[0] === "call") socket.send(JSON.stringify(["value", frame[1], ANSWERS[operations[frame[2]]] ?? null]));
    if (frame[0] === "done" || frame[0] === "failed") ended.resolve();
  });
  socket.send(JSON.stringify(["run", 1, { operations, limits }]));
  await Promise.race([ended.promise, wait(deadline)]);
  // What comes late comes now.
  await wait(250);
  try { socket.close(1000, "over") } catch {}
  abort.abort();
  return seen;
}

export { Attacked as default };

class Attacked extends Tapping {
  async fetch(request) {
    if (new URL(request.url).pathname !== "/attack") return super.fetch(request);
    const { open, program, twice, ...options } = await request.json();
    const name = twice ? crypto.randomUUID() : undefined;
    let seen;
    for (let run = 0; run < (twice ? 2 : 1); run++) {
      const runner = open
        ? this.ctx.exports.Open({ props: { program, name } })
        : this.ctx.exports.Runner({ props: { program, limits: {} } });
      seen = await play(runner, options);
    }
    return Response.json(seen);
  }
}
`.replace("export default class extends Main", "class Tapping extends Main");
