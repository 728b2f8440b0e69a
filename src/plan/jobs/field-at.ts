/** Fields of schemas by their path. */
import { isObject, type JsonSchema } from "../../json.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";

/** The field at a path of a response. */
export const fieldAt = (
  schema: AnySchema | undefined,
  path: readonly string[],
  schemas: Schemas,
): AnySchema | undefined =>
  path.reduce<AnySchema | undefined>(
    (holder, name) => (holder === undefined ? undefined : allFields(holder, schemas).get(name)),
    schema,
  );

/** A description that opens as those of Google do. */
const OUTPUT_ONLY = /^\s*(?:@?output[ _]?only\b|output\.)/i;

export function isReadOnly(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  return [field, resolveSchema(schemas, field as JsonSchema)].some(
    ({ readOnly, description }) => readOnly === true || OUTPUT_ONLY.test(`${description ?? ""}`),
  );
}
