// Has V8 optimize the functions that runs touch, a slice after each answer.
//
// Their baseline code is dropped at every run, since each creates an isolate, and takes
// longer to compile than the run itself takes; optimized code stays. A release exports
// functions that bring V8 to it, which do nothing else and touch no memory; other
// builds have none. One slice takes a few milliseconds.

import { instance } from "../../build/worker/host.js";
import intakeModule from "../../build/worker/intake.wasm";

/** @typedef {Record<string, (() => void) | undefined>} Slices */

/** @type {(() => Slices)[]} What is still to be warmed; code belongs to modules, not to instances. */
const modules = [instance, () => /** @type {any} */ (new WebAssembly.Instance(intakeModule).exports)];
let next = 0;

/** Warms the next slice, if there is one, once the answer at hand is on its way. */
export async function warm() {
  if (modules.length === 0) return;
  await scheduler.wait(0);
  const slice = modules[0]?.()[`warm${next}`];
  next += 1;
  if (slice) return slice();
  modules.shift();
  next = 0;
}
