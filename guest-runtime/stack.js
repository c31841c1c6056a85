/**
 * Stacks: where the program stands, in lines of `program.js`, without the harness's own frames.
 *
 * Owns: V8's stack text, which the program can shape (`Error.prepareStackTrace`, an own `stack`), so
 * whatever it is, it is read as untrusted text and bounded.
 */

import { ErrorConstructor, append, indexOf, lastIndexOf, slice } from "./primordials.js";

/** Frames that are kept of a stack, lines that are looked at, units of a line. */
const FRAMES = 16;
const LINES = 200;
const UNITS = 512;
/** The module whose positions are told. */
const PROGRAM = "program.js:";

/** @typedef {import("./wire.js").Frame} Frame */

/** @returns {Error} where the program stands now: an error nobody throws, kept for its stack */
export const here = () => new ErrorConstructor();

/**
 * @param {any} error
 * @returns {Frame[]} the positions in the program that its stack tells, innermost first
 */
export const framesOf = (error) => {
  /** @type {Frame[]} */
  const frames = [];
  let stack;
  try {
    stack = error.stack;
  } catch {}
  if (typeof stack !== "string") return frames;
  let from = 0;
  for (let line = 0; line < LINES && frames.length < FRAMES && from < stack.length; line++) {
    const end = indexOf(stack, "\n", from);
    const to = end < 0 ? stack.length : end;
    const frame = frameOf(slice(stack, from, to < from + UNITS ? to : from + UNITS));
    if (frame) append(frames, frame);
    from = to + 1;
  }
  return frames;
};

/**
 * One line of a V8 stack: `    at name (program.js:3:12)` or `    at program.js:3:12`.
 *
 * @param {string} line
 * @returns {Frame | undefined}
 */
const frameOf = (line) => {
  const file = lastIndexOf(line, PROGRAM);
  if (file < 7 || slice(line, 0, 7) !== "    at " || indexOf(" (/", line[file - 1]) < 0) return undefined;
  const colon = indexOf(line, ":", file + PROGRAM.length);
  const end = line[line.length - 1] === ")" ? line.length - 1 : line.length;
  const row = +slice(line, file + PROGRAM.length, colon);
  const column = +slice(line, colon + 1, end);
  if (!(row > 0 && row < 1e9 && column > 0 && column < 1e9)) return undefined;
  const open = lastIndexOf(line, " (", file);
  return [row | 0, column | 0, open < 7 ? "" : nameOf(slice(line, 7, open))];
};

/** @param {string} name as V8 says it @returns {string} nothing for the program itself */
const nameOf = (name) => {
  const plain = slice(name, 0, 6) === "async " ? slice(name, 6) : name;
  return plain === "Module.default" || plain === "default" ? "" : slice(plain, 0, 128);
};

/** @param {Frame[]} frames @returns {string} the lines of a stack, without its head */
export const stackLines = (frames) => {
  let text = "";
  for (let i = 0; i < frames.length; i++) {
    text += `\n    at ${frames[i][2] || "program"} (${PROGRAM}${frames[i][0]}:${frames[i][1]})`;
  }
  return text;
};
