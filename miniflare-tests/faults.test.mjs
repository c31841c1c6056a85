// What a fault in the host's own code costs, and whom. Each case has a workerd of
// its own, for all objects and requests of one workerd share one instance.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Bystanders } from "./host/bystanders.mjs";
import { Client, PONG, request, sleep } from "./host/client.mjs";
import { DEV, Workerd } from "./host/workerd.mjs";

const OPTIONS = { build: "faults", vars: { ...DEV, MYCELIUM_TIMEOUT_MS: "6000" } };
/** What the log says of a panic and of a stack that is gone. */
const INJECTED = /panicked|Critical|is gone|previous WASM instance|instance was lost|RuntimeError/;

/** Faults that unwind: in an operation, in a request, in a task, in a borrow, out of an import. */
const PANICS = ["faults.panic", "gate.panic", "object.panic", "object.spawned", "object.borrow", "gate.throw", "object.throw"];

/** Faults that can't: either stack, at once or in a timer's callback, in an import, and no memory. */
const LOSSES = [
  "faults.overflow",
  "faults.dive",
  "gate.overflow",
  "gate.dive",
  "object.overflow",
  "object.later",
  "gate.later",
  "gate.import",
  "object.import",
  "object.memory",
];

/** Faults whose own request is answered all the same. */
const HARMLESS = ["object.spawned"];

/**
 * A test on a workerd of its own, whose log may tell of what was injected.
 * @param {string} name
 * @param {(workerd: Workerd) => Promise<void>} body
 */
function law(name, body) {
  return test(name, { timeout: 30_000 }, () => Workerd.during(OPTIONS, body, INJECTED));
}

/**
 * Brings a fault about and gives what the request that did was answered.
 * @param {Client} client
 * @param {string} fault
 */
async function fail(client, fault) {
  const answer = fault.startsWith("faults.")
    ? await client.post(request("fault", "tools/call", { name: "execute", arguments: { code: `return ${fault}({})` } }))
    : await client.post(request("fault", "ping"), {}, { query: `?fault=${fault}` });
  return answer.text;
}

describe("a_panic_fails_only_its_own_request", () => {
  for (const fault of PANICS) {
    law(fault, async (workerd) => {
      const client = await Client.open(workerd.url);
      const bystanders = await Bystanders.start(workerd.url);
      const holder = hold(await Client.open(workerd.url));
      const text = await fail(client, fault);
      if (HARMLESS.includes(fault)) assert.match(text, /"result":\{\}/);
      else assert.match(text, /unknown: something failed/);
      assert.deepEqual((await client.execute(PONG)).texts, ['{"value":"pong"}'], "the same object serves on");
      await bystanders.release();
      const { timer, guest, suspended, stateless } = await bystanders.outcomes();
      assert.equal(timer.text, '{"waited":700}');
      assert.equal(guest.text, '{"value":"pong"}');
      assert.match(suspended.text, /^cancelled: .* by the caller/);
      assert.match(stateless.text, /^404: /);
      assert.equal(await holder, "held");
    });
  }
});

/**
 * Has a request hold a borrow for a while, which is one bystander more.
 * @param {Client} client
 */
async function hold(client) {
  const { text } = await client.post(request("hold", "ping"), {}, { query: "?fault=object.hold" });
  return text.includes('"result":{}') ? "held" : text;
}

describe("a_lost_instance_fails_every_request_within_a_second", () => {
  for (const fault of LOSSES) {
    law(fault, async (workerd) => {
      const [client, idle] = [await Client.open(workerd.url), await Client.open(workerd.url)];
      const bystanders = await Bystanders.start(workerd.url);
      const [text, outcomes] = await Promise.all([fail(client, fault), bystanders.outcomes()]);
      assert.match(text, /"message":"execution-lost: /);
      for (const [name, { text, after }] of Object.entries(outcomes)) {
        assert.match(text, /execution-lost: /, name);
        assert.ok(after < 1_000, `${name} took ${after} ms`);
      }
      await theNextRequestsWork(workerd.url, [client, idle, ...bystanders.clients]);
    });
  }
});

/**
 * The laws `the_next_request_after_a_loss_works` and `stored_state_survives_a_loss`:
 * every session of before is answered at once, under its own name.
 * @param {string} url
 * @param {Client[]} clients of before the loss
 */
async function theNextRequestsWork(url, clients) {
  const answers = await Promise.all(clients.map((client) => client.execute(PONG)));
  for (const { texts } of answers) assert.deepEqual(texts, ['{"value":"pong"}']);
  const fresh = await Client.open(url);
  assert.equal((await fresh.execute(PONG)).text, '{"value":"pong"}');
}

law("the_next_request_after_a_loss_works", async (workerd) => {
  const client = await Client.open(workerd.url);
  for (let loss = 0; loss < 5; loss++) {
    assert.match(await fail(client, loss % 2 ? "gate.overflow" : "object.dive"), /execution-lost/);
    assert.equal((await client.execute(PONG)).text, '{"value":"pong"}', `after loss ${loss}`);
  }
});

law("stored_state_survives_a_loss", async (workerd) => {
  const [open, ended] = [await Client.open(workerd.url), await Client.open(workerd.url)];
  assert.equal(await ended.end(), 204);
  assert.match(await fail(open, "object.overflow"), /execution-lost/);
  assert.equal((await open.request("tools/list")).result.tools[0].name, "execute");
  assert.equal((await ended.post(request(1, "ping"))).status, 404);
});

describe("no_callback_of_a_lost_instance_runs", () => {
  /** The callback is due 400 ms after it is left behind. */
  const cases = [
    { name: "before_a_fresh_one_starts", restart: false },
    { name: "after_a_fresh_one_has_started", restart: true },
  ];
  for (const { name, restart } of cases) {
    law(name, async (workerd) => {
      const [client, idle] = [await Client.open(workerd.url), await Client.open(workerd.url)];
      assert.match(await fail(idle, "object.tick"), /"result":\{\}/);
      assert.match(await fail(client, "gate.overflow"), /execution-lost/);
      if (restart) assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
      await sleep(700);
      assert.doesNotMatch(workerd.log, /a callback ran/);
      assert.match(workerd.log, /a callback was refused/);
      assert.equal((await client.execute(PONG)).text, '{"value":"pong"}');
    });
  }

  law("and_in_a_sound_instance_it_does", async (workerd) => {
    const client = await Client.open(workerd.url);
    assert.match(await fail(client, "object.tick"), /"result":\{\}/);
    await sleep(700);
    assert.match(workerd.log, /a callback ran/);
  });
});
