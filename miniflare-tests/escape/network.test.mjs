// Nothing leaves an isolate but the frames to its host.

import { describe } from "node:test";
import { range } from "./attack.mjs";

const attack = range();
/** @type {(seen: import("./attack.mjs").Seen) => boolean} */
const escaped = ({ network }) => network.length > 0;

describe("by_the_platforms_own_functions", () => {
  const ways = {
    fetch: "await fetch('URL')",
    "a Request with a body": "await fetch(new Request('URL', { method: 'POST', body: 'x' }))",
    "a redirect": "await fetch(Response.redirect('URL').headers.get('location'))",
    "a WebSocket": "new WebSocket('URL'.replace('http', 'ws')); await sleep(200)",
    "an upgrade by fetch": "await fetch('URL', { headers: { Upgrade: 'websocket' } })",
    "an EventSource": "new EventSource('URL'); await sleep(200)",
    "a beacon": "navigator.sendBeacon('URL', 'x'); await sleep(200)",
    "a fetch left behind": "setTimeout(() => fetch('URL').catch(() => {}), 20)",
    "a fetch of another realm's prototype": "await Reflect.apply(Object.getPrototypeOf(globalThis).fetch ?? fetch, globalThis, ['URL'])",
  };
  for (const [name, code] of Object.entries(ways)) attack(name, { code: `try { ${code} } catch {} return 1`, escaped });
});

describe("by_cloudflare_sockets", () => {
  const use = "const socket = connect({ hostname: '127.0.0.1', port: PORT }); await socket.opened.catch(() => {}); return 1";
  attack("imported", { top: "import { connect } from 'cloudflare:sockets';", code: use, escaped, imports: true });
  attack("imported when it runs", { code: `const { connect } = await import('cloudflare:sockets'); ${use}`, escaped, imports: true });
});

describe("by_modules_of_node", () => {
  attack("node:net", {
    top: "import net from 'node:net';",
    code: "net.connect(PORT, '127.0.0.1').on('error', () => {}); await sleep(300); return 1",
    escaped,
    imports: true,
  });
  attack("node:http", {
    code: "const http = await import('node:http'); http.get('URL').on('error', () => {}); await sleep(300); return 1",
    escaped,
    imports: true,
  });
  attack("a name made up as it runs", {
    code: "const http = await import(['node', 'http'].join(':')); http.get('URL').on('error', () => {}); await sleep(300); return 1",
    escaped,
    imports: true,
  });
});
