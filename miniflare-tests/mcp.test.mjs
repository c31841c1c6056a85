// What an agent's connection must survive, in real workerd: cuts, restarts, strangers, crowds.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { sleep } from "./host/client.mjs";
import { AGREED, Session, stateless, text } from "./host/streaming.mjs";
import { workerdWith } from "./host/trial.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const PING = "return demo.ping({})";
const REMOVE = "await demo.ping({}); return guarded.remove({})";

/**
 * Runs `body` with what is started again on the same disk and port.
 * @param {(first: Workerd, again: () => Promise<Workerd>) => Promise<void>} body
 */
async function restarting(body) {
  const disk = mkdtempSync(join(tmpdir(), "mycelium-disk-"));
  /** @type {import("./host/config.mjs").Options} */
  const options = { build: "faults", vars: DEV, disk };
  let workerd = await Workerd.start(options);
  const { port } = new URL(workerd.url);
  try {
    await body(workerd, async () => {
      await workerd.kill();
      workerd = await Workerd.start({ ...options, port: Number(port) });
      return workerd;
    });
  } finally {
    await workerd.kill();
    rmSync(disk, { recursive: true, force: true });
  }
}

describe("a_restart_between_any_two_steps", () => {
  test("a_session_outlives_its_process_with_what_its_client_can_do", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url);
      await again();
      assert.equal(text(await (await session.execute(PING)).answer()), '{"value":"pong"}');
      const asking = await session.execute(REMOVE);
      await session.reply((await asking.asked()).id, AGREED);
      assert.equal(text(await asking.answer()), '"removed"');
    });
  });

  test("a_session_that_was_only_initialized_goes_on_with_its_notification", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url, {}, { elicitation: {} }, false);
      await again();
      await session.ready();
      const asking = await session.execute(REMOVE);
      await session.reply((await asking.asked()).id, AGREED);
      assert.equal(text(await asking.answer()), '"removed"');
    });
  });

  test("a_program_that_ran_without_a_word_is_reported_lost", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url);
      const running = await session.execute("return faults.wait({ ms: 100_000 })");
      await running.next();
      await again();
      await running.rest();
      const answer = await (await session.get(running.last)).answer();
      assert.match(text(answer), /^execution-lost: /);
    });
  });

  test("a_call_whose_execution_was_lost_is_reported_and_not_run_again", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url);
      const asking = await session.execute(REMOVE);
      const { id } = await asking.asked();
      await again();
      await asking.rest();
      assert.equal(await session.reply(id, AGREED), 202, "nobody waits for the answer any more");
      const resumed = await session.get(asking.last);
      const answer = await resumed.answer();
      assert.equal(answer.result.isError, true);
      assert.match(text(answer), /^execution-lost: /);
      const once_more = await session.get(asking.events[0]?.id);
      assert.deepEqual(await once_more.answer(), answer, "it stays so");
    });
  });

  test("an_answer_that_was_stored_outlives_its_process", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url);
      const done = await session.execute(PING);
      const answer = await done.answer();
      await again();
      assert.deepEqual(await (await session.get(done.events[0]?.id)).answer(), answer);
      assert.equal((await session.get(done.last)).status, 204);
    });
  });

  test("a_suspended_call_without_a_session_is_reported_lost", async () => {
    await restarting(async ({ url }, again) => {
      const { result } = await (await stateless(url, REMOVE)).answer();
      assert.equal(result.resultType, "input_required");
      await again();
      const inputResponses = answers(result, AGREED);
      const retry = { inputResponses, requestState: result.requestState };
      const answer = await (await stateless(url, REMOVE, retry)).answer();
      assert.match(text(answer), /^execution-lost: /);
      assert.equal(answer.result.isError, true);
    });
  });

  test("a_deleted_session_stays_gone", async () => {
    await restarting(async ({ url }, again) => {
      const session = await Session.open(url);
      assert.equal(await session.end(), 204);
      await again();
      assert.equal((await session.request("ping")).status, 404);
    });
  });
});

/**
 * The same answer to every question of a result.
 * @param {any} result
 * @param {unknown} answer
 */
const answers = (result, answer) =>
  Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, answer]));

