// What a program could use to become more than a program: modules, text that becomes code, the isolate.

import { describe } from "node:test";
import { range } from "./attack.mjs";

const attack = range();

describe("by_cloudflare_workers", () => {
  const top = "import { env as platform, waitUntil } from 'cloudflare:workers';";
  /** @type {(seen: import("./attack.mjs").Seen) => boolean} */
  const escaped = ({ value }) => value === "of the host";
  attack("the platform's env", { top, code: "return platform.SECRET", escaped, imports: true });
  attack("the platform's env, imported when it runs", {
    code: "return (await import('cloudflare:workers')).env.SECRET",
    escaped,
    imports: true,
  });
  attack("waitUntil for a late call", {
    top,
    code: "waitUntil((async () => { await sleep(60); demo.ping({}) })()); return 1",
    escaped: ({ late }) => late > 0,
    imports: true,
  });
});

describe("by_modules_of_node", () => {
  attack("the process", {
    code: "return (await import('node:process')).version",
    escaped: ({ value }) => typeof value === "string",
    imports: true,
  });
  attack("the file system", {
    top: "import { readdirSync } from 'node:fs';",
    code: "return readdirSync('/')",
    escaped: ({ value }) => Array.isArray(value) && value.length > 0,
    imports: true,
  });
});

describe("by_the_modules_beside_it", () => {
  attack("the harness", {
    code: "return Object.keys((await import('./harness.js')).default)",
    escaped: ({ value }) => value?.[0] === "fetch",
    imports: true,
  });
  attack("a second self", {
    top: "import * as self from './program.js';",
    code: "return typeof self.default",
    escaped: ({ value }) => value === "function",
    imports: true,
  });
});

describe("by_aborting_the_isolate", () => {
  /** @type {(seen: import("./attack.mjs").Seen) => boolean} */
  const lost = ({ end, frames }) => frames.length > 0 && end !== "done";
  const first = "await demo.ping({});";
  attack("at once", {
    top: "import { abortIsolate } from 'cloudflare:workers';",
    code: `${first} abortIsolate('gone'); return 1`,
    escaped: lost,
    imports: true,
  });
  attack("imported when it runs", {
    code: `${first} const { abortIsolate } = await import('cloudflare:workers'); abortIsolate('gone'); return 1`,
    escaped: lost,
    imports: true,
  });
});

describe("by_text_that_becomes_code", () => {
  /** At the top of a module the engine would allow it, unless it is told not to. */
  const ways = {
    eval: "eval('40 + 2')",
    "eval by another name": "(0, eval)('40 + 2')",
    Function: "Function('return 40 + 2')()",
    "the constructor of a function": "(() => {}).constructor('return 40 + 2')()",
    "the constructor of an async function": "await (async () => {}).constructor('return 40 + 2')()",
    "the constructor of a generator": "(function* () {}).constructor('yield 40 + 2')().next().value",
  };
  for (const [name, expression] of Object.entries(ways)) {
    attack(name, { top: `const made = ${expression};`, code: "return made", escaped: ({ value }) => value === 42 });
  }
});
