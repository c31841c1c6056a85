// The app that is open in a session's browser: programs in isolates, pages in Chromium.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { CHROMIUM, servePage, startChromium } from "./host/chromium.mjs";
import { sleep } from "./host/client.mjs";
import { Connected } from "./host/connected.mjs";
import { Session, stateless, text } from "./host/streaming.mjs";

/** @param {string} id */
const key = (id) => ({ sha256: createHash("sha256").update(id).digest("hex"), kind: "agent", id });

/** @param {string} id */
const bearer = (id) => ({ authorization: `Bearer ${id}` });

/** The app: a list, and commands that take their time or go wrong. Its page is told where to go in its hash. */
const PAGE = `<!doctype html><title>list</title><ul></ul><script type="module">
import { connectBrowser } from "/browser/connect.mjs";
const { baseUrl, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const list = document.querySelector("ul");
const text = { type: "object", properties: { text: { type: "string", minLength: 1 } }, required: ["text"], additionalProperties: false };
const command = (output, run, more) => ({ input: {}, output, run, ...more });
window.runs = 0;
window.problems = [];
window.whistle = {
  "list.add": { description: "Adds a line.", input: text, output: { type: "integer" }, run({ text }) {
    window.runs += 1;
    const line = document.createElement("li");
    line.textContent = text;
    list.append(line);
    return list.childElementCount;
  } },
  "list.read": command({ type: "array" }, () => [...list.children].map((line) => line.textContent), { effect: "read" }),
  slow: command({}, (_, { signal }) => new Promise((resolve) => {
    window.runs += 1;
    window.release = resolve;
    signal.addEventListener("abort", () => { window.aborted = true; });
  })),
  fails: command({}, () => { throw new Error("no milk today"); }),
  strange: command({}, () => ({ at: new Map() })),
  large: command({}, () => "x".repeat(5 * 1024 * 1024)),
  wrong: command({ type: "integer" }, () => "seven"),
  secret: command({}, () => "told", { hidden: true }),
};
window.connection = connectBrowser({
  baseUrl,
  headers: { authorization: "Bearer " + key },
  whistle: () => window.whistle,
  onClose: (reason) => { window.ended = reason; },
  onProblem: (problem) => window.problems.push(problem),
});
</script>`;

const missing = CHROMIUM === undefined && "there is no Chromium: install it (apt-get install chromium), or set CHROMIUM to its path";

test("the tests have a browser where everything must be tried", { skip: !process.env.CI && missing }, () => {
  assert.equal(missing, false);
});

/** The deployment: one connection, which both principals are granted. */
const TOML = `
[grants.agent.ada]
ui = "write"
[grants.agent.bob]
ui = "read"
[connections.ui]
type = "ui"
`;

/** @type {Connected} */
let workerd;
/** @type {Awaited<ReturnType<typeof servePage>>} */
let site;

before(async () => {
  site = await servePage(PAGE);
  const vars = {
    MYCELIUM_API_KEYS: JSON.stringify({ ada: key("ada"), bob: key("bob") }),
    MYCELIUM_ORIGINS: site.origin,
  };
  workerd = await Connected.start({ toml: TOML, vars });
});
after(async () => {
  await site?.stop();
  await workerd?.stop();
});

/** @param {string} who */
const session = (who = "ada") => Session.open(workerd.url, bearer(who));

/**
 * @param {string} id
 * @param {string} endpoint
 */
const place = (id, endpoint) => `${workerd.url}/browser/sessions/${id}/browser/${endpoint}`;

/**
 * The answer of a program.
 * @param {Session} session
 * @param {string} code
 * @returns {Promise<{ isError?: boolean, text: string }>}
 */
async function run(session, code) {
  const answered = await (await session.execute(code)).answer();
  return { isError: answered.result.isError, text: text(answered) };
}

/**
 * @param {Session} session
 * @param {string} code
 */
async function value(session, code) {
  const { isError, text } = await run(session, code);
  assert.ok(!isError, text);
  return JSON.parse(text);
}

/**
 * @param {string} command
 * @param {unknown} [input]
 */
const execute = (command, input = {}) => `return ui.execute(${JSON.stringify({ command, input })})`;

