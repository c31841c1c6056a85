/**
 * The calls of one run: ordinals, budget, inputs, replies, and the errors they end in.
 *
 * Owns: that every operation called gets the next ordinal at once, in the program's own turn, and that
 * every error it is handed can be told again when nobody catches it. Does not own: when calls end (it
 * asks `isOpen`), nor names (`bindings.js`).
 *
 * An ordinal is spent in the same step as its frame is sent, after the input is encoded: a call that
 * dies on the way (the program's stack is full) leaves no gap, and one made by a `toJSON` comes first.
 */

import { makeError } from "./exception.js";
import { encode } from "./json.js";
import { nearest } from "./nearest.js";
import {
  MapConstructor,
  PromiseConstructor,
  WeakMapConstructor,
  freeze,
  keys,
  mapDelete,
  mapGet,
  mapSet,
  slice,
  weakGet,
  weakSet,
} from "./primordials.js";
import { framesOf, here } from "./stack.js";
import { callText, forageText, voidText } from "./wire.js";

/** Bytes a call frame needs besides its input. */
const ENVELOPE = 64;
/** Units of an unknown name that are told. */
const NAME = 256;

/** @typedef {import("./wire.js").Task} Task */
/** @typedef {import("./json.js").Refusal} Refusal */
/** @typedef {{name: string, site: Error, known: object, resolve: (value: unknown) => void, reject: (error: unknown) => void}} Pending */
/**
 * @typedef {object} Calls
 * @property {(index: number, values: unknown[]) => Promise<unknown>} call
 * @property {(helper: string, values: unknown[]) => Promise<unknown>} forage
 * @property {(path: string) => never} unknown
 * @property {(kind: "value" | "error", id: unknown, body: any) => string | undefined} answer what is wrong with it
 * @property {(error: unknown) => object | undefined} failureOf the failure an error of ours is, uncaught
 */

/**
 * @param {Task} task
 * @param {(text: string) => void} send
 * @param {() => boolean} isOpen
 * @returns {Calls}
 */
