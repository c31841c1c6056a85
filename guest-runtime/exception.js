/**
 * Errors: those the program is handed, and what becomes of those it throws.
 *
 * Owns: the errors the harness makes (with their identity, so that an uncaught one is known for what
 * it is), the reading of anything thrown, and the program's positions in a stack. Does not own: when a
 * run fails, nor how the failure is written.
 */

import { headline, inspect, read, textOf } from "./inspect.js";
import { ErrorConstructor, defineProperty, isPrototypeOf, keys, slice, tagOf, utf8Prefix } from "./primordials.js";
import { framesOf, stackLines } from "./stack.js";

/** Bytes of UTF-8 a message may have; the host's bound on failure messages. */
const MESSAGE = 2048;

const ErrorPrototype = ErrorConstructor.prototype;

/** @typedef {import("./wire.js").Frame} Frame */

/**
 * An error for the program: `code` and the other facts are own members, the stack shows the
 * program's lines only.
 *
 * @param {string} message
 * @param {object} facts `code`, `operation` and whatever else the failure tells
 * @param {Error} site made by `here` where the program asked
 * @returns {Error}
 */
export const makeError = (message, facts, site) => {
  const error = new ErrorConstructor(message);
  const names = keys(facts);
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== "message" && names[i] !== "stack") own(error, names[i], /** @type {any} */ (facts)[names[i]], true);
  }
  own(error, "stack", `Error: ${message}${stackLines(framesOf(site))}`, false);
  return error;
};

/** @param {object} target @param {string} name @param {unknown} value @param {boolean} enumerable */
const own = (target, name, value, enumerable) =>
  defineProperty(target, name, { __proto__: null, value, enumerable, writable: true, configurable: true });

/**
 * Anything thrown, made readable: never empty, bounded, well said also when it is no error.
 *
 * @param {unknown} thrown
 * @returns {{name: string, message: string, frames: Frame[]}}
 */
export const exceptionOf = (thrown) => {
  if (!isError(thrown)) {
    return { __proto__: null, name: "NonError", message: bounded(`the program threw ${nounOf(thrown)}`), frames: [] };
  }
  const name = textOf(read(thrown, "name", true)) || "Error";
  const message = textOf(read(thrown, "message", true)) || "(an error without a message)";
  return { __proto__: null, name: slice(name, 0, 128), message: bounded(message + details(thrown)), frames: framesOf(thrown) };
};

/** @param {unknown} value @returns {value is object} also for platform errors and those with a spoofed tag */
const isError = (value) => {
  if (typeof value !== "object" || value === null) return false;
  try {
    return isPrototypeOf(ErrorPrototype, value) || tagOf(value) === "[object Error]";
  } catch {
    return false;
  }
};

/** @param {unknown} thrown */
const nounOf = (thrown) => {
  const type = typeof thrown;
  if (type === "string") return thrown === "" ? "an empty string" : `the string ${inspect(thrown)}`;
  return type === "object" && thrown !== null ? `an object that is no Error: ${inspect(thrown)}` : inspect(thrown);
};

/** What an error tells beside its message: its cause, the errors it gathers, its code. @param {object} error */
const details = (error) => {
  let text = "";
  const code = read(error, "code", false);
  if (typeof code === "string" || typeof code === "number") text += ` (code ${code})`;
  const errors = read(error, "errors", false);
  if (errors !== undefined) text += ` (errors: ${inspect(errors)})`;
  const cause = read(error, "cause", false);
  if (cause !== undefined) text += ` (cause: ${isError(cause) ? headline(cause) : inspect(cause)})`;
  return text;
};

/** @param {string} text */
const bounded = (text) => {
  if (text.length * 3 <= MESSAGE) return text;
  const kept = utf8Prefix(text, MESSAGE);
  return kept.length === text.length ? text : utf8Prefix(text, MESSAGE - 3) + "…";
};
