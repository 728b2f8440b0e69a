/** Evaluation of JSONPath queries within a budget. RFC 9535. */
import { JSONPathEnvironment, type JSONPathQuery, jsonpath, Nothing } from "json-p3";
import { isWithinBudget } from "../schema/bounded-regexp.js";
import {
  chargeNodes,
  chargeText,
  compareNodes,
  isContainer,
  type QueryBudget,
} from "./json-path-limits.js";

export {
  chargeNodes,
  compileQuery,
  createQueryBudget,
  JsonPathLimitError,
  type QueryBudget,
} from "./json-path-limits.js";

/** A node that a query selected, linked to its parents. */
export interface PathNode {
  readonly value: unknown;
  /** Name or index in the parent. */
  readonly key: string | number;
  /** Undefined for the root. */
  readonly parent?: PathNode;
}

/** Nodes that a query selects, and its progress. */
interface Evaluation {
  readonly nodes: readonly PathNode[];
  /** Number of segments that selected nodes; the next one selected none. */
  readonly matchedSegments: number;
  /** Nodes of the last segment that selected any. */
  readonly lastMatches: readonly PathNode[];
}

/**
 * Evaluates a query in time proportional to the nodes that it visits. Every visited node counts,
 * also between segments, in filters and in comparisons. Nothing recurses into the data.
 * @param distinct selects each location once, and visits it once for each segment
 * @throws JsonPathLimitError when the budget is used up
 */
export function evaluateQuery(
  query: JSONPathQuery,
  value: unknown,
  budget: QueryBudget,
  distinct = false,
): Evaluation {
  const root: PathNode = { value, key: "" };
  const places = distinct && mayRepeat(query) ? new Map() : undefined;
  return new Evaluator(root, budget, places).run(query, root);
}

/** True for a query that may select a location twice. */
function mayRepeat({ segments }: JSONPathQuery): boolean {
  const hasSeveral = segments.some(({ selectors }) => selectors.length > 1);
  return hasSeveral || segments.filter(isDescendant).length > 1;
}

/** Names and indexes from the root to a node. */
export function pathOf(node: PathNode): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}

/** Child nodes by parent, so that each location has one node. */
type Places = Map<PathNode, Map<string | number, PathNode>>;

const { NameSelector, IndexSelector, SliceSelector, WildcardSelector, FilterSelector } =
  jsonpath.selectors;
type Selector = InstanceType<typeof jsonpath.selectors.JSONPathSelector>;
type Expression = InstanceType<typeof jsonpath.expressions.FilterExpression>;

class Evaluator {
  /** Absolute queries in filters, which are the same for every node. */
  private readonly absolute = new Map<JSONPathQuery, readonly PathNode[]>();

  constructor(
    private readonly root: PathNode,
    private readonly budget: QueryBudget,
    private readonly places?: Places,
  ) {}

  run({ segments }: JSONPathQuery, start: PathNode): Evaluation {
    let nodes: readonly PathNode[] = [start];
    for (const [i, segment] of segments.entries()) {
      const next = this.select(nodes, segment.selectors, isDescendant(segment));
      if (next.length === 0) return { nodes: next, matchedSegments: i, lastMatches: nodes };
      nodes = next;
    }
    return { nodes, matchedSegments: segments.length, lastMatches: nodes };
  }

  private select(
    nodes: readonly PathNode[],
    selectors: readonly Selector[],
    descends: boolean,
  ): readonly PathNode[] {
    const selected: PathNode[] = [];
    const parents = descends ? this.withDescendants(nodes) : nodes;
    for (const parent of parents)
      for (const selector of selectors) this.children(selector, parent, selected);
    return this.places ? [...new Set(selected)] : selected;
  }

  /** Nodes with all nodes below them, parents first. */
  private *withDescendants(nodes: readonly PathNode[]): Iterable<PathNode> {
    const visited = this.places && new Set<PathNode>();
    for (const node of nodes) {
      const open = [node];
      for (let at = open.pop(); at; at = open.pop()) {
        if (visited?.has(at)) continue;
        visited?.add(at);
        yield at;
        const below: PathNode[] = [];
        for (const key of keysOf(at.value)) below.push(this.child(at, key));
        for (let i = below.length - 1; i >= 0; i--) open.push(below[i] as PathNode);
      }
    }
  }

  private children(selector: Selector, parent: PathNode, selected: PathNode[]): void {
    const { value } = parent;
    const add = (key: string | number): void => void selected.push(this.child(parent, key));
    if (selector instanceof NameSelector) {
      chargeNodes(this.budget, 1);
      if (isObject(value) && Object.hasOwn(value, selector.name)) add(selector.name);
    } else if (selector instanceof IndexSelector) {
      chargeNodes(this.budget, 1);
      const length = Array.isArray(value) ? value.length : 0;
      const index = selector.index < 0 ? selector.index + length : selector.index;
      if (index >= 0 && index < length) add(index);
    } else if (selector instanceof SliceSelector) {
      if (Array.isArray(value))
        for (const index of sliceIndexes(selector, value.length)) add(index);
    } else if (selector instanceof WildcardSelector) {
      for (const key of keysOf(value)) add(key);
    } else if (selector instanceof FilterSelector) {
      for (const key of keysOf(value)) {
        const node = this.child(parent, key);
        if (this.isTrue(selector.expression, node)) selected.push(node);
      }
    } else throw new Error(`${String(selector)} is not a selector of RFC 9535`);
  }

