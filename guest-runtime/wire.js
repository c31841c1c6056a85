/**
 * The guest's side of the wire, protocol version 1: texts out, checked frames in.
 *
 * Owns the grammar and nothing else: no socket, no state, no meaning of a call. Frames are
 * WebSocket text messages, each one JSON array. The host speaks first.
 *
 *     host → guest
 *       ["run", 1, {operations, limits, hidden?, forage?}]        once, first
 *         operations  distinct dotted paths; the position is the operation index
 *         hidden      indexes that can be called but are not listed or suggested
 *         limits      {calls, frameBytes, resultBytes, logBytes, logLines}, positive integers
 *         forage      true when forage.search/list/describe are answered
 *       ["value", id, value?]                                     no value: undefined
 *       ["error", id, {code, message, …}]                         id: an ordinal, or "f0", "f1", …
 *
 *     guest → host
 *       ["call", ordinal, operationIndex, input?]                 no input: called without one
 *       ["void", ordinal, operationIndex, {code, path, found, remedy}]
 *         the call was made and uses its ordinal, but its input can't be sent; `code` is
 *         "input-invalid". The guest has rejected it already: no reply.
 *       ["forage", id, "search" | "list" | "describe", input?]    id: "f0", "f1", …; no ordinal
 *       ["log", level, text]                                      debug, log, info, warn, error
 *       ["done", value?]                                          no value: returned undefined
 *       ["failed", {kind, …}]                                     "done" or "failed": once, last
 *
 *     failed kinds
 *       guest-exception        {name, message, frames}
 *       call                   {ordinal, code, message, frames}   the uncaught error is a call's own
 *       forage                 {code, message, frames}            … or a forage helper's own
 *       operation-unknown      {path, nearest, message, frames}
 *       call-budget-exceeded   {limit, message, frames}
 *       result-invalid         {path, found, remedy}
 *       result-too-large       {bytes, limit, outline}            bytes: at least so many
 *       bad-protocol           {message, versions}
 *
 * Ordinals arrive as 0, 1, 2, … over `call` and `void` together, in the order of the calls.
 * `frames` is [[line, column, function], …], innermost first, positions in `program.js` (1-based),
 * at most 16. `path` is a JSON Pointer into the value ("" is the value itself). Texts are well-formed
 * Unicode; `message`, `found` and `name` are bounded. Containers in a value nest at most 128 deep.
 */

import { hasOwn, isArray, isSafeInteger, keys, parseJson, stringify, wellFormed } from "./primordials.js";

/** The one protocol version this harness speaks. */
export const VERSION = 1;

/** @typedef {{calls: number, frameBytes: number, resultBytes: number, logBytes: number, logLines: number}} Limits */
/** @typedef {{operations: string[], hidden: number[], limits: Limits, forage: boolean}} Task */
/** @typedef {{kind: "run", task: Task} | {kind: "value" | "error", id: number | string, body: any}} HostFrame */
/** @typedef {"debug" | "log" | "info" | "warn" | "error"} Level */
/** @typedef {[line: number, column: number, name: string]} Frame */

const LIMITS = ["calls", "frameBytes", "resultBytes", "logBytes", "logLines"];

/** @param {string} text @returns {string} a JSON string the host can always decode */
export const quote = (text) => stringify(wellFormed(text));

/** @param {number} ordinal @param {number} index @param {string | undefined} input JSON text */
export const callText = (ordinal, index, input) =>
  `["call",${ordinal},${index}${input === undefined ? "" : "," + input}]`;

/** @param {number} ordinal @param {number} index @param {{path: string, found: string, remedy: string}} refusal */
export const voidText = (ordinal, index, refusal) =>
  `["void",${ordinal},${index},${record({ __proto__: null, code: "input-invalid", ...refusal })}]`;

/** @param {string} id @param {string} helper @param {string | undefined} input JSON text */
export const forageText = (id, helper, input) =>
  `["forage","${id}","${helper}"${input === undefined ? "" : "," + input}]`;

/** @param {Level} level @param {string} text */
export const logText = (level, text) => `["log","${level}",${quote(text)}]`;

/** @param {string | undefined} value JSON text */
export const doneText = (value) => (value === undefined ? '["done"]' : `["done",${value}]`);

/** @param {object} failure a record without prototype: strings, numbers, lists of strings, frames */
export const failedText = (failure) => `["failed",${record(failure)}]`;

/** @param {any} value */
const scalar = (value) => (typeof value === "number" ? "" + value : isArray(value) ? list(value) : quote(value));

/** @param {any[]} values @returns {string} */
const list = (values) => {
  let text = "";
  for (let i = 0; i < values.length; i++) text += (i ? "," : "") + scalar(values[i]);
  return `[${text}]`;
};

/** @param {any} fields @returns {string} */
const record = (fields) => {
  const names = keys(fields);
  let text = "";
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (fields[name] !== undefined) text += `${text && ","}"${name}":${scalar(fields[name])}`;
  }
  return `{${text}}`;
};

/**
 * Reads one frame of the host.
 *
 * @param {unknown} text
 * @returns {HostFrame | string} the frame, or what is wrong with it
 */
export const readFrame = (text) => {
  if (typeof text !== "string") return "a binary frame";
  let frame;
  try {
    frame = parseJson(text);
  } catch {
    return "a frame that is not JSON";
  }
  if (!isArray(frame) || frame.length < 2) return "a frame that is not an array with a kind and an id";
  const kind = frame[0];
  if (kind === "run") return readRun(frame[1], frame[2]);
  if (kind !== "value" && kind !== "error") return "a frame of an unknown kind";
  return { __proto__: null, kind, id: frame[1], body: frame.length > 2 ? frame[2] : undefined };
};

/**
 * @param {unknown} version
 * @param {any} task
 * @returns {HostFrame | string}
 */
const readRun = (version, task) => {
  if (version !== VERSION) return "a protocol version other than 1";
  if (typeof task !== "object" || task === null) return "a run frame without a task";
  const { operations, limits } = task;
  if (!isListOf(operations, "string")) return "a run frame whose operations are not a list of names";
  if (!areLimits(limits)) return "a run frame whose limits are not positive integers";
  const hidden = hasOwn(task, "hidden") ? task.hidden : [];
  if (!isListOf(hidden, "number")) return "a run frame whose hidden list is not a list of indexes";
  const forage = hasOwn(task, "forage") && task.forage === true;
  return { __proto__: null, kind: "run", task: { __proto__: null, operations, hidden, limits, forage } };
};

/** @param {any} values @param {string} type */
const isListOf = (values, type) => {
  if (!isArray(values)) return false;
  for (let i = 0; i < values.length; i++) if (typeof values[i] !== type) return false;
  return true;
};

/** @param {any} limits @returns {limits is Limits} */
const areLimits = (limits) => {
  if (typeof limits !== "object" || limits === null) return false;
  for (let i = 0; i < LIMITS.length; i++) {
    const limit = hasOwn(limits, LIMITS[i]) ? limits[LIMITS[i]] : undefined;
    if (!isSafeInteger(limit) || limit < 1) return false;
  }
  return true;
};
