/**
 * JSON member by member: the way of values that the engine can't be trusted with.
 *
 * Owns: `toJSON`, dates, wrapped primitives, the refusals and their paths. What is kept and what is
 * refused is told in `json.js`.
 */

import {
  ArrayPrototype,
  ObjectPrototype,
  apply,
  getPrototypeOf,
  hasOwn,
  indexOf,
  isArray,
  isRawJson,
  isWellFormed,
  isoDate,
  keys,
  parseJson,
  slice,
  stringify,
  table,
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
 * What became of a value: its text (undefined for a value JSON leaves out), or why it has none: a
 * refusal, or a size in bytes (at least so many) over the limit.
 *
 * @typedef {{text: string | undefined, refusal: Refusal | undefined, bytes: number}} Encoded
 */
/**
 * @typedef {object} Walk
 * @property {number} limit
 * @property {number} spilled units let go since the text got too long
 * @property {number} depth open containers
 * @property {any} trail the key taken in each
 * @property {any} open the containers themselves
 * @property {Refusal | undefined} refusal
 */

/** @param {unknown} value @param {number} limit @returns {Encoded} each member read once */
export const writeByMember = (value, limit) => {
  /** @type {Walk} */
  const walk = { limit, spilled: 0, depth: 0, trail: table(), open: table(), refusal: undefined };
  try {
    const text = write(walk, value, "");
    return sized(text, walk.spilled, limit);
  } catch (error) {
    if (error !== walk) return { text: undefined, refusal: unreadable(walk), bytes: 0 };
    return { text: undefined, refusal: walk.refusal, bytes: walk.spilled };
  }
};

/** @param {string | undefined} text @param {number} spilled @param {number} limit @returns {Encoded} */
export const sized = (text, spilled, limit) => {
  const units = spilled + (text === undefined ? 0 : text.length);
  const bytes = text !== undefined && units <= limit && units * 3 > limit ? utf8Length(text) : units;
  return { text, refusal: undefined, bytes: bytes > limit ? bytes : 0 };
};

/**
 * @param {Walk} walk
 * @param {any} value
 * @param {string | number} key
 * @returns {string | undefined} undefined for a value that JSON leaves out
 */
const write = (walk, value, key) => {
  switch (typeof value) {
    case "string":
      return writeString(walk, value);
    case "number":
      return value - value === 0 ? "" + value : refuse(walk, "" + value, "use null or a string");
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : writeObject(walk, value, key);
    case "undefined":
      return undefined;
    case "bigint":
      return writeBigInt(walk, value, key);
    case "symbol":
      return refuse(walk, "a symbol", "use a string");
    default:
      return refuse(walk, "a function", "call it, or leave it out");
  }
};

/** @param {Walk} walk @param {any} value @param {string | number} key */
const writeObject = (walk, value, key) => {
  const list = isArray(value);
  const toJson = value.toJSON;
  if (isRawJson(value)) refuse(walk, "a raw JSON value", "use a number or a string");
  if (toJson !== undefined || !(list || isPlain(value))) {
    const other = standIn(walk, value, toJson, key);
    if (other !== value && !isContainer(other)) return write(walk, other, key);
    return writeContainer(walk, other, isArray(other));
  }
  return writeContainer(walk, value, list);
};

/** @param {object} value */
const isPlain = (value) => {
  const prototype = getPrototypeOf(value);
  return prototype === ObjectPrototype || prototype === null;
};

/** @param {unknown} value */
const isContainer = (value) => typeof value === "object" && value !== null;

/**
 * What JSON writes in place of an object: the answer of `toJSON`, a date's text, a wrapped primitive.
 *
 * @param {Walk} walk
 * @param {any} value
 * @param {unknown} toJson its member of that name
 * @param {string | number} key
 */
const standIn = (walk, value, toJson, key) => {
  const tag = isArray(value) || isPlain(value) ? "" : tagOf(value);
  if (tag === "[object Date]" && !hasOwn(value, "toJSON")) return dateText(walk, value);
  if (typeof toJson === "function" && !isPollution(value, toJson)) return apply(toJson, value, ["" + key]);
  if (tag === "[object Number]" || tag === "[object String]" || tag === "[object Boolean]") return parseJson(stringify(value));
  if (tag !== "" && tag !== "[object Object]" && tag !== "[object Arguments]") refuseBuiltIn(walk, tag);
  return value;
};

/**
 * A `toJSON` on `Object.prototype` or `Array.prototype` is nobody's JSON form.
 *
 * @param {object} value
 * @param {unknown} toJson
 */
const isPollution = (value, toJson) => !hasOwn(value, "toJSON") && (hasToJson(ObjectPrototype, toJson) || hasToJson(ArrayPrototype, toJson));

/** @param {any} prototype @param {unknown} toJson */
const hasToJson = (prototype, toJson) => hasOwn(prototype, "toJSON") && prototype.toJSON === toJson;

/** @param {Walk} walk @param {bigint} value @param {string | number} key */
const writeBigInt = (walk, value, key) => {
  const toJson = /** @type {any} */ (value).toJSON;
  const other = typeof toJson === "function" ? apply(toJson, value, ["" + key]) : value;
  return typeof other === "bigint" ? refuse(walk, "a BigInt", "convert it: Number(x) or String(x)") : write(walk, other, key);
};

/** @param {Walk} walk @param {Date} value */
const dateText = (walk, value) => {
  try {
    return isoDate(value);
  } catch {
    return refuse(walk, "an invalid Date", "use null, or a valid date");
  }
};

/** @param {Walk} walk @param {any} value @param {boolean} list */
const writeContainer = (walk, value, list) => {
  const { depth, open } = walk;
  if (depth === DEPTH) refuse(walk, `nested more than ${DEPTH} deep`, "use a flatter value");
  for (let i = 0; i < depth; i++) if (open[i] === value) refuseCycle(walk, i);
  open[depth] = value;
  walk.trail[depth] = undefined;
  walk.depth = depth + 1;
  const text = list ? writeItems(walk, value, depth) : writeMembers(walk, value, depth);
  walk.depth = depth;
  return text;
};

/** @param {Walk} walk @param {any[]} value @param {number} depth */
const writeItems = (walk, value, depth) => {
  const { trail, limit } = walk;
  const { length } = value;
  let text = "[";
  for (let i = 0; i < length; i++) {
    trail[depth] = i;
    const item = write(walk, value[i], i);
    if (item === undefined) refuse(walk, "undefined in an array", "use null, or filter it out");
    text += i === 0 ? item : "," + item;
    if (text.length > limit) text = spill(walk, text);
  }
  return text + "]";
};

/** @param {Walk} walk @param {any} value @param {number} depth */
const writeMembers = (walk, value, depth) => {
  const { trail, limit } = walk;
  const names = keys(value);
  let text = "{";
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    trail[depth] = name;
    const member = write(walk, value[name], name);
    if (member === undefined) continue;
    text += `${text === "{" ? "" : ","}${writeString(walk, name)}:${member}`;
    if (text.length > limit) text = spill(walk, text);
  }
  return text + "}";
};

