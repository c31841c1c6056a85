// A workerd beside tests, and what they may ask of an object on trial.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { request } from "./client.mjs";
import { DEV, Workerd } from "./workerd.mjs";

/** @typedef {import("./client.mjs").Client} Client */

/**
 * A workerd for the tests beside this call, with the build that can be put on trial.
 * @param {Record<string, string>} [vars]
 */
export function workerdWith(vars = {}) {
  /** @type {Workerd | undefined} */
  let workerd;
  const started = () => {
    assert.ok(workerd, "it runs while tests do");
    return workerd;
  };
  before(async () => {
    workerd = await Workerd.start({ build: "faults", vars: { ...DEV, ...vars } });
  });
  after(() => workerd?.stop());
  return {
    get url() {
      return started().url;
    },
    get log() {
      return started().log;
    },
  };
}

/**
 * The answer of a program that has one.
 * @param {Client} client
 * @param {string} code
 * @returns {Promise<any>}
 */
export async function answer(client, code) {
  const { isError, text } = await client.execute(code);
  assert.equal(isError, false, text);
  return JSON.parse(text);
}

/**
 * What the operations of the client's object have noted.
 * @param {Client} client
 * @returns {Promise<string[]>}
 */
export const notes = (client) => answer(client, "return witness.notes({})");

/**
 * Asks the client's object for what only a test may.
 * @param {Client} client
 * @param {"close" | "contract" | "mute"} what
 */
export const trial = (client, what) => client.post(request(what, "ping"), {}, { query: `?fault=object.${what}` });
