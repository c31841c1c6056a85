import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

import { play } from "./host.js";

/** What every polluted program does afterwards; the wire must not tell the difference. */
const WORK = `
  const first = await env.demo.ping({ a: [1, "two", null, { b: true }], d: 0.5 });
  const failed = await env.demo.fail().then(() => "no", (error) => error.code);
  await env.demo.ping(() => 1).then(() => "no", () => 0);
  console.log("text", { nested: [1, { x: "y" }] });
  return { first, failed, list: [[1], ["2"]] };
`;

const FAILING = "\n  const fail = () => env.demo.fail();\n  await fail();\n";

const PLAIN = await play(`async () => {${WORK}}`);
const FAILED = await play(`async () => {${FAILING}}`);

const THROWS = "() => { throw new Error('polluted') }";
const POLLUTIONS = {
  "JSON": "JSON.stringify = JSON.parse = () => '\"forged\"'; globalThis.JSON = undefined;",
  "globals": "for (const name of ['Object', 'Array', 'Map', 'WeakMap', 'Promise', 'Proxy', 'Reflect', 'Error', 'String', 'TextEncoder', 'Uint8Array', 'setTimeout', 'queueMicrotask', 'Symbol']) globalThis[name] = undefined;",
  "timers": "globalThis.setTimeout = globalThis.queueMicrotask = () => 0;",
  "String.prototype": `for (const name of Object.getOwnPropertyNames(String.prototype)) if (name !== 'length') String.prototype[name] = ${THROWS};`,
  "Array.prototype": `for (const name of Object.getOwnPropertyNames(Array.prototype)) if (name !== 'length' && name !== 'constructor') Array.prototype[name] = ${THROWS};`,
  "Array iteration": `Object.getPrototypeOf([][Symbol.iterator]()).next = ${THROWS}; Array.prototype[Symbol.iterator] = ${THROWS};`,
  "Array indexes": "for (const key of [0, 1, 2, 3]) Object.defineProperty(Array.prototype, key, { set() { throw new Error('polluted') }, get() { return 'forged' }, configurable: true });",
  "Array.prototype.toJSON": "Array.prototype.toJSON = () => 'forged';",
  "Object.prototype.toJSON": "Object.prototype.toJSON = () => 'forged';",
  "Object.prototype descriptors": "Object.defineProperties(Object.prototype, { get: { value: () => 'forged' }, set: { value() {} }, value: { value: 'forged' }, writable: { value: false }, enumerable: { value: false } });",
  "Object.prototype records": "for (const name of ['text', 'refusal', 'bytes', 'kind', 'frames', 'ordinal', 'open', 'path', 'found', 'hidden', 'forage', 'failure', 'site', 'spilled', 'trail', '0', '1']) Object.defineProperty(Object.prototype, name, { get() { return 'forged' }, set() { throw 1 }, configurable: true });",
  "Object statics": `for (const name of Object.getOwnPropertyNames(Object)) if (typeof Object[name] === 'function') Object[name] = ${THROWS};`,
  "Function.prototype": `for (const name of ['call', 'apply', 'bind', 'toString']) Function.prototype[name] = ${THROWS};`,
  "Reflect": `for (const name of Object.getOwnPropertyNames(Reflect)) Reflect[name] = ${THROWS};`,
  "Map and WeakMap": `for (const type of [Map, WeakMap, Set]) for (const name of Object.getOwnPropertyNames(type.prototype)) { const d = Object.getOwnPropertyDescriptor(type.prototype, name); if ('value' in d) type.prototype[name] = ${THROWS}; else Object.defineProperty(type.prototype, name, { get: ${THROWS} }) }`,
  "typed arrays": `for (const type of [Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)]) for (const name of ['length', 'byteLength', 'slice', 'set']) Object.defineProperty(type, name, { get: ${THROWS}, configurable: true });`,
  "TextEncoder.prototype": `TextEncoder.prototype.encode = TextEncoder.prototype.encodeInto = ${THROWS};`,
  "RegExp.prototype": `RegExp.prototype.exec = ${THROWS}; RegExp.prototype[Symbol.replace] = ${THROWS}; String.prototype[Symbol.split] = ${THROWS};`,
  "Error": `Error.prepareStackTrace = ${THROWS}; Error.captureStackTrace = ${THROWS}; Error.prototype.toString = ${THROWS}; Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });`,
  "Number and BigInt": `Number.prototype.toString = ${THROWS}; Number.isSafeInteger = ${THROWS}; BigInt.prototype.toString = ${THROWS};`,
  "console": `for (const name of Object.keys(console)) { const own = console[name]; } globalThis.JSON.rawJSON = ${THROWS};`,
};

for (const [name, pollution] of Object.entries(POLLUTIONS)) {
  test(`pollution_changes_nothing_on_the_wire: ${name}`, async () => {
    assert.deepEqual((await play(`async () => {${pollution}${WORK}}`)).frames, PLAIN.frames);
    const { frames } = await play(`async () => {${pollution}${FAILING}}`);
    // What the engine itself asks of the program is its own to give.
    if (pollution.includes("prepareStackTrace")) frames.at(-1)[1].frames = FAILED.end[1].frames;
    assert.deepEqual(frames, FAILED.frames);
  });
}

