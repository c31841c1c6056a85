/**
 * Mycelium as a service: what a Worker calls that is bound to it.
 *
 * ```toml
 * # wrangler.toml of your Worker
 * [[services]]
 * binding = "MYCELIUM"
 * service = "mycelium"
 * ```
 *
 * ```ts
 * import type { Mycelium } from "mycelium";
 * interface Env { MYCELIUM: Mycelium }
 *
 * using run = await env.MYCELIUM.execute({ code, modules });
 * const outcome = await run.result();
 * ```
 *
 * Nothing is thrown for what goes wrong in the host: every answer has `ok`. What is thrown comes from
 * the platform: the service isn't there, or more than 32 MiB were to be sent at once. An `AbortSignal`
 * does not cross: use {@link Run.cancel}, or dispose the run.
 */

/** What JSON can say, and all that crosses beside functions. Anything else is refused with its path. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON Schema, draft 2020-12 unless its `$schema` says draft-07: `z.toJSONSchema(…)` of Zod 4 is one. */
export type JsonSchema = boolean | object;

/** How much of a module may be used. */
export type Grant = "write" | "read" | "none";

/** Grants by the module's id as this caller says it. */
export type Grants = { [module: string]: Grant };

/** The facts of one call, for the function that serves it; what nobody said is absent. */
export interface OperationContext {
  /** Fresh for every run. Absent in {@link Mycelium.invoke}. */
  executionId?: string;
  /** As the request said it. */
  toolCallId?: string;
  /** The call's position among all calls of its run, from 0. */
  operationOrdinal?: number;
  /** When the time is over, in milliseconds since 1970. */
  deadlineMs?: number;
}

/** One operation. */
export interface Operation<Input = any, Output = any> {
  /** For the model: what it does. */
  description?: string;
  /** What it takes; `execute` gets nothing else. */
  input: JsonSchema;
  /** What it gives. Then an answer other than this is a failure, `output-invalid`. */
  output?: JsonSchema;
  /** Whether it only observes. `"write"` unless said. */
  access?: "read" | "write";
  /** Whether a person is asked before each call; by {@link Caller.confirm}. */
  confirm?: boolean;
  /** Whether the same call may be sent again after its answer was lost. `"unsafe"` unless said. */
  replay?: "safe" | "unsafe";
  /**
   * Does it, in your Worker. The model is shown the message of what it throws, and nothing else of
   * that: say what to do next, and nothing secret. The host lets go of it when the request is over.
   */
  execute(input: Input, context: OperationContext): Output | Promise<Output>;
}

/** Operations under one authority. */
export interface Module {
  /** Its authority, which is yours alone: the host knows it as `caller:<id>`. */
  id: string;
  /** What code says: `env.<name>.<operation>(…)`. */
  name: string;
  /** For the model, with each operation. */
  description?: string;
  /** By their names; a name may have dots, `orders.list`. */
  operations: { [name: string]: Operation };
}

/** What a person is asked. It has no input, for that may be anybody's words. */
export interface ConfirmRequest {
  /** As the host knows it: `caller:<id>` for a module of yours. */
  module: string;
  operation: string;
  access: "read" | "write";
}

/** What came of asking. Anything else than `true` and `"accepted"` is no agreement. */
export type Confirmation = boolean | "accepted" | "declined" | "cancelled" | "timed-out";

/** What every request says of its caller. */
export interface Caller {
  /**
   * The modules there are, beside those that the host's owner grants to services. A module of
   * yours with the id of one of the host's takes its place: the host's has nothing then.
   */
  modules?: Module[];
  /** What may be used. A module of yours that isn't named may be used whole. */
  grants?: Grants;
  /** Stands over `grants`, key by key; as a function it is asked at every call. */
  sessionGrants?: Grants | (() => Grants | Promise<Grants>);
  /** Modules that have nothing unless a grant names them. */
  required?: string[];
  /** Asks a person; without it, operations with `confirm` are refused. */
  confirm?(request: ConfirmRequest, context: OperationContext): Confirmation | Promise<Confirmation>;
}

/** A program to run. */
export interface ExecuteRequest extends Caller {
  /** The body of an async function, JavaScript or TypeScript. */
  code: string;
  /** The model's tool call; operations are told it. */
  toolCallId?: string;
  /** Milliseconds, at most as many as the host allows. */
  timeoutMs?: number;
}

/** A search by words. */
export interface SearchRequest extends Caller {
  query: string;
  limit?: number;
  namespace?: string;
}

/** One page of all operations. */
export interface ListRequest extends Caller {
  limit?: number;
  cursor?: string | null;
  namespace?: string;
}

/** One operation or namespace, as TypeScript. */
export interface DescribeRequest extends Caller {
  path: string;
  methods?: string[];
}

/** One known operation to call, without a program. */
export interface InvokeRequest extends Caller {
  /** The module's id: of one of `modules`, or of the host's. */
  module: string;
  operation: string;
  input: Json;
  toolCallId?: string;
  operationOrdinal?: number;
}

/** What went wrong. docs/FAILURES.md of the host has every code. */
export interface Failure {
  ok: false;
  /** Stable, in kebab-case. */
  code: string;
  /** For whoever asked, a model too: at most 2 KiB. */
  message: string;
  /** Whether the same request may succeed later unchanged. */
  retryable: boolean;
  /** Whether anything may have been done. */
  ran: "nothing" | "perhaps";
  /** Under which the host's operator finds the cause. */
  reference?: string;
}

