/**
 * What the program calls: `env`, `<module>` and `forage`, built from the names of the operations.
 *
 * Owns: the namespaces and what they answer to names they don't have. Does not own: what a call does;
 * each function only tells the index and the arguments.
 *
 * A namespace is a frozen object without prototype behind a proxy. Its keys are its real names.
 * `then`, `toJSON`, symbols and the members of `Object.prototype` are undefined, so awaiting, logging or
 * encoding a namespace neither hangs nor throws; any other unknown name throws.
 */

import {
  ObjectPrototype,
  ProxyConstructor,
  defineProperty,
  freeze,
  getOwnPropertyNames,
  global,
  indexOf,
  keys,
  slice,
} from "./primordials.js";

/** @typedef {(index: number, values: unknown[]) => Promise<unknown>} Call */
/** @typedef {(path: string) => never} Unknown */
/** @typedef {{operations: string[], hidden: number[], forage: boolean}} Names */

const HELPERS = freeze(["search", "list", "describe"]);

/**
 * @param {Names} names
 * @param {Call} call
 * @param {(helper: string, values: unknown[]) => Promise<unknown>} forage
 * @param {Unknown} unknown throws for a name nobody has
 * @returns {object} the value of `env`
 */
export const makeEnv = (names, call, forage, unknown) => {
  const hidden = tableOf(names.hidden);
  const root = branch();
  for (let i = 0; i < names.operations.length; i++) {
    const path = names.operations[i];
    plant(root, path, binding(path, (values) => call(i, values)), i in hidden);
  }
  if (names.forage) plantForage(root, forage);
  return namespace(root, "", unknown);
};

/**
 * @param {Branch} root
 * @param {(helper: string, values: unknown[]) => Promise<unknown>} forage
 */
const plantForage = (root, forage) => {
  for (let i = 0; i < HELPERS.length; i++) {
    const path = "forage." + HELPERS[i];
    plant(root, path, binding(path, (values) => forage(HELPERS[i], values)), false);
  }
};

/**
 * Makes the roots globals that can't be overwritten: `env`, and each namespace in it whose name no
 * global has.
 *
 * @param {Names} names
 * @param {any} env
 */
export const installGlobals = (names, env) => {
  install("env", env, true);
  for (let i = 0; i < names.operations.length; i++) {
    const dot = indexOf(names.operations[i], ".");
    const root = slice(names.operations[i], 0, dot < 0 ? 0 : dot);
    if (dot > 0 && !(root in global)) install(root, env[root], root in env);
  }
  if (names.forage && !("forage" in global)) install("forage", env.forage, true);
};

/** @param {string} name @param {unknown} value @param {boolean} enumerable */
const install = (name, value, enumerable) =>
  defineProperty(global, name, { __proto__: null, value, writable: false, enumerable, configurable: false });

/** @typedef {{names: any, hidden: any}} Branch names listed, and those only answered */

/** @returns {Branch} */
const branch = () => ({ __proto__: null, names: { __proto__: null }, hidden: { __proto__: null } });

/** @param {PropertyKey[]} members @returns {any} */
const tableOf = (members) => {
  /** @type {any} */
  const table = { __proto__: null };
  for (let i = 0; i < members.length; i++) table[members[i]] = true;
  return table;
};

/** @param {Branch} root @param {string} path @param {Function} leaf @param {boolean} hidden */
const plant = (root, path, leaf, hidden) => {
  let at = root;
  let from = 0;
  for (let dot = indexOf(path, "."); dot >= 0; dot = indexOf(path, ".", from)) {
    at = child(at, slice(path, from, dot), hidden);
    from = dot + 1;
  }
  (hidden ? at.hidden : at.names)[slice(path, from)] = leaf;
};

/** @param {Branch} at @param {string} name @param {boolean} hidden @returns {Branch} */
const child = (at, name, hidden) => {
  const known = at.names[name] ?? at.hidden[name];
  const made = known ?? branch();
  if (hidden) {
    if (!known) at.hidden[name] = made;
  } else if (!(name in at.names)) {
    at.names[name] = made;
    delete at.hidden[name];
  }
  return made;
};

/**
 * @param {string} path
 * @param {(values: unknown[]) => Promise<unknown>} invoke
 */
const binding = (path, invoke) => {
  const bound = (/** @type {unknown[]} */ ...values) => invoke(values);
  defineProperty(bound, "name", { __proto__: null, value: path });
  return freeze(bound);
};

/** @param {Branch} at @param {string} prefix @param {Unknown} unknown @returns {object} */
const namespace = (at, prefix, unknown) => {
  const members = grown(at.names, prefix, unknown);
  const hidden = grown(at.hidden, prefix, unknown);
  /** @param {any} target @param {string | symbol} key */
  const get = (target, key) => {
    if (typeof key === "symbol") return undefined;
    if (key in target) return target[key];
    if (key in hidden) return hidden[key];
    return isQuiet(key) ? undefined : unknown(prefix + key);
  };
  return new ProxyConstructor(members, freeze({ __proto__: null, get }));
};

/** @param {any} names @param {string} prefix @param {Unknown} unknown @returns {object} */
const grown = (names, prefix, unknown) => {
  /** @type {any} */
  const members = { __proto__: null };
  const list = keys(names);
  for (let i = 0; i < list.length; i++) {
    const member = names[list[i]];
    members[list[i]] = typeof member === "function" ? member : namespace(member, `${prefix}${list[i]}.`, unknown);
  }
  return freeze(members);
};

/** @param {string} key names the language and its libraries ask of any object */
const isQuiet = (key) => key === "then" || key === "toJSON" || INHERITED[key] === true;

const INHERITED = tableOf(getOwnPropertyNames(ObjectPrototype));
