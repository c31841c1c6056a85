/**
 * The budget between the program's words and the wire: bounded, and nothing dropped unsaid.
 *
 * One call is one line of the budget, whatever its text holds. The line that crosses `logBytes` is cut
 * there; after it, or after `logLines`, nothing is sent and everything is counted.
 */

import { freeze, utf8Length, utf8Prefix } from "./primordials.js";

/** @typedef {import("./wire.js").Level} Level */
/** @typedef {{write: (level: Level, text: string) => void, close: () => void}} Log */

/**
 * The budget between the console and the wire.
 *
 * @param {{logBytes: number, logLines: number}} limits
 * @param {(level: Level, text: string) => void} sink
 * @returns {Log} `close` tells what was dropped, if anything was
 */
export const openLog = ({ logBytes, logLines }, sink) => {
  let lines = 0;
  let bytes = 0;
  let droppedLines = 0;
  let droppedBytes = 0;

  /** @param {Level} level @param {string} text */
  const write = (level, text) => {
    const size = utf8Length(text);
    if (droppedLines === 0 && lines < logLines && bytes + size <= logBytes) {
      lines += 1;
      bytes += size;
      return sink(level, text);
    }
    const kept = droppedLines === 0 && lines < logLines ? utf8Prefix(text, logBytes - bytes) : "";
    droppedLines += 1;
    droppedBytes += size - utf8Length(kept);
    if (kept !== "") sink(level, kept + "\u2026");
  };

  const close = () => {
    if (droppedLines === 0) return;
    const what = `${droppedLines} log lines with ${droppedBytes} bytes were cut or dropped`;
    sink("warn", `[${what}: a run keeps ${logLines} lines and ${logBytes} bytes]`);
  };

  return freeze({ write, close });
};
