// Bundles the harness beside it into one minified module.
//
//   node guest-runtime/bundle.mjs harness.js out.mjs
//
// V8 reads a function once to see where it ends and once more when it is first called,
// unless it stands in parentheses: then it is compiled at once. Every isolate does that
// anew, so what each run calls is put in parentheses here. The bundler drops those that
// are in the sources, and renames functions, hence the list and the two bundles.

import { parse } from "acorn";
import { buildSync } from "esbuild";
import { writeFileSync } from "node:fs";

/** The functions that a run of the simplest program with a call goes through. */
const EVERY_RUN = new Set(
  `answer areLimits argument begin binding call callText closeLog closed conclude define defineLazy doneText
   encode expect fetch fill fillHandler here installBindings installRoot isPlainData last namespace openCalls
   openLog openRun read readFrame readRun ready receive refused resultText settle sized start table tableOf
   whenSettled writePlain`.split(/\s+/),
);

/** @param {string} entry @param {boolean} renamed */
function bundle(entry, renamed) {
  const built = buildSync({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    external: ["./program.js"],
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: renamed,
    write: false,
  });
  return /** @type {import("esbuild").OutputFile} */ (built.outputFiles[0]).text;
}

/**
 * The functions at the top level, in their order.
 * @param {string} text
 */
function functions(text) {
  const { body } = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  return body
    .flatMap((statement) => (statement.type === "VariableDeclaration" ? statement.declarations : []))
    .filter(({ init }) => init?.type === "ArrowFunctionExpression")
    .map(({ id, init }) => ({ name: id.type === "Identifier" ? id.name : "", ...(init ?? { start: 0, end: 0 }) }));
}

const [entry = "", out = ""] = process.argv.slice(2);
const named = functions(bundle(entry, false));
const text = bundle(entry, true);
const renamed = functions(text);
const missing = EVERY_RUN.difference(new Set(named.map(({ name }) => name)));
if (named.length !== renamed.length) throw new Error("the bundles differ in more than names");
if (missing.size > 0) throw new Error(`the harness has no ${[...missing].join(", ")}: correct EVERY_RUN in bundle.mjs`);

let bundled = "";
let from = 0;
renamed.forEach(({ start, end }, index) => {
  if (!EVERY_RUN.has(named[index]?.name ?? "")) return;
  bundled += `${text.slice(from, start)}(${text.slice(start, end)})`;
  from = end;
});
writeFileSync(out, bundled + text.slice(from));
