// Discovery from within real isolates: what a program asks of it and is told.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "./host/client.mjs";
import { answer, workerdWith } from "./host/trial.mjs";

/** The stamp of the module `demo` alone, as tests/laws/forage/catalog.rs has it. */
const DEMO_STAMP = "0b6e210c541a0081416f9ea513263cf4b29fc61a6aa9b35826bcbbefff7b5665";

/** Every module of the build but `demo`. */
const OTHERS = ["faults", "vault", "session", "witness", "bystander", "credential", "guarded"].map((name) => `test-${name}`);

const LIST_ALL = `const paths = []; let cursor; let pages = 0;
  do {
    const page = await forage.list({ limit: 3, cursor });
    for (const { path } of page.results) paths.push(path);
    if (page.results.some(({ score }) => score !== 0)) throw new Error("a list scores nothing");
    cursor = page.nextCursor;
    pages += 1;
    if (cursor === null && page.total !== paths.length) throw new Error("the total is another");
  } while (cursor !== null);`;

describe("forage", () => {
  const host = workerdWith();

  test("a_program_finds_an_operation_reads_its_types_and_calls_it", async () => {
    const client = await Client.open(host.url);
    const told = await answer(
      client,
      `const { results } = await forage.search({ query: "answer pong" });
      const [{ path, sample, signature }] = results;
      const { types, inputSchema } = await env.forage.describe({ path });
      const called = await path.split(".").reduce((at, name) => at[name], env)({});
      return { path, sample, signature, types, inputSchema, called }`,
    );
    assert.equal(told.path, "demo.ping");
    assert.equal(told.sample, "await env.demo.ping({})");
    assert.match(told.signature, /^demo\.ping\(input: .*\): Promise<.*>$/);
    assert.match(told.types, /declare const env: \{\n {2}demo: \{\n/);
    assert.match(told.types, /ping\(input\?: demo\$ping_Input\): Promise<demo\$ping_Output \| AccessRefusal>;/);
    assert.equal(told.inputSchema.type, "object");
    assert.deepEqual(told.called, { value: "pong" });
  });

  test("a_list_has_exactly_what_env_has", async () => {
    const client = await Client.open(host.url);
    const [listed, bound] = await answer(
      client,
      `${LIST_ALL}
      const names = (at, prefix) => Object.keys(at).flatMap((name) =>
        typeof at[name] === "function" ? [prefix + name] : prefix + name === "forage" ? [] : names(at[name], prefix + name + "."));
      return [paths, names(env, "").sort()]`,
    );
    assert.ok(listed.length > 10, `${listed.length} operations`);
    assert.deepEqual(listed, bound);
  });

  test("a_question_takes_no_ordinal", async () => {
    const client = await Client.open(host.url);
    const code = `await forage.list(); await forage.search("see"); await forage.describe("demo");
      return (await witness.see({})).ordinal`;
    assert.equal(await answer(client, code), 0);
  });

  test("what_is_not_granted_is_found_by_no_helper_and_a_cursor_of_another_view_fails", async () => {
    const client = await Client.open(host.url);
    const cursor = await answer(client, "return (await forage.list({ limit: 2 })).nextCursor");
    await answer(client, `return session.grant({ "test-vault": "none" })`);
    const told = await answer(
      client,
      `${LIST_ALL}
      const found = await forage.search({ query: "vault.write", limit: 50 });
      const described = await forage.describe({ path: "vault.write" }).catch(({ code, message }) => [code, message]);
      const stale = await forage.list({ cursor: ${JSON.stringify(cursor)} }).catch(({ code }) => code);
      return { paths, found: found.results.map(({ path }) => path), described, stale, called: await vault.write({}) }`,
    );
    assert.ok(told.paths.length > 5);
    for (const path of [...told.paths, ...told.found]) assert.doesNotMatch(path, /^vault/);
    assert.equal(told.described[0], "operation-unknown");
    assert.doesNotMatch(told.described[1].replace("vault.write", ""), /vault/);
    assert.equal(told.stale, "cursor-invalid");
    assert.equal(told.called.reason, "not-granted");
  });

  test("a_stamp_is_the_same_natively_and_in_wasm", async () => {
    const client = await Client.open(host.url);
    const none = Object.fromEntries(OTHERS.map((module) => [module, "none"]));
    await answer(client, `return session.grant(${JSON.stringify(none)})`);
    const page = await answer(client, "return forage.list()");
    assert.deepEqual(page.results.map((/** @type {{ path: string }} */ { path }) => path), ["demo.ping"]);
    assert.equal(page.catalogStamp, DEMO_STAMP);
  });

  test("a_refused_question_that_nobody_catches_fails_the_program_with_its_own_words", async () => {
    const client = await Client.open(host.url);
    for (const [question, words] of [
      ["forage.describe({ path: 'demo.pong' })", "demo.ping"],
      ["forage.list({ limit: 0 })", "limit is a whole number from 1 to 50"],
      ["forage.list({ cursor: 'x' })", "begin again with a list without a cursor"],
      ["forage.search({ query: () => 1 })", "forage.search was called with input it does not take: the input at /query is a function"],
      ["forage.search({ query: 1n })", "a BigInt"],
    ]) {
      const { isError, text } = await client.execute(`return ${question}`);
      assert.ok(isError, question);
      assert.ok(text.includes(words), `${question}: ${text}`);
      assert.doesNotMatch(text, /bad-response|unknown failure/);
    }
  });
});
