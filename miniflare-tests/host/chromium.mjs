// A real browser, and the server of the page that it opens.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "./config.mjs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome"];

/** Where the browser is: `CHROMIUM` says, or one of the usual places; nowhere when undefined. */
export const CHROMIUM = [process.env.CHROMIUM ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));

/** Nothing that isn't needed for pages of this machine. */
const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts a browser with a profile of its own.
 * @returns {Promise<{ context: import("playwright-core").BrowserContext, stop(): Promise<void> }>}
 */
export async function startChromium() {
  const profile = mkdtempSync(join(tmpdir(), "mycelium-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    chromiumSandbox: false,
    args: FLAGS,
  });
  const stop = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, stop };
}

/**
 * Serves one page at `/`, and `browser/` beside it, on an origin of its own.
 * @param {string} html
 */
export async function servePage(html) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const [, file] = /^\/browser\/([a-z]+\.mjs)$/.exec(pathname) ?? [];
    if (file !== undefined) {
      response.setHeader("content-type", "text/javascript").end(readFileSync(join(ROOT, "browser", file)));
    } else {
      response.setHeader("content-type", "text/html").end(html);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}
