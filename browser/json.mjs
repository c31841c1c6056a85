// What JSON can't say, found before it is lost.

/** Levels of a value; the host reads 128, and what carries the value takes some. */
const DEPTH = 120;

/**
 * The first thing in a value that JSON would drop, change or refuse, as a problem with its path.
 * @param {unknown} value
 * @returns {string | undefined} nothing when JSON says all of it
 */
export function unsayable(value, path = "", within = /** @type {unknown[]} */ ([])) {
  const at = path === "" ? "the value" : path;
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${at} is ${value}: give null or a text`;
    case "object":
      break;
    default:
      return `${at} is ${typeof value === "undefined" ? "undefined: leave it out or give null" : `a ${typeof value}: give a text`}`;
  }
  if (value === null) return undefined;
  if (within.includes(value)) return `${at} holds itself: give what is needed of it`;
  if (within.length >= DEPTH) return `${at} is more than ${DEPTH} levels deep: flatten it`;
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return unsayable(value.toJSON(), path, [...within, value]);
  }
  const plain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!plain) {
    const kind = value.constructor?.name || "an object of its own kind";
    return `${at} is ${kind}: give plain objects and arrays`;
  }
  const entries = Array.isArray(value) ? Array.from(value, (item, index) => [index, item]) : Object.entries(value);
  for (const [key, item] of entries) {
    // JSON leaves such a member out, which is what its author meant.
    if (item === undefined && !Array.isArray(value)) continue;
    const problem = unsayable(item, `${path}/${key}`, [...within, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
