// That mycelium.d.ts says what the entry has: the compiler is the test.

import type { WorkerEntrypoint } from "cloudflare:workers";
import type Entry from "../../src/workers/entry.mjs";
import type { ExecuteRequest, Module, Mycelium, Outcome, Run } from "../../mycelium.d.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>() => {};

type Served = InstanceType<typeof Entry>;
type Declared = Omit<Mycelium, "fetch">;

// Neither has a method that the other lacks.
holds<Same<Exclude<keyof Served, keyof WorkerEntrypoint>, keyof Declared>>();

// What is declared to be sent is what each takes, and what is declared to be given is what each gives.
type Requests<T> = { [K in keyof Declared & keyof T]: T[K] extends (...request: infer R) => any ? R : never };
type Answers<T> = { [K in keyof Declared & keyof T]: T[K] extends (...request: any[]) => Promise<infer A> ? A : never };
holds<Same<Requests<Served>, Requests<Mycelium>>>();
holds<Same<Omit<Answers<Served>, "execute">, Omit<Answers<Mycelium>, "execute">>>();

// A run is a class of its own with exactly the methods that are declared.
type Began = Awaited<ReturnType<Served["execute"]>>;
declare const began: Began;
export const run: Run = began;
holds<Same<Exclude<keyof Began, "__RPC_TARGET_BRAND">, keyof Run>>();

// What must not be said isn't.
declare const mycelium: Mycelium;
const execute = (input: { id: number }) => ({ found: input.id > 0 });
export const module: Module = { id: "crm", name: "crm", operations: { find: { input: {}, execute } } };
export const good: ExecuteRequest = { code: "return 1", modules: [module], sessionGrants: async () => ({ crm: "read" }) };
// @ts-expect-error a label that isn't one
export const label: Module = { id: "x", name: "x", operations: { o: { input: {}, access: "Write", execute } } };
// @ts-expect-error no function
export const without: Module = { id: "x", name: "x", operations: { o: { input: {} } } };
// @ts-expect-error a signal doesn't cross
export const signal: ExecuteRequest = { code: "", signal: new AbortController().signal };
// @ts-expect-error grants say three words
export const grants: ExecuteRequest = { code: "", grants: { crm: "all" } };

/** Both ways to ask for a result, and an outcome told apart by `ok`. */
export async function read(): Promise<string> {
  const outcome: Outcome = await mycelium.execute(good).result();
  using later = await mycelium.execute(good);
  await later.cancel("why");
  // @ts-expect-error there is nothing else
  await later.pause();
  // @ts-expect-error only a failure has a code
  void (outcome.ok && outcome.code);
  return outcome.ok ? JSON.stringify(outcome.value) : outcome.code;
}
