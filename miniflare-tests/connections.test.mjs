// Connections that a configuration alone makes: a server, files in R2, computers in other
// Workers; who is granted what of them; and what is left out while the rest serves.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client, post, request, sleep } from "./host/client.mjs";
import { Connected } from "./host/connected.mjs";
import { answer } from "./host/trial.mjs";
import { DEV } from "./host/workerd.mjs";

const TABLE = readFileSync(join(import.meta.dirname, "openapi", "echo.table.json"), "utf8");

/** The credential, which no program may see. */
const TOKEN = "canary-token";

/** The text of a configuration in which the developer has `modules`. @param {string[]} modules */
const granted = (...modules) => `[grants.dev]\n${modules.map((module) => `${module} = "write"\n`).join("")}`;

/**
 * What the Worker says of its connections.
 * @param {string} url
 * @returns {Promise<{ name: string, type: string, operations?: number, problem?: string }[]>}
 */
async function status(url) {
  const told = /** @type {any} */ (await (await fetch(`${url}/status`)).json());
  return told.connections;
}

describe("a server described by OpenAPI", () => {
  /** @type {import("node:http").IncomingMessage[]} */
  const seen = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming);
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: {}, body: "" }));
  });
  /** @type {Connected} */
  let connected;
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const toml = `${granted("echo")}
[connections.echo]
type = "openapi"
server = "http://127.0.0.1:${port}/v1"
credential = { secret = "ECHO_TOKEN" }
`;
    const tables = { "tables/echo.json": TABLE };
    connected = await Connected.start({ toml, tables, vars: { ...DEV, ECHO_TOKEN: TOKEN } });
  });
  after(async () => {
    await connected?.stop();
    server.close();
  });

  test("a_table_and_five_lines_make_it_callable", async () => {
    const client = await Client.open(connected.url);
    const told = await answer(client, `return await echo.scalar({ path_id: "a b" })`);
    assert.equal(told.url, "/v1/scalar/a%20b");
    assert.equal(seen.at(-1)?.headers.authorization, `Bearer ${TOKEN}`);
    assert.ok(!connected.log.includes(TOKEN));
  });

  test("a_developer_sees_at_the_start_what_is_connected_and_granted", async () => {
    await Client.open(connected.url);
    assert.match(connected.log, /connections: 1\n {2}echo {2}openapi {2}http:\/\/127\.0\.0\.1:\d+\/v1 {2}13 operations/);
    assert.match(connected.log, /grants: 1\n {2}the developer here {2}echo {2}write/);
  });
});

