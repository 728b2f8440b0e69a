import { toList } from "./inspect-schema.js";
import type { AnySchema } from "./schema-set.js";
import type { Schema } from "./types.js";

const UPPER_BOUNDS = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
]);
const LOWER_BOUNDS = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
]);

/** The intersection of two schemas, as far as a single schema can express it. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const out = new Map(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    out.set(keyword, out.has(keyword) ? mergeKeyword(keyword, out.get(keyword), value) : value);
  }
  return Object.fromEntries(out);
}

function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (keyword === "properties")
    return mergeProperties(a as Record<string, AnySchema>, b as Record<string, AnySchema>);
  if (keyword === "required") return [...new Set([...toList(a), ...toList(b)])];
  if (keyword === "type") return intersectTypes(toList(a), toList(b));
  if (keyword === "enum") return (a as unknown[]).filter((v) => (b as unknown[]).includes(v));
  if (UPPER_BOUNDS.has(keyword)) return Math.min(Number(a), Number(b));
  if (LOWER_BOUNDS.has(keyword)) return Math.max(Number(a), Number(b));
  if (keyword === "oneOf" || keyword === "anyOf") return a;
  return b;
}

function mergeProperties(
  a: Record<string, AnySchema>,
  b: Record<string, AnySchema>,
): Record<string, AnySchema> {
  const out = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = out.get(name) ?? true;
    if (before === true) out.set(name, schema);
    else if (schema !== true) out.set(name, { allOf: [before, schema] });
  }
  return Object.fromEntries(out);
}

function intersectTypes(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const both = a.filter((t) => b.includes(t));
  if (both.length > 0) return both;
  const isNarrower = a.includes("integer") && b.includes("number");
  return isNarrower ? a : b;
}
