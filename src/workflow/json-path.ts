import { quoteText } from "../diagnostics/text.js";
import { formatPointer } from "../json-pointer.js";
import type { JsonValue } from "../json.js";
import {
  compileQuery,
  createQueryBudget,
  evaluateQuery,
  JsonPathLimitError,
  pathOf,
} from "../runtime/workflow/json-path-query.js";
import type { DocumentNode } from "./document-node.js";

/** Checks that a text is a JSONPath query, and reports otherwise. RFC 9535. */
export function checkJsonPath(node: DocumentNode, text: string): boolean {
  const problem = jsonPathProblem(text);
  if (problem === undefined) return true;
  const hint =
    /[=<>]/.test(text) && !/[?]/.test(text)
      ? "Put the comparison into a filter, as in $[?@.status == 'ready'], or use a simple condition."
      : "Write the query according to RFC 9535.";
  node.report(
    `${quoteText(text)} is not a JSONPath query: ${problem}.`,
    hint,
    "workflow-condition",
  );
  return false;
}

/** The syntax error of a JSONPath query; undefined for a valid one. */
function jsonPathProblem(text: string): string | undefined {
  try {
    compileQuery(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/(?<!\s)\s*\(.*$/s, "").slice(0, 120) || "syntax error";
  }
}

/** True for a query that selects at most one value. RFC 9535, section 2.3.5.1. */
export function isSingularQuery(query: string): boolean {
  return compileQuery(query).singularQuery();
}

/** Maximum number of nodes that a query visits in a constant value of a workflow. */
const MAX_NODES = 1_000_000;

/** JSON pointers to the values that a query selects; undefined if it visits too many. */
export function selectPointers(query: string, value: JsonValue): readonly string[] | undefined {
  try {
    const { nodes } = evaluateQuery(compileQuery(query), value, createQueryBudget(MAX_NODES));
    return nodes.map((node) => formatPointer(pathOf(node)));
  } catch (error) {
    if (error instanceof JsonPathLimitError) return undefined;
    throw error;
  }
}

/** The JSON pointer equivalent of a query of only names and indexes. */
export function toJsonPointer(query: string): string | undefined {
  if (!/^\s*\$(?:\.[A-Za-z_][\w-]*|\[\d{1,9}\]|\['[^'\]\\]*'\])*\s*$/.test(query)) return undefined;
  const steps = [...query.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^']*)'\]/g)].map(
    ([, name, index, key]) => name ?? index ?? key ?? "",
  );
  return formatPointer(steps);
}
