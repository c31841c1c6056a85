/**
 * The intrinsics the harness works with, taken before the program is imported.
 *
 * Owns: the only mentions of globals and of their methods on the way of every run (`exotics.js` has
 * those that only readable text needs). A program that overwrites `JSON`, `Promise` or a prototype
 * changes its own world and nothing of the harness. Does not own: the platform objects of one run,
 * which the entry binds before it imports the program.
 *
 * Rules for the rest of the harness, because pollution reaches further than names do:
 * - no `for...of`, spread of arrays, array destructuring, `push` or new indexes on arrays (they go
 *   through `Array.prototype`): walk by index, build text, `append`, or keep a `table`;
 * - no `split`, `replace` or regular expressions (they look symbols up on prototypes);
 * - no `await` and no `.then`: `whenSettled`;
 * - only own members of records are read; what may be missing is looked up in a `table`.
 *
 * Everything exported is a function or a frozen value: importing this module from a program gives
 * it nothing it did not have. Sources are ASCII: V8 reads those in one byte a character.
 */

/**
 * Turns a method into a function that takes its receiver first.
 *
 * @type {<T, A extends unknown[], R>(method: (this: T, ...rest: A) => R) => (self: T, ...rest: A) => R}
 */
export const uncurry = Function.prototype.bind.bind(/** @type {any} */ (Function.prototype.call));

/** @param {object} of @param {PropertyKey} key @returns {(self: any) => any} */
export const uncurryGetter = (of, key) => uncurry(/** @type {any} */ (getOwnPropertyDescriptor(of, key)?.get));

export const { apply } = Reflect;
/** What each trap of a proxy does when there is none. @type {any} */
export const reflect = { __proto__: null };
for (const name of Object.getOwnPropertyNames(Reflect)) reflect[name] = /** @type {any} */ (Reflect)[name];
export const {
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  keys,
  prototype: ObjectPrototype,
} = Object;
export const { isArray, prototype: ArrayPrototype } = Array;
export const { parse: parseJson, stringify } = JSON;
/** Older engines don't have it, nor the values it knows. @type {(value: unknown) => boolean} */
export const isRawJson = /** @type {any} */ (JSON).isRawJSON ?? (() => false);
export const {
  Error: ErrorConstructor,
  Map: MapConstructor,
  Promise: PromiseConstructor,
  Proxy: ProxyConstructor,
  WeakMap: WeakMapConstructor,
  globalThis: global,
  setTimeout: later,
} = globalThis;
export const { prototype: ErrorPrototype } = Error;

const { defineProperty } = Object;
const encoder = new TextEncoder();
const Bytes = Uint8Array;

freeze(reflect);
export const tagOf = uncurry(ObjectPrototype.toString);
export const isPrototypeOf = uncurry(ObjectPrototype.isPrototypeOf);
export const isoDate = uncurry(Date.prototype.toISOString);
export const indexOf = uncurry(String.prototype.indexOf);
export const lastIndexOf = uncurry(String.prototype.lastIndexOf);
export const lower = uncurry(String.prototype.toLowerCase);
export const slice = uncurry(String.prototype.slice);
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const wellFormed = uncurry(String.prototype.toWellFormed);
export const mapDelete = uncurry(Map.prototype.delete);
export const mapEach = uncurry(Map.prototype.forEach);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const weakGet = uncurry(WeakMap.prototype.get);
export const weakSet = uncurry(WeakMap.prototype.set);
export const typedLength = uncurryGetter(getPrototypeOf(Uint8Array.prototype), "length");
const encodeText = uncurry(encoder.encode);
const encodeInto = uncurry(encoder.encodeInto);
const then = uncurry(Promise.prototype.then);

/** @returns {any} an empty table: no prototype, so that only what is put in is found */
export const table = () => ({ __proto__: null });

/**
 * Defines a member, whatever its like is called on prototypes.
 *
 * @param {object} target
 * @param {PropertyKey} name
 * @param {unknown} value
 * @param {boolean} enumerable
 * @param {boolean} fixed neither writable nor configurable
 */
export const define = (target, name, value, enumerable, fixed) => {
  const member = table();
  member.value = value;
  member.enumerable = enumerable;
  member.writable = member.configurable = !fixed;
  defineProperty(target, name, member);
};

/**
 * Defines a member that is made when it is first asked for, and plain from then on.
 *
 * @param {object} target
 * @param {PropertyKey} name
 * @param {() => unknown} make
 */
export const defineLazy = (target, name, make) => {
  const member = table();
  member.configurable = true;
  member.set = (/** @type {unknown} */ value) => define(target, name, value, false, false);
  member.get = () => {
    const value = make();
    member.set(value);
    return value;
  };
  defineProperty(target, name, member);
};

/**
 * Adds to the end of a list without asking `Array.prototype`.
 *
 * @template T
 * @param {T[]} list
 * @param {T} value
 */
export const append = (list, value) => define(list, list.length, value, true, false);

/** @param {string} text @returns {number} its length in UTF-8 bytes */
export const utf8Length = (text) => typedLength(encodeText(encoder, text));

/** @param {string} text @param {number} bytes @returns {string} the longest start that fits in so many bytes */
export const utf8Prefix = (text, bytes) => slice(text, 0, encodeInto(encoder, text, new Bytes(bytes)).read);

/**
 * Calls back when a native promise settles, whatever became of `Promise.prototype`: an own
 * `constructor` keeps `then` from asking the prototype which class to build.
 *
 * @param {unknown} promise
 * @param {(value: any) => void} onValue
 * @param {(error: any) => void} onError
 * @throws {TypeError} when it is not a native promise, or is frozen
 */
export const whenSettled = (promise, onValue, onError) => {
  define(/** @type {object} */ (promise), "constructor", undefined, false, false);
  then(/** @type {Promise<any>} */ (promise), onValue, onError);
};
