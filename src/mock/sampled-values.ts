/** Sampled values of requests, and the names of the inputs that they come from. */
import { sample } from "./sample.js";
import type { SchemaSet } from "./schema-set.js";
import type { Schema } from "./types.js";

export type Fill = "required" | "all";

/**
 * A valid sample. A sample with all properties that is invalid, or a minimal one that is empty, is
 * replaced by the other variant.
 */
export function sampleValue(
  schema: Schema | undefined,
  schemas: SchemaSet,
  fill: Fill,
  hint: string,
): unknown {
  const value = sample(schema, schemas, { fill, hint });
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty || !schemas.accepts(value, schema)
    ? sample(schema, schemas, { fill: fill === "all" ? "required" : "all", hint })
    : value;
}

/** A sampled value of a request, and the inputs that it comes from. */
export interface SampledValue {
  readonly at: string;
  readonly value: unknown;
  readonly schema: Schema | undefined;
  readonly inputs: readonly (readonly [string, unknown])[];
}

/** A value of a map by its own key. */
export function ownValue(
  map: Readonly<Record<string, unknown>> | undefined,
  name: string,
): unknown {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * Name of the input that a value comes from. Constants, generated values and environment variables
 * have none.
 */
export function inputName(source: unknown): string | undefined {
  if (typeof source === "string") return source;
  const from =
    typeof source === "object" && source !== null
      ? (source as { readonly from?: unknown }).from
      : undefined;
  return typeof from === "string" ? from : undefined;
}
