/** The type of an input, with every kind of value that its schema takes. */
import { isObject, type JsonSchema } from "../../json.js";
import { kindsOf } from "./kinds.js";

/**
 * Adds what the schema of an input takes besides the values of its type: lists of IDs, URLs, names
 * and 64-bit integers as text.
 * @param type in model form, as the API documents the input
 * @param schema as the tool lists the input
 * @param named types by name, to which references of `type` lead
 */
export function acceptedType(
  type: JsonSchema,
  schema: JsonSchema | undefined,
  named: ReadonlyMap<string, JsonSchema>,
): JsonSchema {
  const kinds = kindsOf(type, named);
  if (!kinds || !schema) return type;
  const forms = schema.anyOf && !schema.type ? schema.anyOf : [schema];
  const added = forms.filter(isObject).flatMap((form) => {
    const missing = [...(kindsOf(form, named) ?? [])].filter((kind) => !kinds.has(kind));
    return missing.map((kind) => (kind === "array" ? listOf(form, type) : { type: kind }));
  });
  return added.length > 0 ? { anyOf: [type, ...added] } : type;
}

/** A list whose items are the single values, unless its schema states other items. */
function listOf({ items }: JsonSchema, type: JsonSchema): JsonSchema {
  const isOpen = !isObject(items) || Object.keys(items).every((keyword) => keyword === "type");
  return { type: "array", items: isOpen ? type : items };
}