/** These break `await` for the program itself, so it works without. */
const PROMISES = {
  "Symbol.species": "Object.defineProperty(Promise, Symbol.species, { value: class { constructor() { throw 1 } } });",
  "then": "Promise.prototype.then = () => { throw new Error('polluted') };",
  "constructor": "Object.defineProperty(Promise.prototype, 'constructor', { value: class { constructor() { throw 1 } } });",
  "everything": "Promise.prototype.then = () => {}; Promise.resolve = Promise.reject = Promise.all = () => {}; Promise.prototype.constructor = undefined; globalThis.Promise = undefined;",
  "Object.prototype.then": "Object.defineProperty(Object.prototype, 'then', { value() {}, configurable: true });",
};

for (const [name, pollution] of Object.entries(PROMISES)) {
  test(`the_end_is_told_whatever_became_of_promises: ${name}`, async () => {
    const { frames } = await play(`async () => { ${pollution} env.demo.ping(1); return "answer" }`);
    assert.deepEqual(frames, [["call", 0, 0, 1], ["done", "answer"]]);
    const thrown = await play(`async () => { ${pollution} throw new TypeError("t") }`);
    assert.deepEqual([thrown.end[1].name, thrown.end[1].message], ["TypeError", "t"]);
  });
}

test("pollution_at_the_top_of_the_program_comes_too_late", async () => {
  const { frames } = await play(`JSON.stringify = Map.prototype.get = Reflect.apply = Object.defineProperty = String.prototype.slice = () => { throw 1 };
    export default async () => { env.demo.ping(2); return { a: 1 } };`);
  assert.deepEqual(frames, [["call", 0, 0, 2], ["done", { a: 1 }]]);
});

const sources = (await readdir(new URL("..", import.meta.url))).filter((name) => name.endsWith(".js"));

test("importing_the_harness_gives_a_program_nothing", async () => {
  const url = new URL("..", import.meta.url).href;
  const names = sources.filter((name) => name !== "harness.js");
  const { frames } = await play(`import * as run from "${url}run.js";
    export default async () => {
      const seen = [];
      for (const name of ${JSON.stringify(names)}) {
        const module = await import("${url}" + name);
        for (const [key, value] of Object.entries(module)) {
          if (typeof value === "object" && !Object.isFrozen(value) && ![Object.prototype, Array.prototype, Error.prototype].includes(value) && value !== globalThis) seen.push(name + " " + key);
        }
      }
      const sent = [];
      const second = run.openRun((text) => sent.push(text), async () => ({ default: async () => "forged" }));
      run.receive(second, JSON.stringify(["run", 1, { operations: ["other.op"], limits: { calls: 1, frameBytes: 999, flightBytes: 999, resultBytes: 999, logBytes: 999, logLines: 9 } }]));
      return { seen, sent: JSON.parse(sent[0])[1].message, other: "other" in env, ping: await env.demo.ping(1) };
    };`);
  assert.deepEqual(frames, [["call", 0, 0, 1], ["done", { seen: [], sent: "a run in an isolate that had one", other: false, ping: 1 }]]);
});

test("shaped_stacks_show_no_harness_function", async () => {
  const { end } = await play(`async () => {
    let sites = [];
    Error.prepareStackTrace = (_, found) => { sites = found.map((site) => [typeof site.getFunction(), typeof site.getThis()]); return "" };
    await env.demo.ping({ get a() { new Error().stack; return 1 } });
    return sites.flat().filter((type) => type !== "undefined");
  }`);
  assert.deepEqual(end, ["done", []]);
});

for (const name of sources) {
  test(`sources_keep_the_rules_of_the_harness: ${name}`, async () => {
    const text = await readFile(new URL(`../${name}`, import.meta.url), "utf8");
    const code = text
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/^\s*\/\/.*$/gm, "")
      .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
      .replace(/`[^`$]*`/g, "``");
    assert.ok(/^[\x00-\x7f]*$/.test(text), "ASCII only");
    assert.ok(text.split("\n").length <= 400, "a file of at most 400 lines");
    if (name === "primordials.js" || name === "exotics.js" || name === "harness.js") return;
    const globals = /(?<![\w.$"'`])(?:Object|Array|Promise|Map|Set|WeakMap|JSON|Reflect|Error|TypeError|String|Number|Math|Date|globalThis|setTimeout|console|structuredClone)\s*[.(]/;
    assert.deepEqual(code.match(globals), null, "globals only through primordials.js");
    assert.deepEqual(code.match(/\bfor \([^;]*\bof\b|\.push\(|\.then\(|[=(] *await\b|return await\b|\[\.\.\.|\(\.\.\.\w+\)(?! =>)|\.(?:split|replace|join|map|forEach|slice|indexOf|call|apply|bind)\(/), null, "nothing that goes through a prototype");
  });
}
