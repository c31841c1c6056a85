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
 * program gave `BigInt.prototype` a `toJSON`), NaN and ±Infinity, invalid dates, `undefined` or holes
 * in arrays, Map, Set, Error, Promise, RegExp, typed arrays and every other built-in without a JSON
 * form, cycles, lone surrogates in texts and keys, more than 128 nested containers, getters that throw.
 *
 * One walk, each member read once: a proxy or getter can't show the check one value and the text another.
 */

import {
  ArrayPrototype,
  ObjectPrototype,
  apply,
  booleanOf,
  charCode,
  dateTime,
  getPrototypeOf,
  hasOwn,
  indexOf,
  isArray,
  isWellFormed,
  isoDate,
  keys,
  numberOf,
  slice,
  stringOf,
  stringify,
  tagOf,
  utf8Length,
} from "./primordials.js";

/** Containers a value may nest. */
export const DEPTH = 128;

/** Counting goes on past the limit, so that the failure can tell the size, but not for ever. */
const COUNTED = 16;

/** Units of UTF-16 of a path that are kept. */
const PATH = 512;

/** @typedef {{path: string, found: string, remedy: string}} Refusal */
/**
 * @typedef {{ok: true, text: string | undefined} | {ok: false, refusal: Refusal} | {ok: false, bytes: number}} Encoded
 *   `text` is undefined for a value JSON leaves out; `bytes` (at least so many) for one over the limit
 */
/** @typedef {{limit: number, units: number, depth: number, trail: any, open: any, refusal: Refusal | undefined}} Walk */

/**
 * @param {unknown} value
 * @param {number} limit bytes of UTF-8 the text may have
 * @returns {Encoded}
 */
export const encode = (value, limit) => {
  /** @type {Walk} */
  const walk = {
    __proto__: null,
    limit,
    units: 0,
    depth: 0,
    trail: { __proto__: null },
    open: { __proto__: null },
    refusal: undefined,
  };
  try {
    const text = write(walk, value, "");
    const bytes = text === undefined || text.length * 3 <= limit ? 0 : utf8Length(text);
    if (walk.units <= limit && bytes <= limit) return { __proto__: null, ok: true, text };
    return { __proto__: null, ok: false, bytes: walk.units > bytes ? walk.units : bytes };
  } catch (error) {
    if (error !== walk) return { __proto__: null, ok: false, refusal: unreadable(walk) };
    if (walk.refusal) return { __proto__: null, ok: false, refusal: walk.refusal };
    return { __proto__: null, ok: false, bytes: walk.units };
  }
};

/**
 * @param {Walk} walk
 * @param {any} value
 * @param {string} key
 * @returns {string | undefined} undefined for a value that JSON leaves out
 */
const write = (walk, value, key) => {
  if (typeof value === "object" ? value !== null : typeof value === "bigint") value = standIn(walk, value, key);
  switch (typeof value) {
    case "string":
      return writeString(walk, value);
    case "number":
      if (value - value !== 0) refuse(walk, "" + value, "use null or a string");
      return count(walk, "" + value);
    case "boolean":
      return count(walk, value ? "true" : "false");
    case "undefined":
      return undefined;
    case "object":
      if (value === null) return count(walk, "null");
      return writeContainer(walk, value);
    case "bigint":
      return refuse(walk, "a BigInt", "convert it: Number(x) or String(x)");
    case "symbol":
      return refuse(walk, "a symbol", "use a string");
    default:
      return refuse(walk, "a function", "call it, or leave it out");
  }
};

/**
 * What JSON writes in place of a value: the answer of `toJSON`, a date's text, a wrapped primitive.
 *
 * @param {Walk} walk
 * @param {any} value
 * @param {string} key
 */
const standIn = (walk, value, key) => {
  const tag = typeof value === "object" && !isPlain(value) ? tagOf(value) : "";
  if (tag === "[object Date]" && !hasOwn(value, "toJSON")) return dateText(walk, value);
  const toJson = value.toJSON;
  if (typeof toJson === "function" && !isPollution(value, toJson)) return apply(toJson, value, [key]);
  if (tag === "[object Number]") return numberOf(value);
  if (tag === "[object String]") return stringOf(value);
  if (tag === "[object Boolean]") return booleanOf(value);
  if (tag !== "" && tag !== "[object Object]" && tag !== "[object Arguments]") refuseBuiltIn(walk, tag);
  return value;
};

