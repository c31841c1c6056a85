import assert from "node:assert/strict";
import { test } from "node:test";

import { makeConsole } from "../console.js";
import { makeConsole as makePlain } from "../console-plain.js";
import { play } from "./host.js";

/** @param {(console: any) => void} use @param {typeof makeConsole} make */
const written = (use, make = makeConsole) => {
  const lines = [];
  use(make((level, text) => lines.push([level, text])));
  return lines;
};

class Point {
  x = 1;
  get y() {
    throw new Error("a getter ran");
  }
}
const cycle = { name: "c", list: [] };
cycle.list.push(cycle);
const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } };

/** @type {[unknown[], string][]} */
const TEXTS = [
  [["a", "b"], "a b"],
  [[], ""],
  [[""], ""],
  [[1, -0, 1n, true, null, undefined], "1 -0 1n true null undefined"],
  [[Symbol("s"), "t"], "Symbol(s) t"],
  [[{ a: 1, "b c": "t", [Symbol("k")]: 1 }], '{ a: 1, "b c": "t" }'],
  [[[1, [2, []], , 3]], "[1, [2, []], <empty>, 3]"],
  [[{}], "{}"],
  [[new Map([["k", { v: 1 }]])], 'Map(1) { "k" => { v: 1 } }'],
  [[new Set([1, "x"])], 'Set(2) { 1, "x" }'],
  [[new Map(), new Set()], "Map(0) {} Set(0) {}"],
  [[new Date(0), new Date(NaN)], "1970-01-01T00:00:00.000Z Invalid Date"],
  [[/a/g], "/a/g"],
  [[new Point()], "Point { x: 1 }"],
  [[Object.create(null)], "[Object: null prototype] {}"],
  [[() => 1, function named() {}, class A {}], "[Function] [Function: named] [class: A]"],
  [[new Uint8Array([1, 2]), new ArrayBuffer(3)], "Uint8Array(2) [1, 2] ArrayBuffer(3)"],
  [[Promise.resolve(1)], "Promise {}"],
  [[cycle], '{ name: "c", list: [[Circular]] }'],
  [[deep], "{ a: { b: { c: { d: { e: { f: [Object] } } } } } }"],
  [[{ get a() { throw 1; }, set b(_) {} }], "{ a: [Getter], b: [Getter] }"],
  [[Object.assign(new RangeError("r"), { stack: "", code: 7, cause: { a: 1 } })], "RangeError: r { code: 7, cause: { a: 1 } }"],
  [[new Proxy({}, { ownKeys() { throw 1; } })], "[unreadable]"],
  [[{ toString() { throw 1; }, toJSON() { throw 2; } }], "{ toString: [Function: toString], toJSON: [Function: toJSON] }"],
  [["%s is %d, %i, %f, %o, %%, %c.", "x", "4.5", 4.9, "1.5", { a: 1 }, "css"], "x is 4.5, 4, 1.5, { a: 1 }, %, ."],
  [["%s %s", "one"], "one %s"],
  [["%d %d", "x", 3n, "more", { a: 1 }], "NaN 3n more { a: 1 }"],
  [["100%", "x"], "100% x"],
  [["%s"], "%s"],
  [[Object(1), Object("s")], '[Number: 1] [String: "s"]'],
];

for (const [values, text] of TEXTS) {
  test(`a_value_reads_as: ${text}`, () => {
    assert.deepEqual(written((console) => console.log(...values)), [["log", text]]);
  });
}

/** @type {[(console: any) => void, string[][]][]} */
const METHODS = [
  [(c) => (c.debug("a"), c.log("b"), c.info("c"), c.warn("d"), c.error("e")), [["debug", "a"], ["log", "b"], ["info", "c"], ["warn", "d"], ["error", "e"]]],
  [(c) => (c.dir({ a: 1 }, { depth: 0 }), c.dirxml("x", 1)), [["log", "{ a: 1 }"], ["log", "x 1"]]],
  [(c) => (c.group("g", 1), c.log("in\nside"), c.group(), c.log("two"), c.groupEnd(), c.groupEnd(), c.groupEnd(), c.log("out")), [["log", "g 1"], ["log", "  in\n  side"], ["log", "    two"], ["log", "out"]]],
  [(c) => (c.count(), c.count("x"), c.count(), c.countReset(), c.count(), c.countReset("none")), [["info", "default: 1"], ["info", "x: 1"], ["info", "default: 2"], ["info", "default: 1"], ["warn", "Count for 'none' does not exist"]]],
  [(c) => (c.assert(true, "no"), c.assert(false), c.assert(0, "a %s", "b")), [["error", "Assertion failed"], ["error", "Assertion failed: a b"]]],
  [(c) => (c.timeEnd("t"), c.timeLog("t")), [["warn", "Timer 't' does not exist"], ["warn", "Timer 't' does not exist"]]],
  [(c) => c.table([{ a: 1, b: "x" }, { b: 2, c: 3 }]), [["log", "(index) | a | b | c\n0 | 1 | x | \n1 |  | 2 | 3"]]],
  [(c) => (c.table([{ a: 1, b: 2 }], ["b"]), c.table(5), c.table({ k: [1] }), c.table([1])), [["log", "(index) | b\n0 | 2"], ["log", "5"], ["log", "(index) | 0\nk | 1"], ["log", "(index)\n0 | 1"]]],
  [(c) => (c.clear(), c.profile(), c.profileEnd(), c.timeStamp()), []],
];

