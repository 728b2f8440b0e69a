/** Limits of JSONPath queries: their length and nesting, and the budget of their evaluation. */
import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";

/** Longer and more deeply nested queries are refused. */
const MAX_QUERY_LENGTH = 4_096;
const MAX_QUERY_NESTING = 50;

/**
 * Compiles a JSONPath query. RFC 9535.
 * @throws Error with the reason why the text is not a query
 */
export function compileQuery(text: string): JSONPathQuery {
  if (text.length > MAX_QUERY_LENGTH)
    throw new Error(`it has more than ${MAX_QUERY_LENGTH} characters`);
  if (nestingOf(text) > MAX_QUERY_NESTING)
    throw new Error(`it is nested more than ${MAX_QUERY_NESTING} levels deep`);
  return new JSONPathEnvironment().compile(text);
}

/** Maximum nesting of brackets and negations outside of strings. An open string ends the text. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  const tokens = /'(?:\\.|[^'\\])*(?:'|\\?$)|"(?:\\.|[^"\\])*(?:"|\\?$)|!+|[[\]()]/gs;
  for (const token of text.match(tokens) ?? []) {
    if (token === "[" || token === "(") depth++;
    if (token === "]" || token === ")") depth--;
    deepest = Math.max(deepest, token.startsWith("!") ? depth + token.length : depth);
  }
  return deepest;
}

/** A query that visits more nodes than its budget allows. */
export class JsonPathLimitError extends Error {
  override readonly name = "JsonPathLimitError";
}

/** Nodes and pattern steps that queries may still use, alone or together. */
export interface QueryBudget {
  nodes: number;
  patternSteps: number;
}

/** Characters of a text that cost as much as a visited node. */
const CHARACTERS_PER_NODE = 16;

/** Creates a budget, in visited nodes. Ten million take some seconds. */
export function createQueryBudget(nodes: number): QueryBudget {
  return { nodes, patternSteps: 0 };
}

/** Takes visited nodes from a budget. */
export function chargeNodes(budget: QueryBudget, nodes: number): void {
  budget.nodes -= nodes;
  if (budget.nodes < 0) throw new JsonPathLimitError("The query visits too many values");
}

/** Charges for reading texts, as far as the shortest. */
export function chargeText(budget: QueryBudget, ...lengths: readonly number[]): void {
  chargeNodes(budget, Math.floor(Math.min(...lengths) / CHARACTERS_PER_NODE));
}

/** Compares two values; `undefined` is Nothing. RFC 9535, section 2.3.5.2.2. */
export function compareNodes(
  left: unknown,
  operator: string,
  right: unknown,
  budget: QueryBudget,
): boolean {
  if (operator === "==") return nodesEqual(left, right, budget);
  if (operator === "!=") return !nodesEqual(left, right, budget);
  const [smaller, larger] = operator.startsWith("<") ? [left, right] : [right, left];
  chargeText(budget, textLength(smaller), textLength(larger));
  return isLess(smaller, larger) || (operator.length === 2 && nodesEqual(left, right, budget));
}

function nodesEqual(left: unknown, right: unknown, budget: QueryBudget): boolean {
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    chargeNodes(budget, 1);
    const [a, b] = pair;
    if (textLength(a) === textLength(b)) chargeText(budget, textLength(a));
    if (a === b) continue;
    if (Array.isArray(a) !== Array.isArray(b) || !isContainer(a) || !isContainer(b)) return false;
    if (Array.isArray(a) && a.length !== b["length"]) return false;
    const [keys, others] = [Object.keys(a), Object.keys(b)];
    chargeNodes(budget, keys.length + others.length);
    if (keys.length !== others.length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([a[key], b[key]]);
    }
  }
  return true;
}

/** Length of a text; 0 for other values. */
function textLength(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function isLess(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a < b;
  return typeof a === "number" && typeof b === "number" && a < b;
}

/** True for an object or an array. */
export function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