describe("streams", () => {
  const host = workerdWith({ MYCELIUM_APPROVAL_MS: "8000" });

  test("a_stream_that_is_cut_at_any_event_goes_on_where_it_was", async () => {
    for (const seen of [1, 2]) {
      const session = await Session.open(host.url);
      const asking = await session.execute(REMOVE);
      const { id } = await asking.asked();
      const last = asking.events[seen - 1]?.id;
      asking.cut();
      const resumed = await session.get(last);
      if (seen === 1) assert.equal((await resumed.asked()).id, id, "the question is asked again");
      assert.equal(await session.reply(id, AGREED), 202);
      assert.equal(text(await resumed.answer()), '"removed"');
    }
  });

  test("a_client_that_is_gone_before_the_answer_finds_it_later", async () => {
    const session = await Session.open(host.url);
    const running = await session.execute("return faults.wait({ ms: 700 })");
    await running.next();
    running.cut();
    await sleep(1_500);
    const resumed = await session.get(running.last);
    assert.equal(text(await resumed.answer()), '{"waited":700}');
  });

  test("an_answer_larger_than_a_row_comes_back_whole", async () => {
    const session = await Session.open(host.url);
    // Quoted twice, it is over what the platform takes in one row.
    const large = await session.execute(`return '"'.repeat(500_000)`);
    const answer = await large.answer();
    assert.ok(JSON.stringify(answer).length > 2_000_000);
    assert.deepEqual(await (await session.get(large.events[0]?.id)).answer(), answer);
  });

  test("without_a_session_a_cut_on_a_silent_stream_cancels", { timeout: 30_000 }, async () => {
    const session = await Session.open(host.url);
    const running = await stateless(host.url, `return witness.watch({ note: "cut" })`, {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    });
    await sleep(500);
    running.cut();
    for (let waited = 0; !/"event":"failure".*"code":"cancelled"/.test(host.log); waited += 250) {
      assert.ok(waited < 12_000, `nothing was cancelled: ${host.log.slice(-500)}`);
      await sleep(250);
    }
    assert.equal(await session.end(), 204);
  });

  test("with_a_session_a_cut_cancels_nothing_and_delete_does", async () => {
    const session = await Session.open(host.url);
    const running = await session.execute("return faults.wait({ ms: 100_000 })", "run");
    await running.next();
    const last = running.last;
    running.cut();
    await sleep(300);
    const resumed = await session.get(last);
    const asking = await session.execute(REMOVE);
    await asking.asked();
    assert.equal(await session.end(), 204);
    assert.deepEqual((await resumed.rest()).filter(({ message }) => message), [], "no answer");
    assert.ok((await asking.rest()).every(({ message }) => message?.result === undefined));
    assert.equal((await session.get(last)).status, 404);
  });

  test("a_cancelled_call_is_not_answered", async () => {
    const session = await Session.open(host.url);
    const running = await session.execute("return faults.wait({ ms: 100_000 })", "run");
    await running.next();
    await session.post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "run" } }));
    assert.deepEqual((await running.rest()).filter(({ message }) => message), []);
    assert.equal((await session.get(running.last)).status, 204, "there is nothing to come back for");
  });

  test("a_lost_instance_ends_its_streams_and_the_call_is_reported_lost", async () => {
    await Workerd.during({ build: "faults", vars: DEV }, async ({ url }) => {
      const session = await Session.open(url);
      const asking = await session.execute(REMOVE);
      await asking.asked();
      await fetch(`${url}/mcp?fault=gate.overflow`, { method: "POST" }).catch(() => {});
      const begun = performance.now();
      await asking.rest();
      assert.ok(performance.now() - begun < 2_000, "the stream hung");
      const answer = await (await session.get(asking.last)).answer();
      assert.match(text(answer), /^execution-lost: /);
    }, /RangeError|RuntimeError|overflow|lost|Uncaught|is gone/);
  });
});