/** Why a call did not run. */
export interface AccessRefusal {
  module: string;
  operation: string;
  reason: string;
  message: string;
}

/** A call that was not allowed, and did not run. */
export interface Refused extends Failure {
  code: "access-refused";
  refusal: AccessRefusal;
}

/** An answer. */
export interface Success<T> {
  ok: true;
  value: T;
}

/** One call that a program made. */
export interface Call {
  ordinal: number;
  path: string;
  outcome: "done" | "refused" | "failed" | "unsettled";
  /** The failure's code, or the refusal's reason. */
  code?: string;
}

/** The first thousand, and how many there are besides. */
export interface Listed<T> {
  listed: T[];
  omitted: number;
}

/** What is told of every run that began. */
export interface RunFacts {
  executionId: string;
  /** How many isolates were loaded for it. */
  isolates: number;
  logs: { lines: { level: string; text: string }[]; dropped: number };
  /** In the order in which they were made, whatever became of them. */
  calls: Listed<Call>;
  /** Calls that were not allowed: a program goes on with these as answers. */
  refusals: Listed<AccessRefusal>;
  /** What to show a model; the first is the answer or the failure. */
  texts: string[];
  /** After a cancellation or the deadline: whether the program is known to have stopped. */
  acknowledged?: boolean;
}

/** A program that came to its end; without `value` it returned nothing. */
export interface Completed extends RunFacts {
  ok: true;
  value?: Json;
}

/** A program that did not: with the facts of its run, unless it was refused before. */
export interface Failed extends Failure, Partial<RunFacts> {
  /** As it was said to {@link Run.cancel}. */
  reason?: string;
}

/** What a program came to. */
export type Outcome = Completed | Failed;

/** A program that runs. */
export interface Run {
  /** What it comes to; may be asked again. */
  result(): Promise<Outcome>;
  /** Ends it. `result` then tells of a cancellation, unless it had ended before. */
  cancel(reason?: string): Promise<void>;
  /** Lets go of it, and ends it if it still runs. */
  [Symbol.dispose](): void;
}

/** What is said of one operation in a search or a list. */
export interface Summary {
  path: string;
  description: string;
  /** How it is called, with types where they are short. */
  signature: string;
  /** A call as code says it. */
  sample: string;
  capabilityNotes: string[];
  /** How well it answers a search; zero in a list. */
  score: number;
  /** Operations that are the same but for where they stand. */
  peers?: string[];
  morePeers?: number;
}

/** One page of operations. */
export interface Page {
  results: Summary[];
  total: number;
  catalogStamp: string;
  /** What the next page is asked for with. */
  nextCursor: string | null;
}

/** What answers a search, the best first. */
export interface Found {
  results: Summary[];
}

/**
 * What the host is, how it is doing, and what of its own a service may use: what the host's `/status`
 * says, of connections those alone that are granted to services, and beside it modules and limits.
 */
export interface Status {
  name: string;
  version: string;
  /** Which deployment answers, where the platform tells. */
  deployment?: string;
  connections: { name: string; type: string; operations?: number; problem?: string }[];
  /** The limits that this host doesn't enforce. */
  unenforcedLimits: string[];
  /** What the isolate that answers has counted, of all callers. Another one has counted otherwise. */
  isolate: {
    running: number;
    ended: number;
    succeeded: number;
    /** By the failure's code. */
    failures: { [code: string]: number };
    /** By the refusal's reason. */
    refusals: { [reason: string]: number };
    calls: number;
  };
  modules: { id: string; operations: string[] }[];
  limits: {
    timeoutMs: number;
    codeBytes: number;
    calls: number;
    frameBytes: number;
    resultBytes: number;
  };
}

/** The service. Of a caller's requests none sees another's. */
export interface Mycelium {
  /** The host's own HTTP, MCP at `/mcp`. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** Runs a program in an isolate of its own. The answer can be called on at once: `execute(…).result()`. */
  execute(request: ExecuteRequest): Promise<Run> & Pick<Run, "result" | "cancel">;
  search(request: SearchRequest): Promise<Success<Found> | Failure>;
  list(request: ListRequest): Promise<Success<Page> | Failure>;
  describe(request: DescribeRequest): Promise<Success<Json> | Failure>;
  /** Calls one operation behind the same access as a program's call. */
  invoke(request: InvokeRequest): Promise<Success<Json> | Failure | Refused>;
  /** It takes nothing. */
  status(nothing?: undefined): Promise<Success<Status> | Failure>;
}

/** Grants for whoever comes as this principal, over MCP. */
export interface SetGrantsRequest {
  /** The actor, as keys and tokens of the host's configuration name it. */
  principal: { kind: "member" | "agent" | "team-key"; id: string };
  /** By the id of the host's module. They replace all that stood; `{}` leaves what the configuration says. */
  grants: Grants;
}

/**
 * The entry point for grants, which a Worker binds by its name; the service itself can't be asked for it.
 *
 * ```toml
 * # wrangler.toml of the Worker that decides about grants, and of no other
 * [[services]]
 * binding = "GRANTS"
 * service = "mycelium"
 * entrypoint = "SessionGrants"
 * ```
 *
 * The host's owner says what these may do: `session` under `[grants]` in its `mycelium.toml`.
 */
export interface SessionGrants {
  /**
   * Sets the grants of a principal's sessions. They are stored before this answers, and stand from the
   * very next call, also of a program that runs.
   */
  setGrants(request: SetGrantsRequest): Promise<Success<{ replaced: Grants | null }> | Failure>;
}