  private child(parent: PathNode, key: string | number): PathNode {
    chargeNodes(this.budget, 1);
    const known = this.places?.get(parent);
    const existing = known?.get(key);
    if (existing) return existing;
    const node = { value: (parent.value as Record<string | number, unknown>)[key], key, parent };
    if (known) known.set(key, node);
    else this.places?.set(parent, new Map([[key, node]]));
    return node;
  }

  private isTrue(expression: Expression, node: PathNode): boolean {
    const value = this.evaluate(expression, node);
    return Array.isArray(value) && isNodes(expression) ? value.length > 0 : value === true;
  }

  /** Value of an expression: nodes of a query, a JSON value, or `undefined` for Nothing. */
  private evaluate(expression: Expression, node: PathNode): unknown {
    const { expressions } = jsonpath;
    if (expression instanceof expressions.LogicalExpression)
      return this.isTrue(expression.expression, node);
    if (expression instanceof expressions.PrefixExpression)
      return !this.isTrue(expression.right, node);
    if (expression instanceof expressions.FilterQuery) return this.query(expression, node);
    if (expression instanceof expressions.FunctionExtension) return this.call(expression, node);
    if (!(expression instanceof expressions.InfixExpression))
      return (expression as { evaluate(context?: unknown): unknown }).evaluate();
    const { left, operator, right } = expression;
    if (operator === "&&") return this.isTrue(left, node) && this.isTrue(right, node);
    if (operator === "||") return this.isTrue(left, node) || this.isTrue(right, node);
    return compareNodes(this.single(left, node), operator, this.single(right, node), this.budget);
  }

  /** Nodes of a query in a filter. Each of them counts, and a node may be selected repeatedly. */
  private query(expression: { readonly path: JSONPathQuery }, node: PathNode): readonly PathNode[] {
    const { path } = expression;
    const inner = new Evaluator(this.root, this.budget);
    if (expression instanceof jsonpath.expressions.RelativeQuery)
      return inner.run(path, { value: node.value, key: "" }).nodes;
    const known = this.absolute.get(path) ?? inner.run(path, this.root).nodes;
    this.absolute.set(path, known);
    return known;
  }

  /** Value of an expression where one value is needed. */
  private single(expression: Expression, node: PathNode): unknown {
    const value = this.evaluate(expression, node);
    if (!isNodes(expression)) return value === Nothing ? undefined : value;
    const nodes = value as readonly PathNode[];
    return nodes.length === 1 ? nodes[0]?.value : undefined;
  }

  /** Functions of RFC 9535, section 2.4. */
  private call(
    { name, args }: { readonly name: string; readonly args: readonly Expression[] },
    node: PathNode,
  ): unknown {
    const [first, second] = args as [Expression, Expression];
    if (name === "count") return (this.evaluate(first, node) as readonly PathNode[]).length;
    const value = this.single(first, node);
    if (name === "value") return value;
    if (name === "length") return this.length(value);
    return this.matches(name, value, this.single(second, node));
  }

  private length(value: unknown): number | undefined {
    if (typeof value === "string") {
      chargeText(this.budget, value.length);
      return [...value].length;
    }
    if (Array.isArray(value)) return value.length;
    if (!isObject(value)) return undefined;
    const { length } = Object.keys(value);
    chargeNodes(this.budget, length);
    return length;
  }

  /** A text on which a pattern could exceed its budget does not match. */
  private matches(name: string, text: unknown, pattern: unknown): boolean {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    const whole = name === "match" ? `^(?:${pattern})$` : pattern;
    if (!isWithinBudget(whole, text.length, this.budget)) return false;
    try {
      return patternFunctions.get(name)?.call(text, pattern) === true;
    } catch {
      return false;
    }
  }
}

const patternFunctions = new JSONPathEnvironment().functionRegister;

/** Class of the segment `..`, which json-p3 does not export. */
const DescendantSegment = new JSONPathEnvironment().compile("$..a").segments[0]?.constructor;

function isDescendant(segment: object): boolean {
  return segment.constructor === DescendantSegment;
}

/** True for an expression whose value is a list of nodes. */
function isNodes(expression: Expression): boolean {
  return expression instanceof jsonpath.expressions.FilterQuery;
}

function keysOf(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  return isObject(value) ? Object.keys(value) : [];
}

/** Indexes that a slice selects. RFC 9535, section 2.3.4.2.2. */
function* sliceIndexes(
  { start, stop, step = 1 }: { start?: number; stop?: number; step?: number },
  length: number,
): Iterable<number> {
  const at = (index: number): number => (index < 0 ? index + length : index);
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (index: number): number => Math.min(Math.max(at(index), low), high);
  const from = start === undefined ? (step > 0 ? 0 : length - 1) : bound(start);
  const to = stop === undefined ? (step > 0 ? length : -1) : bound(stop);
  if (step > 0) for (let i = from; i < to; i += step) yield i;
  if (step < 0) for (let i = from; i > to; i += step) yield i;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
