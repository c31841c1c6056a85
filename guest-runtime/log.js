/**
 * The budget between the program's words and the wire: bounded, and nothing dropped unsaid.
 *
 * One call is one line of the budget, whatever its text holds. The line that crosses `bytes` is cut
 * there; after it, or after `lines`, nothing is sent and everything is counted.
 */

import { utf8Length, utf8Prefix } from "./primordials.js";
import { logText } from "./wire.js";

/** @typedef {import("./wire.js").Level} Level */
/**
 * @typedef {object} Log
 * @property {(text: string) => void} send
 * @property {import("./wire.js").Limits} limits
 * @property {number} lines sent so far
 * @property {number} bytes sent so far
 * @property {number} droppedLines
 * @property {number} droppedBytes
 */

/** @param {import("./wire.js").Limits} limits @param {(text: string) => void} send @returns {Log} */
export const openLog = (limits, send) => ({ send, limits, lines: 0, bytes: 0, droppedLines: 0, droppedBytes: 0 });

/** @param {Log} log @param {Level} level @param {string} text */
export const writeLog = (log, level, text) => {
  const size = utf8Length(text);
  const open = log.droppedLines === 0 && log.lines < log.limits.logLines;
  const kept = open ? utf8Prefix(text, log.limits.logBytes - log.bytes) : "";
  if (open && kept.length === text.length) {
    log.lines += 1;
    log.bytes += size;
    return log.send(logText(level, text));
  }
  log.droppedLines += 1;
  log.droppedBytes += size - utf8Length(kept);
  if (kept !== "") log.send(logText(level, kept + "\u2026"));
};

/** Tells what was dropped, if anything was. @param {Log} log */
export const closeLog = ({ send, limits, droppedLines, droppedBytes }) => {
  if (droppedLines === 0) return;
  const what = `${droppedLines} log lines with ${droppedBytes} bytes were cut or dropped`;
  send(logText("warn", `[${what}: a run keeps ${limits.logLines} lines and ${limits.logBytes} bytes]`));
};
