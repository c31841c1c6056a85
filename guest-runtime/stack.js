/**
 * Stacks: where the program stands, in lines of `program.js`, without the harness's own frames.
 *
 * Owns: V8's stack text, which the program can shape (`Error.prepareStackTrace`, an own `stack`), so
 * whatever it is, it is read as untrusted text and bounded.
 */

import { ErrorConstructor, append, charCode, indexOf, lastIndexOf, slice, startsWith } from "./primordials.js";

/** Frames that are kept of a stack. */
const FRAMES = 16;
/** The module whose positions are told. */
const PROGRAM = "program.js";

/** @typedef {import("./wire.js").Frame} Frame */

/**
 * Where the program stands now: an error nobody throws, kept for its stack.
 *
 * @returns {Error}
 */
export const here = () => new ErrorConstructor();

/**
 * The positions in the program that a stack tells, innermost first.
 *
 * @param {object} error
 * @returns {Frame[]}
 */
export const framesOf = (error) => {
  /** @type {Frame[]} */
  const frames = [];
  const stack = stackOf(error);
  if (typeof stack !== "string") return frames;
  for (let from = 0; from >= 0 && from < stack.length && frames.length < FRAMES; ) {
    const end = indexOf(stack, "\n", from);
    const frame = frameOf(slice(stack, from, end < 0 ? stack.length : end));
    if (frame) append(frames, frame);
    from = end < 0 ? -1 : end + 1;
  }
  return frames;
};

/** @param {any} error @returns {unknown} */
const stackOf = (error) => {
  try {
    return error.stack;
  } catch {
    return undefined;
  }
};

/**
 * One line of a V8 stack: `    at name (program.js:3:12)` or `    at program.js:3:12`.
 *
 * @param {string} line
 * @returns {Frame | undefined}
 */
const frameOf = (line) => {
  if (!startsWith(line, "    at ")) return undefined;
  const file = lastIndexOf(line, PROGRAM + ":");
  if (file < 7 || indexOf(" (/", line[file - 1]) < 0) return undefined;
  const open = lastIndexOf(line, " (", file);
  const at = readNumber(line, file + PROGRAM.length + 1);
  const column = readNumber(line, at.end + 1);
  if (at.value === 0 || column.value === 0) return undefined;
  return [at.value, column.value, functionName(open < 7 ? "" : slice(line, 7, open))];
};

/** @param {string} line @param {number} from @returns {{value: number, end: number}} */
const readNumber = (line, from) => {
  let end = from;
  let value = 0;
  for (; end < line.length && end < from + 9; end++) {
    const digit = charCode(line, end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
  }
  return { __proto__: null, value, end };
};

/** @param {string} name as V8 says it */
const functionName = (name) => {
  const plain = startsWith(name, "async ") ? slice(name, 6) : name;
  return plain === "Module.default" || plain === "default" ? "" : slice(plain, 0, 128);
};

/** @param {Frame[]} frames @returns {string} the lines of a stack, without its head */
export const stackLines = (frames) => {
  let text = "";
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    text += `\n    at ${frame[2] || "program"} (${PROGRAM}:${frame[0]}:${frame[1]})`;
  }
  return text;
};
