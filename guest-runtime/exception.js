/**
 * Errors: those the program is handed, and what becomes of anything it throws.
 *
 * Owns: how the harness's errors are made and how thrown values read. Does not own: which failure an
 * error is (`calls.js`), when a run fails, how the failure is written.
 */

import { encode } from "./json.js";
import { ErrorConstructor, ErrorPrototype, define, isPrototypeOf, keys, slice, stringify, tagOf, utf8Prefix } from "./primordials.js";
import { framesOf, stackLines } from "./stack.js";

/** Bytes of UTF-8 a message may have: the host's bound on failure messages. */
const MESSAGE = 2048;
/** Units of a name that are kept. */
const NAME = 128;

/** @typedef {import("./wire.js").Frame} Frame */

/**
 * An error for the program: `code` and the other facts are own members, the stack shows the
 * program's lines only.
 *
 * @param {string} message
 * @param {object} facts `code`, `operation` and whatever else the failure tells
 * @param {Error | undefined} site made by `here` where the program asked, if that was kept
 * @returns {Error}
 */
export const makeError = (message, facts, site) => {
  const error = new ErrorConstructor(message);
  const names = keys(facts);
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== "message" && names[i] !== "name") define(error, names[i], /** @type {any} */ (facts)[names[i]], true, false);
  }
  try {
    const place = site ? stackLines(framesOf(site)) : "\n    (no place: too many calls were made before)";
    define(error, "stack", `Error: ${message}${place}`, false, false);
  } catch {
    // Defining a stack formats the old one first, and the program's Error.prepareStackTrace may throw.
  }
  return error;
};

/**
 * Anything thrown, made readable: never empty, bounded, well said also when it is no error.
 *
 * @param {any} thrown
 * @returns {{name: string, message: string, frames: Frame[]}}
 */
export const exceptionOf = (thrown) => {
  if (!isError(thrown)) return { name: "NonError", message: bounded(`the program threw ${say(thrown)}`), frames: [] };
  const message = part(thrown, "message") || "(an error without a message)";
  const cause = member(thrown, "cause");
  const more = cause === undefined ? "" : ` (cause: ${say(cause)})`;
  return { name: slice(part(thrown, "name") || "Error", 0, NAME), message: bounded(message + more), frames: framesOf(thrown) };
};

/**
 * A value in a message or in an unhandled rejection's line. May ask the program's `toJSON` and getters.
 *
 * @param {any} value
 * @returns {string}
 */
export const say = (value) => {
  if (typeof value === "string") return value === "" ? "an empty string" : `the string ${stringify(value)}`;
  if (isError(value)) return `${part(value, "name") || "Error"}: ${part(value, "message")}${stackLines(framesOf(value))}`;
  if (typeof value === "object" && value !== null) return json(value);
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : "" + value;
};

/** @param {object} value @returns {string} */
export const json = (value) => {
  const { text, refusal, bytes } = encode(value, MESSAGE);
  if (text !== undefined && bytes === 0) return text;
  return refusal ? `an object with ${refusal.found}${refusal.path && " at " + refusal.path}` : "a large object";
};

/** @param {unknown} value @returns {value is object} also for the platform's own errors */
const isError = (value) => {
  if (typeof value !== "object" || value === null) return false;
  try {
    return isPrototypeOf(ErrorPrototype, value) || tagOf(value) === "[object Error]" || tagOf(value) === "[object DOMException]";
  } catch {
    return false;
  }
};

/** @param {any} error @param {string} key @returns {unknown} */
const member = (error, key) => {
  try {
    return error[key];
  } catch {
    return undefined;
  }
};

/** @param {object} error @param {string} key @returns {string} */
const part = (error, key) => {
  const value = member(error, key);
  return typeof value === "string" ? value : value === undefined ? "" : typeof value === "object" && value !== null ? json(value) : say(value);
};

/** @param {string} text */
const bounded = (text) => {
  if (text.length * 3 <= MESSAGE || utf8Prefix(text, MESSAGE).length === text.length) return text;
  return utf8Prefix(text, MESSAGE - 3) + "\u2026";
};