for (const [use, lines] of METHODS) {
  test(`a_console_method_writes: ${use.toString().slice(0, 60)}`, () => {
    assert.deepEqual(written(use), lines);
  });
}

test("timers_tell_milliseconds", () => {
  const lines = written((c) => (c.time("t"), c.time("t"), c.timeLog("t", "so far"), c.timeEnd("t")));
  assert.deepEqual(lines[0], ["warn", "Timer 't' already exists"]);
  assert.match(lines[1][1], /^t: \d+ ms so far$/);
  assert.match(lines[2][1], /^t: \d+ ms$/);
});

const PLATFORM = "debug error info log warn dir dirxml table trace group groupCollapsed groupEnd clear count countReset assert profile profileEnd time timeLog timeEnd timeStamp".split(" ");

for (const [name, make] of Object.entries({ full: makeConsole, plain: makePlain })) {
  test(`the_${name}_console_has_every_method_of_the_platform`, () => {
    const made = make(() => {});
    assert.deepEqual(PLATFORM.filter((method) => typeof made[method] !== "function"), []);
  });
}

test("the_plain_console_writes_json", () => {
  const lines = written((c) => (c.log("a", { b: 1 }, undefined), c.error(new TypeError("t")), c.assert(false, "x")), makePlain);
  assert.deepEqual(lines.map(([level, text]) => [level, text.split("\n")[0]]), [["log", 'a {"b":1} undefined'], ["error", "TypeError: t"], ["error", "false x"]]);
});

test("large_values_are_bounded", () => {
  let wide = [1];
  for (let i = 0; i < 5; i++) wide = Array(1000).fill(wide);
  const values = [wide, Array(1e6).fill(1), "x".repeat(1e6), { s: "x".repeat(1e6) }, new Map(Array.from({ length: 1e5 }, (_, i) => [i, i])), Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`k${i}`, i]))];
  for (const value of values) {
    const [[, text]] = written((c) => c.dir(value));
    assert.ok(text.length < 20_000, `${text.length}`);
    assert.match(text, /\u2026/);
  }
});

test("logs_come_in_order_with_their_level_and_place", async () => {
  const { frames } = await play(`async () => {
    console.log("one", { a: [1] });
    await demo.ping();
    console.error(new Error("two"));
    console.trace("three");
  }`);
  assert.deepEqual(frames, [
    ["log", "log", "one { a: [1] }"],
    ["call", 0, 0],
    ["log", "error", "Error: two\n    at program (program.js:4:19)"],
    ["log", "log", "Trace: three\n    at program (program.js:5:13)"],
    ["done"],
  ]);
});

test("a_log_flood_is_cut_by_lines_and_counted", async () => {
  const { logs, end } = await play("async () => { for (let i = 0; i < 1000; i++) console.log('line'); return 1 }", { limits: { logLines: 10 } });
  assert.equal(logs.length, 11);
  assert.deepEqual(logs.at(-1), ["log", "warn", "[990 log lines with 3960 bytes were cut or dropped: a run keeps 10 lines and 4096 bytes]"]);
  assert.equal(end[1], 1);
});

test("a_log_flood_is_cut_by_bytes_and_counted", async () => {
  const { logs } = await play("async () => { for (let i = 0; i < 5; i++) console.log('\\u20ac'.repeat(500)) }");
  assert.deepEqual(logs.map(([, , text]) => Buffer.byteLength(text)).slice(0, 3), [1500, 1500, 1095 + 3]);
  assert.match(logs[3][2], /^\[3 log lines with 3405 bytes were cut or dropped/);
});

test("a_console_can_be_replaced_by_the_program", async () => {
  const { frames } = await play("async () => { globalThis.console = { log: () => {} }; console.log('gone'); return 1 }");
  assert.deepEqual(frames, [["done", 1]]);
});

test("logs_after_the_end_are_not_sent", async () => {
  const { frames } = await play("async () => { setTimeout(() => console.log('late'), 10); return 1 }", { linger: 40 });
  assert.deepEqual(frames, [["done", 1]]);
});
