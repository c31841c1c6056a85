// Whether TypeScript agrees with the projected types: every declaration compiles, every valid
// value is accepted, and most invalid ones are refused. The native tests write the cases.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { check } from "./compiler.mjs";

/** @import { Case } from "./compiler.mjs" */

/**
 * The least share of invalid values that must be refused, in percent; the most valid ones that
 * may be, each by name and with the reason.
 * @typedef {{ refused: number, exceptions: Record<string, string> }} Floor
 */

// The last two have values that differ in lengths, ranges and patterns too, which no type can
// say: their floors only tell when less is said than before.
/** @type {Record<string, Floor>} */
const CORPORA = {
  "ts-schemas": { refused: 92, exceptions: {} },
  "mcp-tools": { refused: 92, exceptions: {} },
  // What the operations of MCP servers are described as; values are the concern of the row above.
  "mcp-servers": { refused: 0, exceptions: {} },
  "json-schema": { refused: 54, exceptions: {} },
  generated: { refused: 90, exceptions: {} },
};

/** @param {string} corpus */
function read(corpus) {
  const url = new URL(`../../target/typescript/${corpus}.json`, import.meta.url);
  if (!existsSync(url)) return undefined;
  return /** @type {Case[]} */ (JSON.parse(readFileSync(url, "utf8")));
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => (whole === 0 ? 100 : (100 * part) / whole);

/**
 * Counts one corpus and prints its table.
 * @param {string} corpus
 * @param {Case[]} cases
 */
function count(corpus, cases) {
  const answers = check(cases);
  const sum = (/** @type {(at: number) => number} */ of) =>
    cases.reduce((total, _, at) => total + of(at), 0);
  const compiled = answers.filter(({ problems }) => problems.length === 0).length;
  const valid = sum((at) => cases[at].accepts.length);
  const wronged = cases.flatMap(({ name, accepts }, at) =>
    [...answers[at].refused.accepts].map((index) => `${name}: ${accepts[index]}`));
  const invalid = sum((at) => cases[at].rejects.length);
  const refused = sum((at) => answers[at].refused.rejects.size);
  const row = (/** @type {string} */ what, /** @type {number} */ part, /** @type {number} */ whole) =>
    `  ${what.padEnd(18)} ${String(part).padStart(6)} of ${String(whole).padStart(6)}  ${percent(part, whole).toFixed(2)} %`;
  console.log(`corpus ${corpus} (types): run ${cases.length} passed ${compiled} skipped 0`);
  console.log(row("compile", compiled, cases.length));
  console.log(row("valid accepted", valid - wronged.length, valid));
  console.log(row("invalid rejected", refused, invalid));
  const broken = cases.flatMap(({ name, declaration }, at) =>
    answers[at].problems.map((problem) => `${name}: ${problem}\n${declaration}`));
  const missed = cases.flatMap(({ name, rejects }, at) =>
    rejects.filter((_, index) => !answers[at].refused.rejects.has(index)).map((text) => `${name}: ${text}`));
  return { broken, wronged, missed, valid, invalid, refused };
}

for (const [corpus, floor] of Object.entries(CORPORA)) {
  test(`types over ${corpus} compile and accept what is valid`, (context) => {
    const cases = read(corpus);
    if (!cases) {
      assert.ok(!process.env.CI, `target/typescript/${corpus}.json is missing`);
      return context.skip(`corpus ${corpus}: MISSING, nothing was tested: run the native tests first`);
    }
    const { broken, wronged, missed, valid, invalid, refused } = count(corpus, cases);
    if (process.env.PROJECTION_MISSED) console.log(missed.join("\n"));
    assert.deepEqual(broken, []);
    assert.deepEqual(wronged.filter((name) => !(name in floor.exceptions)), []);
    assert.ok(wronged.length <= valid / 100, `${wronged.length} of ${valid} valid values refused`);
    const share = percent(refused, invalid);
    assert.ok(share >= floor.refused, `${share} % of invalid values refused\n${missed.join("\n")}`);
  });
}
