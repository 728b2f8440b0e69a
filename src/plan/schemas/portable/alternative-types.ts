import { isObject, type JsonSchema, typesOf } from "../../../json.js";
import { compositionParts } from "../../../json-schema.js";
import { resolveSchema, type Schemas } from "../refs.js";

/** Types of the alternatives; undefined unless all of them state one. */
export function typeOfAlternatives(schema: JsonSchema, schemas: Schemas): unknown {
  const parts = compositionParts(schema);
  const types = new Set(
    parts.flatMap((part) => (isObject(part) ? typesOf(resolveSchema(schemas, part)) : [])),
  );
  const areTyped =
    parts.length > 0 &&
    parts.every((part) => isObject(part) && typesOf(resolveSchema(schemas, part)).length > 0);
  if (!areTyped) return undefined;
  return types.size === 1 ? [...types][0] : [...types];
}
