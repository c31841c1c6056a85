import assert from "node:assert/strict";
import { test } from "node:test";

import { encode } from "../json.js";
import { play } from "./host.js";

const KEPT = {
  "undefined": undefined,
  "null": null,
  "1.5": 1.5,
  "-0": 0,
  "'text \\u2028 \\u{1F600} \"'": "text \u2028 \u{1F600} \"",
  "[[], {}]": [[], {}],
  "({ a: undefined, b: 1, [Symbol('s')]: 2 })": { b: 1 },
  "new Date(0)": "1970-01-01T00:00:00.000Z",
  "({ at: new Date(0), n: [1] })": { at: "1970-01-01T00:00:00.000Z", n: [1] },
  "({ toJSON: () => [7] })": [7],
  "[Object(1), Object('s'), Object(false)]": [1, "s", false],
  "new (class { x = 1; #y = 2; z() {} })()": { x: 1 },
  "Object.assign(Object.create(null), { a: [null] })": { a: [null] },
  "({ get a() { return 3 } })": { a: 3 },
  "new Proxy({ a: 1 }, {})": { a: 1 },
  "new Proxy([1, 2], {})": [1, 2],
  "new URL('http://h/p')": "http://h/p",
  "JSON.parse('{\"__proto__\": 1}')": JSON.parse('{"__proto__": 1}'),
  "(() => { const d = [1]; return [d, d] })()": [[1], [1]],
  "(() => { BigInt.prototype.toJSON = function () { return String(this) }; return [2n] })()": ["2"],
  "(function () { return arguments })(1)": { 0: 1 },
};

for (const [source, value] of Object.entries(KEPT)) {
  test(`a_result_keeps_its_value: ${source}`, async () => {
    const { frames } = await play(`async () => (${source})`);
    assert.deepEqual(frames, [value === undefined ? ["done"] : ["done", value]]);
  });
}

const REFUSED = [
  ["() => 1", "", /^a function$/],
  ["({ a: [{ b() {} }] })", "/a/0/b", /^a function$/],
  ["Symbol('s')", "", /^a symbol$/],
  ["({ n: 1n })", "/n", /^a BigInt$/],
  ["[NaN]", "/0", /^NaN$/],
  ["({ x: -Infinity })", "/x", /^-Infinity$/],
  ["[1, undefined]", "/1", /^undefined in an array$/],
  ["[1, , 2]", "/1", /^undefined in an array$/],
  ["({ m: new Map() })", "/m", /^a Map$/],
  ["new Set([1])", "", /^a Set$/],
  ["({ e: new TypeError('x') })", "/e", /^an Error$/],
  ["[1].map(async () => 1)", "/0", /^a Promise$/],
  ["new Uint8Array(2)", "", /^an? Uint8Array$/],
  ["new ArrayBuffer(2)", "", /^an ArrayBuffer$/],
  ["({ r: /x/ })", "/r", /^a RegExp$/],
  ["[1].values()", "", /^an Array Iterator$/],
  ["new Date(NaN)", "", /^an invalid Date$/],
  ["'\\ud800'", "", /^a text with a lone surrogate$/],
  ["({ 'k\\ud800': 1 })", "/k\ufffd", /^a text with a lone surrogate$/],
  ["({ 'a/b~c': { d: 1n } })", "/a~1b~0c/d", /^a BigInt$/],
  ["(() => { const a = { b: {} }; a.b.c = a; return a })()", "/b/c", /^a cycle back to the value itself$/],
  ["(() => { const a = []; a.push({ a }); return { a } })()", "/a/0/a", /^a cycle back to \/a$/],
  ["({ get a() { throw new Error('no') } })", "/a", /throws when it is read/],
  ["({ a: { toJSON() { throw null } } })", "/a", /throws when it is read/],
  ["new Proxy({ a: 1 }, { ownKeys() { throw 1 } })", "", /throws when it is read/],
  ["[[1, 2], new Proxy({ a: 1 }, { ownKeys() { throw 1 } })]", "/1", /throws when it is read/],
  ["(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy] })()", "/0", /throws when it is read/],
  ["env.demo", "/ping", /^a function$/],
  ["(() => { let a = 1; for (let i = 0; i < 129; i++) a = [a]; return a })()", "/0".repeat(128), /^nested more than 128 deep$/],
];

