// A server described by OpenAPI, called by programs in real isolates: every parameter and
// every body, as they arrive.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable, pipeline } from "node:stream";
import { after, before, describe, test } from "node:test";
import { Client } from "./host/client.mjs";
import { answer } from "./host/trial.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const TABLE = readFileSync(join(import.meta.dirname, "openapi", "echo.table.json"), "utf8");

/** The credential, which no program may see. */
const TOKEN = "canary-token";

/** @typedef {{ method: string, url: string, headers: Record<string, string>, body: Buffer }} Seen */

describe("a server described by OpenAPI", () => {
  /** @type {Workerd} */
  let workerd;
  /** @type {Seen[]} */
  const seen = [];
  /** @type {import("node:http").ServerResponse[]} */
  const held = [];
  const server = createServer(async (incoming, outgoing) => {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const { method = "", url = "" } = incoming;
    const headers = /** @type {Record<string, string>} */ (incoming.headers);
    const body = Buffer.concat(parts);
    seen.push({ method, url, headers, body });
    respond(outgoing, { method, url, headers, body });
  });

  /**
   * @param {import("node:http").ServerResponse} outgoing
   * @param {Seen} request
   */
  function respond(outgoing, { method, url, headers, body }) {
    const json = { "content-type": "application/json; charset=utf-8" };
    switch (url) {
      case "/v1/nothing":
        return void outgoing.writeHead(204).end();
      case "/v1/redirect":
        return void outgoing.writeHead(302, { location: "/v1/scalar/elsewhere" }).end();
      case "/v1/busy":
        return void outgoing.writeHead(429, { ...json, "retry-after": "7" }).end(JSON.stringify({ sent: headers.authorization }));
      case "/v1/silent":
        return void held.push(outgoing);
      case "/v1/endless":
        outgoing.writeHead(200, json);
        return void endless(outgoing);
      case "/v1/bytes":
        return void outgoing.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([0, 255, 1]));
      default:
        return void outgoing.writeHead(200, json).end(JSON.stringify({ method, url, headers: { host: headers.host }, body: body.toString("base64") }));
    }
  }

  /** @param {import("node:http").ServerResponse} outgoing */
  function endless(outgoing) {
    const part = Buffer.alloc(1 << 20, "[");
    const source = new Readable({ read() { this.push(part); } });
    // It ends when the other side has gone.
    pipeline(source, outgoing, () => {});
  }

  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const vars = { ...DEV, ECHO_TABLE: TABLE, ECHO_SERVER: `http://127.0.0.1:${port}/v1`, ECHO_TOKEN: TOKEN };
    workerd = await Workerd.start({ build: "faults", vars });
  });
  after(async () => {
    await workerd?.stop();
    server.closeAllConnections();
    server.close();
  });

  /**
   * Calls an operation from a program; gives its answer and the request that came.
   * @param {string} call
   * @returns {Promise<{ told: any, sent: Seen }>}
   */
  async function called(call) {
    const client = await Client.open(workerd.url);
    const before = seen.length;
    const told = await answer(client, `return await echo.${call}`);
    assert.equal(seen.length, before + 1, "one request is one request");
    return { told, sent: seen[before] };
  }

  /** @param {string} call */
  async function failed(call) {
    const client = await Client.open(workerd.url);
    const before = seen.length;
    const { isError, text } = await client.execute(`return await echo.${call}`);
    assert.equal(isError, true, text);
    return { text, requests: seen.length - before };
  }

  test("scalar_parameters_arrive_where_they_belong", async () => {
    const { told, sent } = await called(`scalar({ path_id: "a/b é", query_id: 7, "X-Trace": "t 1" })`);
    assert.equal(sent.method, "GET");
    assert.equal(sent.url, "/v1/scalar/a%2Fb%20%C3%A9?id=7");
    assert.equal(sent.headers["x-trace"], "t 1");
    assert.equal(sent.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(sent.headers.accept, "application/json, */*;q=0.5");
    assert.equal(told.url, sent.url);
  });

  test("every_style_arrives_as_it_is_written", async () => {
    const { sent } = await called(`styles({
      simple: ["a", "b,c"], label: { k: "v" }, matrix: [1, 2],
      form: ["x&y", "z"], comma: ["p", "q,r"], space: ["s", "t"], pipe: ["u", "v"],
      deep: { k: "1 2" }, json: { a: [1] }, "X-List": ["m", "n"],
    })`);
    const [path, query] = sent.url.split("?");
    assert.equal(path, "/v1/styles/a,b%2Cc/.k=v/;matrix=1;matrix=2");
    assert.deepEqual(query.split("&"), [
      "form=x%26y", "form=z", "comma=p,q%2Cr", "space=s%20t", "pipe=u%7Cv", "deep%5Bk%5D=1%202", "json=%7B%22a%22%3A%5B1%5D%7D",
    ]);
    assert.equal(sent.headers["x-list"], "m,n");
  });

  test("every_body_arrives_as_its_media_type_says", async () => {
    const json = await called(`json({ body: { a: [1, "é"] } })`);
    assert.equal(json.sent.method, "PUT");
    assert.equal(json.sent.headers["content-type"], "application/vnd.echo+json");
    assert.equal(json.sent.body.toString(), '{"a":[1,"é"]}');
    const form = await called(`form({ body: { text: "a b&c", list: [1, "x"], map: { k: 1 }, deep: { k: "v" } } })`);
    assert.equal(form.sent.headers["content-type"], "application/x-www-form-urlencoded");
    const pairs = [...new URLSearchParams(form.sent.body.toString())].sort();
    assert.deepEqual(pairs, [["deep[k]", "v"], ["list", "1"], ["list", "x"], ["map", '{"k":1}'], ["text", "a b&c"]]);
    const text = await called(`text({ body: "line 1\\nline 2" })`);
    assert.equal(text.sent.headers["content-type"], "text/plain");
    assert.equal(text.sent.body.toString(), "line 1\nline 2");
    const file = await called(`file({ body: "AP8B" })`);
    assert.equal(file.sent.headers["content-type"], "application/octet-stream");
    assert.deepEqual([...file.sent.body], [0, 255, 1]);
  });

  test("a_multipart_body_is_read_by_another_reader", async () => {
    const { sent } = await called(`multipart({ body: { text: "t\\r\\n", meta: { k: 1 }, file: "AP8B" } })`);
    const read = new Response(new Uint8Array(sent.body), { headers: { "content-type": sent.headers["content-type"] } });
    const form = await read.formData();
    assert.equal(form.get("text"), "t\r\n");
    const part = async (/** @type {string} */ name) => /** @type {File} */ (form.get(name));
    const file = await part("file");
    assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], [0, 255, 1]);
    assert.match(sent.body.toString("latin1"), /name="meta"\r\nContent-Type: application\/json\r\n\r\n{"k":1}\r\n/);
  });

  test("an_answer_without_json_is_null_or_base64", async () => {
    assert.equal((await called("nothing({})")).told, null);
    assert.equal((await called("bytes({})")).told, "AP8B");
  });

  test("nothing_is_sent_of_an_input_that_would_lead_elsewhere", async () => {
    for (const call of [`scalar({ path_id: ".." })`, `scalar({ path_id: "" })`, `scalar({ path_id: "a", "X-Trace": "a\\r\\nb: c" })`, `scalar({ path_id: "a", authorization: "x" })`]) {
      const { text, requests } = await failed(call);
      assert.match(text, /^input-invalid/);
      assert.equal(requests, 0, call);
    }
  });

  test("a_redirect_is_not_followed", async () => {
    const { text, requests } = await failed("redirect({})");
    assert.match(text, /^capability-failed.*302, a redirect/s);
    assert.equal(requests, 1);
  });

  test("a_busy_server_is_told_with_its_time_and_without_the_credential", async () => {
    const { text } = await failed("busy({})");
    assert.match(text, /429; try again after 7 s/);
    assert.ok(!text.includes(TOKEN), text);
  });

  test("a_silent_server_is_given_up_and_let_go", async () => {
    const { text } = await failed("silent({})");
    assert.match(text, /within 5000 ms/);
    const [outgoing] = held.splice(0);
    if (!outgoing.destroyed) await once(outgoing, "close", { signal: AbortSignal.timeout(10_000) });
  });

  test("an_answer_without_end_is_cut_off", async () => {
    const { text } = await failed("endless({})");
    assert.match(text, /^output-invalid.*more than 8388608 bytes/s);
  });

  test("no_program_sees_the_credential", async () => {
    const { told } = await called(`scalar({ path_id: "x" })`);
    assert.ok(!JSON.stringify(told).includes(TOKEN));
  });
});