export const openCalls = ({ operations, hidden, limits, forage: forages }, send, isOpen) => {
  let ordinals = 0;
  let foraged = 0;
  const pending = new MapConstructor();
  const known = new WeakMapConstructor();

  /** @type {Calls["call"]} */
  const call = (index, values) => {
    const name = operations[index];
    const site = here();
    const input = argument(values, limits.frameBytes - ENVELOPE);
    const closed = refusal(name, ordinals, site);
    if (closed) return closed;
    const ordinal = ordinals;
    const facts = { __proto__: null, kind: "call", ordinal };
    if (!input.ok) {
      send(voidText(ordinal, index, input.refusal));
      ordinals = ordinal + 1;
      return rejected(invalid(name, input.refusal, site, facts));
    }
    const reply = expect(ordinal, name, site, facts);
    send(callText(ordinal, index, input.text));
    ordinals = ordinal + 1;
    return reply;
  };

  /** @type {Calls["forage"]} */
  const forage = (helper, values) => {
    const name = "forage." + helper;
    const site = here();
    const input = argument(values, limits.frameBytes - ENVELOPE);
    const closed = refusal(name, foraged, site);
    if (closed) return closed;
    const facts = { __proto__: null, kind: "forage" };
    if (!input.ok) return rejected(invalid(name, input.refusal, site, facts));
    const id = "f" + foraged;
    const reply = expect(id, name, site, facts);
    send(forageText(id, helper, input.text));
    foraged += 1;
    return reply;
  };

  /** @param {string} name @param {number} made @param {Error} site */
  const refusal = (name, made, site) => {
    if (!isOpen()) {
      const message = `${name}: the program has ended, so this call was not made; await every call before returning`;
      return rejected(makeError(message, { __proto__: null, code: "call-after-settle", operation: name }, site));
    }
    if (made < limits.calls) return undefined;
    const message = `${name}: a run may make ${limits.calls} calls; use an operation that takes many items, or return and go on in another run`;
    const facts = { __proto__: null, code: "call-budget-exceeded", operation: name, limit: limits.calls };
    return rejected(mark(makeError(message, facts, site), { __proto__: null, kind: "call-budget-exceeded", limit: limits.calls, message }, site));
  };

  /** @param {string} name @param {Refusal} refused @param {Error} site @param {object} facts */
  const invalid = (name, { path, found, remedy }, site, facts) => {
    const code = "input-invalid";
    const message = `${name}: the input${path && " at " + path} is ${found}; ${remedy}`;
    const error = makeError(message, { __proto__: null, code, operation: name, path, found, remedy }, site);
    return mark(error, { __proto__: null, ...facts, code, message }, site);
  };

  /** @param {number | string} id @param {string} name @param {Error} site @param {object} facts */
  const expect = (id, name, site, facts) =>
    new PromiseConstructor((resolve, reject) => {
      mapSet(pending, id, { __proto__: null, name, site, known: facts, resolve, reject });
    });

  /** @type {Calls["answer"]} */
  const answer = (kind, id, body) => {
    /** @type {Pending | undefined} */
    const waiting = mapGet(pending, id);
    if (!waiting) return "a reply to no open call";
    mapDelete(pending, id);
    if (kind === "value") return waiting.resolve(body), undefined;
    if (typeof body?.code !== "string" || typeof body.message !== "string") return "an error reply without code and message";
    waiting.reject(failed(waiting, body));
    return undefined;
  };

  /** @param {Pending} waiting @param {any} body */
  const failed = ({ name, site, known: facts }, body) => {
    const { code } = body;
    const message = body.message || `${name} failed with ${code}`;
    /** @type {any} */
    const told = { __proto__: null };
    const names = keys(body);
    for (let i = 0; i < names.length; i++) told[names[i]] = body[names[i]];
    told.operation = name;
    return mark(makeError(message, told, site), { __proto__: null, ...facts, code, message }, site);
  };

  /** @type {Calls["unknown"]} */
  const unknown = (asked) => {
    const path = slice(asked, 0, NAME);
    const site = here();
    const names = freeze(nearest(path, operations, hidden, forages));
    const hint = names.length ? `did you mean ${joined(names)}?` : "Object.keys(env) lists the modules";
    const message = `env.${path} does not exist; ${hint}`;
    const facts = { __proto__: null, code: "operation-unknown", path, nearest: names };
    throw mark(makeError(message, facts, site), { __proto__: null, kind: "operation-unknown", path, nearest: names, message }, site);
  };

  /** @param {Error} error @param {object} failure @param {Error} site */
  const mark = (error, failure, site) => {
    weakSet(known, error, { __proto__: null, failure, site });
    return error;
  };

  /** @type {Calls["failureOf"]} */
  const failureOf = (error) => {
    const origin = weakGet(known, /** @type {object} */ (error));
    return origin && { __proto__: null, ...origin.failure, frames: framesOf(origin.site) };
  };

  return freeze({ __proto__: null, call, forage, unknown, answer, failureOf });
};

/** @param {unknown} error @returns {Promise<never>} */
const rejected = (error) => new PromiseConstructor((_, reject) => reject(error));

/** @param {readonly string[]} names */
const joined = (names) => {
  let text = "env." + names[0];
  for (let i = 1; i < names.length; i++) text += (i === names.length - 1 ? " or env." : ", env.") + names[i];
  return text;
};

/**
 * The one input of a call as JSON text. Trailing `undefined` is no argument; a second one is refused,
 * since it would be lost.
 *
 * @param {unknown[]} values
 * @param {number} limit
 * @returns {{ok: true, text: string | undefined} | {ok: false, refusal: Refusal}}
 */
const argument = (values, limit) => {
  let count = values.length;
  while (count > 0 && values[count - 1] === undefined) count -= 1;
  if (count > 1) {
    const remedy = "pass one object; in map, write (item) => operation(item)";
    return { __proto__: null, ok: false, refusal: { __proto__: null, path: "", found: `${count} arguments`, remedy } };
  }
  if (count === 0) return { __proto__: null, ok: true, text: undefined };
  const input = encode(values[0], limit);
  if (input.ok || "refusal" in input) return input;
  const found = `at least ${input.bytes} bytes of JSON`;
  return { __proto__: null, ok: false, refusal: { __proto__: null, path: "", found, remedy: `send at most ${limit} bytes in one call` } };
};