describe("files in R2", () => {
  /** @type {Connected} */
  let connected;
  before(async () => {
    const toml = `${granted("whole", "agent", "plain")}
[connections.whole]
type = "files"
bucket = "WHOLE"
[connections.agent]
type = "files"
bucket = "SHARED"
prefix = "agents/7"
[connections.plain]
type = "files"
bucket = "SHARED"
prefix = "plain"
patch = false
`;
    connected = await Connected.start({ toml, vars: DEV, buckets: ["WHOLE", "SHARED"] });
  });
  after(() => connected?.stop());

  /** @param {string} code */
  const run = async (code) => answer(await Client.open(connected.url), code);

  test("what_is_written_is_read_by_range_and_bytes_come_back_as_they_were", async () => {
    const told = await run(`
      await whole.write({ path: "a/b.txt", content: "0123456789é" });
      const parts = [];
      for (const [offset, length] of [[0, 4], [8, 2], [10, 9], [12, 5], [99, 1]]) {
        parts.push((await whole.read({ path: "a/b.txt", offset, length })).content);
      }
      await whole.write({ path: "raw", content: "AP8B", encoding: "base64" });
      return { parts, raw: await whole.read({ path: "raw" }) };`);
    assert.deepEqual(told.parts, ["0123", "89", "é", "", ""]);
    assert.deepEqual([told.raw.content, told.raw.encoding], ["AP8B", "base64"]);
    const bucket = await connected.bucket("WHOLE");
    assert.equal(await (await bucket.get("a/b.txt")).text(), "0123456789é");
  });

  test("of_many_replacements_at_once_one_is_done_and_the_others_are_conflicts", async () => {
    const told = await run(`
      await whole.write({ path: "race", content: "0" });
      const one = (n) => whole.replace({ path: "race", expected: "0", content: String(n) }).then(() => n, (error) => String(error.message));
      const done = await Promise.all([1, 2, 3, 4, 5, 6].map(one));
      return { done, left: (await whole.read({ path: "race" })).content };`);
    const winners = told.done.filter((/** @type {unknown} */ one) => typeof one === "number");
    assert.equal(winners.length, 1, JSON.stringify(told));
    assert.equal(told.left, String(winners[0]));
    for (const one of told.done) if (typeof one === "string") assert.match(one, /conflict|changed|holds/i);
  });

  test("a_large_file_is_compared_part_by_part_and_an_empty_one_is_a_file", async () => {
    const told = await run(`
      const large = "x".repeat(2_500_000);
      await whole.write({ path: "large", content: large });
      const refused = await whole.replace({ path: "large", expected: large.slice(1), content: "" }).then(() => "done", (error) => error.message);
      const version = (await whole.read({ path: "large", length: 1 })).version;
      await whole.replace({ path: "large", expected: large, content: "" });
      const empty = await whole.read({ path: "large" });
      await whole.replace({ path: "large", expected: "", content: "small" });
      return { refused, changed: version !== empty.version, empty: empty.content, left: (await whole.read({ path: "large" })).content };`);
    assert.match(told.refused, /holds|conflict|changed/);
    assert.deepEqual([told.changed, told.empty, told.left], [true, "", "small"]);
  });

  test("a_new_file_is_made_once", async () => {
    const told = await run(`
      const one = (n) => whole.write({ path: "new", content: String(n), only_new: true }).then(() => n, (error) => String(error.message));
      return await Promise.all([1, 2, 3].map(one));`);
    assert.equal(told.filter((/** @type {unknown} */ one) => typeof one === "number").length, 1, JSON.stringify(told));
  });

  test("folders_are_listed_by_pages_that_lose_and_repeat_nothing", async () => {
    const told = await run(`
      for (const path of ["a/1", "a/2", "a/b/3", "a-", "a.txt", "c", "ab/1"]) await agent.write({ path, content: "x" });
      const all = async (path, recursive, limit) => {
        const names = [];
        let cursor;
        do {
          const page = await agent.list({ path, recursive, limit, ...(cursor && { cursor }) });
          names.push(...page.entries.map((entry) => entry.path));
          cursor = page.cursor;
        } while (cursor);
        return names.sort();
      };
      const told = [];
      for (const limit of [1, 2, 3, 100]) told.push([await all("", false, limit), await all("a", false, limit), await all("", true, limit)]);
      return told;`);
    for (const [root, within, every] of told) {
      assert.deepEqual(root, ["a", "a-", "a.txt", "ab", "c"]);
      assert.deepEqual(within, ["a/1", "a/2", "a/b"]);
      assert.deepEqual(every, ["a-", "a.txt", "a/1", "a/2", "a/b/3", "ab/1", "c"]);
    }
  });

  test("nothing_outside_of_the_prefix_is_reached", async () => {
    const bucket = await connected.bucket("SHARED");
    await bucket.put("agents/70/f", "other");
    await bucket.put("secret", "other");
    const client = await Client.open(connected.url);
    for (const path of ["../70/f", "/agents/70/f", "../../secret", "..", "a/../../secret"]) {
      const { isError } = await client.execute(`return await agent.read({ path: ${JSON.stringify(path)} })`);
      assert.equal(isError, true, path);
    }
    await run(`return await agent.write({ path: "own", content: "1" })`);
    assert.equal(await (await bucket.get("agents/7/own")).text(), "1");
    const names = await run(`return (await agent.list({ path: "", recursive: true })).entries.map((entry) => entry.path)`);
    assert.ok(!names.some((/** @type {string} */ name) => name.includes("70") || name.includes("secret")), names);
  });

  test("a_file_is_removed_edited_and_patched_or_left", async () => {
    const told = await run(`
      await agent.write({ path: "p.txt", content: "one\\ntwo\\n" });
      await agent.edit({ path: "p.txt", old: "one", new: "1" });
      await agent.apply_patch({ patch: "*** Begin Patch\\n*** Update File: p.txt\\n@@\\n 1\\n-two\\n+2\\n*** End Patch\\n" });
      const patched = (await agent.read({ path: "p.txt" })).content;
      const refused = await agent.replace({ path: "p.txt", expected: "other", content: "3" }).then(() => "replaced", (error) => error.message);
      await agent.remove({ path: "p.txt" });
      const gone = await agent.read({ path: "p.txt" }).then(() => "there", (error) => error.message);
      return { patched, refused, gone, names: [Object.keys(env.agent), Object.keys(env.plain)] };`);
    assert.equal(told.patched, "1\n2\n");
    assert.match(told.refused, /holds|conflict|changed/);
    assert.match(told.gone, /no file|missing|not there/i);
    const [patching, plain] = told.names;
    assert.ok(patching.includes("apply_patch") && !plain.includes("apply_patch"), JSON.stringify(told.names));
  });
});

