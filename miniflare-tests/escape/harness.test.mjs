// What a program does to its own realm, and to what it was given, stays there.

import { describe } from "node:test";
import { range } from "./attack.mjs";

const attack = range();
/** @type {(seen: import("./attack.mjs").Seen) => boolean} */
const forged = ({ value }) => value === "forged";
/** @type {(seen: import("./attack.mjs").Seen) => boolean} */
const mine = ({ value }) => value === "mine";

describe("polluted_prototypes", () => {
  attack("toJSON on everything", {
    code: "Object.prototype.toJSON = () => 'forged'; demo.ping({}).catch(() => {}); await sleep(100); return 1",
    escaped: ({ frames }) => frames.some((frame) => frame.includes("forged")),
  });
  attack("a map that tells what is put in", {
    code: `const { set } = Map.prototype; let stolen;
      Map.prototype.set = function (key, value) { stolen = value; return set.call(this, key, value) };
      const call = demo.ping({}); stolen?.resolve?.('forged'); return call`,
    escaped: forged,
  });
  attack("a message for every object", {
    code: "Object.prototype.message = 'forged'; throw {}",
    escaped: ({ frames }) => frames.some((frame) => frame.includes('"message":"forged"')),
  });
  attack("lists that say something else", {
    code: "Array.prototype.map = () => ['forged']; Array.prototype.join = () => 'forged'; console.log('said'); return 1",
    escaped: ({ frames }) => frames.some((frame) => frame.includes("forged")),
  });
});

describe("forged_frames_and_ordinals", () => {
  /** Takes the socket when the harness sends on it. */
  const take = `const { send } = WebSocket.prototype; let wire;
    WebSocket.prototype.send = function (text) { wire ??= this; return send.call(this, text) };
    const call = demo.ping({}); const say = (text) => { if (wire) send.call(wire, text) };`;
  attack("an ordinal out of order", {
    code: `${take} say('["call",7,0,{}]'); await sleep(50); return 1`,
    escaped: ({ calls }) => calls.some(({ ordinal }) => ordinal === 7),
  });
  attack("an ordinal used before", {
    code: `${take} say('["call",0,0,{"again":1}]'); await sleep(50); return 1`,
    escaped: ({ calls }) => calls.filter(({ ordinal }) => ordinal === 0).length > 1,
  });
  attack("an answer before the answer", { code: `${take} say('["done","forged"]'); await sleep(50); return 1`, escaped: forged });
  attack("a reply of the host", {
    code: `${take} wire?.dispatchEvent(new MessageEvent('message', { data: '["value",0,"forged"]' })); return call`,
    escaped: forged,
  });
  attack("bytes instead of text", {
    code: `${take} if (wire) send.call(wire, '["log","log","forged"]'); await sleep(50); return 1`,
    escaped: ({ frames }) => frames.some((frame) => frame.includes("forged")),
  });
});

describe("operations_that_it_was_not_given", () => {
  attack("by an index beyond its own", {
    code: "globalThis.harness?.call(99, {}); await sleep(50); return 1",
    escaped: ({ calls }) => calls.some(({ index }) => index === 99),
  });
  attack("of another session, on the wire", {
    code: `const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) { return send.call(this, text.replace(/^\\["call",0,0/, '["call",0,41')) };
      demo.ping({}).catch(() => {}); await sleep(50); return 1`,
    escaped: ({ calls }) => calls.some(({ index }) => index === 41),
  });
  attack("by a state that is lying about", {
    code: "globalThis.harness?.pending.set(0, { resolve() {} }); const call = demo.ping({}); globalThis.harness?.pending.get(0).resolve('forged'); return call",
    escaped: forged,
  });
});

describe("overwritten_globals", () => {
  attack("the clock that ends it", {
    code: "globalThis.setTimeout = () => 0; await sleep(3_500); return 'outlived'",
    escaped: ({ value }) => value === "outlived",
  });
  attack("JSON", {
    code: `JSON.stringify = () => '["done","forged"]'; demo.ping({}).catch(() => {}); await sleep(50); return 1`,
    escaped: forged,
  });
  attack("JSON of what is heard", {
    code: "JSON.parse = () => ['value', 0, 'forged']; return demo.ping({})",
    escaped: forged,
  });
  attack("then of every promise", {
    code: `const { then } = Promise.prototype;
      Promise.prototype.then = function (well, ill) { return then.call(this, well && ((value) => well(value === 1 ? 'forged' : value)), ill) };
      return 1`,
    escaped: forged,
  });
  attack("Promise itself", {
    code: `globalThis.Promise = class { constructor(run) { run((value) => (this.value = 'forged'), () => {}) } then(well) { well('forged') } };
      Promise.race = () => new Promise(() => {}); return demo.ping({})`,
    escaped: forged,
  });
});

describe("tampered_env", () => {
  attack("an operation", { code: "try { demo.ping = () => 'mine' } catch {} return demo.ping({})", escaped: mine });
  attack("a module", { code: "try { env.demo = { ping: () => 'mine' } } catch {} return env.demo.ping({})", escaped: mine });
  attack("env itself", {
    code: "try { globalThis.env = { demo: { ping: () => 'mine' } } } catch {} return globalThis.env.demo.ping({})",
    escaped: mine,
  });
  attack("a module anew", {
    code: "try { delete globalThis.demo; globalThis.demo = { ping: () => 'mine' } } catch {} return globalThis.demo.ping({})",
    escaped: mine,
  });
  attack("by its prototype", {
    code: "try { Object.setPrototypeOf(env.demo, { pong: () => 'mine' }); return env.demo.pong() } catch { return 0 }",
    escaped: mine,
  });
});
