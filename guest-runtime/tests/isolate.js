/**
 * The far side of a test: one run in a thread of its own, so that pollution is real and ends with it.
 * What `harness.js` does with a WebSocket, this does with the thread's port.
 */

import { parentPort, workerData } from "node:worker_threads";

import { closed, handled, openRun, receive, rejected } from "../run.js";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const run = openRun(port.postMessage.bind(port), () => import(workerData.program));
port.on("message", (text) => (text === null ? closed(run) : receive(run, text)));
process.on("unhandledRejection", (reason, promise) => rejected(run, promise, reason));
process.on("rejectionHandled", (promise) => handled(run, promise));
