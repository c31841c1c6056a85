// How the client that most hosts carry behaves towards the Worker, besides what all clients do: more
// of them than work at once, one that takes its call back, one that waits no longer than it must.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { DEV, Workerd } from "../host/workerd.mjs";

const PING = "return demo.ping({})";
const PONG = '{"value":"pong"}';
const REMOVE = "return guarded.remove({})";
const AGREED = { action: "accept", content: { approve: true } };

/** Connections that work at once, as the Worker is told; every client keeps a stream open besides. */
const AT_ONCE = 5;

/** @typedef {{ signal?: AbortSignal, timeout?: number, resetTimeoutOnProgress?: boolean, onprogress?: () => void }} Options */

describe("conduct", { concurrency: 3 }, () => {
  /** @type {Workerd} */
  let workerd;
  before(async () => {
    workerd = await Workerd.start({ build: "faults", vars: { ...DEV, MYCELIUM_CONNECTIONS: String(AT_ONCE) } });
  });
  after(() => workerd.kill());

  /**
   * A connected client, and how it calls.
   * @param {() => unknown} answer its person's, however long that takes
   */
  async function connected(answer = () => AGREED) {
    const client = new Client({ name: "tests", version: "0" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, /** @type {any} */ (answer));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${workerd.url}/mcp`)));
    const call = async (/** @type {string} */ code, /** @type {Options} */ options = {}) => {
      const result = await client.callTool({ name: "execute", arguments: { code } }, undefined, options);
      return /** @type {any} */ (result.content)[0].text;
    };
    return { call, end: () => client.close() };
  }

  test("more_clients_than_work_at_once_are_all_served_and_none_is_forgotten", async () => {
    const clients = [];
    while (clients.length < 3 * AT_ONCE) clients.push(await connected());
    for (const code of [PING, REMOVE, PING]) {
      for (const { call } of clients) assert.equal(await call(code), code === PING ? PONG : '"removed"');
    }
    await Promise.all(clients.map(({ end }) => end()));
  });

  test("a_call_taken_back_while_its_person_is_asked_does_nothing_even_if_they_agree", async () => {
    const asked = Promise.withResolvers();
    const { call, end } = await connected(async () => {
      asked.resolve(undefined);
      await sleep(500);
      return AGREED;
    });
    const controller = new AbortController();
    const code = `const removed = await guarded.remove({}); return witness.see({ note: removed })`;
    const taken = assert.rejects(call(code, { signal: controller.signal }), /aborted/);
    await asked.promise;
    controller.abort();
    await taken;
    await sleep(1_000);
    assert.equal(await call("return witness.notes({})"), "[]");
    await end();
  });

  test("a_client_that_waits_as_long_as_there_is_progress_waits_for_its_person", async () => {
    const { call, end } = await connected(() => sleep(17_000, AGREED));
    let reports = 0;
    const options = { timeout: 15_000, resetTimeoutOnProgress: true, onprogress: () => void reports++ };
    assert.equal(await call(REMOVE, options), '"removed"');
    assert.ok(reports > 0);
    await end();
  });
});
