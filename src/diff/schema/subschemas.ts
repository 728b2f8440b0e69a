import type { JsonSchema } from "../../json.js";
import type { Conjunction, SchemaVersion } from "./schema-version.js";

type Named = Readonly<Record<string, JsonSchema | boolean>>;

/** Schemas by name that a keyword holds; own members only. */
export function schemasIn(part: JsonSchema, keyword: "properties" | "patternProperties"): Named {
  const found = part[keyword];
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? (found as Named)
    : {};
}

/**
 * What objects of `parts` demand of one property. Patterns are not tried, so what they demand is
 * left out, with what they exclude.
 */
export function propertyOf(
  parts: readonly JsonSchema[],
  name: string,
  side: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) => {
      const properties = schemasIn(part, "properties");
      if (Object.hasOwn(properties, name)) return side.conjunctionOf(properties[name]!);
      return patternsOf(part).length === 0
        ? side.conjunctionOf(part.additionalProperties ?? true)
        : [];
    }),
  );
}

/**
 * What objects of `parts` demand of properties that no part names.
 * @param patterns of names that are of no interest
 */
export function otherPropertiesOf(
  parts: readonly JsonSchema[],
  patterns: readonly string[],
  side: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) =>
      patternsOf(part).every((pattern) => patterns.includes(pattern))
        ? side.conjunctionOf(part.additionalProperties ?? true)
        : [],
    ),
  );
}

export function patternsOf(part: JsonSchema): readonly string[] {
  return Object.keys(schemasIn(part, "patternProperties"));
}

/** Names that `parts` have a schema for. */
export function namesIn(parts: readonly JsonSchema[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => Object.keys(schemasIn(part, "properties"))))];
}

/**
 * What lists of `parts` demand of the item at a place; of those after all that are named, for a
 * place beyond them.
 */
export function itemOf(
  parts: readonly JsonSchema[],
  index: number,
  side: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) => side.conjunctionOf(prefixOf(part)[index] ?? part.items ?? true)),
  );
}

/** How many items `parts` have a schema of their own for. */
export function prefixLength(parts: readonly JsonSchema[]): number {
  return Math.max(0, ...parts.map((part) => prefixOf(part).length));
}

function prefixOf(part: JsonSchema): readonly (JsonSchema | boolean)[] {
  return Array.isArray(part.prefixItems)
    ? (part.prefixItems as readonly (JsonSchema | boolean)[])
    : [];
}

function conjunctionOfAll(conjunctions: readonly Conjunction[]): Conjunction {
  if (conjunctions.includes("never")) return "never";
  return [...new Set((conjunctions as readonly (readonly JsonSchema[])[]).flat())];
}
