/**
 * Values to JSON text, with nothing lost silently.
 *
 * Owns: what is JSON and what is refused, with the path of the offender and the way out. Does not
 * own: what a refusal means for a call or a run, nor reading JSON.
 *
 * As `JSON.stringify`: `toJSON` is honoured, `Date` becomes its ISO text, wrapped primitives are
 * unwrapped, `-0` becomes `0`, members that are `undefined`, non-enumerable or named by a symbol are
 * left out, class instances give their own enumerable members, getters are read.
 *
 * Refused, where `JSON.stringify` would drop or change: functions, symbols, BigInt (unless the
 * program gave `BigInt.prototype` a `toJSON`), NaN and infinities, invalid dates, `undefined` or holes
 * in arrays, Map, Set, Error, Promise, RegExp, typed arrays and every other built-in without a JSON
 * form, cycles, lone surrogates in texts and keys, more than 128 nested containers, members that throw.
 * A `toJSON` on `Object.prototype` or `Array.prototype` is not asked.
 *
 * Two ways. Plain data (nearly every value) is looked through once and written by the engine. All else
 * is written member by member, which finds paths and reads each member once. On the first way members
 * are read twice, so a getter or proxy may answer twice: what is sent is its second answer.
 */

import { ObjectPrototype, getPrototypeOf, indexOf, isArray, keys, stringify } from "./primordials.js";
import { DEPTH, sized, writeByMember } from "./members.js";

/** @typedef {import("./members.js").Encoded} Encoded */

/**
 * @param {unknown} value
 * @param {number} limit bytes of UTF-8 the text may have
 * @returns {Encoded}
 */
export const encode = (value, limit) => {
  try {
    const text = writePlain(value, limit);
    if (text !== undefined) return sized(text, 0, limit);
  } catch {
    // A member threw, or the stack is full: the other way tells which.
  }
  return writeByMember(value, limit);
};

/**
 * @param {unknown} value
 * @param {number} limit
 * @returns {string | undefined} undefined unless it is plain data that may fit
 */
const writePlain = (value, limit) => {
  if (!isPlainData({ left: limit }, [value], 0)) return undefined;
  const text = stringify(value);
  // The engine escapes lone surrogates, which not every reader of JSON takes.
  return indexOf(text, "\\ud") < 0 ? text : undefined;
};

/**
 * @param {{left: number}} budget units the text may still have, at the least
 * @param {any} value
 * @param {number} depth
 * @returns {boolean} whether the engine writes it as it is
 */
const isPlainData = (budget, value, depth) => {
  if (value === null) return true;
  if (depth > DEPTH || value.toJSON !== undefined) return false;
  const list = isArray(value);
  if (!list && getPrototypeOf(value) !== ObjectPrototype) return false;
  const names = list ? value : keys(value);
  const { length } = names;
  if ((budget.left -= length) < 0) return false;
  for (let i = 0; i < length; i++) {
    if (!list) budget.left -= names[i].length;
    const member = list ? value[i] : value[names[i]];
    switch (typeof member) {
      case "string":
        budget.left -= member.length;
        break;
      case "boolean":
        break;
      case "number":
        if (member - member !== 0) return false;
        break;
      case "object":
        if (!isPlainData(budget, member, depth + 1)) return false;
        break;
      case "undefined":
        if (list) return false;
        break;
      default:
        return false;
    }
  }
  return budget.left >= 0;
};
