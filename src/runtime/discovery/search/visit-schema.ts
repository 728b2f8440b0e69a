import type { JsonSchema } from "../../types.js";

interface Limits {
  /** Levels of properties. */
  readonly depth: number;
  /** Properties. */
  readonly count: number;
}

/**
 * Visits the first properties of a schema, those of items and of alternatives included, each schema
 * once.
 */
export function visitSchema(
  root: unknown,
  limits: Limits,
  visit: (name: string, property: JsonSchema) => void,
): void {
  const seen = new Set<unknown>();
  let remaining = limits.count;
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== "object" || node === null || remaining <= 0 || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) return node.forEach((one) => walk(one, depth));
    const { properties, items, anyOf, oneOf, allOf, $ref } = node as JsonSchema;
    if (typeof properties === "object" && properties !== null && depth < limits.depth)
      for (const [name, property] of Object.entries(properties)) {
        if (remaining-- <= 0) return;
        visit(name, typeof property === "object" ? property : {});
        walk(property, depth + 1);
      }
    for (const part of [items, anyOf, oneOf, allOf]) if (part !== undefined) walk(part, depth);
    if (typeof $ref === "string") walk(resolveDefinition(root, $ref), depth);
  };
  walk(root, 0);
}

function resolveDefinition(root: unknown, ref: string): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root as Readonly<Record<string, Readonly<Record<string, unknown>>>>)["$defs"] ?? {};
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}
