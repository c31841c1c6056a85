/**
 * The far side of a test: one run in a realm of its own, in a thread of its own. Pollution is real, ends
 * with the test, and can't reach the machinery that watches it. What `harness.js` does with a WebSocket,
 * this does with the thread's port.
 */

import { readFile } from "node:fs/promises";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
const realm = vm.runInContext("globalThis", context);
for (const name of ["TextEncoder", "URL", "DOMException", "crypto", "queueMicrotask"]) {
  Object.defineProperty(realm, name, { value: globalThis[name], writable: true, configurable: true });
}
realm.setTimeout = (callback, delay) => void setTimeout(callback, delay);
realm.setInterval = (callback, delay) => void setInterval(callback, delay).unref();

/** @type {Map<string, Promise<vm.Module>>} */
const modules = new Map();

/** @param {string} url @returns {Promise<vm.Module>} one module per address, as in an isolate */
const load = (url) => {
  if (!modules.has(url)) modules.set(url, readFile(new URL(url), "utf8").then((text) => compile(url, text)));
  return modules.get(url);
};
const compile = (url, text) =>
  new vm.SourceTextModule(text, { context, identifier: url, importModuleDynamically: (specifier) => evaluated(new URL(specifier, url).href) });
const link = (specifier, module) => load(new URL(specifier, module.identifier).href);
const evaluated = async (url) => {
  const module = await load(url);
  if (module.status === "unlinked") await module.link(link);
  await module.evaluate();
  return module;
};

const harness = await evaluated(new URL("../run.js", import.meta.url).href);
const { closed, handled, openRun, receive, rejected } = harness.namespace;
const starter = compile(import.meta.url, `export default () => import(${JSON.stringify(workerData.program)})`);
await starter.link(link);
await starter.evaluate();

const run = openRun((text) => parentPort.postMessage(text), starter.namespace.default);
process.on("unhandledRejection", (reason, promise) => rejected(run, promise, reason));
process.on("rejectionHandled", (promise) => handled(run, promise));
parentPort.on("message", (text) => (text === null ? closed(run) : receive(run, text)));
