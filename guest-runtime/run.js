/**
 * One run: from the host's `run` frame to the single `done` or `failed`.
 *
 * Owns: the state of the run, the program's globals, the order at the end. Does not own: the socket's
 * kind, how the program is imported, the text of frames.
 *
 * All state lives in the closure of {@link open}: nothing of a run can be reached by importing this
 * module, and a second run in one isolate ends at the globals, which can't be defined twice.
 *
 *     waiting -- run frame --> running -- program settles --> returned -- one turn later --> settled
 *
 * From `returned` on calls are refused; the one turn lets the platform report unhandled rejections.
 * A fault of the host or a closed socket leads to `settled` from anywhere.
 */

import { installGlobals, makeEnv } from "./bindings.js";
import { answer, call, failureOf, forage, openCalls, unknown } from "./calls.js";
import { makeConsole } from "./console.js";
import { exceptionOf, say } from "./exception.js";
import { encode } from "./json.js";
import { openLog } from "./log.js";
import { outline } from "./outline.js";
import { MapConstructor, defineLazy, freeze, global, later, mapDelete, mapEach, mapSet, whenSettled } from "./primordials.js";
import { VERSION, doneText, failedText, logText, readFrame } from "./wire.js";

/** Unhandled rejections that are told. */
const REJECTIONS = 20;

/**
 * @typedef {object} Run
 * @property {(text: unknown) => void} receive a frame of the host
 * @property {(promise: object, reason: unknown) => void} rejected nobody handles a promise, so far
 * @property {(promise: object) => void} handled somebody does now
 * @property {() => void} closed the socket is gone
 */

/**
 * @param {(text: string) => void} send
 * @param {() => Promise<{default: unknown}>} importProgram
 * @returns {Run}
 */
export const open = (send, importProgram) => {
  /** @type {"waiting" | "running" | "returned" | "settled"} */
  let phase = "waiting";
  let limit = 0;
  /** @type {import("./log.js").Log} */
  let log;
  /** @type {import("./calls.js").Calls} */
  let calls;
  let told = 0;
  const rejections = new MapConstructor();

  /** @param {unknown} text */
  const receive = (text) => {
    if (phase === "settled") return;
    const frame = readFrame(text);
    if (typeof frame === "string") return fault(frame);
    if (frame.kind === "run") return phase === "waiting" ? begin(frame.task) : fault("a second run frame");
    const wrong = phase === "waiting" ? "a reply before the run frame" : answer(calls, frame);
    if (wrong) fault(wrong);
  };

  /** @param {import("./wire.js").Task} task */
  const begin = (task) => {
    phase = "running";
    limit = task.limits.resultBytes;
    log = openLog(task.limits, (level, text) => send(logText(level, text)));
    calls = openCalls(task, send);
    const env = makeEnv(task, {
      call: (index, values) => call(calls, index, values),
      forage: (helper, values) => forage(calls, helper, values),
      unknown: (path) => unknown(calls, path),
    });
    try {
      installGlobals(task, env);
    } catch {
      return fault("a run in an isolate that had one");
    }
    defineLazy(global, "console", () => makeConsole((level, text) => phase === "settled" || log.write(level, text)));
    whenSettled(importProgram(), (program) => start(program.default), threw);
  };

  /** @param {any} program */
  const start = (program) => {
    if (typeof program !== "function") return fault("a program without a default function");
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

  /** @param {unknown} value */
  const returned = (value) => conclude(() => resultText(value, limit));

  /** @param {unknown} error */
  const threw = (error) => conclude(() => failedText(failureOf(calls, error) ?? { kind: "guest-exception", ...exceptionOf(error) }));

  /** @param {() => string} makeText */
  const conclude = (makeText) => {
    phase = "returned";
    calls.open = false;
    later(() => {
      if (phase === "settled") return;
      const text = makeText();
      mapEach(rejections, (reason) => log.write("warn", `Unhandled rejection: ${say(reason)}`));
      log.close();
      settle(text);
    }, 0);
  };

  /** @param {string} message what the host did wrong */
  const fault = (message) => settle(failedText({ kind: "bad-protocol", message, versions: [VERSION] }));

  /** @param {string} text */
  const settle = (text) => {
    if (phase === "settled") return;
    phase = "settled";
    if (calls) calls.open = false;
    send(text);
  };

  return freeze({
    receive,
    rejected: (/** @type {object} */ promise, /** @type {unknown} */ reason) => {
      if (told++ < REJECTIONS) mapSet(rejections, promise, reason);
    },
    handled: (/** @type {object} */ promise) => {
      mapDelete(rejections, promise);
    },
    closed: () => {
      phase = "settled";
      if (calls) calls.open = false;
    },
  });
};

/** @param {unknown} value @param {number} limit @returns {string} */
const resultText = (value, limit) => {
  const { text, refusal, bytes } = encode(value, limit);
  if (refusal) return failedText({ kind: "result-invalid", ...refusal });
  return bytes ? failedText({ kind: "result-too-large", bytes, limit, outline: outline(value) }) : doneText(text);
};
