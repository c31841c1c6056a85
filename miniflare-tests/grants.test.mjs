// Grants that a Worker sets while their principal works: who may set them, when they stand, what outlives.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sleep } from "./host/client.mjs";
import { Session, stateless, text } from "./host/streaming.mjs";
import { Workerd } from "./host/workerd.mjs";

/** The Worker that decides about grants; everything else goes to the host. */
const FRONT = `
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (!url.pathname.startsWith("/front/")) return env.MAIN.fetch(request);
    const binding = url.pathname.slice("/front/".length);
    try {
      return Response.json(await env[binding].setGrants(await request.json()));
    } catch (error) {
      return Response.json({ threw: String(error) });
    }
  },
};
`;

const MODERN = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
/** Three kinds of principals, each with its key. */
const KINDS = /** @type {const} */ (["member", "agent", "team-key"]);
const sha256 = (/** @type {string} */ text) => createHash("sha256").update(text).digest("hex");
const vars = Object.fromEntries(KINDS.map((kind) => [`${kind.toUpperCase().replace("-", "_")}_SHA256`, sha256(kind)]));
const keys = KINDS.map((kind) => `[auth.keys.${kind}]\nkind = "${kind}"\nid = "x"\nsecret = "${kind.toUpperCase().replace("-", "_")}_SHA256"\n`).join("");
const configured = (/** @type {string} */ rule, grants = '[grants.everyone]\ndemo = "write"\n') => `[grants]\n${rule}${grants}${keys}`;

/** @param {string} kind */
const headers = (kind) => ({ authorization: `Bearer ${kind}` });
/** Calls, says so, waits to be told, calls again. */
const TWICE = `const one = await demo.ping({});
await new Promise((done) => setTimeout(done, 1500));
const two = await demo.ping({});
return [one, two];`;
const ONCE = "return demo.ping({})";

/** @param {string} url @param {unknown} request */
async function set(url, request, binding = "GRANTS") {
  const response = await fetch(`${url}/front/${binding}`, { method: "POST", body: JSON.stringify(request) });
  return /** @type {Promise<any>} */ (response.json());
}
/** @param {string} kind @param {unknown} grants */
const of = (kind, grants) => ({ principal: { kind, id: "x" }, grants });

/**
 * The answer of a program, as JSON.
 * @param {Session} session
 * @param {string} code
 */
async function ran(session, code) {
  const answer = await (await session.execute(code)).answer();
  return JSON.parse(/** @type {string} */ (text(answer)));
}

/** Whether `demo` shows in the description of the one tool. @param {Session} session */
async function shows(session) {
  const { body } = await session.request("tools/list", {});
  return JSON.stringify(body).includes("demo.ping");
}

