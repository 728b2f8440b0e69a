import { query as evaluate } from "json-p3";

/** Whether a JSONPath query selects anything. A query that is none selects nothing. RFC 9535. */
export function selects(root: unknown, query: string): boolean {
  return select(root, query).length > 0;
}

/** The values that a query selects. */
export function select(root: unknown, query: string): readonly unknown[] {
  if (root === undefined || root === null) return [];
  try {
    return evaluate(query, root as Parameters<typeof evaluate>[1]).values();
  } catch {
    return [];
  }
}

/** The one value that a query selects. */
export function selectOne<Value = unknown>(root: unknown, query: string): Value | undefined {
  return select(root, query)[0] as Value | undefined;
}

/** JSON pointers to what a query selects, with the same value for each, as `replaced` takes them. */
export function everywhere(root: unknown, query: string, value: unknown): Readonly<Record<string, unknown>> {
  try {
    const nodes = evaluate(query, root as Parameters<typeof evaluate>[1]).nodes;
    return Object.fromEntries(nodes.map((node) => [node.toPointer().toString(), value]));
  } catch {
    return {};
  }
}
