// How much a model has to read before its first call: every operation as a tool of its own,
// and here.
//
//   node benches/tokens.mjs     →  {"text":…,"counts":[{"operations":…,"flat":…,"here":…}]}
//
// Tokens are those of o200k_base, which models of OpenAI read; others differ by some percent.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const ROOT = join(import.meta.dirname, "..");

/** @typedef {{ operations: number, flat: string, execute: string, search: string, describe: string }} Told */

const cargo = spawnSync("cargo", ["bench", "--locked", "--quiet", "--features", "intake-openapi", "--bench", "told"], {
  cwd: ROOT,
  stdio: ["ignore", "pipe", "inherit"],
  maxBuffer: 1 << 28,
});
if (cargo.status !== 0) throw new Error("cargo bench --bench told failed");
/** @type {Told[]} */
const told = JSON.parse(cargo.stdout.toString());

/** @param {string} text */
const size = (text) => ({ bytes: Buffer.byteLength(text), tokens: encode(text).length });
/** @param {{ bytes: number, tokens: number }[]} sizes */
const sum = (sizes) => sizes.reduce((all, one) => ({ bytes: all.bytes + one.bytes, tokens: all.tokens + one.tokens }));

const counts = told.map(({ operations, flat, execute, search, describe }) => {
  const [tool, found, described] = [execute, search, describe].map(size);
  return { operations, flat: size(flat), tool, found, described, here: sum([tool, found, described]) };
});

/** @param {{ bytes: number, tokens: number }} size */
const cell = ({ bytes, tokens }) => `${bytes.toLocaleString("en")} B, ${tokens.toLocaleString("en")}`;
const rows = counts.map(({ operations, flat, tool, found, described, here }) => {
  const ratio = (flat.tokens / here.tokens).toFixed(1);
  return `| ${operations} | ${cell(flat)} | ${cell(tool)} | ${cell(found)} | ${cell(described)} | ${cell(here)} | ${ratio} |`;
});
const text = [
  "Bytes and tokens that a model reads before its first call: all operations as tools of their own, or",
  "the one tool, a search and a description. Operations are those of real servers and documents.",
  "",
  "| operations | as tools | `execute` | + a search | + a description | in all here | times less |",
  "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  ...rows,
].join("\n");
console.log(JSON.stringify({ text, counts }));
