/**
 * The names a program may have meant.
 *
 * Owns: the comparison of a name nobody has with the listed ones. Hidden operations are never suggested.
 */

import { append, charCode, indexOf, lastIndexOf, lower, min, slice } from "./primordials.js";

/** Names that are compared; a program that asks for nonsense in a loop pays little. */
const COMPARED = 2000;
/** Units of a name that are compared. */
const UNITS = 64;
/** Names that are suggested. */
const SUGGESTED = 3;

/**
 * @param {string} asked dotted, without `env`
 * @param {string[]} operations
 * @param {any} hidden a table by index
 * @param {boolean} forage
 * @returns {string[]} at most three, nearest first
 */
export const nearest = (asked, operations, hidden, forage) => {
  /** @type {{path: string, distance: number}[]} */
  const best = [{ __proto__: null, path: "", distance: 99 }, { __proto__: null, path: "", distance: 99 }, { __proto__: null, path: "", distance: 99 }];
  const wanted = plain(asked);
  const last = plain(lastSegment(asked));
  const helpers = forage ? ["forage.search", "forage.list", "forage.describe"] : [];
  for (let i = 0; i < helpers.length; i++) consider(best, helpers[i], wanted, last);
  for (let i = 0; i < operations.length && i < COMPARED; i++) {
    if (!(i in hidden)) consider(best, operations[i], wanted, last);
  }
  /** @type {string[]} */
  const names = [];
  for (let i = 0; i < SUGGESTED; i++) if (best[i].path !== "") append(names, best[i].path);
  return names;
};

/**
 * @param {{path: string, distance: number}[]} best
 * @param {string} path
 * @param {string} wanted
 * @param {string} last
 */
const consider = (best, path, wanted, last) => {
  const whole = distance(wanted, plain(path));
  const start = distance(wanted, slice(plain(path), 0, wanted.length));
  const end = distance(last, plain(lastSegment(path)));
  let found = { __proto__: null, path, distance: min(whole, start + 0.5, end + 0.25) };
  if (found.distance > min(4, wanted.length / 2)) return;
  for (let i = 0; i < SUGGESTED; i++) {
    if (found.distance >= best[i].distance) continue;
    const worse = best[i];
    best[i] = found;
    found = worse;
  }
};

/** @param {string} path */
const lastSegment = (path) => slice(path, lastIndexOf(path, ".") + 1);

/** @param {string} name @returns {string} its letters and digits, in lower case */
const plain = (name) => {
  let text = "";
  for (let i = 0; i < name.length && text.length < UNITS; i++) {
    if (indexOf("._-$ /", name[i]) < 0) text += name[i];
  }
  return lower(text);
};

/** @param {string} a @param {string} b @returns {number} Levenshtein's */
const distance = (a, b) => {
  /** @type {any} */
  const row = { __proto__: null };
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = diagonal + (charCode(a, i - 1) === charCode(b, j - 1) ? 0 : 1);
      diagonal = row[j];
      row[j] = min(replaced, row[j] + 1, row[j - 1] + 1);
    }
  }
  return row[b.length];
};
