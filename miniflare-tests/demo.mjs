// Runs one program in a Worker, as an agent would: with the official MCP client.
//
//   node miniflare-tests/demo.mjs http://127.0.0.1:8787/mcp
//
// The program is in the variable CODE. Stdout gets the first text of the answer.
// Exit code 0: the program ended well; 10: it failed; anything else: it wasn't run, or not
// in one isolate of its own.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const PROGRAM = "return demo.ping({})";

/** Seconds that one request may take; a program's own limit is 180. */
const PATIENCE = 200;

/**
 * @param {string} url
 * @param {string} code
 */
async function execute(url, code) {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = new Client({ name: "mycelium-demo", version: "0.1.0" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    if (names.join() !== "execute") {
      throw new Error(`the one tool should be execute, but tools/list says: ${names.join(", ") || "none"}`);
    }
    return await client.callTool({ name: "execute", arguments: { code } }, { timeout: PATIENCE * 1000 });
  } finally {
    // The answer counts, however the goodbye goes.
    await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  }
}

/**
 * The Worker counts the isolates that it loads. A program that ended well had one; one that
 * was refused before it ran had none.
 * @param {Awaited<ReturnType<typeof execute>>} answer
 */
function checkIsolates({ _meta, isError }) {
  const isolates = _meta?.isolates;
  if (isolates === 1 || (isError && isolates === 0)) return;
  throw new Error(`the program should have had one isolate, but the Worker says: ${isolates}`);
}

/** @param {Awaited<ReturnType<typeof execute>>} answer */
function firstText(answer) {
  const [first] = answer.content;
  if (first?.type !== "text") throw new Error(`the answer has no text: ${JSON.stringify(answer)}`);
  return first.text;
}

try {
  const [url] = process.argv.slice(2);
  if (url === undefined) throw new Error("say where the Worker is: demo.mjs http://127.0.0.1:8787/mcp");
  const answer = await execute(url, process.env.CODE ?? PROGRAM);
  console.log(firstText(answer));
  checkIsolates(answer);
  process.exitCode = answer.isError ? 10 : 0;
} catch (error) {
  console.error(error);
  process.exitCode = 2;
}
