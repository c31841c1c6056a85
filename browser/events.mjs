// An event stream as its events.

/** Reads the text of an event stream in parts, however it is cut. */
export class EventReader {
  #rest = "";

  /**
   * The events that are whole with this part; comments and those without data are none.
   * @param {string} part
   * @returns {{ name: string, data: string }[]}
   */
  read(part) {
    // A line may end in CR, in LF, or in both; a CR at the end may have its LF in the next part.
    const text = this.#rest + part;
    const held = text.endsWith("\r") ? "\r" : "";
    const blocks = text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n").split("\n\n");
    this.#rest = (blocks.pop() ?? "") + held;
    return blocks.map(eventOf).filter((event) => event !== undefined);
  }
}

/** @param {string} block */
function eventOf(block) {
  let name = "message";
  /** @type {string[]} */
  const data = [];
  for (const line of block.split("\n")) {
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "event") name = value ?? "";
    if (field === "data") data.push(value ?? "");
  }
  return data.length > 0 ? { name, data: data.join("\n") } : undefined;
}
