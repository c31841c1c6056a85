// The ledger of a load: what was asked, what each ask came to, and how often its work was done.
//
// It knows nothing of the Worker. What each ask came to is told by its client, how often work was
// done by those who did it; where the two don't agree, there is a problem, and a problem is what
// a load fails by.

/**
 * How often work may have been done when an ask has come to this: `once`, `never`, or `perhaps`,
 * which is at most once.
 * @typedef {"once" | "never" | "perhaps"} Done
 */

/**
 * What an ask may come to, by its fate's name: `failed CODE`, `refused REASON`, or `answered`.
 * @typedef {Record<string, Done>} Ends
 */

/** @typedef {"answered" | "refused" | "failed" | "lost" | "left"} Class the first word of a fate */

/** What is asked for once. */
export class Ask {
  /** What it came to; nothing while it is open. */
  fate = "";

  /**
   * @param {string} id
   * @param {string} kind
   * @param {Ends} ends
   * @param {number} works
   */
  constructor(id, kind, ends, works) {
    this.id = id;
    this.kind = kind;
    this.ends = ends;
    /** The names of its work, each of which is done on its own. */
    this.works = Array.from({ length: works }, (_, work) => `${id}.${work}`);
    this.begun = performance.now();
  }
}

/** Everything that was asked. */
export class Ledger {
  /** @type {Ask[]} */
  #asks = [];
  /** @type {Map<string, number>} */
  #fates = new Map();
  /** @type {string[]} */
  #problems = [];

  /**
   * Enters what will be asked next.
   * @param {string} kind
   * @param {Ends} ends besides being lost, which may happen to everything
   * @param {number} [works] how many pieces of work it has
   */
  ask(kind, ends, works = 0) {
    const ask = new Ask(`a${this.#asks.length}`, kind, ends, works);
    this.#asks.push(ask);
    return ask;
  }

  /**
   * Enters what an ask came to: `answered`, `refused REASON`, `failed CODE`, `lost HOW`, or `left`
   * when its client went away for good.
   * @param {Ask} ask
   * @param {string} fate
   * @param {string} [text] what was said, for whoever looks into a problem
   */
  settle(ask, fate, text = "") {
    this.#fates.set(fate, (this.#fates.get(fate) ?? 0) + 1);
    if (ask.fate !== "") this.problem(`${ask.id} (${ask.kind}) came to an end twice: ${ask.fate}, then ${fate}`);
    ask.fate = fate;
    const free = fate.startsWith("lost ") || fate === "left";
    if (!free && ask.ends[fate] === undefined) this.problem(`${ask.id} (${ask.kind}) came to \`${fate}\`: ${text.slice(0, 300)}`);
  }

  /** @param {string} text something that must not be */
  problem(text) {
    this.#problems.push(text);
  }

  /** How many have come to an end. */
  get settled() {
    return [...this.#fates.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Draws the line: what is still open is lost without a word, and work is compared.
   * @param {ReadonlyMap<string, number>} done how often each piece of work was done
   */
  close(done) {
    const problems = [...this.#problems];
    const known = new Set();
    let twice = 0;
    for (const ask of this.#asks) {
      if (ask.fate === "") problems.push(`${ask.id} (${ask.kind}) was never answered`);
      for (const work of ask.works) {
        known.add(work);
        const times = done.get(work) ?? 0;
        if (times > 1) twice += 1;
        const wanted = ask.ends[ask.fate] ?? "perhaps";
        if (!agrees(wanted, times)) problems.push(`${work} (${ask.kind}, ${ask.fate || "open"}) was done ${times} times, not ${wanted}`);
      }
    }
    for (const work of done.keys()) if (!known.has(work)) problems.push(`${work} was done and never asked for`);
    const classes = this.#classes();
    const sum = Object.values(classes).reduce((all, count) => all + count, 0);
    if (sum !== this.#asks.length) problems.push(`${this.#asks.length} were asked and ${sum} came to an end`);
    const works = [...done.values()].reduce((all, count) => all + count, 0);
    return { asked: this.#asks.length, classes, fates: new Map([...this.#fates].sort()), works, twice, problems, kinds: this.#kinds() };
  }

  #classes() {
    /** @type {Record<Class, number>} */
    const classes = { answered: 0, refused: 0, failed: 0, lost: 0, left: 0 };
    for (const [fate, count] of this.#fates) classes[/** @type {Class} */ (fate.split(" ")[0])] += count;
    return classes;
  }

  #kinds() {
    const kinds = Map.groupBy(this.#asks, ({ kind }) => kind);
    return new Map([...kinds].map(([kind, asks]) => [kind, asks.length]));
  }
}

/** @param {Done} wanted @param {number} times */
function agrees(wanted, times) {
  if (wanted === "perhaps") return times <= 1;
  return times === (wanted === "once" ? 1 : 0);
}

/**
 * The closed ledger as it is printed.
 * @param {ReturnType<Ledger["close"]>} closed
 */
export function printed({ asked, classes, fates, works, twice, problems, kinds }) {
  const row = (/** @type {string} */ name, /** @type {number} */ count) => `  ${String(count).padStart(8)}  ${name}`;
  const { answered, refused, failed, lost, left } = classes;
  return [
    "asked, by kind",
    ...[...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => row(kind, count)),
    "came to",
    ...[...fates].map(([fate, count]) => row(fate, count)),
    `asked ${asked} = answered ${answered} + refused ${refused} + failed with a code ${failed} + lost to a restart and told so ${lost} + left by their client ${left}`,
    `work done ${works} times, twice ${twice}`,
    `problems ${problems.length}`,
    ...problems.slice(0, 20).map((problem) => `  ${problem}`),
  ].join("\n");
}