for (const [source, path, found] of REFUSED) {
  test(`a_result_that_json_would_change_is_refused_by_path: ${source}`, async () => {
    const { frames } = await play(`async () => (${source})`);
    assert.equal(frames.length, 1);
    const [kind, failure] = frames[0];
    assert.deepEqual([kind, failure.kind, failure.path], ["failed", "result-invalid", path]);
    assert.match(failure.found, found);
    assert.ok(failure.remedy.length > 3);
  });
}

test("a_value_128_deep_is_kept", async () => {
  const { end } = await play("async () => { let a = 1; for (let i = 0; i < 128; i++) a = [a]; return a }");
  assert.equal(end[0], "done");
});

const LARGE = [
  ["'x'.repeat(9000)", /^string\(9000\)$/],
  ["'\\u20ac'.repeat(4000)", /^string\(4000\)$/],
  ["Array.from({ length: 3000 }, (_, i) => ({ id: i, tags: ['a'] }))", /^array\(3000\) of { "id": number, "tags": array\(1\) }$/],
  ["({ rows: new Array(9000).fill(1), at: new Date(0) })", /^{ "rows": array\(9000\) of number, "at": /],
  ["(() => { let a = ['x'.repeat(99)]; for (let i = 0; i < 60; i++) a = [a, a]; return a })()", /^array\(2\)/],
];

for (const [source, outline] of LARGE) {
  test(`a_large_result_tells_its_size_and_shape: ${source}`, async () => {
    const { end } = await play(`async () => (${source})`);
    assert.deepEqual([end[0], end[1].kind, end[1].limit], ["failed", "result-too-large", 8192]);
    assert.ok(end[1].bytes > 8192);
    assert.match(end[1].outline, outline);
  });
}

test("a_result_at_the_limit_is_kept_and_one_byte_more_is_not", async () => {
  const { end } = await play("async () => '\\u20ac'.repeat(2730)");
  assert.deepEqual(end, ["done", "\u20ac".repeat(2730)]);
  const over = await play("async () => '\\u20ac'.repeat(2730) + 'x'");
  assert.equal(over.end[1].bytes, 8193);
});

/** @param {() => number} random */
const anyValue = (random, depth = 0) => {
  const pick = Math.floor(random() * (depth > 3 ? 6 : 8));
  const word = () => String.fromCodePoint(...Array.from({ length: random() * 5 }, () => [34, 92, 10, 0, 65, 0x20ac, 0x1f600][Math.floor(random() * 7)]));
  if (pick === 0) return null;
  if (pick === 1) return random() < 0.5;
  if (pick === 2) return Math.floor(random() * 1e6) - 5e5;
  if (pick === 3) return random() * 10 ** (random() * 40 - 20);
  if (pick < 6) return word();
  const size = Math.floor(random() * 5);
  if (pick === 6) return Array.from({ length: size }, () => anyValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length: size }, () => [word(), random() < 0.1 ? undefined : anyValue(random, depth + 1)]));
};

test("both_ways_of_writing_agree_with_the_engine", () => {
  let seed = 7;
  const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
  class Held {}
  for (let i = 0; i < 3000; i++) {
    const value = anyValue(random);
    const plain = encode([value], 1e6);
    if (value === undefined) continue;
    assert.equal(plain.text, JSON.stringify([value]));
    const held = encode(Object.assign(new Held(), { value }), 1e6);
    assert.equal(held.text, JSON.stringify({ value }));
    assert.equal(encode([value], Buffer.byteLength(plain.text)).bytes, 0);
    if (plain.text.length > 2) assert.notEqual(encode([value], Buffer.byteLength(plain.text) - 1).bytes, 0);
  }
});