/** A Worker that is a computer: its methods as they are given. @param {string} methods */
const computer = (methods) => `
import { WorkerEntrypoint } from "cloudflare:workers";
const text = { type: "string" };
const given = new Set();
export class Computer extends WorkerEntrypoint { ${methods} }
export default { fetch: () => new Response(null, { status: 404 }) };`;

const ADVERTISED = `async describe() {
  const input = { type: "object", properties: { text }, required: ["text"], additionalProperties: false };
  const any = { type: "object" };
  return { operations: {
    echo: { description: "Says it again.", input, output: input },
    who: { input: any }, slow: { input: any }, fails: { input: any }, throws: { input: any }, odd: { input: any }, huge: { input: any },
  } };
}`;

const BUILDER = computer(`${ADVERTISED}
  cancel({ executionId }) { given.add(executionId); }
  async call({ operation, input, context }) {
    switch (operation) {
      case "echo": return { value: { text: input.text } };
      case "who": return { value: context };
      case "slow": {
        console.log("slow began");
        for (let turn = 0; turn < 100 && !given.has(context.executionId); turn += 1) await scheduler.wait(30);
        console.log(given.has(context.executionId) ? "slow was given up" : "slow ended");
        return { value: "late" };
      }
      case "fails": return { error: { message: "the disk is full" } };
      case "throws": throw new Error("canary of the computer");
      case "huge": return { value: "x".repeat(9 * 1024 * 1024) };
      default: return { value: { function: () => 1 } };
    }
  }`);

