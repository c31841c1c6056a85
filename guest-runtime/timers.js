/**
 * The timers that the program sets: what their callbacks throw is told.
 *
 * The platform drops it without a word, and a program that waits for such a callback then waits until its
 * time is over. Owns the two functions in the place of the platform's. Does not own what is done with an
 * error.
 */

import { apply, define, global } from "./primordials.js";

const NAMES = ["setTimeout", "setInterval"];

/** @param {(error: unknown) => void} tell of what a callback threw */
export const guardTimers = (tell) => {
  for (let i = 0; i < NAMES.length; i++) {
    const set = /** @type {any} */ (global)[NAMES[i]];
    if (set) define(global, NAMES[i], named(NAMES[i], guarded(set, tell)), true, false);
  }
};

/** @param {any} set the platform's function @param {(error: unknown) => void} tell */
const guarded = (set, tell) => (/** @type {any} */ callback, /** @type {any} */ delay, /** @type {unknown[]} */ ...values) => {
  // What is no function is refused in the platform's own words.
  if (typeof callback !== "function") return set(callback, delay);
  return set(() => {
    try {
      apply(callback, undefined, values);
    } catch (error) {
      tell(error);
    }
  }, delay);
};

/** @param {string} name @param {Function} made */
const named = (name, made) => (define(made, "name", name, false, false), made);
