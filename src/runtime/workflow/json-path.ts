/** JSONPath functions of compiled workflows. Only projects that use them need the package. */
import { beginningOf } from "../data/values.js";
import {
  compileQuery,
  createQueryBudget,
  evaluateQuery,
  JsonPathLimitError,
  type PathNode,
  pathOf,
} from "./json-path-query.js";
import { applyReplacements } from "./values.js";

/** Maximum number of nodes that one query visits. They take some seconds. */
const MAX_NODES = 5_000_000;
/** Characters of a query that an error repeats. */
const MAX_SHOWN = 100;

/** True if a JSONPath query selects anything. An invalid query selects nothing. RFC 9535. */
export function selectsAny(root: unknown, query: string): boolean {
  return selectAll(root, query).length > 0;
}

/**
 * All values that a query selects. An invalid query selects nothing.
 * @throws JsonPathLimitError when the query visits too many values
 */
export function selectAll(root: unknown, query: string): readonly unknown[] {
  if (root === undefined || root === null) return [];
  return evaluate(query, root).map(({ value }) => value);
}

/** The first value that a query selects. */
export function selectOne<Value = unknown>(root: unknown, query: string): Value | undefined {
  return selectAll(root, query)[0] as Value | undefined;
}

/** A copy of a payload with the same value at every location that a query selects. */
export function replaceSelected(payload: unknown, query: string, value: unknown): unknown {
  const places = evaluate(query, payload).map((node) => [pointerOf(node), value]);
  return applyReplacements(payload, Object.fromEntries(places) as Record<string, unknown>);
}

function evaluate(query: string, root: unknown): readonly PathNode[] {
  try {
    return evaluateQuery(compileQuery(query), root, createQueryBudget(MAX_NODES)).nodes;
  } catch (error) {
    if (!(error instanceof JsonPathLimitError)) return [];
    const shown = beginningOf(query, MAX_SHOWN);
    throw new JsonPathLimitError(`The JSONPath query ${shown} visits too many values`);
  }
}

function pointerOf(node: PathNode): string {
  const steps = pathOf(node).map((step) =>
    String(step).replaceAll("~", "~0").replaceAll("/", "~1"),
  );
  return steps.map((step) => `/${step}`).join("");
}
