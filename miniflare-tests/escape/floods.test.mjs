// Too much of anything stops where it begins.

import { describe } from "node:test";
import { range } from "./attack.mjs";

const attack = range();
const MIB = 1_048_576;
/** @typedef {import("./attack.mjs").Seen} Seen */
/** @type {(seen: Seen) => boolean} */
const long = ({ longest }) => longest > 8 * MIB + 128;

describe("logs", () => {
  attack("many lines", {
    code: "for (let n = 0; n < 30_000; n++) console.log('x'.repeat(100)); return 1",
    escaped: ({ units }) => units > MIB,
  });
  attack("one long line", { code: "console.log('x'.repeat(20_000_000)); return 1", escaped: long });
  attack("many words in one line", {
    code: "const words = Array.from({ length: 2_000 }, () => 'x'.repeat(10_000)); console.log(...words); return 1",
    escaped: long,
  });
});

describe("answers_of_50_mb", () => {
  attack("a text in an object", { code: "return { text: 'x'.repeat(50_000_000) }", escaped: long });
  attack("a list", { code: "return Array.from({ length: 50 }, () => 'x'.repeat(1_000_000))", escaped: long });
  attack("a text that grows threefold on the wire", { code: "return { text: '\\u20ac'.repeat(17_000_000) }", escaped: long });
});

describe("loops_of_calls", () => {
  /** @type {(seen: Seen) => boolean} */
  const over = ({ calls, limits }) => calls.length > limits.calls;
  attack("that await nothing", {
    code: "for (let n = 0; n < 30_000; n++) demo.ping({}).catch(() => {}); await sleep(500); return 1",
    escaped: over,
  });
  attack("that never mind a refusal", {
    code: "for (let n = 0; n < 300; n++) { try { await demo.ping({}) } catch {} } return 1",
    escaped: over,
    limits: { calls: 100 },
  });
  attack("inputs of 8 MB side by side", {
    code: "const pad = 'x'.repeat(8_000_000); for (let n = 0; n < 8; n++) witness.see({ pad, ms: 200 }).catch(() => {}); await sleep(200); return 1",
    escaped: ({ units }) => units > 40 * MIB,
  });
});

describe("recursion", () => {
  /** Ordinals that leave one out. @type {(seen: Seen) => boolean} */
  const gap = ({ ordinals }) => ordinals.some((ordinal, position) => ordinal !== position);
  attack("calls made where the stack ends", {
    code: `let left = 1_500; const dig = () => { try { dig() } catch { if (left-- > 0) demo.ping({ left }).catch(() => {}) } };
      try { dig() } catch {} await demo.ping({}); return 1`,
    escaped: gap,
  });
  attack("an input that nests without end", {
    code: "let deep = []; for (let n = 0; n < 200_000; n++) deep = [deep]; demo.ping(deep).catch(() => {}); await demo.ping({}); return 1",
    escaped: gap,
  });
});