/** @param {Walk} walk @param {string} value */
const writeString = (walk, value) => {
  if (value.length > walk.limit) return spill(walk, value);
  if (!isWellFormed(value)) refuse(walk, "a text with a lone surrogate", "use text.toWellFormed()");
  return stringify(value);
};

/**
 * Lets a text go that is too long already, and keeps its size.
 *
 * @param {Walk} walk
 * @param {string} text
 */
const spill = (walk, text) => {
  walk.spilled += text.length;
  if (walk.spilled > walk.limit * COUNTED) throw walk;
  return "";
};

/**
 * @param {Walk} walk
 * @param {string} found
 * @param {string} remedy
 * @returns {never}
 */
const refuse = (walk, found, remedy) => {
  walk.refusal = { path: pointer(walk, walk.depth), found, remedy };
  throw walk;
};

/** @param {Walk} walk @param {number} depth of the container met again */
const refuseCycle = (walk, depth) =>
  refuse(walk, `a cycle back to ${pointer(walk, depth) || "the value itself"}`, "leave the reference out, or use an id");

/** @param {Walk} walk @returns {Refusal} */
const unreadable = (walk) => ({
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
  const name = slice(tag, 8, -1) || "object without a JSON form";
  const remedy = slice(name, -5) === "Array" ? "use Array.from(list)" : slice(name, -8) === "Iterator" ? "use [...iterator]" : "return plain data made from it";
  refuse(walk, `${indexOf("AEIOUo", name[0]) < 0 ? "a" : "an"} ${slice(name, 0, 64)}`, REMEDIES[tag] ?? remedy);
};

/**
 * @param {Walk} walk
 * @param {number} depth
 * @returns {string} the JSON Pointer (RFC 6901) of the member `depth` levels down
 */
const pointer = (walk, depth) => {
  let path = "";
  for (let i = 0; i < depth && path.length <= PATH; i++) {
    const key = walk.trail[i];
    if (key !== undefined) path += "/" + escaped("" + key);
  }
  return path.length > PATH ? slice(path, 0, PATH) + "\u2026" : path;
};

/** @param {string} key */
const escaped = (key) => {
  let text = "";
  for (let i = 0; i < key.length && i < PATH; i++) text += key[i] === "~" ? "~0" : key[i] === "/" ? "~1" : key[i];
  return text;
};
