/** Stands in for parameters with lists, objects or styles, which the API does not have. */
import { coerceText } from "./deserialize.js";
import type { Decoder, Pair, PairsReading, RawValue } from "./pairs.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";

/** Reads a path segment or a header value. */
export function readText(
  text: string,
  _name: string,
  _style: unknown,
  _explode: boolean,
  _shape: unknown,
  decode: Decoder,
): RawValue | undefined {
  return decode(text);
}

/** Reads a parameter from the pairs of a query or a cookie. */
export function readPairs(
  pairs: readonly Pair[],
  name: string,
  _style: unknown,
  _explode: boolean,
  _shape: unknown,
  decode: Decoder,
  ..._: readonly unknown[]
): PairsReading | undefined {
  const used = pairs.filter(([key]) => decode(key) === name);
  return used.length === 1 ? { raw: decode(used[0]?.[1] ?? ""), used } : undefined;
}

/** Converts text to the types of a schema. */
export function coerce(raw: RawValue, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  return typeof raw === "string" ? coerceText(raw, schema, schemas) : undefined;
}