describe("computers in other Workers", () => {
  const SERVICES = {
    BUILDER,
    REJECTING: computer(`describe() { throw new Error("canary of describe"); }`),
    SILENT: computer(`describe() { return scheduler.wait(60_000); }`),
    STRANGE: computer(`describe() { return { operations: { a: { input: { type: "strange" } } } }; }`),
    MUTE: computer(`call() { return { value: 1 }; }`),
  };
  const NAMES = Object.keys(SERVICES).map((name) => name.toLowerCase());
  const toml = granted(...NAMES, "shelf") + NAMES.map((name) => `[connections.${name}]
type = "computer"
service = "${name.toUpperCase()}"
${name === "builder" ? `namespace = ["computers"]\nfiles = { bucket = "FILES" }\n` : ""}`).join("") + `[connections.shelf]
type = "files"
bucket = "FILES"
[limits]
timeout_ms = 60_000
`;
  /** @type {Connected} */
  let connected;
  /** @type {Client} */
  let client;
  let waited = 0;
  before(async () => {
    connected = await Connected.start({ toml, vars: DEV, buckets: ["FILES"], services: SERVICES });
    client = await Client.open(connected.url);
    const begun = Date.now();
    await client.execute("return 1");
    waited = Date.now() - begun;
  });
  after(() => connected?.stop());

  test("those_that_answer_serve_and_the_others_are_left_out_and_told", async () => {
    const names = await answer(client, `return [Object.keys(env), Object.keys(env.computers)]`);
    assert.deepEqual(names[0].sort(), ["computers", "forage", "shelf"]);
    assert.deepEqual(names[1], ["builder"]);
    const shown = Object.fromEntries((await status(connected.url)).map(({ name, ...facts }) => [name, facts]));
    assert.deepEqual(shown.builder, { type: "computer", operations: 7 });
    assert.equal(shown.shelf.operations, 8);
    assert.match(String(shown.silent.problem), /within 10000 ms/);
    assert.ok(!JSON.stringify(shown).includes("canary"), "evidence is in the log alone");
    for (const left of ["rejecting", "silent", "strange", "mute"]) {
      assert.match(connected.log, new RegExp(`computer "${left}" .* is left out`), left);
    }
    assert.ok(waited < 15_000, `one that hangs costs its ten seconds once: ${waited} ms`);
  });

  test("a_call_says_which_execution_it_is_and_until_when", async () => {
    const told = await answer(client, `
      const first = await env.computers.builder.who({});
      return [first, await env.computers.builder.who({}), await env.computers.builder.echo({ text: "a" })];`);
    assert.deepEqual(told[2], { text: "a" });
    assert.equal(told[0].executionId, told[1].executionId);
    assert.deepEqual([told[0].operationOrdinal, told[1].operationOrdinal], [0, 1]);
    assert.ok(told[0].deadlineMs > Date.now() && told[0].deadlineMs < Date.now() + 60_000);
    assert.ok(told[0].toolCallId);
  });

  test("its_files_stand_beside_its_operations", async () => {
    const told = await answer(client, `
      await env.computers.builder.files.write({ path: "f", content: "x" });
      return (await shelf.read({ path: "f" })).content`);
    assert.equal(told, "x");
  });

  test("what_it_says_is_told_and_what_is_unknown_is_called_so", async () => {
    const told = await answer(client, `
      const say = (key) => env.computers.builder[key]({}).then((value) => ({ value }), (error) => ({ code: error.code, message: error.message }));
      return { fails: await say("fails"), throws: await say("throws"), odd: await say("odd"), huge: await say("huge") };`);
    assert.match(JSON.stringify(told.fails), /the disk is full/);
    for (const key of ["throws", "odd", "huge"]) assert.match(JSON.stringify(told[key]), /outcome-unknown/, key);
    assert.ok(!JSON.stringify(told).includes("canary"), "evidence is the operator's");
    assert.match(connected.log, /canary of the computer/);
  });

  test("an_execution_that_ends_lets_go_of_its_call_and_tells_the_computer", async () => {
    const abort = new AbortController();
    const begun = Date.now();
    const gone = client.execute("return await env.computers.builder.slow({})", { id: "slow", signal: abort.signal }).catch((error) => error);
    while (!connected.log.includes("slow began")) await sleep(20);
    await client.notify("notifications/cancelled", { requestId: "slow" });
    await gone;
    assert.equal(await answer(client, "return 1"), 1);
    assert.ok(Date.now() - begun < 3_000, "nobody waits for what was given up");
    while (!/slow (ended|was given up)/.test(connected.log)) await sleep(20);
    assert.match(connected.log, /slow was given up/);
  });
});

