// Chance from a seed: the same seed, the same choices.

/** A stream of numbers that one seed makes. */
export class Chance {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
    for (let turn = 0; turn < 8; turn++) this.next();
  }

  /** The next one, at least 0 and below 1: Marsaglia's xorshift of 32 bits. */
  next() {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state / 2 ** 32;
  }

  /** @param {number} from @param {number} to */
  between(from, to) {
    return from + this.next() * (to - from);
  }

  /**
   * One of several, each as often as its weight.
   * @template {{ weight: number }} Kind
   * @param {readonly Kind[]} kinds
   * @returns {Kind}
   */
  of(kinds) {
    let left = this.next() * kinds.reduce((sum, { weight }) => sum + weight, 0);
    for (const kind of kinds) if ((left -= kind.weight) < 0) return kind;
    return kinds[kinds.length - 1];
  }
}
