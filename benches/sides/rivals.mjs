// The sides that ours is measured against, in a Worker of their own: what a program
// costs in plain JavaScript with nothing around it, and in @cloudflare/codemode.

import { DynamicWorkerExecutor } from "@cloudflare/codemode";
import { WorkerEntrypoint } from "cloudflare:workers";

export { Cfworker, Zod } from "./validate.mjs";

/** @typedef {{ LOADER: WorkerLoader }} Env */

/** What programs may call, the same as the module that our side has for this. */
const OPERATIONS = {
  ping: async () => ({ value: "pong" }),
  echo: async (/** @type {unknown} */ input) => input,
};

/** Runs each program in codemode's executor. */
export class Codemode extends WorkerEntrypoint {
  /** @param {Request} request */
  async fetch(request) {
    const executor = new DynamicWorkerExecutor({ loader: /** @type {Env} */ (this.env).LOADER });
    const { result, error } = await executor.execute(await request.text(), [{ name: "bench", fns: OPERATIONS }]);
    return Response.json(error === undefined ? result : { error });
  }
}

const HARNESS = `
import program from "./program.js";
let host;
let next = 0;
const pending = new Map();
const call = (name) => (input) => new Promise((resolve) => {
  pending.set(next, resolve);
  host.send(JSON.stringify([next++, name, input]));
});
globalThis.bench = { ping: call("ping"), echo: call("echo") };
export default {
  fetch() {
    const { 0: outer, 1: inner } = new WebSocketPair();
    host = inner;
    host.accept();
    host.addEventListener("message", ({ data }) => {
      const [ordinal, output] = JSON.parse(data);
      pending.get(ordinal)(output);
      pending.delete(ordinal);
    });
    program().then((answer) => host.send(JSON.stringify([null, answer])));
    return new Response(null, { status: 101, webSocket: outer });
  },
};
`;

/** Loads a program and gives its socket, as ours does, since an object can't. */
export class FloorRunner extends WorkerEntrypoint {
  /** @param {Request} request */
  fetch(request) {
    const code = {
      compatibilityDate: "2026-06-01",
      mainModule: "harness.js",
      modules: { "harness.js": HARNESS, "program.js": `export default ${this.ctx.props.program}` },
      globalOutbound: null,
    };
    return /** @type {Env} */ (this.env).LOADER.load(code).getEntrypoint().fetch(request);
  }
}

/** Runs each program with nothing that a host needs beside: no check, no bound, no way to end it. */
export class Floor extends WorkerEntrypoint {
  /** @param {Request} request */
  async fetch(request) {
    const { FloorRunner } = /** @type {any} */ (this.ctx.exports);
    const runner = FloorRunner({ props: { program: await request.text() } });
    const { webSocket } = await runner.fetch("https://guest.invalid/", { headers: { Upgrade: "websocket" } });
    const { promise, resolve } = Promise.withResolvers();
    webSocket.accept();
    webSocket.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
      const [ordinal, ...call] = JSON.parse(data);
      if (ordinal === null) return resolve(call[0]);
      const [name, input] = call;
      webSocket.send(JSON.stringify([ordinal, await OPERATIONS[/** @type {"ping" | "echo"} */ (name)](input)]));
    });
    const answer = await promise;
    webSocket.close(1000);
    return Response.json(answer);
  }
}

export default {};
