/**
 * The guest's side of the wire, protocol version 1: texts out, checked frames in.
 *
 * Owns the grammar and nothing else: no socket, no state, no meaning of a call. Frames are
 * WebSocket text messages, each one JSON array. The host speaks first.
 *
 *     host -> guest
 *       ["run", 1, {operations, limits, hidden?, forage?}]          once, first
 *         operations  distinct dotted paths; the position is the operation index
 *         hidden      indexes that can be called but are not listed or suggested
 *         limits      {calls, frameBytes, flightBytes, resultBytes, logBytes, logLines}, positive integers
 *         forage      true when forage.search/list/describe are answered
 *       ["value", id, value?]                                     no value: undefined
 *       ["error", id, {code, message, ...}]                         id: an ordinal, or "f0", "f1", ...
 *
 *     guest -> host
 *       ["call", ordinal, operationIndex, input?]                 no input: called without one
 *       ["void", ordinal, operationIndex, {code, path, found, remedy}]
 *         the call was made and uses its ordinal, but its input can't be sent; `code` is
 *         "input-invalid". The guest has rejected it already: no reply.
 *       ["forage", id, "search" | "list" | "describe", input?]    id: "f0", "f1", ...; no ordinal
 *       ["log", level, text]                                      debug, log, info, warn, error
 *       ["done", value?]                                          no value: returned undefined
 *       ["failed", {kind, ...}]                                     "done" or "failed": once, last
 *
 *     failed kinds
 *       guest-exception        {name, message, frames}
 *       call                   {ordinal, code, message, frames}   the uncaught error is a call's own
 *       forage                 {code, message, frames}            ... or a forage helper's own
 *       operation-unknown      {path, nearest, message, frames}
 *       call-budget-exceeded   {limit, message, frames}
 *       result-invalid         {path, found, remedy}
 *       result-too-large       {bytes, limit, outline}            bytes: at least so many
 *       bad-protocol           {message, versions}
 *
 * Ordinals arrive as 0, 1, 2, ... over `call` and `void` together, in the order of the calls.
 * `frames` is [[line, column, function], ...], innermost first, positions in `program.js` (1-based),
 * at most 16. `path` is a JSON Pointer into the value ("" is the value itself). Texts are well-formed
 * Unicode; `message`, `found` and `name` are bounded. Containers in a value nest at most 128 deep.
 */

import { isArray, keys, parseJson, stringify, table, wellFormed } from "./primordials.js";

/** The one protocol version this harness speaks. */
export const VERSION = 1;

/** @typedef {{calls: number, frameBytes: number, flightBytes: number, resultBytes: number, logBytes: number, logLines: number}} Limits */
/**
 * What the host asked for; `hidden` is a table of operation indexes.
 *
 * @typedef {{operations: string[], hidden: any, limits: Limits, forage: boolean}} Task
 */
/** @typedef {{kind: "run", task: Task}} RunFrame */
/** @typedef {{kind: "value" | "error", id: unknown, body: any}} ReplyFrame */
/** @typedef {"debug" | "log" | "info" | "warn" | "error"} Level */
/** @typedef {[line: number, column: number, name: string]} Frame */
/** @typedef {import("./members.js").Refusal} Refusal */

/** @param {string} text @returns {string} a JSON string that every host can decode */
const quote = (text) => stringify(wellFormed(text));

/** @param {string | undefined} json */
const last = (json) => (json === undefined ? "]" : `,${json}]`);

/** @param {number} ordinal @param {number} index @param {string | undefined} input JSON text */
export const callText = (ordinal, index, input) => `["call",${ordinal},${index}${last(input)}`;

/** @param {number} ordinal @param {number} index @param {Refusal} refusal */
export const voidText = (ordinal, index, refusal) => `["void",${ordinal},${index},${record({ code: "input-invalid", ...refusal })}]`;

/** @param {string} id @param {string} helper @param {string | undefined} input JSON text */
export const forageText = (id, helper, input) => `["forage","${id}","${helper}"${last(input)}`;

/** @param {Level} level @param {string} text */
export const logText = (level, text) => `["log","${level}",${quote(text)}]`;

/** @param {string | undefined} value JSON text */
export const doneText = (value) => `["done"${last(value)}`;

/** @param {object} failure of strings, numbers and lists of them */
export const failedText = (failure) => `["failed",${record(failure)}]`;

/** @param {any} value @returns {string} */
const plain = (value) => {
  if (!isArray(value)) return typeof value === "number" ? "" + value : quote(value);
  let text = "";
  for (let i = 0; i < value.length; i++) text += (i ? "," : "") + plain(value[i]);
  return `[${text}]`;
};

/** @param {any} fields @returns {string} */
const record = (fields) => {
  const names = keys(fields);
  let text = "";
  for (let i = 0; i < names.length; i++) text += `${i ? "," : ""}"${names[i]}":${plain(fields[names[i]])}`;
  return `{${text}}`;
};

/**
 * Reads one frame of the host.
 *
 * @param {unknown} text
 * @returns {RunFrame | ReplyFrame | string} the frame, or what is wrong with it
 */
export const readFrame = (text) => {
  if (typeof text !== "string") return "a binary frame";
  let frame;
  try {
    frame = parseJson(text);
  } catch {
    return "a frame that is not JSON";
  }
  if (!isArray(frame) || frame.length < 2) return "a frame that is not an array of a kind and more";
  const kind = frame[0];
  if (kind === "run" && frame.length === 3) return readRun(frame[1], frame[2]);
  if (kind !== "value" && kind !== "error") return "a frame of an unknown kind";
  return { kind, id: frame[1], body: frame.length > 2 ? frame[2] : undefined };
};

/** @param {unknown} version @param {any} task @returns {RunFrame | string} */
const readRun = (version, task) => {
  if (version !== VERSION) return `a protocol version other than ${VERSION}`;
  const { operations, limits, hidden, forage } = task ?? {};
  if (!isArray(operations) || !areLimits(limits)) return "a run frame without operations and limits";
  return { kind: "run", task: { operations, hidden: tableOf(hidden ?? []), limits, forage: forage === true } };
};

/** @param {any} limits @returns {limits is Limits} */
const areLimits = (limits) => {
  const { calls, frameBytes, flightBytes, resultBytes, logBytes, logLines } = limits ?? {};
  return calls > 0 && frameBytes > 0 && flightBytes > 0 && resultBytes > 0 && logBytes > 0 && logLines > 0;
};

/** @param {number[]} members @returns {any} */
const tableOf = (members) => {
  const found = table();
  for (let i = 0; i < members.length; i++) found[members[i]] = true;
  return found;
};
