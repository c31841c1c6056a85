// The TypeScript compiler, asked about many small files at once.
// Owns the one program and its answers; doesn't own what is asked.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** @type {ts.CompilerOptions} */
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.es2022.d.ts"],
  types: [],
};

const LIBRARIES = dirname(fileURLToPath(import.meta.resolve("typescript")));

/**
 * A schema's declaration of `T`, and literals that it should take or refuse.
 * @typedef {{ name: string, declaration: string, accepts: string[], rejects: string[] }} Case
 */

/**
 * What the compiler said of a case: the problems of its declaration, and the literals it refused.
 * @typedef {{ problems: string[], refused: { accepts: Set<number>, rejects: Set<number> } }} Answer
 */

/**
 * The file of a case: each literal has a line of its own.
 * @param {Case} one
 */
function source({ declaration, accepts, rejects }) {
  const lines = [...accepts, ...rejects].map((text, at) => `export const v${at}: T = ${text};`);
  return [declaration, ...lines].join("\n");
}

/**
 * Asks `tsc --strict` about every case, in one program.
 * @param {Case[]} cases
 * @returns {Answer[]}
 */
export function check(cases) {
  const texts = new Map(cases.map((one, at) => [`/${at}.ts`, source(one)]));
  const program = ts.createProgram([...texts.keys()], OPTIONS, host(texts));
  return cases.map((one, at) => answer(program, one, `/${at}.ts`));
}

/**
 * @param {Map<string, string>} texts
 * @returns {ts.CompilerHost}
 */
function host(texts) {
  const read = (/** @type {string} */ name) => texts.get(name) ?? library(name);
  return {
    fileExists: (name) => read(name) !== undefined,
    readFile: read,
    getSourceFile(name, version) {
      const text = read(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, version);
    },
    getDefaultLibFileName: () => join(LIBRARIES, "lib.d.ts"),
    getDefaultLibLocation: () => LIBRARIES,
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile() {},
  };
}

/** @param {string} name */
function library(name) {
  return name.startsWith(LIBRARIES) && existsSync(name) ? readFileSync(name, "utf8") : undefined;
}

/**
 * @param {ts.Program} program
 * @param {Case} one
 * @param {string} name
 * @returns {Answer}
 */
function answer(program, { declaration, accepts }, name) {
  const file = program.getSourceFile(name);
  if (!file) throw new Error(`${name} wasn't read`);
  const first = declaration.split("\n").length;
  /** @type {Answer} */
  const said = { problems: [], refused: { accepts: new Set(), rejects: new Set() } };
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  for (const { start = 0, messageText } of found) {
    const at = file.getLineAndCharacterOfPosition(start).line - first;
    if (at < 0) said.problems.push(ts.flattenDiagnosticMessageText(messageText, "\n"));
    else if (at < accepts.length) said.refused.accepts.add(at);
    else said.refused.rejects.add(at - accepts.length);
  }
  return said;
}
