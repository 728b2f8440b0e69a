import { type JSONPathNode, jsonpath } from "json-p3";
import { suggestionFor } from "../diagnostics/index.js";
import { isObject, type JsonObject } from "../json.js";
import { createJsonPathEnvironment } from "../runtime/workflow/json-path.js";

type Query = jsonpath.JSONPathQuery;

/** Compiled JSONPath query (RFC 9535), or the reason why the text is not one. */
type CompiledQuery = { readonly query: Query } | { readonly why: string; readonly hint: string };

export function compileQuery(text: string): CompiledQuery {
  try {
    return { query: createJsonPathEnvironment().compile(text) };
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

/**
 * Selects nodes, each once. Duplicates are removed after every segment, because `$..*..*..*` finds
 * a node again for every node above it.
 */
export function selectNodes(query: Query, root: JsonObject): readonly JSONPathNode[] {
  return query.segments.reduce(
    (nodes, segment) => distinctNodes(segment.resolve(nodes)),
    rootNode(query, root),
  );
}

/** Node of the whole document. The library's JSON type is mutable, but it only reads. */
function rootNode({ environment }: Query, root: JsonObject): JSONPathNode[] {
  return [...new jsonpath.JSONPathQuery(environment, []).query(root as never)];
}

function distinctNodes(nodes: readonly JSONPathNode[]): JSONPathNode[] {
  const byLocation = new Map(nodes.map((node) => [JSON.stringify(node.location), node]));
  return [...byLocation.values()];
}

/**
 * Names the first part of a query without matches, and a similar key: a clause after "matches
 * nothing".
 */
export function explainNoMatch(query: Query, root: JsonObject): string {
  let nodes = rootNode(query, root);
  for (const [i, segment] of query.segments.entries()) {
    const next = segment.resolve(nodes);
    if (next.length > 0) {
      nodes = next;
      continue;
    }
    const part = new jsonpath.JSONPathQuery(
      query.environment,
      query.segments.slice(0, i + 1),
    ).toString();
    const name = (segment.selectors[0] as { readonly name?: unknown } | undefined)?.name;
    const keys = new Set(nodes.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])));
    return `: there is no ${part}${typeof name === "string" ? suggestionFor(name, keys) : ""}`;
  }
  return "";
}
