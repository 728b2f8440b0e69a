import { isObject, type JsonSchema } from "../../json.js";
import { unescapePointerToken } from "../../json-pointer.js";

/** The key of the named type that a `$ref` in model form refers to. */
export function referencedTypeName(schema: unknown): string | undefined {
  if (!isObject(schema) || typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/$defs/"))
    return undefined;
  return unescapePointerToken(schema.$ref.slice("#/$defs/".length));
}

const combinators = ["allOf", "anyOf", "oneOf"] as const;
const MAX_ALIAS_DEPTH = 50;

/** Named types that a schema equals, through `$ref` and combinators only. */
function aliasTargets(schema: unknown, depth = 0): readonly string[] {
  const ref = referencedTypeName(schema);
  if (ref !== undefined) return [ref];
  if (!isObject(schema) || depth > MAX_ALIAS_DEPTH) return [];
  return combinators.flatMap((key) =>
    Array.isArray(schema[key])
      ? (schema[key] as readonly unknown[]).flatMap((part) => aliasTargets(part, depth + 1))
      : [],
  );
}

/**
 * For each named type, the types that it reaches without an object or array in between and that
 * reach it back. TypeScript rejects such aliases (`type A = A | string`, TS2456), so a type must
 * omit them from its own unions.
 */
export function circularAliases(
  types: readonly { readonly name: string; readonly schema: JsonSchema }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const edges = new Map(types.map(({ name, schema }) => [name, aliasTargets(schema)] as const));
  const circular = new Map<string, ReadonlySet<string>>();
  for (const [name, targets] of edges) {
    const back = targets.filter((target) => isReachable(target, name, edges));
    if (back.length > 0) circular.set(name, new Set(back));
  }
  return circular;
}

function isReachable(
  from: string,
  to: string,
  edges: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const next of edges.get(name) ?? []) seen.add(next);
  }
  return false;
}
