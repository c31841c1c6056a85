/**
 * What the program calls: `env`, `<module>` and `forage`, built from the names of the operations.
 *
 * Owns: the namespaces and what they answer to names they don't have. Does not own: what a call does;
 * each function only tells the index and the arguments.
 *
 * A namespace is a frozen object without prototype behind a proxy. Its keys are its real names.
 * `then`, `toJSON`, symbols and the members of `Object.prototype` are undefined, so awaiting, logging or
 * encoding a namespace neither hangs nor throws; any other unknown name throws.
 *
 * A namespace is filled and frozen when it is first asked anything, so a run pays for those it uses and
 * not for thousands of others.
 */

import {
  ObjectPrototype,
  ProxyConstructor,
  WeakMapConstructor,
  define,
  freeze,
  global,
  indexOf,
  reflect,
  slice,
  table,
  weakGet,
  weakSet,
} from "./primordials.js";

/** @typedef {import("./wire.js").Task} Task */
/**
 * @typedef {object} Target
 * @property {(index: number, values: unknown[]) => Promise<unknown>} operation
 * @property {(helper: string, values: unknown[]) => Promise<unknown>} helper
 * @property {(path: string) => never} unknown throws for a name nobody has
 */
/** @typedef {{prefix: string, hidden: any, filled: boolean}} State of a namespace; `hidden` is answered, not listed */
/** @typedef {{task: Task, target: Target, handler: any, states: WeakMap<object, State>, made: any}} Bindings */

const HELPERS = freeze(["search", "list", "describe"]);
const TRAPS = freeze([
  "has",
  "ownKeys",
  "getOwnPropertyDescriptor",
  "set",
  "setPrototypeOf",
  "defineProperty",
  "deleteProperty",
  "isExtensible",
  "preventExtensions",
]);

/**
 * Makes the roots globals that can't be overwritten: `env`, and each namespace in it whose name no
 * global has.
 *
 * @param {Task} task
 * @param {Target} target
 * @throws {TypeError} when the isolate has them already
 */
export const installBindings = (task, target) => {
  /** @type {Bindings} */
  const bindings = { task, target, handler: table(), states: new WeakMapConstructor(), made: table() };
  fillHandler(bindings);
  define(global, "env", namespace(bindings, ""), true, true);
  const { operations, hidden, forage } = task;
  for (let i = 0; i < operations.length; i++) {
    const dot = indexOf(operations[i], ".");
    if (dot > 0) installRoot(bindings, slice(operations[i], 0, dot), !(i in hidden));
  }
  if (forage) installRoot(bindings, "forage", true);
};

/** @param {Bindings} bindings @param {string} root @param {boolean} listed */
const installRoot = (bindings, root, listed) => {
  if (!(root in global)) define(global, root, namespace(bindings, root + "."), listed, true);
};

/** @param {Bindings} bindings @param {string} prefix "" or a path with its dot @returns {object} always the same */
const namespace = ({ handler, states, made }, prefix) => {
  if (made[prefix]) return made[prefix];
  const members = table();
  weakSet(states, members, { prefix, hidden: table(), filled: false });
  return (made[prefix] = new ProxyConstructor(members, handler));
};

/** @param {Bindings} bindings */
const fillHandler = (bindings) => {
  const { handler, target } = bindings;
  for (let i = 0; i < TRAPS.length; i++) {
    const natural = reflect[TRAPS[i]];
    handler[TRAPS[i]] = (/** @type {any} */ members, /** @type {any} */ a, /** @type {any} */ b) => {
      ready(bindings, members);
      return natural(members, a, b);
    };
  }
  handler.get = (/** @type {any} */ members, /** @type {string | symbol} */ key) => {
    if (typeof key === "symbol") return undefined;
    const { prefix, hidden } = ready(bindings, members);
    return members[key] ?? hidden[key] ?? (isQuiet(key) ? undefined : target.unknown(prefix + key));
  };
};

/** @param {string} key whether the language and its libraries ask it of any object */
const isQuiet = (key) => key === "then" || key === "toJSON" || key in ObjectPrototype;

/** @param {Bindings} bindings @param {any} members @returns {State} of a namespace that is filled */
const ready = (bindings, members) => {
  const state = /** @type {State} */ (weakGet(bindings.states, members));
  if (!state.filled) {
    // Marked last: where the program's stack is full, filling dies half-way and is done again.
    fill(bindings, members, state);
    freeze(members);
    state.filled = true;
  }
  return state;
};

/** @param {Bindings} bindings @param {any} members @param {State} state */
const fill = (bindings, members, { prefix, hidden }) => {
  const { task, target } = bindings;
  const { operations } = task;
  for (let i = 0; i < operations.length; i++) {
    const path = operations[i];
    if (slice(path, 0, prefix.length) !== prefix) continue;
    const dot = indexOf(path, ".", prefix.length);
    const name = slice(path, prefix.length, dot < 0 ? path.length : dot);
    const into = i in task.hidden ? hidden : members;
    into[name] = dot < 0 ? binding(path, (values) => target.operation(i, values)) : namespace(bindings, prefix + name + ".");
  }
  if (task.forage && prefix === "") members.forage = namespace(bindings, "forage.");
  for (let i = 0; task.forage && prefix === "forage." && i < HELPERS.length; i++) {
    members[HELPERS[i]] = binding("forage." + HELPERS[i], (values) => target.helper(HELPERS[i], values));
  }
};

/** @param {string} path @param {(values: unknown[]) => Promise<unknown>} invoke */
const binding = (path, invoke) => {
  const bound = (/** @type {unknown[]} */ ...values) => invoke(values);
  define(bound, "name", path, false, true);
  return freeze(bound);
};
