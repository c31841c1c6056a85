// The path from an MCP client to an isolate and back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, PONG, post, request } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

describe("the Worker", () => {
  /** @type {Workerd} */
  let workerd;
  before(async () => (workerd = await Workerd.start({ vars: DEV })));
  after(() => workerd.stop());

  test("initialize_offers_this_revision_and_names_a_session", async () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } };
    const answer = await post(workerd.url, request(1, "initialize", params));
    const { id, result } = JSON.parse(answer.text);
    assert.equal(answer.status, 200);
    assert.equal(id, 1);
    assert.equal(result.protocolVersion, "2025-11-25");
    assert.deepEqual(result.capabilities, { tools: {} });
    assert.equal(result.serverInfo.name, "mycelium");
    assert.match(answer.headers.get("mcp-session-id") ?? "", /^[0-9a-f]{32}$/);
  });

  test("execute_is_the_only_tool", async () => {
    const client = await Client.open(workerd.url);
    const { result } = await client.request("tools/list");
    assert.deepEqual(result.tools.map((/** @type {any} */ tool) => tool.name), ["execute"]);
    assert.deepEqual(result.tools[0].inputSchema.required, ["code"]);
    assert.equal(result.tools[0].inputSchema.additionalProperties, false);
    assert.equal(result.nextCursor, undefined);
  });

  test("ping_answers_pong_byte_for_byte", async () => {
    const client = await Client.open(workerd.url);
    const { result } = await client.request("tools/call", { name: "execute", arguments: { code: PONG } });
    assert.deepEqual(result, {
      content: [{ type: "text", text: '{"value":"pong"}' }],
      structuredContent: { value: "pong" },
      isError: false,
      _meta: { isolates: 1 },
    });
  });

  test("every_session_is_its_own", async () => {
    const [one, other] = [await Client.open(workerd.url), await Client.open(workerd.url)];
    assert.notEqual(one.session, other.session);
    assert.equal(await one.end(), 204);
    assert.deepEqual((await other.execute(PONG)).texts, ['{"value":"pong"}']);
  });
});

test("without_a_loader_a_program_fails_typed_and_the_worker_goes_on", async () => {
  await Workerd.during({ vars: DEV, loader: false }, async (workerd) => {
    const client = await Client.open(workerd.url);
    const failed = await client.execute(PONG);
    assert.equal(failed.isError, true);
    assert.match(failed.text, /^unknown: .*\(reference [0-9a-f]{16}\)$/);
    const [, reference] = /reference ([0-9a-f]{16})/.exec(failed.text) ?? [];
    assert.match(workerd.log, new RegExp(`"reference":"${reference}","detail":"[^\n]*load`));
    assert.equal((await client.request("ping")).status, 200);
  });
});
