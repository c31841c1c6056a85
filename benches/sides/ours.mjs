// Our Worker with one entry point more: an execution without MCP and without an object,
// which is the level that the other sides work at.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as rust from "../../build/worker/host.js";
import { warm } from "../../src/workers/warming.mjs";

export * from "../../src/workers/entry.mjs";
export { default } from "../../src/workers/entry.mjs";

export class Bench extends WorkerEntrypoint {
  /** @param {Request} request */
  async fetch(request) {
    // Only a build for benches has it.
    const { benchExecute } = /** @type {any} */ (rust);
    const answer = await benchExecute(this.ctx, this.env, await request.text());
    this.ctx.waitUntil(warm());
    return new Response(answer);
  }
}
