/**
 * Any value as text for a log line or a message: nested, bounded, and without running the program.
 *
 * Owns: the reading of members for people. Getters are not invoked (`[Getter]`), `toString` and
 * `toJSON` are not asked; a proxy's traps do run, and one that throws reads as `[unreadable]`. Does not
 * own: log levels, the wire form of values.
 *
 * Bounds, per text: 6 levels, 100 members of a container, 1 000 members in all, 10 000 units of a string.
 */

import {
  booleanOf,
  bufferLength,
  charCode,
  functionText,
  mapEntries,
  mapNext,
  mapSize,
  numberOf,
  regExpText,
  setNext,
  setSize,
  setValues,
  stringOf,
  symbolText,
} from "./exotics.js";
import {
  ObjectPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isoDate,
  keys,
  slice,
  stringify,
  table,
  tagOf,
  typedLength,
} from "./primordials.js";
import { framesOf, stackLines } from "./stack.js";

const LEVELS = 6;
const MEMBERS = 100;
const NODES = 1000;
const UNITS = 10_000;

/** @typedef {{nodes: number, depth: number, open: any}} Walk */

/**
 * @param {unknown} value
 * @returns {string}
 */
export const inspect = (value) => show({ nodes: 0, depth: 0, open: table() }, value);

/**
 * A member of an object or of its prototypes, without running a getter.
 *
 * @param {object} object
 * @param {string} key
 * @returns {unknown} undefined when there is none, "[Getter]" for one that was not run
 */
const read = (object, key) => {
  let owner = object;
  for (let i = 0; owner && i < 32; i++) {
    const member = getOwnPropertyDescriptor(owner, key);
    if (member) return hasOwn(member, "value") ? member.value : "[Getter]";
    owner = getPrototypeOf(owner);
  }
  return undefined;
};

/** @param {unknown} value @returns {string} texts as they are, nothing for undefined */
const textOf = (value) => (typeof value === "string" ? value : value === undefined ? "" : inspect(value));

/** @param {object} error @returns {string} its name and message on one line */
const headline = (error) => {
  const name = textOf(read(error, "name")) || "Error";
  const message = textOf(read(error, "message"));
  return message === "" ? name : `${name}: ${message}`;
};

/** @param {Walk} walk @param {any} value @returns {string} */
const show = (walk, value) => {
  switch (typeof value) {
    case "string":
      return stringify(cut(value));
    case "bigint":
      return cut(`${value}n`);
    case "symbol":
      return symbolText(value);
    case "function":
      return `[${slice(functionText(value), 0, 5) === "class" ? "class" : "Function"}${named(value)}]`;
    case "object":
      if (value === null) return "null";
      try {
        return showObject(walk, value);
      } catch {
        return "[unreadable]";
      }
    default:
      return value === 0 && 1 / value < 0 ? "-0" : "" + value;
  }
};

/** @param {string} text */
export const cut = (text) =>
  text.length <= UNITS ? text : `${slice(text, 0, UNITS)}\u2026 ${text.length - UNITS} more characters`;

/** @param {Function} value */
const named = (value) => {
  const name = read(value, "name");
  return typeof name === "string" && name !== "" ? `: ${slice(name, 0, 128)}` : "";
};

/** @param {Walk} walk @param {any} value */
const showObject = (walk, value) => {
  const { depth, open } = walk;
  for (let i = 0; i < depth; i++) if (open[i] === value) return "[Circular]";
  if (depth === LEVELS || walk.nodes > NODES) return isArray(value) ? "[Array]" : "[Object]";
  open[depth] = value;
  walk.depth = depth + 1;
  try {
    return isArray(value) ? showArray(walk, value) : showTagged(walk, value, tagOf(value));
  } finally {
    walk.depth = depth;
  }
};

/** @param {Walk} walk @param {any} value @param {string} tag */
const showTagged = (walk, value, tag) => {
  switch (tag) {
    case "[object Error]":
      return headline(value) + stackLines(framesOf(value)) + brackets(members(walk, value, "stack"), " {", "}", "");
    case "[object Date]":
      return dateText(value);
    case "[object RegExp]":
      return regExpText(value);
    case "[object Map]":
      return brackets(entries(walk, mapEntries(value), mapNext, mapSize(value)), `Map(${mapSize(value)}) {`, "}", `Map(0) {}`);
    case "[object Set]":
      return brackets(entries(walk, setValues(value), setNext, setSize(value)), `Set(${setSize(value)}) {`, "}", `Set(0) {}`);
    case "[object Number]":
      return `[Number: ${numberOf(value)}]`;
    case "[object String]":
      return `[String: ${stringify(cut(stringOf(value)))}]`;
    case "[object Boolean]":
      return `[Boolean: ${booleanOf(value)}]`;
    case "[object ArrayBuffer]":
      return `ArrayBuffer(${bufferLength(value)})`;
    case "[object Promise]":
      return "Promise {}";
    default:
      return showOther(walk, value, slice(tag, 8, -1));
  }
};

