/**
 * Intrinsics that only readable text needs, taken before the program is imported like those of
 * `primordials.js`, and apart from them so that a program without a console does not pay for them.
 */

import { getPrototypeOf, uncurry, uncurryGetter } from "./primordials.js";

export const { now } = Date;
export const { Number: toNumber } = globalThis;
export const booleanOf = uncurry(Boolean.prototype.valueOf);
export const bufferLength = uncurryGetter(ArrayBuffer.prototype, "byteLength");
export const charCode = uncurry(String.prototype.charCodeAt);
export const functionText = uncurry(Function.prototype.toString);
export const mapEntries = uncurry(Map.prototype.entries);
export const mapNext = uncurry(getPrototypeOf(new Map().entries()).next);
export const mapSize = uncurryGetter(Map.prototype, "size");
export const numberOf = uncurry(Number.prototype.valueOf);
export const regExpText = uncurry(RegExp.prototype.toString);
export const setNext = uncurry(getPrototypeOf(new Set().values()).next);
export const setSize = uncurryGetter(Set.prototype, "size");
export const setValues = uncurry(Set.prototype.values);
export const stringOf = uncurry(String.prototype.valueOf);
export const symbolText = uncurry(Symbol.prototype.toString);
