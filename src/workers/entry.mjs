// The JavaScript on the host's side, but for its warming: the classes that the platform needs as
// classes, each a thin way into the Rust module, and the fence around that module.
//
// One instance of the Rust module serves every request and object of an isolate.
// A panic unwinds and fails its own request. What can't unwind (a stack overflow,
// no memory left) loses the instance: then every promise that Rust owes is
// rejected, every object ends itself, and the next request starts a fresh one.

import { DurableObject, RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import configuration from "../../build/worker/configuration.json";
import guest from "../../build/worker/guest.json";
import * as rust from "../../build/worker/host.js";
import hostModule from "../../build/worker/host_bg.wasm";
import intakeModule from "../../build/worker/intake.wasm";
import { warm } from "./warming.mjs";

/** The compatibility date of guest isolates: fixed, so that a deployment's own doesn't change them. */
const GUEST_DATE = "2026-06-01";

/** @type {Set<(reason: Error) => void>} Rejections of the promises that Rust owes. */
const owed = new Set();

/** @type {Set<WeakRef<ConnectionObject | PrincipalObject | UpstreamObject | PenObject>>} The objects that live in this isolate. */
const objects = new Set();
const forgotten = new FinalizationRegistry((ref) => objects.delete(ref));

let lost = false;

rust.initSync({ module: hostModule });
rust.install(intakeModule, configuration);
const LOST_REPLY = rust.lostReply();
const LOST_SERVICE = rust.lostService();

/** What the promises of a lost instance are rejected with. */
class InstanceLost extends Error {}

rust.onLost((/** @type {unknown} */ cause) => {
  lost = true;
  console.error("the instance was lost:", cause);
  const reason = new InstanceLost("the instance that owed this answer is gone");
  for (const reject of owed) reject(reason);
  owed.clear();
  for (const ref of objects) lose(ref.deref());
});

/** Starts a fresh instance when the last one is lost. Runs on an empty stack only. */
function ensureInstance() {
  if (!lost) return;
  rust.__wbg_reset_state();
  lost = false;
  rust.install(intakeModule, configuration);
}

/**
 * What Rust answers, or an error as soon as its instance is lost.
 * @template T
 * @param {() => Promise<T>} call
 * @returns {Promise<T>}
 */
async function owe(call) {
  const { promise, resolve, reject } = Promise.withResolvers();
  try {
    ensureInstance();
    owed.add(reject);
    call().then(resolve, reject);
    return await promise;
  } finally {
    owed.delete(reject);
  }
}

/**
 * Whether Rust can't be asked about `error`, because it is gone.
 * @param {unknown} error
 */
const isLoss = (error) => lost || error instanceof InstanceLost;

/**
 * @param {() => Promise<Response>} call
 * @returns {Promise<Response>} the answer to a request, whatever comes
 */
async function fence(call) {
  try {
    return await owe(call);
  } catch (error) {
    const reference = crypto.randomUUID();
    console.error(`a request failed, reference ${reference}:`, error);
    const body = isLoss(error) ? LOST_REPLY : rust.failedReply(reference);
    return new Response(body, { status: 500, headers: { "content-type": "application/json" } });
  }
}

/**
 * @param {() => Promise<string>} call
 * @returns {Promise<string>} the reply to a bound Worker, whatever comes: what is thrown would cross with all it has
 */
async function reply(call) {
  try {
    return await owe(call);
  } catch (error) {
    const [reference, failed] = isLoss(error) ? ["none", LOST_SERVICE] : rust.failedService();
    console.error(`a call of a bound Worker failed, reference ${reference}:`, error);
    return failed;
  }
}

/** @typedef {import("../../mycelium.d.ts").Mycelium} Mycelium */

/**
 * What a method of the service gives.
 * @template {keyof Mycelium} Name
 * @typedef {Awaited<ReturnType<Mycelium[Name]>>} Answer
 */

/** One program that a bound Worker runs: see mycelium.d.ts. */
class Run extends RpcTarget {
  /** @type {rust.Execution | undefined} */
  #execution;
  #reply;

  /**
   * @param {unknown} request
   * @param {any} env
   * @param {any} ctx
   */
  constructor(request, env, ctx) {
    super();
    this.#reply = reply(() => {
      this.#execution = new rust.Execution(request, env, ctx);
      return this.#execution.reply();
    }).finally(() => {
      // Its instance may be lost from now on.
      this.#execution = undefined;
    });
    ctx.waitUntil(this.#reply.then(warm));
  }

  /** @returns {Promise<import("../../mycelium.d.ts").Outcome>} */
  async result() {
    return JSON.parse(await this.#reply);
  }

  /** @param {string} [reason] */
  async cancel(reason) {
    this.#execution?.cancel(reason === undefined ? undefined : typeof reason === "string" ? reason : "a reason that is no text");
  }

  /** The caller has let go of it. */
  [Symbol.dispose]() {
    this.#execution?.cancel("the caller let go of the run");
  }
}

/**
 * @param {string} method
 * @param {unknown} request
 * @param {any} env
 * @param {any} ctx
 * @returns {Promise<any>}
 */
async function serve(method, request, env, ctx) {
  const served = await reply(() => rust.serve(method, request, env, ctx));
  ctx.waitUntil(warm());
  return JSON.parse(served);
}

export default class extends WorkerEntrypoint {
  /** What a Worker of its own is made with, by a library's user: nobody reaches a static member from outside. */
  static get parts() {
    return { rust, fence, Kept, use: /** @type {typeof USE} */ (USE) };
  }

  /** @param {Request} request */
  async fetch(request) {
    const answer = await fence(() => rust.gate(request, this.env, this.ctx));
    this.ctx.waitUntil(warm());
    return answer;
  }

  /** @param {import("../../mycelium.d.ts").ExecuteRequest} request */
  async execute(request) {
    return new Run(request, this.env, this.ctx);
  }

  /**
   * @param {import("../../mycelium.d.ts").SearchRequest} request
   * @returns {Promise<Answer<"search">>}
   */
  search(request) {
    return serve("search", request, this.env, this.ctx);
  }

  /**
   * @param {import("../../mycelium.d.ts").ListRequest} request
   * @returns {Promise<Answer<"list">>}
   */
  list(request) {
    return serve("list", request, this.env, this.ctx);
  }

  /**
   * @param {import("../../mycelium.d.ts").DescribeRequest} request
   * @returns {Promise<Answer<"describe">>}
   */
  describe(request) {
    return serve("describe", request, this.env, this.ctx);
  }

  /**
   * @param {import("../../mycelium.d.ts").InvokeRequest} request
   * @returns {Promise<Answer<"invoke">>}
   */
  invoke(request) {
    return serve("invoke", request, this.env, this.ctx);
  }

  /**
   * @param {undefined} [nothing]
   * @returns {Promise<Answer<"status">>}
   */
  status(nothing) {
    return serve("status", nothing, this.env, this.ctx);
  }
}

/**
 * Sets the grants of principals' sessions: for Workers that bind this entry point by its name,
 * and nobody else. It has no `fetch`, so that no request from outside comes here.
 */
export class SessionGrants extends WorkerEntrypoint {
  /**
   * @param {import("../../mycelium.d.ts").SetGrantsRequest} request
   * @returns {ReturnType<import("../../mycelium.d.ts").SessionGrants["setGrants"]>}
   */
  setGrants(request) {
    return serve("setGrants", request, this.env, this.ctx);
  }
}

/** Ends an object's use of a lost instance; an object's own methods can be called from outside. */
const LOSE = Symbol("lose");
const USE = Symbol("use");

/** @param {ConnectionObject | PrincipalObject | UpstreamObject | PenObject | undefined} object */
function lose(object) {
  object?.[LOSE]();
}

/**
 * What every object here has: its part of the Rust module, made by the first request, also
 * after a loss, and its end together with that part.
 * @template {{ fetch(request: Request): Promise<Response>, alarm?(): Promise<Response> }} State
 */
class Kept extends DurableObject {
  /** @type {State | undefined} */
  #state;
  /** @type {(hold: (by: number) => void) => State} */
  #make;
  #uses = 0;
  #lost = Promise.withResolvers();

  /**
   * @param {DurableObjectState} ctx
   * @param {unknown} env
   * @param {(hold: (by: number) => void) => State} make
   */
  constructor(ctx, env, make) {
    super(ctx, env);
    this.#make = make;
    // Through a promise, so that it runs in this object's own context.
    this.#lost.promise.then(() => ctx.abort("execution-lost"));
    const ref = new WeakRef(/** @type {any} */ (this));
    objects.add(ref);
    forgotten.register(this, ref);
  }

  /**
   * Its part of the Rust module is gone: the object ends with its sockets, streams and timers. An
   * object that is in no use has none of them, and could end only by failing its next request.
   */
  [LOSE]() {
    this.#state = undefined;
    if (this.#uses > 0) this.#lost.resolve(undefined);
  }

  /** @param {(state: State) => Promise<Response>} call */
  async [USE](call) {
    this.#uses += 1;
    try {
      return await fence(() => call((this.#state ??= this.#make((by) => (this.#uses += by)))));
    } finally {
      this.#uses -= 1;
      this.ctx.waitUntil(warm());
    }
  }
}

/**
 * One MCP connection, named by principal and session, or one call that has no session.
 * @extends {Kept<rust.Connection>}
 */
export class ConnectionObject extends Kept {
  /**
   * @param {DurableObjectState} ctx
   * @param {any} env
   */
  constructor(ctx, env) {
    super(ctx, env, (hold) => new rust.Connection(ctx, env, hold));
  }

  /** @param {Request} request */
  fetch(request) {
    return this[USE]((connection) => connection.fetch(request));
  }

  async alarm() {
    const { status } = await this[USE]((connection) => connection.alarm());
    if (status >= 400) throw new Error("an alarm failed");
  }
}

/**
 * The table of one principal's connections, named by principal.
 * @extends {Kept<rust.Principal>}
 */
export class PrincipalObject extends Kept {
  /**
   * @param {DurableObjectState} ctx
   * @param {any} env
   */
  constructor(ctx, env) {
    super(ctx, env, () => new rust.Principal(ctx, env));
  }

  /** @param {Request} request */
  fetch(request) {
    return this[USE]((principal) => principal.fetch(request));
  }
}

/**
 * The owner of one MCP server's session, token and tools, named by the connection's id.
 * @extends {Kept<rust.Upstream>}
 */
export class UpstreamObject extends Kept {
  /**
   * @param {DurableObjectState} ctx
   * @param {any} env
   */
  constructor(ctx, env) {
    super(ctx, env, () => new rust.Upstream(ctx, env));
  }

  /** @param {Request} request */
  fetch(request) {
    return this[USE]((upstream) => upstream.fetch(request));
  }
}

/**
 * The book of one persona's pens, named by bucket and persona.
 * @extends {Kept<rust.Pen>}
 */
export class PenObject extends Kept {
  /**
   * @param {DurableObjectState} ctx
   * @param {any} env
   */
  constructor(ctx, env) {
    super(ctx, env, () => new rust.Pen(ctx));
  }

  /** @param {Request} request */
  fetch(request) {
    return this[USE]((pen) => pen.fetch(request));
  }
}

/**
 * Whether a pen's book has noted an attempt; if not, the operator is told.
 * @param {Promise<Response>} told
 */
async function isNoted(told) {
  try {
    const answer = await (await told).json();
    if (answer !== null && typeof answer === "object" && "Ok" in answer) return true;
    console.error("a pen's attempt could not be noted:", answer);
  } catch (error) {
    console.error("a pen's attempt could not be noted:", error);
  }
  return false;
}

/**
 * The network of a pen's isolate: exactly the hosts in its props, with TLS or on this machine.
 * Every request to anything else is told to the pen's book before it is refused; one that can't
 * be told is refused all the same, and says so.
 */
export class Outbound extends WorkerEntrypoint {
  /** @param {Request} request */
  async fetch(request) {
    const { allow, book, pen } = this.ctx.props;
    const { host, hostname, protocol } = new URL(request.url);
    const sound = protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost"].includes(hostname));
    // A redirect is the program's to follow, and then comes here again.
    if (sound && allow.includes(host)) return fetch(request, { redirect: "manual" });
    const body = JSON.stringify({ persona: book.slice(book.lastIndexOf("/") + 1), order: { order: "forbid", pen_id: pen, attempt: `network: ${host.slice(0, 256)}` } });
    const told = this.env.PENS.getByName(book).fetch("https://pen/order", { method: "POST", body });
    // Also when the program doesn't wait for it.
    const noted = isNoted(told);
    this.ctx.waitUntil(noted);
    if (!(await noted)) throw new Error(`MPP-E005: this pen may not reach ${host}, and the attempt could NOT be noted`);
    throw new Error(`MPP-E005: this pen may not reach ${host}, and the attempt is noted`);
  }
}

/**
 * Owns one guest isolate, from its load to the end of its socket. Stateless: a
 * stub made in an object would keep its isolate for as long as the object lives.
 */
export class Runner extends WorkerEntrypoint {
  #isolates = 0;

  /** @param {Request} request */
  async fetch(request) {
    const { program, limits, outbound } = this.ctx.props;
    /** @type {WorkerLoaderWorkerCode} */
    const code = {
      compatibilityDate: GUEST_DATE,
      compatibilityFlags: ["disallow_eval_during_startup"],
      mainModule: "harness.js",
      modules: {
        "harness.js": program.includes("console") ? guest.console : guest.plain,
        "program.js": program,
      },
      // Left out, it would inherit the host's network.
      globalOutbound: outbound ? /** @type {any} */ (this.ctx).exports.Outbound({ props: outbound }) : null,
      limits,
    };
    this.#isolates += 1;
    const { status, webSocket } = await this.env.LOADER.load(code).getEntrypoint(undefined, { limits }).fetch(request);
    return new Response(null, { status, webSocket, headers: { isolates: String(this.#isolates) } });
  }
}