describe("grants by principal", () => {
  /** @param {string} key */
  const digest = (key) => createHash("sha256").update(key).digest("hex");
  const keys = { ada: "member", bob: "member", deployer: "agent", ci: "team-key" };
  const toml = `
${Object.entries(keys).map(([id, kind]) => `[auth.keys.${id}]
kind = "${kind}"
id = "${id}"
secret = "KEY_${id.toUpperCase()}"
${id === "bob" ? `role = "engineer"\n` : ""}`).join("")}
[grants.member.ada]
notes = "read"
[grants.role.engineer]
notes = "write"
[grants.agent.deployer]
demo = "read"
[connections.notes]
type = "files"
bucket = "NOTES"
`;
  const vars = Object.fromEntries(Object.keys(keys).map((id) => [`KEY_${id.toUpperCase()}`, digest(id)]));

  /** What a program of one key gives. @param {string} url @param {string} key @param {string} code */
  const as = async (url, key, code) => {
    const params = { name: "execute", arguments: { code }, _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "tests", version: "0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    } };
    const headers = { authorization: `Bearer ${key}`, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "execute" };
    const { status, text } = await post(url, request(1, "tools/call", params), headers);
    assert.equal(status, 200, text);
    return JSON.parse(JSON.parse(text).result.content[0].text);
  };

  test("a_principal_has_what_is_written_for_it_and_sees_nothing_else", async () => {
    await Connected.during({ toml, vars, buckets: ["NOTES"] }, async ({ url }) => {
      const seen = "return Object.keys(env).filter((name) => name !== 'forage')";
      assert.deepEqual(await as(url, "ada", seen), ["notes"]);
      assert.deepEqual(await as(url, "bob", seen), ["notes"]);
      assert.deepEqual(await as(url, "deployer", seen), ["demo"]);
      assert.deepEqual(await as(url, "ci", seen), []);
      const write = `return await env.notes.write({ path: "f", content: "x" })`;
      assert.equal((await as(url, "ada", write)).reason, "read-only");
      assert.equal((await as(url, "bob", write)).reason, undefined);
      const stranger = await post(url, request(1, "ping"), { authorization: "Bearer eve" });
      assert.equal(stranger.status, 401);
    });
  });
});

describe("what is wrong", () => {
  test("a_connection_that_can_not_be_opened_is_left_out_and_the_rest_serves", async () => {
    const server = `type = "openapi"\nserver = "https://example.invalid"\n`;
    const toml = `${granted("demo", "secretless", "spoiled", "unbound", "gone", "keyless")}
[connections.secretless]
${server}table = "tables/echo.json"
credential = { secret = "NOT_SET" }
[connections.spoiled]
${server}
[connections.unbound]
type = "files"
bucket = "NOT_BOUND"
[connections.gone]
type = "computer"
service = "NOT_BOUND"
[connections.keyless]
type = "computer"
url = "https://example.invalid"
credential = { secret = "NOT_SET" }
`;
    const tables = { "tables/echo.json": TABLE, "tables/spoiled.json": TABLE.replace('"version":1', '"version":2') };
    await Connected.during({ toml, tables, vars: DEV }, async (connected) => {
      const client = await Client.open(connected.url);
      assert.deepEqual(await answer(client, "return [Object.keys(env), await demo.ping({})]"), [["demo", "forage"], { value: "pong" }]);
      const told = [
        "connection secretless is left out: the secret NOT_SET isn't set: npx wrangler secret put NOT_SET",
        "connection spoiled is left out: tables/spoiled.json: ",
        "connection unbound is left out: there is no binding NOT_BOUND: add it to wrangler.toml under r2_buckets",
        "connection gone is left out: there is no binding NOT_BOUND: add it to wrangler.toml under services",
        "connection keyless is left out: the secret NOT_SET isn't set",
      ];
      for (const line of told) assert.ok(connected.log.includes(line), line);
      const shown = await status(connected.url);
      assert.deepEqual(shown.map(({ name }) => name), ["gone", "keyless", "secretless", "spoiled", "unbound"]);
      for (const { name, problem } of shown) assert.ok(problem, name);
    });
  });

  test("a_bad_configuration_is_answered_on_every_route_with_all_its_errors", async () => {
    const toml = "[limits]\ntimeout = 1\n[connections.x]\ntype = 'openapi'\n";
    await Connected.during({ toml, vars: { ...DEV, MYCELIUM_ADMISSION_WAIT_MS: "0" } }, async ({ url }) => {
      for (const path of ["/mcp", "/", "/status", "/.well-known/oauth-protected-resource"]) {
        const answered = await fetch(url + path);
        assert.equal(answered.status, 500, path);
        const { code, errors } = /** @type {{ code: string, errors: string[] }} */ (await answered.json());
        assert.equal(code, "config-invalid");
        assert.equal(errors.length, 3, errors.join("\n"));
        assert.match(errors[0], /^limits\.timeout \(line 2\) is unknown: .*; the nearest is timeout_ms$/);
        assert.match(errors[1], /^MYCELIUM_ADMISSION_WAIT_MS is "0"/);
        assert.match(errors[2], /^connections\.x\.server \(line 3\) is missing/);
      }
    });
  });
});
