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

import { ObjectPrototype, ProxyConstructor, define, freeze, global, indexOf, keys, slice, table } from "./primordials.js";

/** @typedef {import("./wire.js").Task} Task */
/** @typedef {(values: unknown[]) => Promise<unknown>} Invoke */
/**
 * @typedef {object} Target
 * @property {(index: number, values: unknown[]) => Promise<unknown>} call
 * @property {(helper: string, values: unknown[]) => Promise<unknown>} forage
 * @property {(path: string) => never} unknown throws for a name nobody has
 */
/** @typedef {{names: any, hidden: any}} Branch tables of functions and branches: listed, and only answered */

const HELPERS = freeze(["search", "list", "describe"]);

/**
 * @param {Task} task
 * @param {Target} target
 * @returns {object} the value of `env`
 */
export const makeEnv = ({ operations, hidden, forage }, target) => {
  const root = branch();
  for (let i = 0; i < operations.length; i++) {
    plant(root, operations[i], (values) => target.call(i, values), i in hidden);
  }
  for (let i = 0; forage && i < HELPERS.length; i++) {
    plant(root, "forage." + HELPERS[i], (values) => target.forage(HELPERS[i], values), false);
  }
  return namespace(root, "", target.unknown);
};

/**
 * Makes the roots globals that can't be overwritten: `env`, and each namespace in it whose name no
 * global has.
 *
 * @param {Task} task
 * @param {any} env
 * @throws {TypeError} when an isolate has had them already
 */
export const installGlobals = ({ operations, forage }, env) => {
  define(global, "env", env, true, true);
  for (let i = 0; i < operations.length; i++) {
    const dot = indexOf(operations[i], ".");
    const root = slice(operations[i], 0, dot);
    if (dot > 0 && !(root in global)) define(global, root, env[root], root in env, true);
  }
  if (forage && !("forage" in global)) define(global, "forage", env.forage, true, true);
};

/** @returns {Branch} */
const branch = () => ({ names: table(), hidden: table() });

/** @param {Branch} root @param {string} path @param {Invoke} invoke @param {boolean} hidden */
const plant = (root, path, invoke, hidden) => {
  let at = root;
  let from = 0;
  for (let dot = indexOf(path, "."); dot >= 0; dot = indexOf(path, ".", from)) {
    at = child(at, slice(path, from, dot), hidden);
    from = dot + 1;
  }
  const bound = (/** @type {unknown[]} */ ...values) => invoke(values);
  define(bound, "name", path, false, true);
  (hidden ? at.hidden : at.names)[slice(path, from)] = freeze(bound);
};

/** A branch is listed once anything in it is. @param {Branch} at @param {string} name @param {boolean} hidden @returns {Branch} */
const child = ({ names, hidden: unlisted }, name, hidden) => {
  const found = names[name] ?? unlisted[name] ?? branch();
  if (hidden && !names[name]) unlisted[name] = found;
  else {
    names[name] = found;
    delete unlisted[name];
  }
  return found;
};

/** @param {Branch} at @param {string} prefix @param {Target["unknown"]} unknown @returns {object} */
const namespace = (at, prefix, unknown) => {
  const members = grown(at.names, prefix, unknown);
  const hidden = grown(at.hidden, prefix, unknown);
  const handler = table();
  handler.get = (/** @type {any} */ _, /** @type {string | symbol} */ key) => {
    if (typeof key === "symbol") return undefined;
    return members[key] ?? hidden[key] ?? (isQuiet(key) ? undefined : unknown(prefix + key));
  };
  return new ProxyConstructor(members, handler);
};

/** @param {any} names @param {string} prefix @param {Target["unknown"]} unknown @returns {any} */
const grown = (names, prefix, unknown) => {
  const members = table();
  const list = keys(names);
  for (let i = 0; i < list.length; i++) {
    const member = names[list[i]];
    members[list[i]] = typeof member === "function" ? member : namespace(member, `${prefix}${list[i]}.`, unknown);
  }
  return freeze(members);
};

/** @param {string} key whether the language and its libraries ask it of any object */
const isQuiet = (key) => key === "then" || key === "toJSON" || key in ObjectPrototype;
