// MCP servers that break, lie and flood, and those that are signed in to, called from real
// isolates over real connections.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { Client, sleep } from "./host/client.mjs";
import { answer } from "./host/trial.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

/** The credentials, which no program may see. */
const TOKEN = "canary-of-a-token";
const REFRESH = "canary-of-a-refresh-token";

/** @typedef {import("node:http").ServerResponse} Response */

/** What the tools of the server do with their request. @type {Record<string, (response: Response, id: unknown) => void>} */
const TOOLS = {
  "good-tool": (response, id) => json(response, result(id, { structuredContent: { fine: true }, content: [] })),
  half: (response, id) => {
    response.writeHead(200, { "content-type": "application/json", "transfer-encoding": "chunked" });
    response.write(result(id, {}).slice(0, 20));
    setTimeout(() => response.destroy(), 50);
  },
  flood: (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const part = Buffer.alloc(1 << 20, "[");
    let left = 100;
    const write = () => {
      while (left-- > 0) if (!response.write(part)) return void response.once("drain", write);
      response.end();
    };
    write();
  },
  long: (response, id) => {
    // It promises more than it sends.
    const text = result(id, { structuredContent: 1 });
    response.writeHead(200, { "content-type": "application/json", "content-length": String(text.length + 100) });
    response.write(text);
    setTimeout(() => response.destroy(), 50);
  },
  short: (response, id) => {
    // It promises less than there is.
    const text = result(id, { structuredContent: 1 });
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length - 5}\r\nconnection: close\r\n\r\n`;
    response.socket?.end(head + text);
  },
  loris: (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const drip = setInterval(() => response.write(":"), 100);
    response.on("close", () => clearInterval(drip));
  },
  restart: (response) => {
    sessions.clear();
    response.destroy();
  },
  wrong: (response, id) => json(response, result(id, { structuredContent: { n: "seven" }, content: [] })),
  redirect: (response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
  repeats: (response, id) => json(response, result(id, { structuredContent: { said: TOKEN } })),
  beside: (response, id) => json(response, result(id, { structuredContent: 1, content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] })),
  "change-tools": (response, id) => {
    listed.add("new-tool");
    const changed = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${changed}\n\ndata: ${result(id, { content: [] })}\n\n`);
  },
};
/** Tools that are listed; some only later. */
const listed = new Set(Object.keys(TOOLS));

/** @param {unknown} id @param {unknown} result */
const result = (id, result) => JSON.stringify({ jsonrpc: "2.0", id, result });

/** @param {Response} response @param {string} text @param {Record<string, string>} [headers] */
const json = (response, text, headers = {}) => void response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);

/** @type {Set<string>} */
const sessions = new Set();
let next = 0;
/** Every request: its path, method and authorization. @type {{ path: string, method: string, token: string | undefined }[]} */
const seen = [];
/** How many tokens were given out, and which is the first that is taken. */
let given = 0;
let taken = 0;

/** @param {string} name */
function tool(name) {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  return { name, inputSchema: { type: "object" }, ...(name === "wrong" ? { outputSchema } : {}) };
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const { url = "" } = request;
  const token = request.headers.authorization;
  if (url === "/token") {
    const spent = new URLSearchParams(text).get("refresh_token");
    const good = given === 0 ? REFRESH : `refresh-${given}`;
    await sleep(100);
    if (spent !== good) return void response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
    given += 1;
    return json(response, JSON.stringify({ access_token: `token-${given}`, token_type: "Bearer", refresh_token: `refresh-${given}` }));
  }
  const message = text.startsWith("{") ? JSON.parse(text) : {};
  seen.push({ path: url, method: message.method, token });
  if (url === "/signed" && !(Number(token?.split("-").at(-1)) >= taken)) return void response.writeHead(401).end();
  if (url === "/locked") return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  if (message.method === "initialize") {
    const session = `session-${next++}`;
    sessions.add(session);
    const said = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "faults", version: "0" } };
    return json(response, result(message.id, said), { "mcp-session-id": session });
  }
  if (!sessions.has(String(request.headers["mcp-session-id"]))) return void response.writeHead(404).end();
  if (message.id === undefined) return void response.writeHead(202).end();
  if (message.method === "tools/list") return json(response, result(message.id, { tools: [...listed].map(tool) }));
  TOOLS[message.params.name]?.(response, message.id);
});