describe("who reaches a session's pages", () => {
  test("only the owner of a session reaches its pages and nobody else learns that it is there", async () => {
    const ada = await session();
    const said = async (/** @type {string} */ id, /** @type {string} */ who) => {
      const posts = ["claims", "results"].map((endpoint) =>
        fetch(place(id, endpoint), { method: "POST", headers: { ...bearer(who), "content-type": "application/json" }, body: "{}" }),
      );
      const events = fetch(place(id, "events"), { headers: bearer(who) });
      return Promise.all((await Promise.all([events, ...posts])).map(async (answer) => `${answer.status} ${await answer.text()}`));
    };
    const strangers = await said(ada.id, "bob");
    assert.ok(strangers.every((answer) => answer.startsWith("404 ")), strangers.join());
    assert.deepEqual(await said("0".repeat(32), "bob"), strangers, "as for one that never was");
    assert.deepEqual(await said("0".repeat(32), "ada"), strangers);
    assert.deepEqual(await said("none", "ada"), strangers);
    const nobody = await fetch(place(ada.id, "events"));
    assert.equal(nobody.status, 401);
    await nobody.text();
    const own = await fetch(place(ada.id, "events"), { headers: bearer("ada") });
    assert.deepEqual([own.status, own.headers.get("content-type")], [200, "text/event-stream"]);
    await own.body?.cancel();
    await ada.end();
  });

  test("pages of other origins are refused and a browser is told what it may send", async () => {
    const ada = await session();
    const evil = await fetch(place(ada.id, "events"), { headers: { ...bearer("ada"), origin: "https://evil.example" } });
    assert.equal(evil.status, 403);
    await evil.text();
    const asked = await fetch(place(ada.id, "claims"), { method: "OPTIONS", headers: { origin: site.origin } });
    assert.equal(asked.headers.get("access-control-allow-origin"), site.origin);
    assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Authorization.*Content-Type.*Last-Event-ID/);
    await ada.end();
  });

  test("a body that is too large is refused, and an endpoint has one method", async () => {
    const ada = await session();
    const body = "x".repeat(5 * 1024 * 1024);
    const large = await fetch(place(ada.id, "results"), { method: "POST", headers: bearer("ada"), body });
    assert.equal(large.status, 413);
    await large.text();
    const wrong = await fetch(place(ada.id, "claims"), { headers: bearer("ada") });
    assert.equal(wrong.status, 405);
    await wrong.text();
    await ada.end();
  });

  test("a call without a session has no app", async () => {
    const answered = await (await stateless(workerd.url, "return Object.keys(env).includes('ui')", {}, bearer("ada"))).answer();
    assert.equal(text(answered), "false");
  });

  test("without a page a command is not done, and the program is told so", async () => {
    const ada = await session();
    const { isError, text } = await run(ada, execute("list.add", { text: "milk" }));
    assert.ok(isError && text.includes("app-unavailable") && text.includes("no page of the app is open"), text);
    await ada.end();
  });
});

describe("a deployment", () => {
  test("who is granted to read lists commands and runs none", async () => {
    const bob = await session("bob");
    const refused = await value(bob, execute("list.add", { text: "milk" }));
    assert.equal(refused.reason, "read-only", JSON.stringify(refused));
    const { text } = await run(bob, "return ui.discover({})");
    assert.ok(text.includes("app-unavailable"), text);
    await bob.end();
  });

  test("without the connection there is neither module nor place", async () => {
    const vars = { MYCELIUM_API_KEYS: JSON.stringify({ ada: key("ada") }) };
    await Connected.during({ vars }, async ({ url }) => {
      const ada = await Session.open(url, bearer("ada"));
      const answer = await fetch(`${url}/browser/sessions/${ada.id}/browser/events`, { headers: bearer("ada") });
      assert.equal(answer.status, 404);
      await answer.text();
      assert.equal(await value(ada, "return 'ui' in env"), false);
    });
  });
});

