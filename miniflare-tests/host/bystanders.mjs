// Work under way in the isolate in which something else fails.

import { Client, PONG, sleep } from "./client.mjs";

/** How long each of them would take, in milliseconds. */
const BUSY = 700;

/**
 * One of each kind: a timer of the host in an object, a guest's run in another, an
 * execution in a third that waits until another request ends it, a stateless request.
 */
export class Bystanders {
  /** @type {Client} */
  #suspended;
  /** @type {Record<string, Promise<string>>} */
  #answers;

  /**
   * Starts them and resolves when all are under way.
   * @param {string} url the Worker's
   */
  static async start(url) {
    const clients = await Promise.all([Client.open(url), Client.open(url), Client.open(url)]);
    const bystanders = new Bystanders(url, clients);
    await sleep(BUSY / 2);
    return bystanders;
  }

  /**
   * @param {string} url
   * @param {Client[]} clients
   */
  constructor(url, [timer, guest, suspended]) {
    this.clients = [timer, guest, suspended];
    this.#suspended = suspended;
    this.#answers = {
      timer: said(timer.execute(`return faults.wait({ ms: ${BUSY} })`)),
      guest: said(guest.execute(`await new Promise((done) => setTimeout(done, ${BUSY})); ${PONG}`)),
      suspended: said(suspended.execute("await new Promise(() => {})", { id: "suspended" })),
      stateless: fetch(`${url}/nothing?fault=gate.wait`).then(async (answer) => `${answer.status}: ${await answer.text()}`),
    };
    // Answered or not, nobody need look at one before it is asked for.
    for (const answer of Object.values(this.#answers)) answer.catch(() => {});
  }

  /** Lets the suspended one go, from another request. */
  release() {
    return this.#suspended.notify("notifications/cancelled", { requestId: "suspended" });
  }

  /**
   * What each came to, and how many milliseconds after the call of this it did.
   * @returns {Promise<Record<string, { text: string, after: number }>>}
   */
  async outcomes() {
    const begun = performance.now();
    const entries = Object.entries(this.#answers).map(async ([name, answer]) => {
      const text = await Promise.race([answer, sleep(5_000).then(() => "no answer")]);
      return [name, { text, after: performance.now() - begun }];
    });
    return Object.fromEntries(await Promise.all(entries));
  }
}

/** @param {Promise<{ text: string }>} execution */
async function said(execution) {
  try {
    return (await execution).text;
  } catch (error) {
    return String(error);
  }
}
