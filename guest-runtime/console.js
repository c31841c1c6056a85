/**
 * The program's `console`: every method of the platform's, writing readable text.
 *
 * Owns: levels, counters, timers, groups. Does not own: how values read (`format.js`, `inspect.js`) nor
 * how much is kept (`log.js`).
 */

import { now } from "./exotics.js";
import { format, formatTable } from "./format.js";
import { cut, inspect } from "./inspect.js";
import { MapConstructor, define, keys, mapDelete, mapGet, mapSet, slice } from "./primordials.js";
import { framesOf, here, stackLines } from "./stack.js";

/** @typedef {import("./wire.js").Level} Level */

/**
 * @param {(level: Level, text: string) => void} write
 * @returns {object} what `globalThis.console` becomes
 */
export const makeConsole = (write) => {
  const counts = new MapConstructor();
  const timers = new MapConstructor();
  let indent = "";

  /** @param {Level} level @param {string} text */
  const put = (level, text) => write(level, indent === "" ? text : indented(text, indent));
  /** @param {Level} level */
  const printer = (level) => (/** @type {unknown[]} */ ...values) => put(level, format(values));
  const group = (/** @type {unknown[]} */ ...values) => {
    if (values.length) put("log", format(values));
    if (indent.length < 40) indent += "  ";
  };
  const dir = (/** @type {unknown} */ value) => put("log", inspect(value));
  const nothing = () => {};

  /** @type {Record<string, (...values: any[]) => void>} */
  const methods = {
    __proto__: /** @type {any} */ (null),
    debug: printer("debug"),
    log: printer("log"),
    info: printer("info"),
    warn: printer("warn"),
    error: printer("error"),
    dir,
    dirxml: printer("log"),
    table: (value, columns) => put("log", formatTable(value, columns)),
    trace: (...values) => put("log", `Trace${values.length ? ": " + format(values) : ""}${stackLines(framesOf(here()))}`),
    assert: (condition, ...values) => {
      if (!condition) put("error", `Assertion failed${values.length ? ": " + format(values) : ""}`);
    },
    group,
    groupCollapsed: group,
    groupEnd: () => {
      indent = slice(indent, 2);
    },
    count: (label) => {
      const name = labelOf(label);
      const count = (mapGet(counts, name) ?? 0) + 1;
      mapSet(counts, name, count);
      put("info", `${name}: ${count}`);
    },
    countReset: (label) => {
      if (!mapDelete(counts, labelOf(label))) put("warn", `Count for '${labelOf(label)}' does not exist`);
    },
    time: (label) => {
      const name = labelOf(label);
      if (mapGet(timers, name) === undefined) mapSet(timers, name, now());
      else put("warn", `Timer '${name}' already exists`);
    },
    timeLog: (label, ...values) => elapsed(labelOf(label), values),
    timeEnd: (label) => {
      elapsed(labelOf(label), []);
      mapDelete(timers, labelOf(label));
    },
    clear: nothing,
    profile: nothing,
    profileEnd: nothing,
    timeStamp: nothing,
  };

  /** @param {string} name @param {unknown[]} values */
  const elapsed = (name, values) => {
    const start = mapGet(timers, name);
    if (start === undefined) return put("warn", `Timer '${name}' does not exist`);
    put("info", `${name}: ${now() - start} ms${values.length ? " " + format(values) : ""}`);
  };

  const made = {};
  const names = keys(methods);
  for (let i = 0; i < names.length; i++) {
    define(made, names[i], methods[names[i]], true, false);
  }
  return made;
};

/** @param {unknown} label */
const labelOf = (label) => (label === undefined ? "default" : typeof label === "string" ? cut(label) : inspect(label));

/** @param {string} text @param {string} indent */
const indented = (text, indent) => {
  let out = indent;
  for (let i = 0; i < text.length; i++) out += text[i] === "\n" ? "\n" + indent : text[i];
  return out;
};