describe("an MCP server over real connections", () => {
  /** @type {Workerd} */
  let workerd;

  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const at = `http://127.0.0.1:${port}`;
    const toml = `
[connections.broken]
type = "mcp"
url = "${at}/mcp"
credential = { secret = "MCP_TOKEN" }
timeout_ms = 3000
[connections.broken.tools.good-tool]
access = "read"
[connections.signed]
type = "mcp"
url = "${at}/signed"
sign_in = { token_url = "${at}/token", client_id = "client", refresh_token = "MCP_REFRESH" }
[connections.locked]
type = "mcp"
url = "${at}/locked"
[connections.away]
type = "mcp"
url = "http://127.0.0.1:9/mcp"
[grants.dev]
broken = "write"
signed = "write"
locked = "write"
away = "write"
`;
    const vars = { ...DEV, MCP_TOKEN: TOKEN, MCP_REFRESH: REFRESH };
    workerd = await Workerd.start({ build: "faults", vars, toml });
  });
  after(async () => {
    await workerd?.stop();
    server.closeAllConnections();
    server.close();
  });

  /** @param {string} call */
  async function failed(call) {
    const client = await Client.open(workerd.url);
    const before = seen.filter(({ method }) => method === "tools/call").length;
    const { isError, text, texts } = await client.execute(`return await env.mcp.broken.${call}({})`);
    assert.equal(isError, true, text);
    const calls = seen.filter(({ method }) => method === "tools/call").length - before;
    assert.ok(!texts.join().includes(TOKEN), texts.join());
    return { text, calls };
  }

  test("a_tool_is_called_by_its_own_name_with_the_owners_header", async () => {
    const client = await Client.open(workerd.url);
    assert.deepEqual(await answer(client, "return await env.mcp.broken.good_tool({})"), { fine: true });
    const asked = seen.filter(({ path }) => path === "/mcp");
    assert.ok(asked.every(({ token }) => token === `Bearer ${TOKEN}`));
  });

  test("those_that_are_away_or_locked_leave_the_others", async () => {
    const client = await Client.open(workerd.url);
    const names = await answer(client, "return Object.keys(env.mcp)");
    assert.deepEqual(names.sort(), ["broken", "signed"]);
    assert.match(workerd.log, /MCP server "locked".*sign-in is needed: locked asks for a credential \(401\)/);
    assert.match(workerd.log, /MCP server "away"/);
  });

  for (const [name, kind] of [["half", "half a response"], ["long", "a Content-Length that promises more"], ["short", "one that promises less"], ["restart", "a server that restarts"]]) {
    test(`${kind} leaves a write unknown, and it is not sent again`, async () => {
      const { text, calls } = await failed(name);
      assert.match(text, /^outcome-unknown/);
      assert.equal(calls, 1);
      const client = await Client.open(workerd.url);
      assert.deepEqual(await answer(client, "return await env.mcp.broken.good_tool({})"), { fine: true });
    });
  }

  test("an_answer_of_100_mib_is_cut_off", async () => {
    const { text } = await failed("flood");
    assert.match(text, /^output-invalid.*more than 8388608 bytes/s);
  });

  test("a_stream_that_drips_is_given_up_at_the_servers_time", async () => {
    const began = Date.now();
    const { text } = await failed("loris");
    assert.match(text, /^outcome-unknown.*within 3000 ms/s);
    assert.ok(Date.now() - began < 10_000);
    for (let attempt = 0; attempt < 100; attempt++) {
      if (seen.some(({ method }) => method === "notifications/cancelled")) return;
      await sleep(50);
    }
    assert.fail("the server isn't told");
  });

  test("an_answer_against_its_schema_fails_and_a_program_can_read_it", async () => {
    const client = await Client.open(workerd.url);
    const told = await answer(client, "try { await env.mcp.broken.wrong({}) } catch (error) { return { code: error.code, value: error.value } }");
    assert.deepEqual(told, { code: "output-invalid", value: { n: "seven" } });
  });

  test("a_redirect_is_refused", async () => {
    const { text } = await failed("redirect");
    assert.match(text, /^capability-failed.*redirect.*nothing was done/s);
    assert.ok(!seen.some(({ path }) => path === "/elsewhere"));
  });

  test("an_answer_that_repeats_the_credential_is_not_shown", async () => {
    const { text } = await failed("repeats");
    assert.match(text, /^output-invalid.*repeats the credential/s);
  });

  test("what_stands_beside_an_answer_is_among_the_printed_lines", async () => {
    const client = await Client.open(workerd.url);
    const { texts } = await client.execute("return await env.mcp.broken.beside({})");
    assert.match(texts.join("\n"), /\[info\] mcp\.broken\.beside: beside its structuredContent.*"image\/png" \(4 bytes\)/);
  });

  test("changed_tools_are_there_for_a_later_program", async () => {
    const client = await Client.open(workerd.url);
    await client.execute("return await env.mcp.broken.change_tools({})");
    for (let attempt = 0; attempt < 50; attempt++) {
      const names = await answer(client, "return Object.keys(env.mcp.broken)");
      if (names.includes("new_tool")) return;
      await sleep(100);
    }
    assert.fail("the new tool isn't there");
  });

  test("a_refresh_token_is_spent_once_by_all_sessions_together", async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => Client.open(workerd.url)));
    const program = "return await env.mcp.signed.good_tool({})";
    await answer(clients[0], program);
    const before = given;
    taken = given + 1;
    const told = await Promise.all(clients.map((client) => answer(client, program)));
    assert.ok(told.every(({ fine }) => fine));
    assert.equal(given, before + 1, "a second use would have been refused");
  });

  test("nobody_was_shown_a_credential", () => {
    for (const secret of [TOKEN, REFRESH, "refresh-1", "token-1"]) assert.ok(!workerd.log.includes(secret), workerd.log);
  });
});
