import type { JsonSchema } from "../../../json.js";
import { sameJson } from "../values.js";
import { isEmpty } from "./keywords.js";

/** Any of the schemas; anything, where that is one of them or there are none. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const parts = schemas.filter(
    (one, i) => schemas.findIndex((other) => sameJson(one, other)) === i,
  );
  return parts.length < 2 || parts.some(isEmpty)
    ? (parts.find(isEmpty) ?? parts[0] ?? {})
    : { anyOf: parts };
}
