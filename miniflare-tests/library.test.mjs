// A Worker that is made with the library: examples/notes, in the real runtime.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { HEADERS } from "./host/client.mjs";
import { startLibrary } from "./host/library.mjs";

const PASSPHRASE = "open sesame";

describe("examples/notes", () => {
  /** @type {import("./host/workerd.mjs").Workerd} */
  let workerd;
  before(async () => {
    workerd = await startLibrary("examples/notes", { NOTES_PASSPHRASE: PASSPHRASE });
  });
  after(() => workerd?.stop());

  /**
   * @param {string | undefined} token
   * @param {unknown} body
   * @param {string} [session]
   */
  async function post(token, body, session) {
    /** @type {Record<string, string>} */
    const headers = { ...HEADERS };
    if (token) headers.authorization = `Bearer ${token}`;
    if (session) headers["mcp-session-id"] = session;
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(`${workerd.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body), signal });
    return { status: answer.status, session: answer.headers.get("mcp-session-id") ?? "", text: await answer.text() };
  }

  const INITIALIZE = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tests", version: "0" } },
  };

  /**
   * A connection of a member: it runs programs.
   * @param {string} name
   */
  async function connected(name) {
    const token = `${name}.${PASSPHRASE}`;
    const { session, text } = await post(token, INITIALIZE);
    assert.notEqual(session, "", text);
    await post(token, { jsonrpc: "2.0", method: "notifications/initialized" }, session);
    return async (/** @type {string} */ code) => {
      const params = { name: "execute", arguments: { code } };
      const { text } = await post(token, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, session);
      const { result } = JSON.parse(text);
      assert.ok(result, text);
      return { isError: result.isError, text: result.content[0].text };
    };
  }

  test("its_own_fetch_answers_and_hands_the_rest_to_the_host", async () => {
    const page = await fetch(workerd.url);
    assert.deepEqual([page.status, await page.text()], [200, "Notes: connect an MCP client to /mcp."]);
    assert.equal((await fetch(`${workerd.url}/nowhere`)).status, 404);
  });

  test("its_own_authentication_decides_who_is_let_in", async () => {
    for (const token of [undefined, "ada", "ada.", "ada.wrong", `.${PASSPHRASE}`, `ada.${PASSPHRASE}x`]) {
      assert.equal((await post(token, INITIALIZE)).status, 401, token);
    }
    assert.equal((await post(`ada.${PASSPHRASE}`, INITIALIZE)).status, 200);
  });

  test("its_operations_are_typed_and_keep_notes_in_its_own_object", async () => {
    const run = await connected("ada");
    const added = await run(`return notes.add({ topic: "garden", text: "water the roses" })`);
    assert.equal(added.isError, false, added.text);
    const { id } = JSON.parse(added.text);
    // Another member's connection, another object: one notebook.
    const listed = await (await connected("grace"))(`return notes.list({ topic: "garden" })`);
    assert.deepEqual(JSON.parse(listed.text), [{ id, topic: "garden", text: "water the roses" }]);
    for (const call of [`notes.add({ topic: "Not A Name", text: "x" })`, `notes.add({ topic: "a", text: "" })`, `notes.list({})`, `notes.list({ topic: "a", more: 1 })`]) {
      const { isError, text } = await run(`return ${call}`);
      assert.deepEqual([isError, text.split(":")[0]], [true, "input-invalid"], text);
    }
    const missing = await run("return notes.remove({ id: 4_000_000 })");
    assert.match(missing.text, /^capability-failed.*there is no note 4000000/s);
  });

  test("its_source_is_read_anew_after_it_said_that_it_changed", async () => {
    const run = await connected("ada");
    const paths = "return (await forage.list({ namespace: 'topics' })).results.map((r) => r.path)";
    const before = JSON.parse((await run(paths)).text);
    assert.ok(!before.includes("topics.kitchen"));
    const added = await run(`
      const note = await notes.add({ topic: "kitchen", text: "buy salt" });
      // This program keeps what it began with.
      return { note, now: Object.keys(env.topics ?? {}) };`);
    const { note, now } = JSON.parse(added.text);
    assert.ok(!now.includes("kitchen"), added.text);
    assert.deepEqual(JSON.parse((await run(paths)).text), [...before, "topics.kitchen"].sort());
    const read = await run("return topics.kitchen({})");
    assert.deepEqual(JSON.parse(read.text), [note], read.text);
    await run(`return notes.remove({ id: ${note.id} })`);
    assert.deepEqual(JSON.parse((await run(paths)).text), before);
  });

  test("nothing_of_the_library_s_own_example_is_in_it", async () => {
    const run = await connected("ada");
    const { isError, text } = await run("return demo.ping({})");
    assert.equal(isError, true, text);
  });
});
