// Values that crossed from another Worker, as JSON with nothing lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pack } from "../src/workers/service/plain.js";

const MOST = 1 << 20;

/** @param {unknown} value @param {number} [units] */
const refused = (value, units = MOST) => pack(value, units, false).refusal;

test("plain_data_is_json_as_it_is", () => {
  const values = [null, true, "é\n\u2028", -0.5, 1e21, [], {}, [[{ a: [1, "x"] }]], { "": 1, "a/b": null }];
  for (const value of values) assert.equal(pack(value, MOST, false).text, JSON.stringify(value));
  assert.equal(pack(undefined, MOST, false).text, "null");
  assert.equal(pack({ a: undefined, b: 1 }, MOST, false).text, '{"b":1}');
  const proto = JSON.parse('{"__proto__":{"x":1}}');
  assert.equal(pack(proto, MOST, false).text, '{"__proto__":{"x":1}}', "left for the reader to refuse");
});

test("what_json_would_drop_or_change_is_refused_by_its_place", () => {
  const cases = [
    [{ a: [1, NaN] }, /^at \/a\/1: NaN can't be said in JSON/],
    [{ a: -Infinity }, /^at \/a: -Infinity/],
    [{ "a/b": { "c~": 1n } }, /^at \/a~1b\/c~0: a bigint/],
    [[1, undefined], /^at \/1: undefined in a list/],
    [[, 1], /^at \/0: undefined in a list/],
    [{ when: new Date(0) }, /^at \/when: a Date can't/],
    [{ m: new Map([[1, 2]]) }, /^at \/m: a Map/],
    [new Uint8Array(3), /^a Uint8Array/],
    [{ e: new RangeError("x") }, /^at \/e: an? Error/],
    [{ o: new (class Point {})() }, /^at \/o: an object of a class/],
    [{ f: () => 1 }, /^at \/f: a function/],
    [Symbol("x"), /^a symbol/],
  ];
  for (const [value, expected] of cases) assert.match(refused(value) ?? "", /** @type {RegExp} */ (expected));
});

test("depth_cycles_and_size_are_bounded", () => {
  /** @type {any} */
  let deep = 1;
  for (let level = 0; level < 128; level++) deep = [deep];
  assert.equal(refused(deep), undefined);
  assert.match(refused([deep]) ?? "", /nested more than 128 levels/);
  /** @type {any} */
  const cycle = {};
  cycle.again = cycle;
  assert.match(refused(cycle) ?? "", /nested more than 128 levels/);
  // A value that would be 2^100 long is given up at the bound.
  /** @type {any} */
  let wide = 1;
  for (let level = 0; level < 100; level++) wide = [wide, wide];
  assert.match(refused(wide) ?? "", /more than 1048576 bytes/);
  assert.equal(refused("x".repeat(98), 100), undefined);
  assert.match(refused("x".repeat(99), 100) ?? "", /more than 100 bytes as JSON: send less/);
});

test("functions_stand_beside_with_their_places_and_are_duplicated", () => {
  let dups = 0;
  const stub = (/** @type {string} */ name) => Object.assign(() => name, { dup: () => (dups++, () => `${name} again`) });
  const value = { confirm: stub("confirm"), modules: [{ operations: { "a/b": { execute: stub("execute") } } }] };
  const packed = pack(value, MOST, true);
  assert.equal(packed.text, '{"confirm":null,"modules":[{"operations":{"a/b":{"execute":null}}}]}');
  assert.deepEqual(packed.paths, ["/confirm", "/modules/0/operations/a~1b/execute"]);
  assert.deepEqual(packed.functions.map((kept) => kept()), ["confirm again", "execute again"]);
  assert.equal(dups, 2);
  // Of a value that is refused nothing is kept.
  assert.equal(pack({ f: stub("f"), late: 1n }, MOST, true).refusal?.startsWith("at /late"), true);
  assert.equal(dups, 2);
});
