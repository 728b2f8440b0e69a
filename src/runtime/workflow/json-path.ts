import {
  compileQuery,
  createQueryBudget,
  evaluateQuery,
  JsonPathLimitError,
  type PathNode,
  pathOf,
} from "./json-path-query.js";

/** Maximum number of nodes that one query visits. */
const MAX_NODES = 20_000_000;

/** True if a JSONPath query selects anything. An invalid query selects nothing. RFC 9535. */
export function selectsAny(root: unknown, query: string): boolean {
  return selectAll(root, query).length > 0;
}

/**
 * All values that a query selects.
 * @throws JsonPathLimitError when the query visits too many values
 */
export function selectAll(root: unknown, query: string): readonly unknown[] {
  if (root === undefined || root === null) return [];
  try {
    return evaluate(query, root).map(({ value }) => value);
  } catch (error) {
    if (error instanceof JsonPathLimitError) throw error;
    return [];
  }
}

/** The first value that a query selects. */
export function selectOne<Value = unknown>(root: unknown, query: string): Value | undefined {
  return selectAll(root, query)[0] as Value | undefined;
}

/** Replacements for `applyReplacements`: the same value at every place that a query selects. */
export function replacementsAt(
  root: unknown,
  query: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  try {
    const nodes = evaluate(query, root);
    return Object.fromEntries(nodes.map((node) => [pointerOf(node), value]));
  } catch (error) {
    if (error instanceof JsonPathLimitError) throw error;
    return {};
  }
}

function evaluate(query: string, root: unknown): readonly PathNode[] {
  return evaluateQuery(compileQuery(query), root, createQueryBudget(MAX_NODES)).nodes;
}

function pointerOf(node: PathNode): string {
  const steps = pathOf(node).map((step) =>
    String(step).replaceAll("~", "~0").replaceAll("/", "~1"),
  );
  return steps.map((step) => `/${step}`).join("");
}
