// When a program has ended, it has ended; and what it leaves is plain data.

import { describe } from "node:test";
import { range } from "./attack.mjs";

const attack = range();
/** @typedef {import("./attack.mjs").Seen} Seen */
/** @type {(seen: Seen) => boolean} */
const late = (seen) => seen.late > 0;
/** @type {(seen: Seen) => boolean} */
const called = ({ calls }) => calls.length > 0;
/** @type {(seen: Seen) => boolean} */
const done = ({ end }) => end === "done";

describe("late_calls", () => {
  attack("from a timer", { code: "setTimeout(() => demo.ping({}), 50); return 1", escaped: late });
  attack("from work that nobody awaits", { code: "(async () => { await sleep(50); await demo.ping({}) })(); return 1", escaped: late });
  attack("by a function kept under another name", {
    code: "const { ping } = demo; const kept = ping.bind(null, {}); setInterval(kept, 30); return 1",
    escaped: late,
  });
  attack("after a throw", { code: "setTimeout(() => demo.ping({}), 50); throw new Error('over')", escaped: late });
  attack("from a thenable answer", {
    code: "return { then(answer) { answer(1); setTimeout(() => demo.ping({}), 50) } }",
    escaped: late,
  });
});

describe("answers_that_are_no_data", () => {
  attack("a function", { code: "return () => demo.ping({})", escaped: done });
  attack("a function inside", { code: "return { tools: [{ run: demo.ping }] }", escaped: done });
  attack("an object of a class with methods", {
    code: "class Tool extends Map { run() { return demo.ping({}) } } return { tool: new Tool() }",
    escaped: done,
  });
  attack("a socket of the platform", { code: "return { socket: new WebSocketPair()[0] }", escaped: done });
  attack("a proxy of a function", { code: "return new Proxy(demo.ping, {})", escaped: done });
});

describe("getters_and_proxies_in_answers", () => {
  attack("a getter that calls", { code: "return { get a() { demo.ping({}); return 1 } }", escaped: called });
  attack("a proxy that calls", {
    code: "return new Proxy({ a: 1 }, { get(target, key) { if (key === 'a') demo.ping({}); return target[key] } })",
    escaped: called,
  });
  attack("toJSON that calls", { code: "return { toJSON() { demo.ping({}); return 1 } }", escaped: called });
  attack("a length that lies", {
    code: "return { get length() { return 0 }, text: 'x'.repeat(9_000_000) }",
    escaped: ({ longest }) => longest > 8_388_608 + 128,
  });
});

describe("errors_with_hostile_members", () => {
  attack("a message that throws", {
    code: "const error = new Error('x'); Object.defineProperty(error, 'message', { get() { throw error } }); throw error",
    escaped: ({ end }) => end === undefined,
  });
  attack("a name that throws", {
    code: "const error = new Error('x'); Object.defineProperty(error, 'name', { get() { throw error } }); throw error",
    escaped: ({ end }) => end === undefined,
  });
  attack("a message without end", {
    code: "const error = new Error('x'); Object.defineProperty(error, 'message', { get: () => 'x'.repeat(20_000_000) }); throw error",
    escaped: ({ longest }) => longest > 8_388_608 + 128,
  });
  attack("a message that calls", {
    code: "const error = new Error('x'); Object.defineProperty(error, 'message', { get() { demo.ping({}); return 'x' } }); throw error",
    escaped: called,
  });
  attack("nothing at all", { code: "throw null", escaped: ({ end }) => end === undefined });
});

describe("failures_that_nobody_hears_of", () => {
  /** @type {(seen: Seen) => boolean} */
  const unheard = ({ end, frames }) => end === "done" && !frames.some((frame) => frame.includes("lost words"));
  attack("a rejection", { code: "Promise.reject(new Error('lost words')); await sleep(30); return 1", escaped: unheard });
  attack("a rejection at the very end", { code: "Promise.reject(new Error('lost words')); return 1", escaped: unheard });
  attack("a call that failed and was not awaited", {
    code: "(async () => { throw new Error('lost words') })(); return 1",
    escaped: unheard,
  });
  attack("a throw in a timer", { code: "setTimeout(() => { throw new Error('lost words') }, 1); await sleep(30); return 1", escaped: unheard });
  attack("a throw in a microtask", { code: "queueMicrotask(() => { throw new Error('lost words') }); await sleep(30); return 1", escaped: unheard });
});

describe("what_one_run_leaves_for_the_next", () => {
  /** @type {(seen: Seen) => boolean} */
  const found = ({ value }) => value === "left";
  const places = {
    "a global": "globalThis.left",
    "a member of a prototype": "Array.prototype.left",
    "a member of a platform's function": "fetch.left",
    "a symbol of the registry": "globalThis[Symbol.for('left')]",
  };
  for (const [name, place] of Object.entries(places)) {
    attack(name, { code: `const before = ${place}; ${place} = 'left'; return before ?? 'nothing'`, escaped: found, twice: true });
  }
});
