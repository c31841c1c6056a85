// Event streams, however their text is cut.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader } from "../events.mjs";

const STREAM = ": open\n\nid: c1\nretry: 1000\nevent: open\ndata: {\"a\":1}\n\n: keepalive\n\ndata: one\ndata: two\n\nevent: bare\n\n";
const EVENTS = [
  { name: "open", data: '{"a":1}' },
  { name: "message", data: "one\ntwo" },
];

/**
 * @param {string} text
 * @param {number[]} cuts
 */
function read(text, cuts) {
  const reader = new EventReader();
  const parts = cuts.map((cut, index) => text.slice(cuts[index - 1] ?? 0, cut)).concat(text.slice(cuts.at(-1) ?? 0));
  return parts.flatMap((part) => reader.read(part));
}

test("a stream is the same events wherever it is cut, and whatever ends its lines", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = STREAM.replaceAll("\n", end);
    assert.deepEqual(read(text + end, []), EVENTS, JSON.stringify(end));
    for (let first = 0; first <= text.length; first++) {
      assert.deepEqual(read(text + end, [first]), EVENTS, `${JSON.stringify(end)} at ${first}`);
      assert.deepEqual(read(text + end, [first >> 1, first]), EVENTS);
    }
  }
});

test("an event that isn't whole is none yet", () => {
  const reader = new EventReader();
  assert.deepEqual(reader.read("data: a\n"), []);
  assert.deepEqual(reader.read("\n"), [{ name: "message", data: "a" }]);
});
