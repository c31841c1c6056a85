// The table of what each client came to at each step.

/** Rows are clients, columns are steps; a cell says how the step ended. */
export class Table {
  /** @type {Map<string, Map<string, string>>} */
  #rows = new Map();

  /**
   * Runs one step of one client and notes what it came to.
   * @param {string} row
   * @param {string} column
   * @param {() => Promise<string>} step
   */
  async cell(row, column, step) {
    const cells = this.#rows.get(row) ?? new Map();
    this.#rows.set(row, cells.set(column, "FAILED"));
    cells.set(column, await step());
  }

  /**
   * Says of a client that it isn't tried.
   * @param {string} row
   */
  without(row) {
    this.#rows.set(row, new Map([["no key", "not tried"]]));
  }

  toString() {
    const columns = [...new Set([...this.#rows.values()].flatMap((cells) => [...cells.keys()]))];
    const lines = [...this.#rows].map(([row, cells]) => [row, ...columns.map((column) => cells.get(column) ?? "-")]);
    const all = [["client", ...columns], ...lines];
    const widths = all[0].map((_, index) => Math.max(...all.map((line) => line[index].length)));
    return all.map((line) => line.map((text, index) => text.padEnd(widths[index])).join("  ").trimEnd()).join("\n");
  }
}
