/**
 * The shape of a value too large to send: enough to choose what to return instead.
 */

import { isArray, keys, slice, stringify } from "./primordials.js";

/** Members that are named. */
const MEMBERS = 20;
/** Units of a key that are kept. */
const KEY = 64;

/**
 * @param {unknown} value
 * @returns {string} such as `array(5000) of { id: number, tags: array(3) }`
 */
export const outline = (value) => {
  try {
    return sketch(value, 2);
  } catch {
    return "a value that can't be read";
  }
};

/** @param {any} value @param {number} levels @returns {string} */
const sketch = (value, levels) => {
  if (typeof value === "string") return `string(${value.length})`;
  if (typeof value !== "object") return typeof value;
  if (value === null) return "null";
  if (!isArray(value)) return levels === 0 ? `object(${keys(value).length})` : `{ ${members(value, levels)} }`;
  if (levels === 0 || value.length === 0) return `array(${value.length})`;
  return `array(${value.length}) of ${sketch(value[0], levels - 1)}`;
};

/** @param {any} value @param {number} levels */
const members = (value, levels) => {
  const names = keys(value);
  let text = "";
  for (let i = 0; i < names.length && i < MEMBERS; i++) {
    text += `${i ? ", " : ""}${stringify(slice(names[i], 0, KEY))}: ${sketch(value[names[i]], levels - 1)}`;
  }
  return names.length > MEMBERS ? `${text}, \u2026 ${names.length - MEMBERS} more` : text;
};
