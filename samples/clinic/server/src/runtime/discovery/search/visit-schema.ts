import type { JsonSchema } from "../../types.js";

/**
 * Visits the properties of a schema, those of items and of alternatives included, each schema once.
 * @param maxDepth levels of properties
 * @param visit returns false to leave out what is inside the property
 */
export function visitSchema(
  root: unknown,
  maxDepth: number,
  visit: (name: string, property: JsonSchema) => boolean,
): void {
  const seen = new Set<unknown>();
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { properties, items, anyOf, oneOf, allOf, $ref } = node as JsonSchema;
    if (typeof properties === "object" && properties !== null && depth < maxDepth)
      for (const [name, property] of Object.entries(properties))
        if (visit(name, typeof property === "object" ? property : {})) walk(property, depth + 1);
    for (const part of [items, anyOf, oneOf, allOf].flat()) walk(part, depth);
    if (typeof $ref === "string") walk(resolveDefinition(root, $ref), depth);
  };
  walk(root, 0);
}

function resolveDefinition(root: unknown, ref: string): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root as Readonly<Record<string, Readonly<Record<string, unknown>>>>)["$defs"] ?? {};
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}
