// What the sides of the validation bench hold values to, and the sides that aren't ours.

import { Validator } from "@cfworker/json-schema";
import { WorkerEntrypoint } from "cloudflare:workers";
import * as z from "zod";

/** @typedef {(text: string) => boolean} Takes whether a text is JSON that the schema takes */

export const SCHEMA = {
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "integer", minimum: 0 },
          name: { type: "string", minLength: 1, maxLength: 64 },
          kind: { enum: ["file", "folder", "link"] },
          tags: { type: "array", items: { type: "string" }, maxItems: 8 },
          size: { type: ["number", "null"] },
        },
        required: ["id", "name", "kind"],
        additionalProperties: false,
      },
    },
  },
  required: ["rows"],
  additionalProperties: false,
};

const ROW = z.strictObject({
  id: z.int().min(0),
  name: z.string().min(1).max(64),
  kind: z.enum(["file", "folder", "link"]),
  tags: z.array(z.string()).max(8).optional(),
  size: z.number().nullable().optional(),
});
const ZOD = z.strictObject({ rows: z.array(ROW) });

/** @returns {Takes} */
function cfworker() {
  const validator = new Validator(/** @type {any} */ (SCHEMA), "2020-12");
  return (text) => validator.validate(JSON.parse(text)).valid;
}

/**
 * An entry point that holds texts to the schema: `{times, text}` in, how often it was taken out.
 * The clock of an isolate stands still meanwhile; whoever asks looks at another one.
 * @param {() => Takes} make
 */
export function validating(make) {
  /** @type {Takes | undefined} */
  let takes;
  return class extends WorkerEntrypoint {
    /** @param {Request} request */
    async fetch(request) {
      const { times, text } = await request.json();
      takes ??= make();
      let taken = 0;
      for (let time = 0; time < times; time++) if (takes(text)) taken += 1;
      return Response.json(taken);
    }
  };
}

export const Cfworker = validating(cfworker);
export const Zod = validating(() => (text) => ZOD.safeParse(JSON.parse(text)).success);
