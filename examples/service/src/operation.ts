// Operations whose input and output are Zod schemas: the host is handed these as JSON Schema, and
// `execute` their types.

import { z } from "zod";
import type { Operation, OperationContext } from "../../../mycelium.d.ts";

/** What is declared of an operation beside its types. */
type Labels = Pick<Operation, "description" | "access" | "confirm" | "replay">;

/** An operation that takes what `input` parses and gives what `output` does. */
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  declared: Labels & { input: Input; output: Output },
  execute: (input: z.output<Input>, context: OperationContext) => Promise<z.input<Output>>,
): Operation {
  const { input, output, ...labels } = declared;
  return {
    ...labels,
    input: z.toJSONSchema(input, { io: "input" }),
    output: z.toJSONSchema(output),
    // Parsed again, for what JSON Schema can't say: defaults, transforms, refinements.
    execute: async (value, context) => output.parse(await execute(input.parse(value), context)),
  };
}