/** @param {Date} value */
const dateText = (value) => {
  try {
    return isoDate(value);
  } catch {
    return "Invalid Date";
  }
};

/** @param {Walk} walk @param {any} value @param {string} tag */
const showOther = (walk, value, tag) => {
  const length = typedLengthOf(value);
  if (length >= 0) return brackets(items(walk, value, length), `${tag}(${length}) [`, "]", `${tag}(0) []`);
  const prototype = getPrototypeOf(value);
  const name = prototype === null ? "[Object: null prototype]" : prototype === ObjectPrototype ? "" : className(prototype);
  const prefix = name === "" ? (tag === "Object" ? "" : tag + " ") : name + " ";
  return brackets(members(walk, value, ""), `${prefix}{`, "}", `${prefix}{}`);
};

/** @param {any} value @returns {number} -1 when it is no typed array */
const typedLengthOf = (value) => {
  try {
    return typedLength(value);
  } catch {
    return -1;
  }
};

/** @param {object} prototype */
const className = (prototype) => {
  const maker = read(prototype, "constructor");
  const name = typeof maker === "function" ? read(maker, "name") : "";
  return typeof name === "string" ? slice(name, 0, 128) : "";
};

/** @param {string} inner @param {string} open @param {string} close @param {string} empty */
const brackets = (inner, open, close, empty) =>
  inner === "" ? empty : open[open.length - 1] === "[" ? open + inner + close : `${open} ${inner} ${close}`;

/** @param {Walk} walk @param {any[]} value */
const showArray = (walk, value) => `[${items(walk, value, value.length)}]`;

/** @param {Walk} walk @param {any} value @param {number} length */
const items = (walk, value, length) => {
  let text = "";
  let i = 0;
  for (; i < length && i < MEMBERS && walk.nodes++ <= NODES; i++) {
    const member = getOwnPropertyDescriptor(value, i);
    text += (i ? ", " : "") + (member ? shown(walk, member) : "<empty>");
  }
  return i < length ? `${text}${text && ", "}\u2026 ${length - i} more` : text;
};

/** @param {Walk} walk @param {object} value @param {string} except */
const members = (walk, value, except) => {
  const names = keys(value);
  const { length } = names;
  let text = "";
  let i = 0;
  for (; i < length && i < MEMBERS && walk.nodes++ <= NODES; i++) {
    const member = names[i] === except ? undefined : getOwnPropertyDescriptor(value, names[i]);
    if (member) text += `${text && ", "}${keyText(names[i])}: ${shown(walk, member)}`;
  }
  return i < length ? `${text}${text && ", "}\u2026 ${length - i} more` : text;
};

/** @param {Walk} walk @param {PropertyDescriptor} member */
const shown = (walk, member) => (hasOwn(member, "value") ? show(walk, member.value) : "[Getter]");

/**
 * @param {Walk} walk
 * @param {any} iterator
 * @param {(iterator: any) => any} next
 * @param {number} size
 */
const entries = (walk, iterator, next, size) => {
  let text = "";
  let i = 0;
  for (; i < size && i < MEMBERS && walk.nodes++ <= NODES; i++) {
    const { value } = next(iterator);
    const pair = next === mapNext ? `${show(walk, value[0])} => ${show(walk, value[1])}` : show(walk, value);
    text += (i ? ", " : "") + pair;
  }
  return i < size ? `${text}${text && ", "}\u2026 ${size - i} more` : text;
};

/** @param {string} key @returns {string} bare when it is a plain name */
const keyText = (key) => {
  for (let i = 0; i < key.length; i++) {
    const code = charCode(key, i);
    const letter = (code | 32) >= 97 && (code | 32) <= 122;
    if (!letter && code !== 95 && code !== 36 && !(i && code >= 48 && code <= 57)) return stringify(cut(key));
  }
  return key === "" ? '""' : cut(key);
};
