/**
 * Console arguments to text: substitutions and tables.
 */

import { charCode, toNumber } from "./exotics.js";
import { inspect } from "./inspect.js";
import { append, getOwnPropertyDescriptor, hasOwn, isArray, keys, slice, table } from "./primordials.js";

/** @param {unknown} value @returns {string} texts as they are, everything else inspected */
const shown = (value) => (typeof value === "string" ? value : inspect(value));

/**
 * The arguments of one console call as one text.
 *
 * @param {unknown[]} values
 * @returns {string}
 */
export const format = (values) => {
  let text = "";
  let i = 0;
  if (values.length > 1 && typeof values[0] === "string") {
    const filled = substitute(values[0], values);
    text = filled.text;
    i = filled.used;
  }
  for (; i < values.length; i++) text += (i ? " " : "") + shown(values[i]);
  return text;
};

/**
 * @param {string} template with %s %d %i %f %o %O %j %c %%
 * @param {unknown[]} values
 * @returns {{text: string, used: number}}
 */
const substitute = (template, values) => {
  let text = "";
  let used = 1;
  let from = 0;
  for (let i = 0; i < template.length - 1; i++) {
    if (charCode(template, i) !== 37) continue;
    const letter = template[i + 1];
    const known = letter === "%" || (used < values.length && SPECIFIERS[letter]);
    if (!known) continue;
    text += slice(template, from, i) + (letter === "%" ? "%" : SPECIFIERS[letter](values[used++]));
    i += 1;
    from = i + 1;
  }
  return { text: text + slice(template, from), used };
};

/** @param {unknown} value */
const numeric = (value) => {
  if (typeof value === "bigint") return toNumber(value);
  return typeof value === "number" ? value : typeof value === "string" && value !== "" ? +value : NaN;
};

/** @type {any} */
const SPECIFIERS = {
  __proto__: null,
  s: shown,
  d: (/** @type {unknown} */ value) => (typeof value === "bigint" ? inspect(value) : "" + numeric(value)),
  i: (/** @type {unknown} */ value) => "" + (numeric(value) - (numeric(value) % 1)),
  f: (/** @type {unknown} */ value) => "" + numeric(value),
  o: inspect,
  O: inspect,
  j: inspect,
  c: () => "",
};

const ROWS = 200;
const COLUMNS = 20;

/**
 * Rows and columns as `console.table` draws them, in plain text.
 *
 * @param {any} value
 * @param {unknown} only the columns to show, all when it is no list
 * @returns {string} the value itself when it has no rows
 */
export const formatTable = (value, only) => {
  if (typeof value !== "object" || value === null) return shown(value);
  const rows = keys(value);
  const columns = isArray(only) ? only : columnsOf(value, rows);
  let text = "(index)";
  for (let i = 0; i < columns.length; i++) text += ` | ${shown(columns[i])}`;
  for (let i = 0; i < rows.length && i < ROWS; i++) text += "\n" + rowText(rows[i], member(value, rows[i]), columns);
  return rows.length > ROWS ? `${text}\n\u2026 ${rows.length - ROWS} more rows` : text;
};

/** @param {string} index @param {any} row @param {any[]} columns */
const rowText = (index, row, columns) => {
  if (typeof row !== "object" || row === null) return `${index} | ${shown(row)}`;
  let text = index;
  for (let i = 0; i < columns.length; i++) {
    text += ` | ${hasOwn(row, columns[i]) ? shown(member(row, columns[i])) : ""}`;
  }
  return text;
};

/** @param {any} value @param {string[]} rows */
const columnsOf = (value, rows) => {
  /** @type {string[]} */
  const columns = [];
  const seen = table();
  for (let i = 0; i < rows.length && i < ROWS; i++) {
    const row = member(value, rows[i]);
    const names = typeof row === "object" && row !== null ? keys(row) : columns;
    for (let j = 0; j < names.length && columns.length < COLUMNS; j++) {
      if (!(names[j] in seen)) append(columns, names[j]);
      seen[names[j]] = true;
    }
  }
  return columns;
};

/** @param {object} value @param {PropertyKey} key @returns {unknown} its own member, getters not run */
const member = (value, key) => {
  const found = getOwnPropertyDescriptor(value, key);
  return found && hasOwn(found, "value") ? found.value : found && "[Getter]";
};
