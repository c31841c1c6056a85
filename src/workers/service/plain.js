/**
 * Values that crossed from another Worker, as JSON text with nothing lost silently.
 *
 * Owns: what of them is data, what is a function, and what is refused with its path. Does not own
 * what a request means. The host's Rust imports it, because a value is cheaper to look through here.
 *
 * As in a guest: `undefined` members are left out, `-0` is `0`, an absent answer is `null`. Refused,
 * where JSON would drop or change: functions where none may be, symbols, BigInt, NaN and infinities,
 * `undefined` or holes in arrays, Date, Map, Set, typed arrays, streams and every other object that is
 * not plain, more than 128 nested containers.
 */

/** The most levels that lists and maps may be nested, as the host's own reader has it. */
const DEPTH = 128;

/** @typedef {{ above: Place, key: string | number } | undefined} Place */
/** @typedef {{ refusal: string | undefined, text: string, paths: string[], functions: Function[] }} Packed */

class Refusal extends Error {}

/** @param {string | number} key */
const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

/**
 * @param {Place} place
 * @returns {string} its JSON pointer
 */
const pointer = (place) => (place ? `${pointer(place.above)}/${escaped(place.key)}` : "");

/**
 * @param {Place} place
 * @param {string} problem
 * @returns {never}
 */
function refuse(place, problem) {
  const path = pointer(place);
  throw new Refusal(path === "" ? problem : `at ${path.slice(0, 256)}: ${problem}`);
}

/**
 * @param {unknown} value
 * @returns {string} what it is, for who has to send something else
 */
function kind(value) {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? "an object of a class" : `a ${tag}`;
}

class Writer {
  /** @type {Packed} */
  packed = { refusal: undefined, text: "", paths: [], functions: [] };

  /**
   * @param {number} units the most that the text may have
   * @param {boolean} keeping whether functions are taken out, or refused
   */
  constructor(units, keeping) {
    this.left = units;
    this.units = units;
    this.keeping = keeping;
  }

  /** @param {string} text */
  put(text) {
    this.left -= text.length;
    if (this.left < 0) refuse(undefined, `it has more than ${this.units} bytes as JSON: send less`);
    this.packed.text += text;
  }

  /**
   * @param {any} value
   * @param {Place} place
   * @param {number} depth
   */
  write(value, place, depth) {
    switch (typeof value) {
      case "string":
        return this.put(JSON.stringify(value));
      case "boolean":
        return this.put(value ? "true" : "false");
      case "number":
        if (!Number.isFinite(value)) refuse(place, `${value} can't be said in JSON: give null or a string`);
        return this.put(JSON.stringify(value));
      case "undefined":
        // Members and items are looked at before, so that it is the whole value.
        return this.put("null");
      case "function":
        return this.keep(value, place);
      case "object":
        return value === null ? this.put("null") : this.container(value, place, depth);
      default:
        return refuse(place, `a ${typeof value} can't be said in JSON: give a string`);
    }
  }

  /**
   * @param {any} value
   * @param {Place} place
   * @param {number} depth
   */
  container(value, place, depth) {
    if (depth > DEPTH) refuse(place, `lists and maps are nested more than ${DEPTH} levels`);
    if (Array.isArray(value)) return this.list(value, place, depth);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      refuse(place, `${kind(value)} can't be said in JSON: give its parts, or a string`);
    }
    return this.map(value, place, depth);
  }

  /**
   * @param {any[]} list
   * @param {Place} place
   * @param {number} depth
   */
  list(list, place, depth) {
    this.put("[");
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.put(",");
      const at = { above: place, key: index };
      if (list[index] === undefined) refuse(at, "undefined in a list can't be said in JSON: give null");
      this.write(list[index], at, depth + 1);
    }
    this.put("]");
  }

  /**
   * @param {Record<string, any>} map
   * @param {Place} place
   * @param {number} depth
   */
  map(map, place, depth) {
    let begun = false;
    this.put("{");
    for (const key of Object.keys(map)) {
      if (map[key] === undefined) continue;
      this.put(`${begun ? "," : ""}${JSON.stringify(key)}:`);
      this.write(map[key], { above: place, key }, depth + 1);
      begun = true;
    }
    this.put("}");
  }

  /**
   * A function stands as null, and beside it with its path.
   * @param {Function} value
   * @param {Place} place
   */
  keep(value, place) {
    if (!this.keeping) refuse(place, "a function can't be said in JSON: give what it gives");
    this.packed.paths.push(pointer(place));
    this.packed.functions.push(value);
    this.put("null");
  }
}

/**
 * Writes `value` as JSON in at most `units` UTF-16 units, with its functions beside when `keeping`:
 * then each is the host's own, until it is let go.
 * @param {unknown} value
 * @param {number} units
 * @param {boolean} keeping
 * @returns {Packed}
 */
export function pack(value, units, keeping) {
  const writer = new Writer(units, keeping);
  try {
    writer.write(value, undefined, 1);
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message, text: "", paths: [], functions: [] };
    throw error;
  }
  const { packed } = writer;
  // What came as an argument ends with its call; a duplicate stays.
  packed.functions = packed.functions.map((stub) => /** @type {any} */ (stub).dup());
  return packed;
}

/**
 * Lets go of what came from another Worker: a stub, or an answer with stubs in it.
 * @param {any} held
 */
export function dispose(held) {
  try {
    held?.[Symbol.dispose]?.();
  } catch {
    // Whoever made it is gone, and it with them.
  }
}
