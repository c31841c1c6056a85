/**
 * The names a program may have meant.
 *
 * Owns: the comparison of a name nobody has with the listed ones. Hidden operations are never suggested.
 */

import { append, indexOf, lastIndexOf, lower, slice, table } from "./primordials.js";

/** Names that are compared: a program that asks for nonsense in a loop pays little. */
const COMPARED = 2000;
/** Units of a name that are compared. */
const UNITS = 48;
/** Names that are suggested, and the edits a suggestion may be away. */
const SUGGESTED = 3;
const EDITS = 4;

/**
 * @param {string} asked dotted, without `env`
 * @param {import("./wire.js").Task} task
 * @returns {string[]} at most three, nearest first
 */
export const nearest = (asked, { operations, hidden, forage }) => {
  const best = table();
  const wanted = plain(asked);
  const last = plain(segment(asked));
  const depth = dots(asked);
  const consider = (/** @type {string} */ path) => rank(best, path, distanceTo(path, wanted, last, depth));
  if (forage) consider("forage.search"), consider("forage.list"), consider("forage.describe");
  for (let i = 0; i < operations.length && i < COMPARED; i++) if (!(i in hidden)) consider(operations[i]);
  /** @type {string[]} */
  const names = [];
  for (let i = 0; i < SUGGESTED && best[i]; i++) append(names, best[i].path);
  return names;
};

/** @param {any} best @param {string} path @param {number} distance */
const rank = (best, path, distance) => {
  let entry = { path, distance };
  for (let i = 0; i < SUGGESTED && distance <= EDITS; i++) {
    const other = best[i];
    if (other && other.distance <= entry.distance) continue;
    best[i] = entry;
    if (!other) return;
    entry = other;
  }
};

/**
 * The whole counts before a part: the namespace at the same depth, or the last name alone.
 *
 * @param {string} path
 * @param {string} wanted
 * @param {string} last
 * @param {number} depth
 */
const distanceTo = (path, wanted, last, depth) => {
  const exact = edits(wanted, plain(path));
  const start = edits(wanted, plain(head(path, depth))) + 0.5;
  const end = edits(last, plain(segment(path))) + 0.25;
  const least = exact < start ? (exact < end ? exact : end) : start < end ? start : end;
  return least * 2 <= wanted.length ? least : EDITS + 1;
};

/** @param {string} path */
const dots = (path) => {
  let count = 0;
  for (let i = 0; i < path.length; i++) if (path[i] === ".") count++;
  return count;
};

/** @param {string} path @param {number} depth @returns {string} its start, up to that many dots */
const head = (path, depth) => {
  let end = indexOf(path, ".");
  for (let i = 0; i < depth && end >= 0; i++) end = indexOf(path, ".", end + 1);
  return end < 0 ? path : slice(path, 0, end);
};

/** @param {string} path */
const segment = (path) => slice(path, lastIndexOf(path, ".") + 1);

/** @param {string} name @returns {string} its letters and digits, in lower case */
const plain = (name) => {
  let text = "";
  for (let i = 0; i < name.length && text.length < UNITS; i++) if (indexOf("._-$ /", name[i]) < 0) text += name[i];
  return lower(text);
};

/** @param {string} a @param {string} b @returns {number} Levenshtein's distance */
const edits = (a, b) => {
  const row = table();
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = a[i - 1] === b[j - 1] ? diagonal : diagonal + 1;
      const moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = replaced < moved ? replaced : moved;
    }
  }
  return row[b.length];
};
