// The side that MCP is measured beside: a Worker of `createMcpHandler` with the same tool,
// whose programs run in @cloudflare/codemode's executor with the same operations.

import { DynamicWorkerExecutor } from "@cloudflare/codemode";
import { McpServer } from "@modelcontextprotocol/server";
import { createMcpHandler } from "agents/mcp/server";
import { z } from "zod";

/** @typedef {{ LOADER: WorkerLoader, TOOL: { title: string, description: string, annotations: object } }} Env */

const OPERATIONS = { ping: async () => ({ value: "pong" }) };

const INPUT = z.strictObject({ code: z.string().describe("The body of an async function.") });

/** @param {Env} env */
function server({ LOADER, TOOL }) {
  const server = new McpServer({ name: "agents", version: "0" });
  server.registerTool("execute", { ...TOOL, inputSchema: INPUT }, async ({ code }) => {
    const executor = new DynamicWorkerExecutor({ loader: LOADER });
    const { result, error } = await executor.execute(code, [{ name: "demo", fns: OPERATIONS }]);
    const text = error === undefined ? JSON.stringify(result) : error;
    return { content: [{ type: "text", text }], isError: error !== undefined };
  });
  return server;
}

/** @type {ReturnType<typeof createMcpHandler> | undefined} */
let handler;

export default {
  /**
   * @param {Request} request
   * @param {Env} env
   * @param {ExecutionContext} ctx
   */
  fetch(request, env, ctx) {
    handler ??= createMcpHandler(() => server(env));
    return handler(request, env, ctx);
  },
};
