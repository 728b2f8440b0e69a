/** IDs in paths whose `default` is that of one thing: a sample, which no call may send by itself. */
import type { JsonSchema } from "../../json.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

const ID_WORD = /^(?:id|uuid|guid|sid|key|sku|code|number|symbol)$/;

/** Words that stand for a thing, whichever it is: `me`, `self`, `primary`, `default`. */
const ALIAS = /^(?:[a-z]{2,12}|[-~*])$/;

/**
 * The schema of a path parameter, with the default of an ID as an example. A path parameter is
 * always given, so that its `default` has no effect in OpenAPI (Parameter Object, `required`);
 * documents have samples there, with which a call without the ID would act on a thing that nobody
 * named.
 */
export function withoutSampleId(
  wireName: string,
  schema: JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const target = resolveSchema(schemas, schema);
  const sample = schema.default ?? target.default;
  const isId = ID_WORD.test(splitWords(wireName).at(-1) ?? "");
  if (sample === undefined || !isId || ALIAS.test(String(sample))) return schema;
  const { $ref: _, default: __, ...rest } = { ...target, ...schema };
  return { ...rest, examples: rest.examples ?? [sample] };
}
