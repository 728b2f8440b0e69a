import { listOf } from "./coerce.js";
import type { AnySchema } from "./schemas.js";
import type { Schema } from "./types.js";

/** A schema without the values it suggests. */
export function withoutExamples(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== "examples" && keyword !== "default"),
  );
}

const LOWER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
const HIGHER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);

/** Both schemas at once, as far as one schema can say it. */
export function merge(a: Schema, b: Schema): Schema {
  const out = new Map(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    out.set(keyword, out.has(keyword) ? mergeKeyword(keyword, out.get(keyword), value) : value);
  }
  return Object.fromEntries(out);
}

function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (keyword === "properties")
    return mergeProperties(a as Record<string, AnySchema>, b as Record<string, AnySchema>);
  if (keyword === "required") return [...new Set([...listOf(a), ...listOf(b)])];
  if (keyword === "type") return narrower(listOf(a), listOf(b));
  if (keyword === "enum") return (a as unknown[]).filter((v) => (b as unknown[]).includes(v));
  if (LOWER.has(keyword)) return Math.min(Number(a), Number(b));
  if (HIGHER.has(keyword)) return Math.max(Number(a), Number(b));
  if (keyword === "oneOf" || keyword === "anyOf") return a;
  return b;
}

function mergeProperties(
  a: Record<string, AnySchema>,
  b: Record<string, AnySchema>,
): Record<string, AnySchema> {
  const out = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = out.get(name);
    out.set(
      name,
      before === undefined || before === true
        ? schema
        : schema === true
          ? before
          : { allOf: [before, schema] },
    );
  }
  return Object.fromEntries(out);
}

function narrower(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const both = a.filter((t) => b.includes(t));
  if (both.length > 0) return both;
  return a.includes("number") && b.includes("integer")
    ? b
    : a.includes("integer") && b.includes("number")
      ? a
      : b;
}
