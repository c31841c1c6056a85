/**
 * The calls of one run: ordinals, budget, inputs, replies, and the errors they end in.
 *
 * Owns: that every operation called gets the next ordinal at once, in the program's own turn, and that
 * every error it is handed can be told again when nobody catches it. Does not own: when calls end
 * (`close`), nor names (`bindings.js`).
 *
 * An ordinal is spent in the same step as its frame is sent, after the input is encoded: a call that
 * dies on the way, because the program's stack is full, leaves no gap.
 *
 * The inputs of all calls under way are bounded together: each waits in several places at once until it
 * is answered, and a loop that awaits nothing would fill them all.
 *
 * Where a call was made is kept for the first {@link PLACED} calls only, since keeping it is a fifth of what
 * a call costs here. A later call that the host answers with an error says so in its `stack`; one that is
 * refused at once still stands where it was made.
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
  table,
  utf8Length,
  weakGet,
  weakSet,
} from "./primordials.js";
import { framesOf, here } from "./stack.js";
import { callText, forageText, voidText } from "./wire.js";

/** Bytes a call frame needs besides its input. */
const ENVELOPE = 64;
/** Units of an input that are counted as the most bytes they can be. */
const SMALL = 64;
/** Units of an unknown name that are told. */
const NAME = 256;
/** Calls, of both kinds together, whose places in the program are kept until they are answered. */
const PLACED = 64;

/** @typedef {import("./wire.js").Task} Task */
/** @typedef {import("./members.js").Refusal} Refusal */
/** @typedef {{name: string, site: Error | undefined, failure: object, bytes: number, resolve: (value: unknown) => void, reject: (error: unknown) => void}} Pending */
/**
 * @typedef {object} Calls
 * @property {Task} task
 * @property {(text: string) => void} send
 * @property {boolean} open whether calls are still taken
 * @property {boolean} reading whether an input is being encoded
 * @property {number} carried bytes of the inputs of what is pending
 * @property {number} ordinals spent so far
 * @property {number} foraged helpers called so far
 * @property {Map<unknown, Pending>} pending by id
 * @property {WeakMap<object, {failure: object, site: Error | undefined}>} made every error handed out, and what it is uncaught
 */

/** @param {Task} task @param {(text: string) => void} send @returns {Calls} */
export const openCalls = (task, send) => ({
  task,
  send,
  open: true,
  reading: false,
  carried: 0,
  ordinals: 0,
  foraged: 0,
  pending: new MapConstructor(),
  made: new WeakMapConstructor(),
});

/**
 * An operation is called.
 *
 * @param {Calls} calls
 * @param {number} index
 * @param {unknown[]} values the arguments
 * @returns {Promise<unknown>}
 */
export const call = (calls, index, values) => {
  const name = calls.task.operations[index];
  const ordinal = calls.ordinals;
  const closed = refused(calls, name, ordinal);
  if (closed) return closed;
  const input = argument(calls, values);
  const failure = { kind: "call", ordinal };
  if (input.refusal) {
    calls.send(voidText(ordinal, index, input.refusal));
    calls.ordinals = ordinal + 1;
    return invalid(calls, name, input.refusal, failure);
  }
  const reply = expect(calls, ordinal, name, failure, input.bytes);
  calls.send(callText(ordinal, index, input.text));
  calls.ordinals = ordinal + 1;
  return reply;
};

/**
 * A forage helper is called. No ordinal: its reply is found by a name of its own.
 *
 * @param {Calls} calls
 * @param {string} helper
 * @param {unknown[]} values the arguments
 * @returns {Promise<unknown>}
 */
export const forage = (calls, helper, values) => {
  const name = "forage." + helper;
  const closed = refused(calls, name, calls.foraged);
  if (closed) return closed;
  const input = argument(calls, values);
  const failure = { kind: "forage" };
  if (input.refusal) return invalid(calls, name, input.refusal, failure);
  const id = "f" + calls.foraged;
  const reply = expect(calls, id, name, failure, input.bytes);
  calls.send(forageText(id, helper, input.text));
  calls.foraged += 1;
  return reply;
};

/**
 * The host replies.
 *
 * @param {Calls} calls
 * @param {import("./wire.js").ReplyFrame} frame
 * @returns {string | undefined} what is wrong with the reply
 */
export const answer = (calls, { kind, id, body }) => {
  const waiting = mapGet(calls.pending, id);
  if (!waiting) return "a reply to no open call";
  mapDelete(calls.pending, id);
  calls.carried -= waiting.bytes;
  if (kind === "value") return waiting.resolve(body), undefined;
  if (typeof body?.code !== "string" || typeof body.message !== "string") return "an error reply without code and message";
  const { name, site, failure } = waiting;
  const message = body.message || `${name} failed with ${body.code}`;
  const facts = table();
  const names = keys(body);
  for (let i = 0; i < names.length; i++) facts[names[i]] = body[names[i]];
  facts.operation = name;
  waiting.reject(made(calls, message, facts, site, { ...failure, code: body.code, message }));
  return undefined;
};

