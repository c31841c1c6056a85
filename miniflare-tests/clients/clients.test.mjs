// Real clients against the Worker, which knows them by a key: each lists, calls, is asked and
// accepts, declines, cancels and answers too late, and each meets a server that was ended without a
// word and started again.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { CLIENTS } from "./clients.mjs";
import { INSPECTOR, Inspector } from "./inspector.mjs";
import { Table } from "./table.mjs";
import { Trial } from "./trial.mjs";

const PING = "return demo.ping({})";
const PONG = '{"value":"pong"}';
const REMOVE = "return guarded.remove({})";

/** What is said of a client that says nothing. */
const UNTOLD = /no answer to|the client ended/;

/** At once, for most of the time somebody waits. */
const AT_ONCE = { concurrency: 3 };
const IN_TURN = { concurrency: 1 };

const table = new Table();
after(() => console.log(`\n${table}\n`));

/** Those that aren't there are skipped, and the table says so, but not where everything must be. */
function absent(/** @type {string} */ name, /** @type {string} */ program) {
  if (existsSync(program) || process.env.CI) return false;
  table.without(name);
  return `${program} isn't there: \`make clients\` brings it`;
}

/** What came of asking for an operation: its value, or why it was refused. */
function outcome(/** @type {{ isError: boolean, text: string }} */ { isError, text }) {
  assert.equal(isError, false, text);
  const value = JSON.parse(text);
  return value.reason ?? value;
}

/** Asked once, and told what for. */
function assertAsked(/** @type {string[]} */ asked) {
  assert.equal(asked.length, 1, asked.join("; "));
  for (const name of ["test-guarded", "remove", "write"]) assert.ok(asked[0].includes(name), asked[0]);
}

describe("clients", AT_ONCE, () => {
  for (const client of CLIENTS) {
    describe(client.name, { ...IN_TURN, skip: absent(client.name, client.program) }, () => {
      const trial = new Trial();
      before(() => trial.begin(client.start));
      after(() => trial.end());

      const step = (/** @type {string} */ column, /** @type {string} */ law, /** @type {() => Promise<string>} */ body) =>
        test(`${law}: ${client.name}`, () => table.cell(client.name, column, body));

      step("no key", "a_client_without_a_key_is_refused_at_once", async () => {
        const stranger = client.start(trial.url, trial.stranger);
        try {
          // Some only speak to the server when they need it.
          const told = stranger.connect().then(() => stranger.list());
          await assert.rejects(told, (error) => !UNTOLD.test(String(error)));
        } finally {
          await stranger.end();
        }
        return "refused";
      });

      step("list", "a_client_agrees_upon_its_revision_and_finds_execute", async () => {
        assert.equal(await trial.client.connect(), client.revision);
        assert.ok((await trial.client.list()).includes("execute"));
        return client.revision ?? "listed";
      });

      step("call", "a_client_gets_the_value_of_its_program", async () => {
        assert.deepEqual(await trial.client.call(PING), { isError: false, text: PONG, asked: [] });
        return "pong";
      });

      for (const [answer, expected] of /** @type {const} */ ([
        ["accept", "removed"],
        ["decline", "declined"],
        ["cancel", "cancelled"],
      ])) {
        step(answer, "a_client_s_person_is_asked_and_heard", async () => {
          const { asked, ...said } = await trial.client.call(REMOVE, { answer });
          assertAsked(asked);
          assert.equal(outcome(said), expected);
          return expected;
        });
      }

      step("late", "a_client_s_person_who_accepts_too_late_is_timed_out", async () => {
        const { until, open } = trial.tooLate();
        let opened = Promise.resolve();
        const { asked, ...said } = await trial.client.call(REMOVE, { answer: "accept", until }, () => (opened = open()));
        assertAsked(asked);
        assert.equal(outcome(said), "timed-out");
        await opened;
        assert.equal(outcome(await trial.client.call(PING)).value, "pong");
        return "timed-out";
      });

      step("restart", "a_client_goes_on_with_a_server_that_was_started_again", async () => {
        await trial.restart();
        assert.equal((await trial.client.call(PING)).text, PONG);
        const { asked, ...said } = await trial.client.call(REMOVE, { answer: "accept" });
        assertAsked(asked);
        assert.equal(outcome(said), "removed");
        return "pong, removed";
      });

      step("restart while asked", "a_client_is_told_that_a_restart_lost_what_it_was_asked_for", async () => {
        const { until, open } = trial.gate();
        const again = async () => {
          await trial.restart();
          open();
        };
        let restarted = Promise.resolve();
        const said = await trial.client.call(REMOVE, { answer: "accept", until }, () => (restarted = again()));
        await restarted;
        assertAsked(said.asked);
        assert.equal(said.isError, true, said.text);
        assert.match(said.text, /^execution-lost: /);
        assert.equal((await trial.client.call(PING)).text, PONG);
        return "execution-lost";
      });
    });
  }

  describe("inspector", { ...IN_TURN, skip: absent("inspector", INSPECTOR) }, () => {
    const trial = new Trial();
    before(() => trial.begin());
    after(() => trial.end());
    const inspector = () => new Inspector(trial.url, trial.known);

    const step = (/** @type {string} */ column, /** @type {string} */ law, /** @type {() => Promise<string>} */ body) =>
      test(`${law}: inspector`, () => table.cell("inspector", column, body));

    step("no key", "a_client_without_a_key_is_refused_at_once", async () => {
      await assert.rejects(new Inspector(trial.url, trial.stranger).list(), { code: 3, stderr: /auth_required/ });
      return "refused";
    });

    step("list", "a_client_finds_execute", async () => {
      assert.ok((await inspector().list()).includes("execute"));
      return "listed";
    });

    step("call", "a_client_gets_the_value_of_its_program", async () => {
      assert.deepEqual(await inspector().call(PING), { isError: false, text: PONG });
      return "pong";
    });

    step("accept", "a_client_that_can_t_ask_its_person_is_refused", async () => {
      assert.equal(outcome(await inspector().call(REMOVE)), "confirm-unavailable");
      return "can't ask: confirm-unavailable";
    });

    step("restart", "a_client_goes_on_with_a_server_that_was_started_again", async () => {
      await trial.restart();
      assert.deepEqual(await inspector().call(PING), { isError: false, text: PONG });
      return "pong";
    });
  });
});
