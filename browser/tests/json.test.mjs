// What JSON can't say is found before it is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unsayable } from "../json.mjs";

test("what JSON says whole is let through", () => {
  const shared = { a: 1 };
  const values = [null, true, "", 0, -1.5, [], {}, [[1], { a: [null] }], { left: undefined }, [shared, shared], new Date(0)];
  for (const value of [...values, Object.create(null)]) assert.equal(unsayable(value), undefined);
});

test("what JSON would drop, change or refuse is named with its path", () => {
  const loop = { a: [/** @type {unknown} */ (0)] };
  loop.a[0] = loop;
  /** @type {unknown} */
  let deep = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  const cases = /** @type {const} */ ([
    [NaN, "the value is NaN"],
    [{ a: [1, Infinity] }, "/a/1 is Infinity"],
    [{ a: 1n }, "/a is a bigint"],
    [[undefined], "/0 is undefined"],
    [{ f() {} }, "/f is a function"],
    [{ m: new Map() }, "/m is Map"],
    [new Uint8Array(1), "the value is Uint8Array"],
    [loop, "/a/0 holds itself"],
    [deep, "levels deep"],
  ]);
  for (const [value, problem] of cases) {
    const found = unsayable(value) ?? "nothing";
    assert.ok(found.includes(problem) && /: \w/.test(found), found);
  }
});
