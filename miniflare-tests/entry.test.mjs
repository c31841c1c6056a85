// What can be called from outside, by HTTP and by other Workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DEV, Workerd } from "./host/workerd.mjs";

/** The methods for bound Workers. */
const METHODS = ["describe", "execute", "invoke", "list", "search", "status"];

/** Names that an attacker, or a careless edit of the entry, would make callable. */
const NAMES = [
  "gate", "install", "onLost", "lose", "open", "fence", "ensureInstance", "initSync", "lostReply",
  "env", "ctx", "connection", "post", "delete", "result", "cancel", "serve", "reply", "owe", "warm",
  "Execution", "failedService", "lostService", "props", "run", "setGrants", "free", "#state",
  // What objects and functions answer to; what is Object's own, a stub answers by itself.
  "toJSON", "prototype", "apply", "bind", "call",
];

/** How the platform says so. */
const NOT_THERE = /does not implement/;

/** Says what the entry exports, and tries a member of a binding. */
const FRONT = `
import * as entry from "./src/workers/entry.mjs";
const surface = () => Object.fromEntries(Object.entries(entry).map(([name, made]) =>
  [name, Object.getOwnPropertyNames(made.prototype).sort()]));
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const [binding, name] = [url.searchParams.get("binding"), url.searchParams.get("name")];
    if (!binding) return Response.json(surface());
    const target = binding === "OBJECT" ? env.OBJECT.getByName("any") : env[binding];
    try {
      return Response.json({ gave: String(await target[name]({})) });
    } catch (error) {
      return Response.json({ threw: String(error) });
    }
  },
};
`;

test("the_entry_exports_classes_that_answer_to_fetch_alone_and_the_default_one_to_six_methods", async () => {
  await Workerd.during({ front: FRONT, vars: DEV }, async ({ url }) => {
    const only = ["constructor", "fetch"];
    // The platform alone calls an alarm.
    const woken = ["alarm", ...only];
    const served = [...only, ...METHODS].sort();
    const classes = {
      ConnectionObject: woken,
      Outbound: only,
      PenObject: only,
      PrincipalObject: only,
      Runner: only,
      SessionGrants: ["constructor", "setGrants"],
      UpstreamObject: only,
      default: served,
    };
    assert.deepEqual(await (await fetch(url)).json(), classes);
  });
});

test("another_worker_can_call_nothing_but_fetch_and_the_six_methods", async () => {
  await Workerd.during({ front: FRONT, vars: DEV }, async ({ url }) => {
    const asked = async (/** @type {string} */ binding, /** @type {string} */ name) =>
      (await fetch(`${url}/?binding=${binding}&name=${encodeURIComponent(name)}`)).json();
    for (const binding of ["MAIN", "RUNNER", "OBJECT"]) {
      const others = binding === "MAIN" ? [] : METHODS;
      for (const name of [...NAMES, ...others]) {
        const answer = await asked(binding, name);
        assert.match(answer.threw ?? answer.gave, NOT_THERE, `${binding}.${name}`);
      }
    }
    for (const name of METHODS) assert.ok((await asked("MAIN", name)).gave, name);
  });
});

test("what_is_not_at_mcp_is_not_there", async () => {
  await Workerd.during({ vars: DEV }, async ({ url }) => {
    for (const path of ["/", "/gate", "/mcp/x", "//mcp", "/MCP", "/runner", "/.well-known/mcp"]) {
      assert.equal((await fetch(url + path, { method: "POST", body: "{}" })).status, 404, path);
    }
  });
});
