// The real clients: what each is started by, and the revision that it and the Worker agree upon.

import { join } from "node:path";
import { ROOT } from "../host/config.mjs";
import { Driver } from "./driver.mjs";

const PYTHON = join(ROOT, ".tools/python/bin/python");
const RMCP = join(ROOT, "target/clients/debug/mycelium-clients");

const SESSIONS = "2025-11-25";
const STATELESS = "2026-07-28";

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {string | null} revision that it agrees upon with the Worker, where it can tell
 * @property {string} program without which it can't be tried
 * @property {(url: string, env: Record<string, string>) => Driver} start
 */

/** @type {Client[]} */
export const CLIENTS = [
  node("ts2-default", SESSIONS),
  node("ts2-auto", STATELESS),
  node("ts2-pinned", STATELESS),
  node("ts1", SESSIONS),
  node("mcp-remote", null),
  python("python-legacy", SESSIONS),
  python("python-auto", STATELESS),
  python("python-pinned", STATELESS),
  python("fastmcp", STATELESS),
  rmcp("default", SESSIONS),
  rmcp("auto", STATELESS),
  rmcp("discover", STATELESS),
];

/**
 * @param {string} name
 * @param {string | null} revision
 * @returns {Client}
 */
function node(name, revision) {
  const program = process.execPath;
  const script = join(import.meta.dirname, "node-driver.mjs");
  return { name, revision, program, start: (url, env) => new Driver(program, [script, name, url], env) };
}

/**
 * @param {string} name
 * @param {string | null} revision
 * @returns {Client}
 */
function python(name, revision) {
  const script = join(import.meta.dirname, "python_driver.py");
  return { name, revision, program: PYTHON, start: (url, env) => new Driver(PYTHON, [script, name, url], env) };
}

/**
 * @param {string} mode
 * @param {string | null} revision
 * @returns {Client}
 */
function rmcp(mode, revision) {
  return { name: `rmcp-${mode}`, revision, program: RMCP, start: (url, env) => new Driver(RMCP, [mode, url], env) };
}
