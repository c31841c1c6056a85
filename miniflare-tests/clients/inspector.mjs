// The MCP Inspector's command line: a process and a connection for each thing that it does.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../host/config.mjs";

/** Its program. */
export const INSPECTOR = join(ROOT, ".tools/inspector/node_modules/.bin/mcp-inspector");

/** The Inspector, pointed at an endpoint. */
export class Inspector {
  #url;
  #env;

  /**
   * @param {string} url
   * @param {Record<string, string>} env
   */
  constructor(url, env) {
    this.#url = url;
    this.#env = env;
  }

  /** @returns {Promise<string[]>} the names of the tools */
  async list() {
    const { result } = await this.#run("--method", "tools/list");
    return result.tools.map((/** @type {{ name: string }} */ { name }) => name);
  }

  /** @param {string} code */
  async call(code) {
    const input = JSON.stringify({ code });
    const { result } = await this.#run("--method", "tools/call", "--tool-name", "execute", "--tool-args-json", input);
    return { isError: result.isError ?? false, text: result.content[0].text };
  }

  /** @param {string[]} method */
  async #run(...method) {
    const { AUTHORIZATION } = this.#env;
    const header = AUTHORIZATION === undefined ? [] : ["--header", `Authorization: ${AUTHORIZATION}`];
    const how = ["--cli", this.#url, "--transport", "http", ...header, "--format", "json", "-q", ...method];
    const env = { ...process.env, ...this.#env };
    const { stdout } = await promisify(execFile)(process.execPath, [INSPECTOR, ...how], { env });
    return JSON.parse(stdout);
  }
}
