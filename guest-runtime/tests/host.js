/**
 * The near side of a test: writes the program, answers its calls, keeps every frame.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

export const LIMITS = { calls: 100, frameBytes: 65536, flightBytes: 100000, resultBytes: 8192, logBytes: 4096, logLines: 50 };

/** What the operations of every test do, by name. */
export const OPERATIONS = {
  "demo.ping": (input) => ["value", ...(input === undefined ? ["pong"] : [input])],
  "demo.fail": () => ["error", { code: "capability-failed", message: "demo said no", reference: "r-1" }],
  "demo.nothing": () => ["value"],
  "demo.never": () => undefined,
  "apps.bazaar.windows.open": (input) => ["value", { opened: input }],
};

/**
 * Runs a program to its end and a little further.
 *
 * @param {string} program the body of the program's module, or an async arrow function
 * @param {{operations?: object, limits?: object, task?: object, linger?: number, script?: (frame: any, send: (frame: any) => void) => boolean}} [options]
 *   `script` sees each frame first and answers true when it has dealt with it
 */
export const play = async (program, { operations = OPERATIONS, limits = {}, task = {}, linger = 0, script } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "guest-"));
  const file = join(folder, "program.js");
  await writeFile(file, /^\s*(import|export)\b/m.test(program) ? program : `export default ${program}`);
  const names = Object.keys(operations);
  const worker = new Worker(new URL("./isolate.js", import.meta.url), {
    workerData: { program: pathToFileURL(file).href },
    execArgv: ["--experimental-vm-modules", "--no-warnings"],
    stdout: true,
    stderr: true,
  });
  const frames = [];
  const send = (frame) => worker.postMessage(typeof frame === "string" ? frame : JSON.stringify(frame));
  try {
    await new Promise((resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error(`the isolate ended; frames: ${JSON.stringify(frames)}`)));
      worker.on("message", (text) => {
        const frame = JSON.parse(text);
        frames.push(frame);
        if (script?.(frame, send)) return;
        if (frame[0] === "done" || frame[0] === "failed") setTimeout(resolve, linger);
        const reply = frame[0] === "call" ? operations[names[frame[2]]](frame[3]) : frame[0] === "forage" ? ["value", frame.slice(2)] : undefined;
        if (reply) send([reply[0], frame[1], ...reply.slice(1)]);
      });
      if (task !== null) send(["run", 1, { operations: names, limits: { ...LIMITS, ...limits }, ...task }]);
      else script?.(undefined, send);
    });
  } finally {
    await worker.terminate();
    await rm(folder, { recursive: true });
  }
  const of = (kind) => frames.filter((frame) => frame[0] === kind);
  return { frames, end: frames.find(([kind]) => kind === "done" || kind === "failed"), calls: of("call"), voids: of("void"), logs: of("log"), last: frames.at(-1) };
};