/**
 * A name nobody has is asked for.
 *
 * @param {Calls} calls
 * @param {string} asked dotted, without `env`
 * @returns {never}
 */
export const unknown = (calls, asked) => {
  const path = slice(asked, 0, NAME);
  const names = freeze(nearest(path, calls.task));
  let hint = names.length ? "did you mean env." + names[0] : "Object.keys(env) lists the modules";
  for (let i = 1; i < names.length; i++) hint += " or env." + names[i];
  const message = `env.${path} does not exist; ${hint}${names.length ? "?" : ""}`;
  const facts = { code: "operation-unknown", path, nearest: names };
  throw made(calls, message, facts, here(), { kind: "operation-unknown", path, nearest: names, message });
};

/**
 * @param {Calls} calls
 * @param {any} error that nobody caught
 * @returns {object | undefined} the failure it stands for, when it is one of ours
 */
export const failureOf = (calls, error) => {
  const origin = weakGet(calls.made, error);
  return origin && { ...origin.failure, frames: framesOf(origin.site) };
};

/** @param {Calls} calls @param {string} name @param {number} count */
const refused = (calls, name, count) => {
  const operation = name;
  if (!calls.open) {
    const message = `${name}: not called, since the program has ended; await every call before returning`;
    return rejected(makeError(message, { code: "call-after-settle", operation }, here()));
  }
  if (calls.reading) {
    const message = `${name}: not called, since the input of another call was being read; call it outside of getters and toJSON`;
    return rejected(makeError(message, { code: "input-invalid", operation }, here()));
  }
  const limit = calls.task.limits.calls;
  if (count < limit) return undefined;
  const message = `${name}: a run may make ${limit} calls; use an operation that takes many items, or go on in another run`;
  const facts = { code: "call-budget-exceeded", operation, limit };
  return rejected(made(calls, message, facts, here(), { kind: "call-budget-exceeded", limit, message }));
};

/** @param {Calls} calls @param {string} name @param {Refusal} refusal @param {object} failure */
const invalid = (calls, name, refusal, failure) => {
  const code = "input-invalid";
  const { path, found, remedy } = refusal;
  const message = `${name}: the input${path && " at " + path} is ${found}; ${remedy}`;
  return rejected(made(calls, message, { code, operation: name, ...refusal }, here(), { ...failure, code, message }));
};

/** @param {Calls} calls @param {string} message @param {object} facts @param {Error | undefined} site @param {object} failure */
const made = (calls, message, facts, site, failure) => {
  const error = makeError(message, facts, site);
  weakSet(calls.made, error, { failure, site });
  return error;
};

/** @param {unknown} error @returns {Promise<never>} */
const rejected = (error) => new PromiseConstructor((_, reject) => reject(error));

/** @param {Calls} calls @param {unknown} id @param {string} name @param {object} failure @param {number} bytes */
const expect = (calls, id, name, failure, bytes) =>
  new PromiseConstructor((resolve, reject) => {
    const site = calls.ordinals + calls.foraged < PLACED ? here() : undefined;
    mapSet(calls.pending, id, { name, site, failure, bytes, resolve, reject });
    calls.carried += bytes;
  });

/**
 * The one input of a call. Trailing `undefined` is no argument; a second one is refused, since it would
 * be lost.
 *
 * @param {Calls} calls
 * @param {unknown[]} values
 * @returns {{text: string | undefined, refusal: Refusal | undefined, bytes: number}} with the bytes it carries
 */
const argument = (calls, values) => {
  let count = values.length;
  while (count > 0 && values[count - 1] === undefined) count -= 1;
  if (count === 0) return { text: undefined, refusal: undefined, bytes: 0 };
  if (count > 1) return refusal(`${count} arguments`, "pass one value, such as an object; in map, write (item) => operation(item)");
  const limit = calls.task.limits.frameBytes - ENVELOPE;
  const input = read(calls, values[0], limit);
  return input.bytes > 0 ? refusal(`at least ${input.bytes} bytes of JSON`, `send at most ${limit} bytes in one call`) : carried(calls, input);
};

/** @param {Calls} calls @param {{text: string | undefined, refusal: Refusal | undefined}} input */
const carried = (calls, { text, refusal: refused }) => {
  const bytes = text === undefined ? 0 : text.length > SMALL ? utf8Length(text) : text.length * 3;
  const most = calls.task.limits.flightBytes;
  return calls.carried + bytes > most
    ? refusal(`${bytes} bytes beside the ${calls.carried} of calls under way`, `await calls before you make more: ${most} bytes may be under way`)
    : { text, refusal: refused, bytes };
};

/** @param {Calls} calls @param {unknown} value @param {number} limit */
const read = (calls, value, limit) => {
  calls.reading = true;
  try {
    return encode(value, limit);
  } finally {
    calls.reading = false;
  }
};

/** @param {string} found @param {string} remedy of the input as a whole */
const refusal = (found, remedy) => ({ text: undefined, refusal: { path: "", found, remedy }, bytes: 0 });