describe("approvals", () => {
  const host = workerdWith({ MYCELIUM_SANDBOX_CAPACITY: "2", MYCELIUM_APPROVAL_MS: "20000" });

  test("one_more_than_may_be_asked_at_once_is_refused_and_says_why", async () => {
    const session = await Session.open(host.url);
    const first = await session.execute(REMOVE);
    const { id } = await first.asked();
    const more = JSON.parse(text(await (await session.execute(REMOVE)).answer()));
    assert.equal(more.reason, "confirm-unavailable");
    assert.match(more.message, /too many approvals are open/);
    assert.equal(text(await (await session.execute(PING)).answer()), '{"value":"pong"}', "one stays free");
    await session.reply(id, AGREED);
    assert.equal(text(await first.answer()), '"removed"');
  });

  test("a_grant_revoked_while_a_person_thinks_refuses_what_they_agreed_to", async () => {
    const session = await Session.open(host.url);
    const asking = await session.execute(REMOVE);
    const { id } = await asking.asked();
    await (await session.execute(`return session.grant({ "test-guarded": "read" })`)).answer();
    await session.reply(id, AGREED);
    assert.equal(JSON.parse(text(await asking.answer())).reason, "read-only");
  });

  test("a_second_answer_and_one_from_another_session_change_nothing", async () => {
    const [session, other] = [await Session.open(host.url), await Session.open(host.url)];
    const asking = await session.execute(REMOVE);
    const { id } = await asking.asked();
    assert.equal(await other.reply(id, AGREED), 202);
    assert.equal(await session.reply(id, { action: "decline" }), 202);
    assert.equal(await session.reply(id, AGREED), 202);
    assert.equal(JSON.parse(text(await asking.answer())).reason, "declined");
  });

  test("a_state_that_was_tampered_with_or_used_opens_nothing", async () => {
    const { result } = await (await stateless(host.url, REMOVE)).answer();
    const inputResponses = answers(result, AGREED);
    const retry = async (/** @type {string} */ requestState, code = REMOVE) =>
      JSON.parse(await (await retried(requestState, code)).text());
    const retried = (/** @type {string} */ requestState, /** @type {string} */ code) =>
      fetchStateless(host.url, code, { inputResponses, requestState });
    const other = result.requestState.startsWith("0") ? "1" : "0";
    for (const tampered of [`${result.requestState}x`, "x", `${other}${result.requestState.slice(1)}`]) {
      assert.equal((await retry(tampered)).error?.code, -32602, tampered);
    }
    assert.equal((await retry(result.requestState, "return 1")).error?.code, -32602, "another program");
    const answer = await (await stateless(host.url, REMOVE, { inputResponses, requestState: result.requestState })).answer();
    assert.equal(text(answer), '"removed"');
    assert.equal((await retry(result.requestState)).error?.code, -32602, "a second time");
  });
});

/**
 * @param {string} url
 * @param {string} code
 * @param {Record<string, unknown>} more
 */
function fetchStateless(url, code, more) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const params = { name: "execute", arguments: { code }, _meta: meta, ...more };
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "execute",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

describe("a_crowd", () => {
  const host = workerdWith({ MYCELIUM_CONNECTIONS: "3" });

  test("more_connections_than_places_all_go_on_for_an_idle_one_is_parked", async () => {
    const sessions = [];
    for (let count = 0; count < 9; count++) sessions.push(await Session.open(host.url));
    for (let round = 0; round < 2; round++) {
      for (const session of sessions) {
        assert.equal(text(await (await session.execute(PING)).answer()), '{"value":"pong"}');
      }
    }
    for (const session of sessions) assert.equal(await session.end(), 204);
  });

  test("more_than_there_are_places_may_begin_in_the_same_instant", async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => Session.open(host.url)));
    for (const session of sessions) {
      assert.equal(text(await (await session.execute(PING)).answer()), '{"value":"pong"}');
      assert.equal(await session.end(), 204);
    }
  });

  test("when_all_work_one_more_is_told_to_come_back_and_none_loses_its_work", async () => {
    const busy = [];
    for (let count = 0; count < 3; count++) {
      const session = await Session.open(host.url);
      const asking = await session.execute(REMOVE);
      busy.push({ session, asking, id: (await asking.asked()).id });
    }
    await assert.rejects(Session.open(host.url), { status: 429 });
    for (const { session, asking, id } of busy) {
      await session.reply(id, AGREED);
      assert.equal(text(await asking.answer()), '"removed"');
    }
    const one_more = await Session.open(host.url);
    assert.equal(text(await (await one_more.execute(PING)).answer()), '{"value":"pong"}');
  });
});

