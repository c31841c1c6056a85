// The published servers: how each is started, and calls of its tools whose answers are known.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../host/config.mjs";
import { freePort } from "../host/workerd.mjs";
import { Front } from "./front.mjs";

const NODE = join(ROOT, ".tools/servers/node_modules");
const PYTHON = join(ROOT, ".tools/servers-python/bin");
const CHROMIUM = "/usr/bin/chromium";

/**
 * @typedef {object} Running
 * @property {string} url
 * @property {() => Promise<void>} end
 * @property {Front} [front]
 */

/**
 * @typedef {object} Published
 * @property {string} name that code says
 * @property {string} program without which it can't be tried
 * @property {(folder: string) => Promise<Running>} start
 * @property {number} tools the least number of its tools
 * @property {string} read an expression that calls a tool which only reads, its answer by `answers`
 * @property {RegExp} answers
 * @property {string} [write] an expression that calls a tool which changes something, then reads it back
 * @property {string} [slow] an expression that calls a tool which takes long, of one without a front
 */

/**
 * @param {string} command
 * @param {(folder: string) => string[]} args
 * @param {Record<string, string>} [env]
 * @returns {(folder: string) => Promise<Running>}
 */
const fronted = (command, args, env) => async (folder) => {
  const front = await new Front(command, args(folder), folder, env).begin();
  return { url: front.url, end: () => front.end(), front };
};

/** @param {string} path */
const script = (path) => join(NODE, path);

/** @param {string} path @param {(folder: string) => string[]} args @param {(folder: string) => Record<string, string>} [env] */
const node = (path, args, env = () => ({})) => (/** @type {string} */ folder) =>
  fronted(process.execPath, (folder) => [script(path), ...args(folder)], env(folder))(folder);

/** @param {string} folder */
function files(folder) {
  mkdirSync(join(folder, "files"), { recursive: true });
  writeFileSync(join(folder, "files", "note.txt"), "a note\n");
  return join(folder, "files");
}

/** @param {string} folder */
function repository(folder) {
  const path = join(folder, "repository");
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", ["-C", path, ...args], { stdio: "ignore" });
  mkdirSync(path, { recursive: true });
  git("init", "--initial-branch=main");
  writeFileSync(join(path, "a.txt"), "one\n");
  git("add", ".");
  git("-c", "user.name=tests", "-c", "user.email=tests@example.invalid", "commit", "-m", "the first");
  return path;
}

/** `server-everything` speaks Streamable HTTP itself. @returns {Promise<Running>} */
async function everything() {
  const port = await freePort();
  const args = [script("@modelcontextprotocol/server-everything/dist/index.js"), "streamableHttp"];
  const running = spawn(process.execPath, args, { stdio: "ignore", env: { ...process.env, PORT: String(port) } });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await fetch(url).then(() => true, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    end: async () => {
      running.kill("SIGKILL");
      if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
    },
  };
}

/** @type {Published[]} */
const ALL = [
  {
    name: "everything",
    program: script("@modelcontextprotocol/server-everything/dist/index.js"),
    start: everything,
    tools: 8,
    read: `get_sum({ a: 2, b: 40 })`,
    answers: /42/,
    slow: `trigger_long_running_operation({ duration: 30, steps: 30 })`,
  },
  {
    name: "filesystem",
    program: script("@modelcontextprotocol/server-filesystem/dist/index.js"),
    start: node("@modelcontextprotocol/server-filesystem/dist/index.js", (folder) => [files(folder)]),
    tools: 10,
    read: `read_text_file({ path: FOLDER + "/files/note.txt" })`,
    answers: /a note/,
    write: `write_file({ path: FOLDER + "/files/new.txt", content: "changed" }); return await env.mcp.filesystem.read_text_file({ path: FOLDER + "/files/new.txt" })`,
  },
  {
    name: "memory",
    program: script("@modelcontextprotocol/server-memory/dist/index.js"),
    start: node("@modelcontextprotocol/server-memory/dist/index.js", () => [], (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.json") })),
    tools: 8,
    read: `create_entities({ entities: [{ name: "Ada " + Math.random(), entityType: "person", observations: ["counts"] }] })`,
    answers: /Ada/,
    write: `create_entities({ entities: [{ name: "Bob", entityType: "person", observations: ["changed"] }] }); return await env.mcp.memory.open_nodes({ names: ["Bob"] })`,
  },
  {
    name: "thinking",
    program: script("@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
    start: node("@modelcontextprotocol/server-sequential-thinking/dist/index.js", () => []),
    tools: 1,
    read: `sequentialthinking({ thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 })`,
    answers: /"thoughtHistoryLength": ?1|thoughtHistoryLength/,
  },
  {
    name: "playwright",
    program: CHROMIUM,
    start: node("@playwright/mcp/cli.js", () => ["--headless", "--no-sandbox", "--isolated", "--executable-path", CHROMIUM]),
    tools: 15,
    read: `browser_navigate({ url: "data:text/html,<title>Hello</title><h1>there</h1>" })`,
    answers: /Hello/,
    write: `browser_navigate({ url: "data:text/html,<title>changed</title>" }); return await env.mcp.playwright.browser_snapshot({})`,
  },
  {
    name: "git",
    program: join(PYTHON, "mcp-server-git"),
    start: fronted(join(PYTHON, "mcp-server-git"), (folder) => ["--repository", repository(folder)]),
    tools: 10,
    read: `git_log({ repo_path: FOLDER + "/repository" })`,
    answers: /the first/,
    write: `git_create_branch({ repo_path: FOLDER + "/repository", branch_name: "changed" }); return await env.mcp.git.git_branch({ repo_path: FOLDER + "/repository", branch_type: "local" })`,
  },
  {
    name: "time",
    program: join(PYTHON, "mcp-server-time"),
    start: fronted(join(PYTHON, "mcp-server-time"), () => ["--local-timezone", "UTC"]),
    tools: 2,
    read: `convert_time({ source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Tokyo" })`,
    answers: /21:00/,
  },
  {
    name: "fetch",
    program: join(PYTHON, "mcp-server-fetch"),
    start: fronted(join(PYTHON, "mcp-server-fetch"), () => ["--ignore-robots-txt", "--allow-private-ips"]),
    tools: 1,
    read: `fetch({ url: PAGE })`,
    answers: /known words/,
  },
];

/**
 * Which version of it is run, by the list that it was brought by.
 * @param {Published} server
 */
export function version({ name, program }) {
  const parts = program.startsWith(NODE) ? program.slice(NODE.length + 1).split("/") : [];
  const folder = name === "playwright" ? "@playwright/mcp" : parts.slice(0, 2).join("/");
  if (folder !== "") return JSON.parse(readFileSync(script(join(folder, "package.json")), "utf8")).version;
  const list = readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8");
  return new RegExp(`^mcp-server-${name}==([^ ]+)`, "m").exec(list)?.[1];
}

/** Those that are there; CI has all of them. */
export const SERVERS = ALL.filter(({ program }) => existsSync(program));
export const MISSING = ALL.filter(({ program }) => !existsSync(program)).map(({ name }) => name);
