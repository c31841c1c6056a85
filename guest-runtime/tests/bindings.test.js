import assert from "node:assert/strict";
import { test } from "node:test";

import { play } from "./host.js";

/** @type {[string, unknown][]} */
const ANSWERS = [
  ["Object.keys(env)", ["demo", "apps"]],
  ["Object.keys(env.demo)", ["ping", "fail", "nothing", "never"]],
  ["Object.keys(apps.bazaar)", ["windows"]],
  ["Object.getPrototypeOf(env) === null && Object.getPrototypeOf(env.demo) === null", true],
  ["[typeof env, typeof env.demo, typeof env.demo.ping]", ["object", "object", "function"]],
  ["[env.demo === demo, env.apps.bazaar === apps.bazaar, env.demo.ping === demo.ping, demo.ping.name]", [true, true, true, "demo.ping"]],
  ["[Object.isFrozen(env), Object.isFrozen(demo), Object.isFrozen(demo.ping)]", [true, true, true]],
  ["['ping' in demo, 'pong' in demo, Object.hasOwn(demo, 'ping')]", [true, false, true]],
  ["(await env) === env && (await env.demo) === demo", true],
  ["[env.then, env.toJSON, env.constructor, env.hasOwnProperty, env[Symbol.iterator], env.demo.__proto__].every((x) => x === undefined)", true],
  ["JSON.stringify(env)", '{"demo":{},"apps":{"bazaar":{"windows":{}}}}'],
  ["(({ ping }) => ping(3))(demo)", 3],
  ["((f) => f(4))(demo.ping)", 4],
  ["[..._tried(() => { env.x = 1 }), ..._tried(() => { demo.ping = 1 }), ..._tried(() => { delete demo.ping }), ..._tried(() => { env = 1 }), ..._tried(() => { demo = 1 })]", ["TypeError", "TypeError", "TypeError", "TypeError", "TypeError"]],
  ["[..._tried(() => Object.defineProperty(demo, 'x', { value: 1 })), ..._tried(() => Object.defineProperty(globalThis, 'env', { value: 1 })), ..._tried(() => Object.setPrototypeOf(demo, {}))]", ["TypeError", "TypeError", "TypeError"]],
  ["[Reflect.set(demo, 'y', 1), Reflect.isExtensible(env), Reflect.preventExtensions(env), Reflect.deleteProperty(globalThis, 'demo')]", [false, false, true, false]],
  ["typeof forage", "undefined"],
];

for (const [source, answer] of ANSWERS) {
  test(`namespaces: ${source}`, async () => {
    const { end } = await play(`async () => { const _tried = (f) => { try { f(); return ["no error"] } catch (e) { return [e.name] } }; return ${source} }`);
    assert.deepEqual(end, ["done", answer]);
  });
}

const UNKNOWN = [
  ["env.demo.pong()", "demo.pong", "demo.ping"],
  ["demo.Ping()", "demo.Ping", "demo.ping"],
  ["env.dmo.ping()", "dmo", "demo.ping"],
  ["env.demo_ping()", "demo_ping", "demo.ping"],
  ["env['demo.ping']()", "demo.ping", "demo.ping"],
  ["env.ping()", "ping", "demo.ping"],
  ["env.search('x')", "search", "forage.search"],
  ["env.forage.serch('x')", "forage.serch", "forage.search"],
  ["env.apps.bazaar.window.open()", "apps.bazaar.window", "apps.bazaar.windows.open"],
];

for (const [source, path, nearest] of UNKNOWN) {
  test(`an_unknown_name_is_answered_with_the_nearest: ${source}`, async () => {
    const { end, calls } = await play(`async () => await ${source}`, { task: { forage: true } });
    assert.equal(calls.length, 0);
    assert.deepEqual([end[1].kind, end[1].path, end[1].nearest[0]], ["operation-unknown", path, nearest]);
    assert.match(end[1].message, /^env\..* does not exist; did you mean env\./);
    assert.equal(end[1].frames.length, 1);
  });
}

test("an_unknown_name_can_be_caught", async () => {
  const { end } = await play("async () => { try { env.zzzzzzzz } catch (e) { return [e.code, e.path, e.nearest, e.message] } }");
  assert.deepEqual(end[1], ["operation-unknown", "zzzzzzzz", [], "env.zzzzzzzz does not exist; Object.keys(env) lists the modules"]);
});

test("a_huge_unknown_name_is_bounded", async () => {
  const { end } = await play("async () => env['x'.repeat(1e6)]");
  assert.ok(JSON.stringify(end).length < 2000);
});

test("hidden_operations_are_callable_and_not_shown", async () => {
  const operations = { "demo.ping": () => ["value", 1], "demo.secret": () => ["value", 2], "vault.open": () => ["value", 3], "mixed.a.b": () => ["value", 4], "mixed.c": () => ["value", 5] };
  const { end, calls } = await play(
    `async () => {
      const seen = [Object.keys(env), Object.keys(demo), "vault" in env, "secret" in demo, Object.keys(globalThis).includes("vault"), Object.keys(mixed)];
      let nearest; try { demo.secre() } catch (e) { nearest = e.nearest }
      return [seen, nearest, await demo.secret(), await env.vault.open(), await vault.open(), await env.mixed.a.b()];
    }`,
    { operations, task: { hidden: [1, 2, 3] } },
  );
  assert.deepEqual(end[1], [[["demo", "mixed"], ["ping"], false, false, false, ["c"]], [], 2, 3, 3, 4]);
  assert.deepEqual(calls.map(([, , index]) => index), [1, 2, 2, 3]);
});

test("a_name_that_a_global_has_is_left_to_it", async () => {
  const operations = { "JSON.parse": () => ["value", "ours"], "crypto.x": () => ["value", "ours"], "console.log": () => ["value", "ours"] };
  const { end, calls } = await play("async () => [JSON.parse('1'), typeof crypto.subtle, await env.JSON.parse('1'), await env.crypto.x(), await env.console.log(1)]", { operations });
  assert.deepEqual(end, ["done", [1, "object", "ours", "ours", "ours"]]);
  assert.equal(calls.length, 3);
});

test("paths_that_look_alike_stay_apart", async () => {
  const names = ["a.b_c", "a_b.c", "a.b.c", "a.b.d", "a_b_c.x", "x.__proto__", "x.constructor", "__proto__.y"];
  const operations = Object.fromEntries(names.map((name) => [name, () => ["value", name]]));
  Object.defineProperty(operations, "__proto__.y", { value: () => ["value", "__proto__.y"], enumerable: true });
  const { end } = await play(`async () => await Promise.all([env.a.b_c(), env.a_b.c(), env.a.b.c(), env.a.b.d(), env.a_b_c.x(), env.x.__proto__(), env.x.constructor(), env.__proto__.y()])`, { operations });
  assert.deepEqual(end, ["done", names]);
});

test("thousands_of_operations_are_all_callable", async () => {
  const operations = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i % 50}.op_${i}`, () => ["value", i]]));
  const { end } = await play("async () => [Object.keys(env).length, Object.keys(m7).length, await m7.op_4957(), await env.m0.op_0()]", { operations });
  assert.deepEqual(end, ["done", [50, 100, 4957, 0]]);
});