describe("session grants", () => {
  /** @type {Workerd} */
  let workerd;
  before(async () => {
    workerd = await Workerd.start({ front: FRONT, vars, toml: configured('session = "narrow"\n') });
  });
  after(() => workerd?.stop());

  for (const kind of KINDS) {
    test(`a_grant_that_is_revoked_refuses_the_very_next_call_of_a_running_program_of_a_${kind}`, async () => {
      const session = await Session.open(workerd.url, headers(kind));
      const running = ran(session, TWICE);
      await sleep(500);
      assert.deepEqual(await set(workerd.url, of(kind, { demo: "none" })), { ok: true, value: { replaced: {} } });
      const [one, two] = await running;
      assert.deepEqual([one, two.reason, two.module], [{ value: "pong" }, "not-granted", "demo"]);
      assert.equal(await shows(session), false);
      assert.deepEqual(await set(workerd.url, of(kind, {})), { ok: true, value: { replaced: { demo: "none" } } });
      assert.deepEqual(await ran(session, ONCE), { value: "pong" });
    });
  }

  test("a_grant_that_is_given_back_is_there_for_the_very_next_call", async () => {
    const session = await Session.open(workerd.url, headers("member"));
    const running = ran(session, TWICE);
    await sleep(500);
    await set(workerd.url, of("member", { demo: "none" }));
    await set(workerd.url, of("member", { demo: "read" }));
    assert.deepEqual(await running, [{ value: "pong" }, { value: "pong" }]);
    await set(workerd.url, of("member", {}));
  });

  test("without_a_session_it_stands_at_the_very_next_call_too", async () => {
    const running = (await stateless(workerd.url, TWICE, { _meta: MODERN }, headers("agent"))).answer();
    await sleep(500);
    await set(workerd.url, of("agent", { demo: "none" }));
    const [one, two] = JSON.parse(/** @type {string} */ (text(await running)));
    assert.deepEqual([one, two.reason], [{ value: "pong" }, "not-granted"]);
    await set(workerd.url, of("agent", {}));
  });

  test("of_other_principals_nothing_changes", async () => {
    await set(workerd.url, of("agent", { demo: "none" }));
    const [agent, member] = [await Session.open(workerd.url, headers("agent")), await Session.open(workerd.url, headers("member"))];
    assert.deepEqual([await shows(agent), await shows(member)], [false, true]);
    assert.deepEqual(await ran(member, ONCE), { value: "pong" });
    await set(workerd.url, of("agent", {}));
  });

  test("what_is_no_request_is_refused_as_data_and_changes_nothing", async () => {
    for (const wrong of [null, [], {}, of("dev", {}), of("agent", null), of("agent", { demo: "all" }), of("agent", { dmo: "none" }), { ...of("agent", {}), force: true }]) {
      const told = await set(workerd.url, wrong);
      assert.deepEqual([told.ok, told.code, told.ran], [false, "request-invalid", "nothing"], JSON.stringify(wrong));
    }
    assert.match((await set(workerd.url, of("agent", { dmo: "none" }))).message, /no module "dmo": the modules are demo/);
    assert.deepEqual((await set(workerd.url, of("agent", {}))).value, { replaced: {} });
  });

  test("nobody_else_can_set_them", async () => {
    for (const binding of ["MAIN", "RUNNER", "OBJECT"]) {
      assert.match((await set(workerd.url, of("agent", { demo: "none" }), binding)).threw, /does not implement|not a function/, binding);
    }
    for (const path of ["/setGrants", "/SessionGrants", "/grants", "/mcp/setGrants"]) {
      const answer = await fetch(workerd.url + path, { method: "POST", headers: headers("member"), body: JSON.stringify(of("agent", {})) });
      assert.equal(answer.status, 404, path);
    }
  });
});

test("what_was_set_outlives_the_process", async () => {
  const disk = mkdtempSync(join(tmpdir(), "mycelium-grants-"));
  const options = { front: FRONT, vars, disk, toml: configured('session = "narrow"\n') };
  try {
    const first = await Workerd.start(options);
    await set(first.url, of("member", { demo: "none" }));
    await first.kill();
    await Workerd.during(options, async ({ url }) => {
      const session = await Session.open(url, headers("member"));
      assert.equal(await shows(session), false);
      assert.deepEqual((await set(url, of("member", {}))).value, { replaced: { demo: "none" } });
      assert.equal(await shows(session), true);
    });
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
});

test("they_lift_only_what_the_owner_lets_them", async () => {
  for (const [rule, lifted] of /** @type {const} */ ([["narrow", false], ["set", true]])) {
    const toml = configured(`session = "${rule}"\n`, "");
    await Workerd.during({ front: FRONT, vars, toml }, async ({ url }) => {
      const session = await Session.open(url, headers("agent"));
      assert.equal((await set(url, of("agent", { demo: "read" }))).ok, true);
      assert.equal(await shows(session), lifted, rule);
    });
  }
});

test("they_are_off_unless_the_owner_turns_them_on", async () => {
  await Workerd.during({ front: FRONT, vars, toml: configured("") }, async ({ url }) => {
    const told = await set(url, of("agent", { demo: "none" }));
    assert.deepEqual([told.ok, told.code], [false, "request-invalid"]);
    assert.match(told.message, /off here: its owner turns them on/);
    const session = await Session.open(url, headers("agent"));
    assert.deepEqual(await ran(session, ONCE), { value: "pong" });
  });
});
