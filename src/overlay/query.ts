import type { JSONPathQuery } from "json-p3";
import { suggestionFor } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import {
  compileQuery as compile,
  createQueryBudget,
  evaluateQuery,
  type PathNode,
  type QueryBudget,
} from "../runtime/workflow/json-path-query.js";

export {
  chargeNodes,
  JsonPathLimitError,
  type PathNode,
  pathOf,
  type QueryBudget,
} from "../runtime/workflow/json-path-query.js";

/** Maximum numbers of suggestions for the queries of an overlay, and of names that one considers. */
const MAX_SUGGESTIONS = 20;
const MAX_CANDIDATES = 5_000;

/** Compiled JSONPath query (RFC 9535), or the reason why the text is not one. */
type CompiledQuery =
  | { readonly query: JSONPathQuery }
  | { readonly why: string; readonly hint: string };

export function compileQuery(text: string): CompiledQuery {
  try {
    return { query: compile(text) };
  } catch (error) {
    const why = (error as Error).message.replace(/\s*\('[^]*$/, "").slice(0, 120);
    return { why: why || "it cannot be read", hint: hintFor(text) };
  }
}

function hintFor(text: string): string {
  if (/\.(?:\/|["'])|\.[\w-]*[/{}]/.test(text))
    return "Write names with such characters in brackets and quotes: $.paths['/pets'].get.";
  if (/=~/.test(text)) return "Patterns are functions in RFC 9535: [?search(@.name, 'pattern')].";
  if (/\(@\.length/.test(text)) return "The last item is [-1].";
  if (text.trimEnd().endsWith("~"))
    return "Remove the ~: RFC 9535 selects values, and removing a value removes its field.";
  return "Write queries as defined in RFC 9535.";
}

/** Nodes that a query selects, each place once. */
interface Selection {
  readonly nodes: readonly PathNode[];
  /** Without nodes: the first part of the query without matches, and a similar key, as a clause. */
  readonly reason: string;
}

/** Budget of all queries of an overlay. */
export interface SelectionBudget extends QueryBudget {
  suggestions: number;
}

/** Creates a budget, in visited nodes. */
export function createSelectionBudget(nodes: number): SelectionBudget {
  return { ...createQueryBudget(nodes), suggestions: MAX_SUGGESTIONS };
}

/**
 * Selects nodes of a document.
 * @throws JsonPathLimitError when the budget is used up
 */
export function selectNodes(
  query: JSONPathQuery,
  root: unknown,
  budget: SelectionBudget,
): Selection {
  const { nodes, matchedSegments, lastMatches } = evaluateQuery(query, root, budget, true);
  if (nodes.length > 0) return { nodes, reason: "" };
  const { segments } = query;
  const part = segments.slice(0, matchedSegments + 1).map(String);
  const name = (segments[matchedSegments]?.selectors[0] as { readonly name?: unknown } | undefined)
    ?.name;
  const canSuggest = typeof name === "string" && budget.suggestions-- > 0;
  const suggestion = canSuggest ? suggestionFor(name, keysOf(lastMatches)) : "";
  return { nodes, reason: `: there is no $${part.join("")}${suggestion}` };
}

function keysOf(nodes: readonly PathNode[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { value } of nodes)
    for (const key of isObject(value) ? Object.keys(value) : []) {
      if (keys.size >= MAX_CANDIDATES) return keys;
      keys.add(key);
    }
  return keys;
}
