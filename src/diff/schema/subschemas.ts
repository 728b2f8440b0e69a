import type { JsonSchema } from "../../json.js";
import type { Conjunction, SchemaVersion } from "./schema-version.js";

type Named = Readonly<Record<string, JsonSchema | boolean>>;

/** Schemas by name in a keyword; own members only. */
export function schemasIn(part: JsonSchema, keyword: "properties" | "patternProperties"): Named {
  const value = part[keyword];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Named)
    : {};
}

/**
 * The constraints that `parts` put on one property. Constraints of pattern properties are ignored.
 */
export function propertyConstraints(
  parts: readonly JsonSchema[],
  name: string,
  version: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) => {
      const properties = schemasIn(part, "properties");
      if (Object.hasOwn(properties, name)) return version.conjunctionOf(properties[name]!);
      return patternsOf(part).length === 0
        ? version.conjunctionOf(part.additionalProperties ?? true)
        : [];
    }),
  );
}

/**
 * The constraints that `parts` put on unnamed properties.
 * @param patterns patterns of names to ignore
 */
export function otherPropertyConstraints(
  parts: readonly JsonSchema[],
  patterns: readonly string[],
  version: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) =>
      patternsOf(part).every((pattern) => patterns.includes(pattern))
        ? version.conjunctionOf(part.additionalProperties ?? true)
        : [],
    ),
  );
}

export function patternsOf(part: JsonSchema): readonly string[] {
  return Object.keys(schemasIn(part, "patternProperties"));
}

/** Names that `parts` have a schema for. */
export function propertyNames(parts: readonly JsonSchema[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => Object.keys(schemasIn(part, "properties"))))];
}

/**
 * The constraints that `parts` put on the item at an index. An index after the prefix represents
 * all other items.
 */
export function itemConstraints(
  parts: readonly JsonSchema[],
  index: number,
  version: SchemaVersion,
): Conjunction {
  return conjunctionOfAll(
    parts.map((part) => version.conjunctionOf(prefixOf(part)[index] ?? part.items ?? true)),
  );
}

/** Number of leading items with their own schemas. */
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
