import type { JsonSchema } from "../../json.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";

/** Whether a UUID is a legal value. */
export function takesUuid(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolve(schemas, schema);
  const types = typesOf(target);
  return (
    (types.length === 0 || types.includes("string")) &&
    (target.maxLength ?? 36) >= 36 &&
    target.pattern === undefined &&
    target.enum === undefined
  );
}
