import { sample } from "./sample.js";
import { type AnySchema, SchemaSet } from "./schemas.js";
import type { Schema } from "./types.js";

/** Inputs to call a tool with, made from its input schema. */
export interface SampledInput {
  /** Required inputs only. */
  readonly minimal: Record<string, unknown>;
  /** Every input, down to a few levels. */
  readonly full: Record<string, unknown>;
}

/**
 * Valid inputs of a tool: as little, and as much, as its schema allows. The same ones every time.
 * @returns `valid: false` for a variant that no value could be made up for (a pattern, a `not`),
 *   with the reasons
 */
export function sampleInput(
  inputSchema: Schema,
): SampledInput & { readonly problems: readonly string[] } {
  const schemas = schemasOf(inputSchema);
  const minimal = asObject(sample(inputSchema, schemas, { fill: "required" }));
  const full = asObject(sample(inputSchema, schemas, { fill: "all" }));
  const problems = [
    ...faults("minimal", minimal, inputSchema, schemas),
    ...faults("full", full, inputSchema, schemas),
  ];
  return { minimal, full, problems };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function faults(
  name: string,
  value: unknown,
  schema: Schema,
  schemas: SchemaSet,
): readonly string[] {
  return schemas.check(value, schema, "").map((v) => `${name}${v.at}: ${v.problem}`);
}

/** The `$defs` of a self-contained schema as a set. */
export function schemasOf(
  schema: Schema,
  direction: "request" | "response" = "request",
): SchemaSet {
  return new SchemaSet((schema["$defs"] ?? {}) as Readonly<Record<string, AnySchema>>, direction);
}
