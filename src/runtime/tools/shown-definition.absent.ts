/** Stands in for the shortening of input schemas: no tool of this project has equal nested ones. */
import type { JsonSchema } from "../types.js";

export function listedInputSchema(schema: JsonSchema): JsonSchema {
  return schema;
}
