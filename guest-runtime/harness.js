/**
 * The entry of the guest isolate: one WebSocket, one run.
 *
 * Owns: the platform's side (the socket, events, importing the program). Exports a handler and nothing
 * else, as the platform wants of a main module; a program that imports it gets a frozen object whose
 * `fetch` has done its one run already.
 *
 * Loaded as the main module beside the other files of this folder and `program.js`, whose default export
 * is `async () => answer`. A program whose text does not contain `console` may get `console-plain.js` in
 * the place of `console.js`, without `exotics.js`, `format.js` and `inspect.js`. Called once, with an
 * Upgrade request; the wire is told in `wire.js`. The host ends a run by closing the socket.
 */

import { closed, handled, openRun, receive, rejected, uncaught } from "./run.js";

let used = false;

// Where the platform has a cache, what one run leaves in it the next would find.
delete (/** @type {any} */ (globalThis).caches);

/** @param {Request} request @returns {Response} */
const fetch = (request) => {
  if (used) return new Response("this isolate has had its run", { status: 409 });
  if (request.headers.get("Upgrade") !== "websocket") return new Response("connect with a WebSocket", { status: 426 });
  used = true;
  const { 0: host, 1: guest } = new WebSocketPair();
  guest.accept();
  const close = guest.close.bind(guest);
  // @ts-expect-error The loader puts the program beside the harness.
  const run = openRun(guest.send.bind(guest), () => import("./program.js"));
  guest.addEventListener("message", (event) => receive(run, event.data));
  guest.addEventListener("close", () => {
    closed(run);
    close(1000);
  });
  guest.addEventListener("error", () => closed(run));
  // @ts-expect-error The platform's types don't know this event.
  addEventListener("error", (event) => uncaught(run, "a task", event.error));
  addEventListener("unhandledrejection", (event) => rejected(run, event.promise, event.reason));
  addEventListener("rejectionhandled", (event) => handled(run, event.promise));
  return new Response(null, { status: 101, webSocket: host });
};

export default Object.freeze({ fetch });
