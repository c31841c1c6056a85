// The text of an entry that is the Worker's own, with its Runner tapped: it writes down what the
// loader was told and what went over each guest's socket, and can have the loader refuse.
//
// GET /tap gives what was written down and forgets it; POST /tap says what the loader does next.

/**
 * @typedef {object} Tap
 * @property {any[]} codes what `load` was told, without the modules' texts
 * @property {any[]} entrypoints what `getEntrypoint` was told
 * @property {{ frames: string[], sizes: number[], closed: string[] }[]} runs the beginnings of the guests' frames, their
 *   sizes, and how each end of their sockets was closed
 * @property {number} settled how many guests' sockets the host closed
 * @property {number} aborted how many signals it aborted
 */

export const TAPPED = `
import Main, { ConnectionObject, PrincipalObject, Runner as Real } from "./src/workers/entry.mjs";
export { ConnectionObject, PrincipalObject };

const fresh = () => ({ codes: [], entrypoints: [], runs: [], settled: 0, aborted: 0 });
let seen = fresh();
let plan = { refusals: [], harness: undefined };

// The host's own isolate: these are the functions that the Rust module calls.
const { close } = WebSocket.prototype;
WebSocket.prototype.close = function (code, reason) {
  if (reason === "settled") seen.settled += 1;
  return close.call(this, code, reason);
};
const { abort } = AbortController.prototype;
AbortController.prototype.abort = function (reason) {
  seen.aborted += 1;
  return abort.call(this, reason);
};

const refusing = (text) => {
  const failed = () => Promise.reject(new Error(text));
  return { getEntrypoint: () => ({ fetch: failed }) };
};

const tapped = (loader) => ({
  load(code) {
    const { modules, ...told } = code;
    seen.codes.push({ ...told, modules: Object.keys(modules) });
    const refusal = plan.refusals.shift();
    if (refusal) return refusing(refusal);
    if (plan.harness) modules["harness.js"] = plan.harness;
    const stub = loader.load(code);
    return {
      getEntrypoint(name, options) {
        seen.entrypoints.push({ name: name ?? null, options });
        return stub.getEntrypoint(name, options);
      },
    };
  },
});

const copy = (data) => (typeof data === "string" ? data : "(" + (data.byteLength ?? data.size) + " bytes)");

export class Runner extends Real {
  constructor(ctx, env) {
    super(ctx, { ...env, LOADER: tapped(env.LOADER) });
  }

  async fetch(request) {
    const run = { frames: [], sizes: [], closed: [] };
    seen.runs.push(run);
    const response = await super.fetch(request);
    const guest = response.webSocket;
    if (!guest) return response;
    const { 0: outer, 1: inner } = new WebSocketPair();
    guest.accept();
    inner.accept();
    guest.addEventListener("message", ({ data }) => {
      run.frames.push(copy(data).slice(0, 2_000));
      run.sizes.push(data.length ?? data.byteLength);
      if (run.ended) return;
      inner.send(typeof data === "string" ? data : new Uint8Array(data.byteLength ?? data.size));
    });
    inner.addEventListener("message", ({ data }) => guest.send(data));
    guest.addEventListener("close", ({ code, reason }) => {
      run.closed.push("guest: " + code + " " + reason);
      if (!run.ended) inner.close(code === 1005 || code === 1006 ? 1011 : code, reason);
    });
    inner.addEventListener("close", ({ code, reason }) => {
      run.ended = true;
      run.closed.push("host: " + code + " " + reason);
      guest.close(code, reason);
    });
    return new Response(null, { status: response.status, webSocket: outer, headers: response.headers });
  }
}

export default class extends Main {
  async fetch(request) {
    if (new URL(request.url).pathname !== "/tap") return super.fetch(request);
    if (request.method === "POST") {
      plan = { ...plan, ...(await request.json()) };
      return new Response("heard");
    }
    const said = seen;
    seen = fresh();
    return Response.json(said);
  }
}
`;

/**
 * What was written down since it was last asked.
 * @param {string} url the Worker's
 * @returns {Promise<Tap>}
 */
export async function tap(url) {
  return /** @type {Promise<Tap>} */ ((await fetch(`${url}/tap`)).json());
}

/**
 * @param {string} url
 * @param {{ refusals?: string[], harness?: string | null }} plan
 */
async function change(url, plan) {
  await (await fetch(`${url}/tap`, { method: "POST", body: JSON.stringify(plan) })).text();
}

/**
 * Has the loader refuse the next loads with these texts.
 * @param {string} url the Worker's
 * @param {string[]} refusals
 */
export const refuse = (url, refusals) => change(url, { refusals });

/**
 * Puts a guest of the test's own into every isolate, which does this when it is told to run; without
 * an act, the usual one again.
 * @param {string} url the Worker's
 * @param {string} [act] statements; `guest` is its end of the socket
 */
export const impersonate = (url, act) =>
  change(url, {
    harness: act
      ? `export default { fetch() {
          const { 0: host, 1: guest } = new WebSocketPair();
          guest.accept();
          guest.addEventListener("message", () => { ${act} }, { once: true });
          return new Response(null, { status: 101, webSocket: host });
        } };`
      : null,
  });
