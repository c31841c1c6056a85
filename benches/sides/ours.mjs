// Our Worker with one entry point more: an execution without MCP and without an object,
// which is the level that the other sides work at.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as rust from "../../build/worker/host.js";
import { warm } from "../../src/workers/warming.mjs";
import { SCHEMA, validating } from "./validate.mjs";

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

/** Holds texts to a schema: the text crosses and is gone over once. */
export const Validation = validating(() => {
  const schema = new /** @type {any} */ (rust).BenchSchema(JSON.stringify(SCHEMA));
  return (text) => schema.takes(text);
});

/** The same, and the value is made of it, as of a call's input: an operation is handed that. */
export const Reading = validating(() => {
  const schema = new /** @type {any} */ (rust).BenchSchema(JSON.stringify(SCHEMA));
  return (text) => schema.reads(text);
});

/** What crossing alone takes. */
export const Crossing = validating(() => {
  const schema = new /** @type {any} */ (rust).BenchSchema(JSON.stringify(SCHEMA));
  return (text) => schema.crosses(text);
});
