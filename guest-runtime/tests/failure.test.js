import assert from "node:assert/strict";
import { test } from "node:test";

import { play } from "./host.js";

const THROWN = [
  ["'x'", "NonError", 'the program threw the string "x"'],
  ["''", "NonError", "the program threw an empty string"],
  ["null", "NonError", "the program threw null"],
  ["undefined", "NonError", "the program threw undefined"],
  ["42", "NonError", "the program threw 42"],
  ["7n", "NonError", "the program threw 7"],
  ["Symbol('s')", "NonError", "the program threw a symbol"],
  ["() => 1", "NonError", "the program threw a function"],
  ["{ code: 5 }", "NonError", 'the program threw {"code":5}'],
  ["{ a: () => 1 }", "NonError", "the program threw an object with a function at /a"],
  ["{ message: 'm', then: 1 }", "NonError", 'the program threw {"message":"m","then":1}'],
  ["new Error('')", "Error", "(an error without a message)"],
  ["new Error('plain')", "Error", "plain"],
  ["new TypeError('typed')", "TypeError", "typed"],
  ["Object.assign(new Error('m'), { name: 'Custom' })", "Custom", "m"],
  ["Object.assign(new Error('m'), { name: 5, message: { deep: 1 } })", "5", '{"deep":1}'],
  ["new Error('outer', { cause: new RangeError('inner') })", "Error", /^outer \(cause: RangeError: inner/],
  ["new AggregateError([1], 'many')", "AggregateError", "many"],
  ["Object.create(Error.prototype)", "Error", "(an error without a message)"],
  ["Object.defineProperty(new Error('m'), 'message', { get() { throw 1 } })", "Error", "(an error without a message)"],
  ["Object.defineProperty(new Error('m'), 'stack', { get() { throw 1 } })", "Error", "m"],
  ["Object.assign(new Error('m'), { stack: { toString() { throw 1 } } })", "Error", "m"],
  ["new Proxy(new Error('m'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })", "NonError", /^the program threw an object with/],
  ["(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()", "NonError", /^the program threw an object with/],
  ["(() => { const e = new Error('m'); e.cause = e; return e })()", "Error", /^m \(cause: Error: m/],
  ["new DOMException('gone', 'AbortError')", "AbortError", "gone"],
  ["new Error('\\ud800')", "Error", "\ufffd"],
];

for (const [source, name, message] of THROWN) {
  test(`anything_thrown_is_a_readable_exception: ${source}`, async () => {
    const { frames } = await play(`async () => { throw ${source} }`);
    assert.equal(frames.length, 1);
    const [kind, failure] = frames[0];
    assert.deepEqual([kind, failure.kind, failure.name], ["failed", "guest-exception", name]);
    if (message instanceof RegExp) assert.match(failure.message, message);
    else assert.equal(failure.message, message);
  });
}

for (const character of ["x", "\\u20ac", "\\u{1F600}"]) {
  test(`a_message_is_bounded_in_bytes: ${character}`, async () => {
    const { end } = await play(`async () => { throw new Error('${character}'.repeat(100000)) }`);
    const bytes = Buffer.byteLength(end[1].message);
    assert.ok(bytes <= 2048 && bytes > 2040, `${bytes}`);
    assert.match(end[1].message, /\u2026$/);
  });
}

test("frames_are_the_programs_own_positions", async () => {
  const { end } = await play(`async () => {
  const inner = (n) => { if (n === 0) throw new Error("deep"); [0].map(() => inner(n - 1)) };
  await null;
  inner(1);
}`);
  assert.deepEqual(end[1].frames, [[2, 45, "inner"], [2, 78, ""], [2, 68, "inner"], [4, 3, ""]]);
});

test("frames_are_bounded_and_survive_a_shaped_stack", async () => {
  const repeated = Array(16).fill([1, 2, "f"]);
  /** @type {[string, unknown[]][]} */
  const shaped = [
    ["Object.assign(new Error('m'), { stack: Array(9999).fill('    at f (program.js:1:2)').join('\\n') })", repeated],
    ["Object.assign(new Error('m'), { stack: '    at program.js:999999999999:1\\n    at xprogram.js:1:1\\n    at program.js:1:x' + 'y'.repeat(1e6) })", []],
    ["Object.assign(new Error('m'), { stack: '    at program.js:1\\nprogram.js:1:2\\n    at async g (file:///x/program.js:3:4)' })", [[3, 4, "g"]]],
    ["(Error.prepareStackTrace = () => { throw 1 }, new Error('m'))", []],
    ["(Error.prepareStackTrace = (_, sites) => sites, new Error('m'))", []],
    ["(Error.stackTraceLimit = 0, new Error('m'))", []],
  ];
  for (const [source, frames] of shaped) {
    const { end } = await play(`async () => { throw ${source} }`);
    assert.equal(end[1].message, "m", source);
    assert.deepEqual(end[1].frames, frames, source);
  }
});

test("a_program_whose_module_throws_is_an_exception", async () => {
  const { end } = await play("throw new SyntaxError('at the top');\nexport default async () => 1;");
  assert.deepEqual([end[1].kind, end[1].name, end[1].message, end[1].frames[0]], ["guest-exception", "SyntaxError", "at the top", [1, 7, ""]]);
});

test("unhandled_rejections_are_told_before_the_end", async () => {
  const { frames } = await play(`async () => {
    Promise.reject(new TypeError("lost"));
    const soon = Promise.reject(new Error("handled later"));
    demo.fail();
    await demo.ping();
    soon.catch(() => {});
    return 1;
  }`);
  const logs = frames.filter(([kind]) => kind === "log");
  assert.deepEqual(logs.map(([, level, text]) => [level, text.split("\n")[0]]), [
    ["warn", "Unhandled rejection: TypeError: lost"],
    ["warn", "Unhandled rejection: Error: demo said no"],
  ]);
  assert.deepEqual(frames.at(-1), ["done", 1]);
});

test("a_flood_of_unhandled_rejections_is_bounded", async () => {
  const { logs, last } = await play("async () => { for (let i = 0; i < 500; i++) Promise.reject(i); return 1 }");
  assert.equal(logs.length, 20);
  assert.deepEqual(last, ["done", 1]);
});

test("what_a_timer_throws_is_a_line_of_the_log", async () => {
  const { end, logs } = await play(`async () => {
    await new Promise((resolve) => { setTimeout((text) => { resolve(); throw new TypeError(text) }, 1, "tick"); });
    await new Promise((resolve) => { setInterval(() => { resolve(); throw "tock" }, 1); });
    return [typeof setTimeout(() => {}, 1), setTimeout.name];
  }`);
  assert.deepEqual(end[1][1], "setTimeout");
  assert.match(logs[0][2], /^Uncaught in a timer: TypeError: tick\n    at .*program\.js:\d+/);
  assert.match(logs[1][2], /^Uncaught in a timer: the string "tock"$/);
});