describe("strangers", () => {
  const secret = (/** @type {string} */ name) => `secret-of-${name}`;
  const key = (/** @type {string} */ name) => ({
    sha256: createHash("sha256").update(secret(name)).digest("hex"),
    kind: "agent",
    id: name,
  });
  const host = workerdWith({
    MYCELIUM_AUTH_DEV: "false",
    MYCELIUM_API_KEYS: JSON.stringify({ one: key("ada"), other: key("bob") }),
    MYCELIUM_AUTHORIZATION_SERVERS: "https://login.example",
  });
  const as = (/** @type {string} */ name) => ({ authorization: `Bearer ${secret(name)}` });

  test("another_principal_learns_nothing_of_a_session", async () => {
    const session = await Session.open(host.url, as("ada"));
    const asking = await session.execute(REMOVE);
    const { id } = await asking.asked();
    const foreign = new Session(host.url, session.id, as("bob"));
    const unknown = new Session(host.url, "0".repeat(32), as("bob"));
    /** @param {Session} session */
    const tried = async (session) => [
      await session.request("ping").then(({ status, body }) => [status, body]),
      (await session.get()).status,
      (await session.get(asking.last)).status,
      await session.reply(id, AGREED),
      await session.end(),
    ];
    const seen = await tried(foreign);
    assert.deepEqual(seen, await tried(unknown), "the two can be told apart");
    assert.deepEqual(seen.flat().filter((status) => typeof status === "number"), [404, 404, 404, 404, 404]);
    assert.equal(await session.reply(id, AGREED), 202);
    assert.equal(text(await asking.answer()), '"removed"');
  });

  test("another_principal_s_suspended_call_opens_to_nobody_else", async () => {
    const { result } = await (await stateless(host.url, REMOVE, {}, as("ada"))).answer();
    const retry = { inputResponses: answers(result, AGREED), requestState: result.requestState };
    const foreign = await stateless(host.url, REMOVE, retry, as("bob"));
    assert.equal(foreign.status, 400);
    const answer = await (await stateless(host.url, REMOVE, retry, as("ada"))).answer();
    assert.equal(text(answer), '"removed"');
  });

  test("who_has_no_key_is_told_where_to_get_one", async () => {
    const challenge = `Bearer resource_metadata="${host.url}/.well-known/oauth-protected-resource/mcp"`;
    /** @type {Record<string, string>[]} */
    const without = [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${secret("ada")}` }];
    for (const headers of without) {
      const refused = await fetch(`${host.url}/mcp`, { method: "POST", headers, body: "{}" });
      assert.equal(refused.status, 401);
      assert.ok(refused.headers.get("www-authenticate")?.includes(challenge.slice(7)));
    }
    const inQuery = await fetch(`${host.url}/mcp?access_token=${secret("ada")}`, { method: "POST", body: "{}" });
    assert.equal(inQuery.status, 401);
    const metadata = await (await fetch(`${host.url}/.well-known/oauth-protected-resource/mcp`)).json();
    assert.deepEqual(metadata.authorization_servers, ["https://login.example"]);
    assert.equal(metadata.resource, `${host.url}/mcp`);
    assert.equal((await fetch(`${host.url}/.well-known/oauth-authorization-server`)).status, 404);
  });
});

describe("a_credential", () => {
  const host = workerdWith();

  test("one_that_is_revoked_between_two_calls_refuses_the_second_and_ends_the_run", async () => {
    const session = await Session.open(host.url);
    const code = "await vault.write({}); await credential.revoke({}); await vault.write({}); return 'went on'";
    const answer = await (await session.execute(code)).answer();
    assert.equal(answer.result.isError, true);
    assert.match(text(answer), /^cancelled: .* by the host/);
    assert.match(JSON.stringify(answer.result), /write of test-vault: not-authenticated/);
    assert.equal((await session.request("ping")).status, 403);
  });
});