/** @param {object} value */
const isPlain = (value) => {
  if (isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === ObjectPrototype || prototype === null;
};

/**
 * A `toJSON` on `Object.prototype` or `Array.prototype` is nobody's JSON form.
 *
 * @param {any} value
 * @param {unknown} toJson
 */
const isPollution = (value, toJson) =>
  typeof value === "object" && !hasOwn(value, "toJSON") &&
  ((hasOwn(ObjectPrototype, "toJSON") && /** @type {any} */ (ObjectPrototype).toJSON === toJson) ||
    (hasOwn(ArrayPrototype, "toJSON") && /** @type {any} */ (ArrayPrototype).toJSON === toJson));

/** @param {Walk} walk @param {Date} value */
const dateText = (walk, value) => {
  const time = dateTime(value);
  return time - time === 0 ? isoDate(value) : refuse(walk, "an invalid Date", "use null, or a valid date");
};

/** @param {Walk} walk @param {any} value */
const writeContainer = (walk, value) => {
  const { depth, open } = walk;
  if (depth === DEPTH) refuse(walk, `more than ${DEPTH} nested containers`, "return a flatter value");
  for (let i = 0; i < depth; i++) {
    if (open[i] === value) refuse(walk, `a cycle back to ${pointer(walk, i) || "the value itself"}`, "leave the reference out, or use an id");
  }
  open[depth] = value;
  walk.depth = depth + 1;
  const text = isArray(value) ? writeArray(walk, value, depth) : writeObject(walk, value, depth);
  walk.depth = depth;
  return text;
};

/** @param {Walk} walk @param {any[]} value @param {number} depth */
const writeArray = (walk, value, depth) => {
  const { trail } = walk;
  const { length } = value;
  let text = "";
  count(walk, "[]");
  for (let i = 0; i < length; i++) {
    trail[depth] = i;
    const item = write(walk, value[i], "" + i);
    if (item === undefined) refuse(walk, "undefined in an array", "use null, or filter it out");
    if (i) text += count(walk, ",");
    text += item;
  }
  return `[${text}]`;
};

/** @param {Walk} walk @param {any} value @param {number} depth */
const writeObject = (walk, value, depth) => {
  const { trail } = walk;
  const names = keys(value);
  const { length } = names;
  let text = "";
  count(walk, "{}");
  for (let i = 0; i < length; i++) {
    const name = names[i];
    trail[depth] = name;
    const member = write(walk, value[name], name);
    if (member === undefined) continue;
    if (text !== "" || walk.units > walk.limit) text += count(walk, ",");
    text += writeString(walk, name) + count(walk, ":") + member;
  }
  return `{${text}}`;
};

/** @param {Walk} walk @param {string} value */
const writeString = (walk, value) => {
  if (!isWellFormed(value)) refuse(walk, "a text with a lone surrogate", "use text.toWellFormed()");
  return walk.units + value.length > walk.limit ? count(walk, value) : count(walk, stringify(value));
};

/**
 * Adds to the size; past the limit the text itself is let go.
 *
 * @param {Walk} walk
 * @param {string} text
 */
const count = (walk, text) => {
  walk.units += text.length;
  if (walk.units <= walk.limit) return text;
  if (walk.units > walk.limit * COUNTED) throw walk;
  return "";
};

/**
 * @param {Walk} walk
 * @param {string} found
 * @param {string} remedy
 * @returns {never}
 */
const refuse = (walk, found, remedy) => {
  walk.refusal = { __proto__: null, path: pointer(walk, walk.depth), found, remedy };
  throw walk;
};

/** @param {Walk} walk @returns {Refusal} */
const unreadable = (walk) => ({
  __proto__: null,
  path: pointer(walk, walk.depth),
  found: "a member that throws when it is read",
  remedy: "read it in the program and return plain data",
});

/** @type {any} */
const REMEDIES = {
  __proto__: null,
  "[object Promise]": "await it; for a list, await Promise.all(list)",
  "[object Map]": "use Object.fromEntries(map) or [...map]",
  "[object Set]": "use [...set]",
  "[object Error]": "use { name: error.name, message: error.message }",
  "[object RegExp]": "use String(regexp)",
  "[object Headers]": "use Object.fromEntries(headers)",
  "[object Response]": "use await response.json() or await response.text()",
  "[object ArrayBuffer]": "use Array.from(new Uint8Array(buffer)), or encode it as base64",
  "[object Uint8Array]": "use Array.from(bytes), or bytes.toBase64()",
};

/** @param {Walk} walk @param {string} tag such as "[object Map]" */
const refuseBuiltIn = (walk, tag) => {
  const name = slice(tag, 8, -1);
  const ends = (/** @type {string} */ end) => slice(name, -end.length) === end;
  const other = ends("Array") ? "use Array.from(list)" : ends("Iterator") || ends("Generator") ? "use [...iterator]" : "return plain objects, arrays, strings, numbers, booleans and null";
  const vowel = indexOf("AEIOU", name[0] ?? "") >= 0;
  refuse(walk, name === "" ? "an object without a JSON form" : `${vowel ? "an" : "a"} ${slice(name, 0, 64)}`, REMEDIES[tag] ?? other);
};

/**
 * @param {Walk} walk
 * @param {number} depth
 * @returns {string} the JSON Pointer (RFC 6901) of the member `depth` levels down
 */
const pointer = (walk, depth) => {
  let path = "";
  for (let i = 0; i < depth && path.length <= PATH; i++) path += "/" + escapeKey("" + walk.trail[i]);
  return path.length > PATH ? slice(path, 0, PATH) + "…" : path;
};

/** @param {string} key */
const escapeKey = (key) => {
  if (indexOf(key, "~") < 0 && indexOf(key, "/") < 0) return slice(key, 0, PATH);
  let text = "";
  for (let i = 0; i < key.length && i < PATH; i++) {
    const code = charCode(key, i);
    text += code === 126 ? "~0" : code === 47 ? "~1" : key[i];
  }
  return text;
};