describe("pages in Chromium", { skip: missing }, () => {
  /** @type {Awaited<ReturnType<typeof startChromium>>} */
  let browser;
  before(async () => void (browser = await startChromium()));
  after(() => browser?.stop());
  afterEach(() => Promise.all(browser.context.pages().slice(1).map((page) => page.close())));

  /**
   * Opens the app in a tab, for a session.
   * @param {Session} session
   * @returns {Promise<any>} a page; what it has on its window is its own affair
   */
  async function tab(session) {
    const page = await browser.context.newPage();
    const at = new URLSearchParams({ baseUrl: `${workerd.url}/browser/sessions/${session.id}`, key: "ada" });
    const heard = page.waitForResponse((response) => response.url().endsWith("/browser/events"));
    await page.goto(`${site.origin}/#${at}`);
    assert.equal((await heard).status(), 200);
    return page;
  }

  /**
   * @param {any} page
   * @param {string} expression
   */
  const shows = (page, expression) => page.waitForFunction(expression, undefined, { timeout: 15_000 });

  test("a program runs a command of the page and the person sees what it does", async () => {
    const ada = await session();
    const page = await tab(ada);
    const { commands } = await value(ada, "return ui.discover({})");
    const names = commands.map((/** @type {{ name: string }} */ command) => command.name);
    assert.deepEqual(names, ["fails", "large", "list.add", "list.read", "slow", "strange", "wrong"]);
    assert.equal(commands[2].input.properties.text.minLength, 1);
    assert.equal(commands[3].effect, "read");
    const added = await value(ada, `
      const { commands } = await ui.discover({});
      const add = commands.find(({ description }) => description === "Adds a line.").name;
      await ui.execute({ command: add, input: { text: "milk" } });
      const count = await ui.execute({ command: add, input: { text: "bread" } });
      return { count, lines: await ui.execute({ command: "list.read" }) };`);
    assert.deepEqual(added, { count: 2, lines: ["milk", "bread"] });
    assert.deepEqual(await page.locator("li").allTextContents(), ["milk", "bread"]);
    assert.deepEqual(await page.evaluate("window.problems"), []);
    await ada.end();
  });

  test("the commands are those that the page has at that moment", async () => {
    const ada = await session();
    const page = await tab(ada);
    await page.evaluate("window.whistle = { only: { input: {}, output: {}, run: (input) => input } }");
    const listed = await value(ada, "return (await ui.discover({})).commands.map(({ name }) => name)");
    assert.deepEqual(listed, ["only"]);
    assert.deepEqual(await value(ada, execute("only", { é: ["世界", 1.5, null] })), { é: ["世界", 1.5, null] });
    const { text } = await run(ada, execute("list.add", { text: "milk" }));
    assert.ok(text.includes("operation-unknown") && text.includes("the app has only"), text);
    await ada.end();
  });

  test("every way for a command to go wrong is a failure of its own", async () => {
    const ada = await session();
    const page = await tab(ada);
    for (const [command, input, code, said] of /** @type {const} */ ([
      ["fails", {}, "capability-failed", "no milk today"],
      ["strange", {}, "capability-failed", "/at is Map"],
      ["large", {}, "capability-failed", "4 MiB"],
      ["wrong", {}, "output-invalid", "wrong"],
      ["list.add", { text: "" }, "input-invalid", "/text"],
      ["list.add", { text: "a", more: 1 }, "input-invalid", "more"],
      ["nothing", {}, "operation-unknown", "list.add"],
    ])) {
      const { isError, text } = await run(ada, execute(command, input));
      assert.ok(isError && text.includes(code) && text.includes(said), `${command}: ${text}`);
    }
    assert.equal(await page.evaluate("window.runs"), 0, "what it doesn't take reached nothing");
    assert.equal(await value(ada, execute("secret")), "told", "a hidden command can be run all the same");
    await ada.end();
  });

  test("of two tabs one runs a command once", async () => {
    const ada = await session();
    const tabs = [await tab(ada), await tab(ada)];
    const counts = await value(ada, `
      const counts = [];
      for (let at = 0; at < 10; at++) counts.push(await ui.execute({ command: "list.add", input: { text: String(at) } }));
      return counts;`);
    assert.equal(counts.length, 10);
    const runs = await Promise.all(tabs.map((page) => page.evaluate("window.runs")));
    assert.equal(runs[0] + runs[1], 10, String(runs));
    for (const page of tabs) assert.deepEqual(await page.evaluate("window.problems"), []);
    await ada.end();
  });

  test("a reload amid a command leaves its outcome unknown, and the page that comes goes on", async () => {
    const ada = await session();
    const page = await tab(ada);
    const running = run(ada, execute("slow"));
    await shows(page, "window.release !== undefined");
    const begun = Date.now();
    await page.reload();
    const { isError, text } = await running;
    assert.ok(isError && text.includes("outcome-unknown") && text.includes("look before you send it again"), text);
    assert.ok(Date.now() - begun < 12_000, "well before the command's own time");
    assert.equal(await value(ada, execute("list.add", { text: "milk" })), 1);
    assert.equal(await page.evaluate("window.runs"), 1, "the slow one was not run again");
    await ada.end();
  });

  test("a tab that is closed amid a command leaves its outcome unknown", async () => {
    const ada = await session();
    const page = await tab(ada);
    const running = run(ada, execute("slow"));
    await shows(page, "window.release !== undefined");
    await page.close();
    const { text } = await running;
    assert.ok(text.includes("outcome-unknown"), text);
    await ada.end();
  });

  test("a program that is cancelled takes its command back from the page", async () => {
    const ada = await session();
    const page = await tab(ada);
    const stream = await ada.execute(execute("slow"), "cancelled-run");
    await shows(page, "window.release !== undefined");
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled-run" } };
    await ada.post(JSON.stringify(cancelled));
    await shows(page, "window.aborted === true");
    await stream.rest();
    await ada.end();
  });

  test("a page that loses its stream comes back as itself and answers what it took", async () => {
    const ada = await session();
    const page = await tab(ada);
    const running = run(ada, execute("slow"));
    await shows(page, "window.release !== undefined");
    const again = page.waitForRequest((/** @type {any} */ request) => request.url().endsWith("/events"));
    // The host ends a stream for another one of the same page.
    const client = await page.evaluate("window.connection.client");
    const other = await fetch(place(ada.id, "events"), { headers: { ...bearer("ada"), "last-event-id": client } });
    assert.equal((await again).headers()["last-event-id"], client);
    await other.body?.cancel();
    await page.evaluate("window.release(5)");
    assert.equal((await running).text, "5");
    assert.equal(await page.evaluate("window.runs"), 1);
    await ada.end();
  });

  test("the end of a session ends its pages for good", async () => {
    const ada = await session();
    const page = await tab(ada);
    assert.equal(await ada.end(), 204);
    await shows(page, "window.ended !== undefined");
    assert.match(await page.evaluate("window.ended"), /closed|no such session/);
    const answer = await fetch(place(ada.id, "events"), { headers: bearer("ada") });
    assert.ok([404, 410].includes(answer.status), String(answer.status));
    await answer.text();
    let asked = 0;
    page.on("request", () => (asked += 1));
    await sleep(2_000);
    assert.equal(asked, 0);
  });
});
