/**
 * One run: from the host's `run` frame to the single `done` or `failed`.
 *
 * Owns: the state of the run, the program's globals, the order at the end. Does not own: the socket's
 * kind, how the program is imported, the text of frames.
 *
 * All state lives in the record of {@link openRun}, which only the entry holds: nothing of a run can be
 * reached by importing this module, and a second run in one isolate ends at the globals, which can't be defined twice.
 *
 *     waiting -- run frame --> running -- program settles --> returned -- one turn later --> settled
 *
 * From `returned` on calls are refused; the one turn lets the platform report unhandled rejections.
 * A fault of the host or a closed socket leads to `settled` from anywhere.
 */

import { installBindings } from "./bindings.js";
import { answer, call, failureOf, forage, openCalls, unknown } from "./calls.js";
import { makeConsole } from "./console.js";
import { exceptionOf, say } from "./exception.js";
import { encode } from "./json.js";
import { closeLog, openLog, writeLog } from "./log.js";
import { outline } from "./outline.js";
import { MapConstructor, defineLazy, global, later, mapDelete, mapEach, mapSet, whenSettled } from "./primordials.js";
import { guardTimers } from "./timers.js";
import { VERSION, doneText, failedText, readFrame } from "./wire.js";

/** Unhandled rejections that are told. */
const REJECTIONS = 20;

/**
 * @typedef {object} Run
 * @property {"waiting" | "running" | "returned" | "settled"} phase
 * @property {(text: string) => void} send
 * @property {() => Promise<{default: unknown}>} importProgram
 * @property {import("./calls.js").Calls | undefined} calls
 * @property {import("./log.js").Log | undefined} log
 * @property {Map<object, unknown>} rejections promises nobody handles, so far, with their reasons
 * @property {number} told rejections seen
 */
/** @typedef {Run & {calls: import("./calls.js").Calls, log: import("./log.js").Log}} Begun */

/** @param {(text: string) => void} send @param {() => Promise<{default: unknown}>} importProgram @returns {Run} */
export const openRun = (send, importProgram) => ({
  phase: "waiting",
  send,
  importProgram,
  calls: undefined,
  log: undefined,
  rejections: new MapConstructor(),
  told: 0,
});

/**
 * A frame of the host.
 *
 * @param {Run} run
 * @param {unknown} text
 */
export const receive = (run, text) => {
  if (run.phase === "settled") return;
  const frame = readFrame(text);
  if (typeof frame === "string") return fault(run, frame);
  if (frame.kind === "run") return run.calls ? fault(run, "a second run frame") : begin(run, frame.task);
  const wrong = run.calls ? answer(run.calls, frame) : "a reply before the run frame";
  if (wrong) fault(run, wrong);
};

/** Nobody handles a promise, so far. @param {Run} run @param {object} promise @param {unknown} reason */
export const rejected = (run, promise, reason) => {
  if (run.told++ < REJECTIONS) mapSet(run.rejections, promise, reason);
};

/** Somebody does now. @param {Run} run @param {object} promise */
export const handled = (run, promise) => {
  mapDelete(run.rejections, promise);
};

/** Something threw where nobody could catch it. @param {Run} run @param {string} where @param {unknown} error */
export const uncaught = (run, where, error) => {
  if (run.log && run.phase !== "settled") writeLog(run.log, "error", `Uncaught in ${where}: ${say(error)}`);
};

/** The socket is gone. @param {Run} run */
export const closed = (run) => {
  run.phase = "settled";
  if (run.calls) run.calls.open = false;
};

/** @param {Run} opened @param {import("./wire.js").Task} task */
const begin = (opened, task) => {
  const calls = openCalls(task, opened.send);
  const run = /** @type {Begun} */ (opened);
  run.phase = "running";
  run.calls = calls;
  run.log = openLog(task.limits, run.send);
  try {
    installBindings(task, {
      operation: (index, values) => call(calls, index, values),
      helper: (helper, values) => forage(calls, helper, values),
      unknown: (path) => unknown(calls, path),
    });
  } catch {
    return fault(run, "a run in an isolate that had one");
  }
  guardTimers((error) => uncaught(run, "a timer", error));
  defineLazy(global, "console", () => makeConsole((level, text) => run.phase === "settled" || writeLog(run.log, level, text)));
  const threw = (/** @type {unknown} */ error) => conclude(run, () => failureText(run, error));
  whenSettled(run.importProgram(), (program) => start(run, program.default, threw), threw);
};

/** @param {Begun} run @param {any} program @param {(error: unknown) => void} threw */
const start = (run, program, threw) => {
  if (typeof program !== "function") return fault(run, "a program without a default function");
  const returned = (/** @type {unknown} */ value) => conclude(run, () => resultText(value, run.calls.task.limits.resultBytes));
  let value;
  try {
    value = program();
  } catch (error) {
    return threw(error);
  }
  try {
    whenSettled(value, returned, threw);
  } catch {
    returned(value);
  }
};

/** @param {Begun} run @param {() => string} makeText of the last frame, asked one turn later */
const conclude = (run, makeText) => {
  run.phase = "returned";
  run.calls.open = false;
  later(() => {
    if (run.phase === "settled") return;
    const text = makeText();
    mapEach(run.rejections, (reason) => writeLog(run.log, "warn", `Unhandled rejection: ${say(reason)}`));
    closeLog(run.log);
    settle(run, text);
  }, 0);
};

/** @param {Run} run @param {string} message what the host did wrong */
const fault = (run, message) => settle(run, failedText({ kind: "bad-protocol", message, versions: [VERSION] }));

/** @param {Run} run @param {string} text */
const settle = (run, text) => {
  if (run.phase === "settled") return;
  closed(run);
  run.send(text);
};

/** @param {Begun} run @param {unknown} error */
const failureText = (run, error) => failedText(failureOf(run.calls, error) ?? { kind: "guest-exception", ...exceptionOf(error) });

/** @param {unknown} value @param {number} limit */
const resultText = (value, limit) => {
  const { text, refusal, bytes } = encode(value, limit);
  if (refusal) return failedText({ kind: "result-invalid", ...refusal });
  return bytes ? failedText({ kind: "result-too-large", bytes, limit, outline: outline(value) }) : doneText(text);
};
