// The shared corpus of code forms, each run as a client would: what must come of it is in the corpus.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { after, before, test } from "node:test";
import { Client } from "./host/client.mjs";
import { ROOT } from "./host/config.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** Beside the repository. */
const CORPUS = join("..", "shared", "corpora", "guest-code", "code-forms.json");
const FAILURE = "a named failure";

/** @typedef {{ name: string, category: string, code: string, sensible: unknown, also?: unknown }} Form */

/** @returns {Form[] | undefined} */
function forms() {
  try {
    return JSON.parse(readFileSync(join(ROOT, CORPUS), "utf8")).cases;
  } catch (error) {
    if (process.env.CI) throw new Error(`CI needs the corpus at ${CORPUS}`, { cause: error });
    return undefined;
  }
}

/** @type {Workerd} */
let workerd;
before(async () => {
  workerd = await Workerd.start({ vars: DEV });
});
after(() => workerd.stop());

/**
 * What came of a program: its value, or that it failed in words of ours.
 * @param {Client} client
 * @param {string} code
 */
async function outcome(client, code) {
  const { isError, text } = await client.execute(code);
  if (isError) return { said: text.split("\n", 1)[0], failed: /^[a-z-]+: /.test(text) && !text.startsWith("unknown: ") };
  try {
    return { said: text, value: JSON.parse(text) };
  } catch {
    return { said: text };
  }
}

/**
 * @param {Form} form
 * @param {Awaited<ReturnType<typeof outcome>>} came
 */
function isRight({ sensible, also }, came) {
  const wanted = [sensible, ...(also === undefined ? [] : Array.isArray(also) ? [also, ...also] : [also])];
  return wanted.some((want) => (want === FAILURE ? came.failed === true : "value" in came && isDeepStrictEqual(came.value, want)));
}

test("every_code_form_gives_what_it_should", { timeout: 300_000 }, async (context) => {
  const cases = forms();
  if (!cases) {
    context.diagnostic(`corpus code-forms: 0 run, 0 passed, all skipped: no corpus at ${CORPUS}`);
    return context.skip(`no corpus at ${CORPUS}`);
  }
  const client = await Client.open(workerd.url);
  const wrong = [];
  for (const form of cases) {
    const came = await outcome(client, form.code);
    const right = isRight(form, came);
    if (!right) wrong.push(`${form.name}: ${came.said}, not ${JSON.stringify(form.sensible)}`);
    context.diagnostic(`${right ? "right" : "WRONG"}  ${form.category.padEnd(12)} ${form.name.padEnd(44)} ${came.said.slice(0, 80)}`);
  }
  context.diagnostic(`corpus code-forms: ${cases.length} run, ${cases.length - wrong.length} passed, 0 skipped`);
  assert.deepEqual(wrong, []);
});
