/**
 * The intrinsics the harness works with, taken before the program is imported.
 *
 * Owns: the only mentions of globals and of their methods in the harness. Every other module
 * imports from here, so a program that overwrites `JSON`, `Promise` or a prototype changes its
 * own world and nothing of the harness. Does not own: platform objects of one run (the socket),
 * which the entry binds before it imports the program.
 *
 * Rules for the rest of the harness, because pollution reaches further than names do:
 * - no `for…of`, spread, array destructuring, `push` or index assignment on arrays (they go through
 *   `Array.prototype`): walk by index, build text, or keep tables without a prototype;
 * - no regular expressions and no `split`/`replace` (they look up symbols on prototypes);
 * - no `await` or `.then` on promises: `settled` below;
 * - property descriptors and records are literals with `__proto__: null`.
 *
 * Everything exported is a function or a frozen value: importing this module from a program gives
 * it nothing it did not have.
 */

/**
 * Turns a method into a function that takes its receiver first.
 *
 * @type {<T, A extends unknown[], R>(method: (this: T, ...rest: A) => R) => (self: T, ...rest: A) => R}
 */
const uncurry = Function.prototype.bind.bind(/** @type {any} */ (Function.prototype.call));

/** @param {object} of @param {PropertyKey} key @returns {any} the getter of an accessor */
const getter = (of, key) => uncurry(/** @type {any} */ (Object.getOwnPropertyDescriptor(of, key)?.get));

export const { apply, ownKeys } = Reflect;
export const {
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  hasOwn,
  keys,
  prototype: ObjectPrototype,
} = Object;
export const { isArray, prototype: ArrayPrototype } = Array;
export const { isSafeInteger } = Number;
export const { now } = Date;
export const { parse: parseJson, stringify } = JSON;
export const { min } = Math;
export const {
  Error: ErrorConstructor,
  Map: MapConstructor,
  Number: NumberConstructor,
  Promise: PromiseConstructor,
  Proxy: ProxyConstructor,
  Symbol: SymbolConstructor,
  TypeError: TypeErrorConstructor,
  WeakMap: WeakMapConstructor,
  globalThis: global,
  setTimeout: later,
} = globalThis;

export const tagOf = uncurry(Object.prototype.toString);
export const isPrototypeOf = uncurry(Object.prototype.isPrototypeOf);
export const sourceOf = uncurry(Function.prototype.toString);
export const isoDate = uncurry(Date.prototype.toISOString);
export const dateTime = uncurry(Date.prototype.getTime);
export const numberOf = uncurry(Number.prototype.valueOf);
export const stringOf = uncurry(String.prototype.valueOf);
export const booleanOf = uncurry(Boolean.prototype.valueOf);
export const symbolText = uncurry(Symbol.prototype.toString);
export const regExpText = uncurry(RegExp.prototype.toString);

export const charCode = uncurry(String.prototype.charCodeAt);
export const indexOf = uncurry(String.prototype.indexOf);
export const lastIndexOf = uncurry(String.prototype.lastIndexOf);
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const lower = uncurry(String.prototype.toLowerCase);
export const repeat = uncurry(String.prototype.repeat);
export const slice = uncurry(String.prototype.slice);
export const startsWith = uncurry(String.prototype.startsWith);
export const wellFormed = uncurry(String.prototype.toWellFormed);

export const mapDelete = uncurry(Map.prototype.delete);
export const mapEntries = uncurry(Map.prototype.entries);
export const mapEach = uncurry(Map.prototype.forEach);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const mapSize = getter(Map.prototype, "size");
export const mapNext = uncurry(Object.getPrototypeOf(new Map().entries()).next);
export const setSize = getter(Set.prototype, "size");
export const setValues = uncurry(Set.prototype.values);
export const setNext = uncurry(Object.getPrototypeOf(new Set().values()).next);
export const weakGet = uncurry(WeakMap.prototype.get);
export const weakSet = uncurry(WeakMap.prototype.set);
export const typedLength = getter(Object.getPrototypeOf(Uint8Array.prototype), "length");
export const bufferLength = getter(ArrayBuffer.prototype, "byteLength");

/**
 * Adds to the end of a list without asking `Array.prototype`.
 *
 * @template T
 * @param {T[]} list
 * @param {T} value
 */
export const append = (list, value) => {
  defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
};

const encodeText = uncurry(TextEncoder.prototype.encode);
const encodeInto = uncurry(TextEncoder.prototype.encodeInto);
const encoder = new TextEncoder();
const Bytes = Uint8Array;
const then = uncurry(Promise.prototype.then);

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
export const settled = (promise, onValue, onError) => {
  defineProperty(/** @type {object} */ (promise), "constructor", { __proto__: null, value: undefined });
  then(/** @type {Promise<any>} */ (promise), onValue, onError);
};
