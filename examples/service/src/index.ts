// A support desk: `POST /run?role=reader|editor` runs a program over its customers.
//
// What a role may do are grants; what a person must agree to is asked of this Worker, which would
// ask them. Here the person's answer stands in the request, `&agrees=true`.

import type { Caller, Mycelium } from "../../../mycelium.d.ts";
import { TABLES, customers } from "./customers.ts";

interface Env {
  MYCELIUM: Mycelium;
  DB: D1Database;
}

/** What each role may do with the customers. */
const ROLES: { [role: string]: "read" | "write" } = { reader: "read", editor: "write" };

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    await env.DB.batch(TABLES.map((table) => env.DB.prepare(table)));
    switch (`${request.method} ${url.pathname}`) {
      case "POST /run":
        return run(await request.text(), url, env);
      case "GET /describe":
        return Response.json(await env.MYCELIUM.describe({ path: "customers", ...caller(url, env) }));
      case "GET /find":
        return find(url, env);
      default:
        return new Response("POST /run, GET /describe, GET /find\n", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;

/** What every request to the host says of its caller. */
function caller(url: URL, env: Env): Caller {
  const grant = ROLES[url.searchParams.get("role") ?? ""] ?? "none";
  return {
    modules: [customers(env.DB)],
    grants: { "support-customers": grant },
    confirm: () => url.searchParams.get("agrees") === "true",
  };
}

async function run(code: string, url: URL, env: Env): Promise<Response> {
  // Disposed at the end of this function; before the run's own end that would cancel it.
  using started = await env.MYCELIUM.execute({ code, timeoutMs: 30_000, ...caller(url, env) });
  const outcome = await started.result();
  return Response.json(outcome, { status: outcome.ok ? 200 : 422 });
}

/** Without a program: one operation, behind the same grants. */
async function find(url: URL, env: Env): Promise<Response> {
  const input = { name: url.searchParams.get("name") ?? "" };
  const request = { module: "support-customers", operation: "find", input };
  return Response.json(await env.MYCELIUM.invoke({ ...request, ...caller(url, env) }));
}
