/**
 * The `console` of a program that never says the word.
 *
 * The host may load this file under the name `console.js`, and leave out `exotics.js`, `format.js` and
 * `inspect.js`, when the program's text does not contain `console`: such runs then don't pay for them.
 * A program reaches it only by a computed name. Same methods and levels; texts as they are, the rest as
 * JSON; tables, counters and timers write their arguments.
 */

import { say } from "./exception.js";
import { define, table } from "./primordials.js";

/** @typedef {import("./wire.js").Level} Level */

const METHODS =
  "debug log info warn error dir dirxml table trace assert group groupCollapsed groupEnd count countReset time timeLog timeEnd clear profile profileEnd timeStamp";

/**
 * @param {(level: Level, text: string) => void} write
 * @returns {object} what `globalThis.console` becomes
 */
export const makeConsole = (write) => {
  const levels = table();
  levels.debug = "debug";
  levels.info = "info";
  levels.warn = "warn";
  levels.error = levels.assert = "error";
  const made = {};
  let name = "";
  for (let i = 0; i <= METHODS.length; i++) {
    if (i < METHODS.length && METHODS[i] !== " ") name += METHODS[i];
    else {
      const level = levels[name] ?? "log";
      define(made, name, (/** @type {unknown[]} */ ...values) => write(level, joined(values)), true, false);
      name = "";
    }
  }
  return made;
};

/** @param {unknown[]} values */
const joined = (values) => {
  let text = "";
  for (let i = 0; i < values.length; i++) text += (i ? " " : "") + (typeof values[i] === "string" ? values[i] : say(values[i]));
  return text;
};
