import type { JSONPathQuery } from "json-p3";
import { diagnostic, type Diagnostic, isError, suggestionFor } from "../diagnostics/index.js";
import { formatPointer } from "../json-pointer.js";
import { isObject, type JsonObject } from "../json.js";
import {
  compileQuery as compile,
  createQueryBudget,
  evaluateQuery,
  JsonPathLimitError,
  type PathNode,
  type QueryBudget,
} from "../runtime/workflow/json-path-query.js";
import { Draft, type Growth, type MismatchHandler, valueKind } from "./draft.js";
import type { Overlay, OverlayAction } from "./read-overlay.js";

export { type Overlay, type OverlayAction, readOverlay } from "./read-overlay.js";

interface AppliedOverlay {
  readonly root: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

type OverlayCode =
  | "overlay-path-invalid"
  | "overlay-copy-source"
  | "overlay-type-mismatch"
  | "overlay-limit"
  | "overlay-no-match"
  | "overlay-type-replaced"
  | "overlay-copy-and-update";

/**
 * Maximum number of values that all actions of an overlay visit and write together. A document of
 * 13 MB has about a million.
 */
const MAX_VALUES = 20_000_000;

interface OverlayOptions {
  /**
   * Checks the document after each action.
   * @returns a problem, after which no further action is applied
   */
  checkGrowth?(root: JsonObject, growth: Growth, action: OverlayAction): Diagnostic | undefined;
  readonly maxValues?: number;
}

/**
 * Applies the actions of an overlay in order, each to the result of the previous one (Overlay
 * Specification 1.2.0, "Action Object"). A target without matches is a warning. The time is
 * proportional to what the actions visit and change.
 * @param root parsed document; not changed
 * @returns the new document; after an error, the given one
 */
export function applyOverlay(
  root: JsonObject,
  { actions }: Overlay,
  { checkGrowth = () => undefined, maxValues = MAX_VALUES }: OverlayOptions = {},
): AppliedOverlay {
  const budget = createSelectionBudget(maxValues);
  const draft = new Draft(root, budget);
  const diagnostics: Diagnostic[] = [];
  for (const action of actions) {
    for (const found of new ActionRun(draft, budget, action).run()) diagnostics.push(found);
    const problem = checkGrowth(draft.root as JsonObject, draft.growth, action);
    if (problem) diagnostics.push(problem);
    if (problem || budget.nodes < 0) break;
  }
  return { root: diagnostics.some(isError) ? root : (draft.root as JsonObject), diagnostics };
}

/** One action on a document. */
class ActionRun {
  private readonly diagnostics: Diagnostic[] = [];

  constructor(
    private readonly draft: Draft,
    private readonly budget: SelectionBudget,
    private readonly action: OverlayAction,
  ) {}

  run(): readonly Diagnostic[] {
    try {
      this.apply();
    } catch (error) {
      if (!(error instanceof JsonPathLimitError)) throw error;
      this.report(
        "overlay-limit",
        `The overlay visits too many values, here with ${this.action.target}`,
        "Use fewer actions with `..` and filters, or write exact paths.",
      );
    }
    return this.diagnostics;
  }

  private report(code: OverlayCode, message: string, hint?: string): void {
    this.diagnostics.push(diagnostic(code, message, this.action.location, hint));
  }

  private apply(): void {
    const { target, remove } = this.action;
    const compiled = compileQuery(target);
    if (!("query" in compiled))
      return this.report(
        "overlay-path-invalid",
        `The target ${target} is not an RFC 9535 JSONPath: ${compiled.why}`,
        compiled.hint,
      );
    const { nodes, reason } = selectNodes(compiled.query, this.draft.root, this.budget);
    if (nodes.length === 0)
      return this.report(
        "overlay-no-match",
        `The target ${target} matches nothing in the document${reason}`,
      );
    return remove ? this.remove(nodes) : this.update(nodes);
  }

  private remove(targets: readonly PathNode[]): void {
    if (targets.some(({ parent }) => !parent))
      return this.report("overlay-type-mismatch", "The whole document cannot be removed");
    this.draft.remove(targets);
  }

  private update(targets: readonly PathNode[]): void {
    const updates = this.updates();
    const kinds = new Set(targets.map(({ value }) => valueKind(value)));
    if (this.action.strict && kinds.size > 1 && updates.length > 0)
      return this.report(
        "overlay-type-mismatch",
        `The target ${this.action.target} selects values of several kinds ` +
          `(${[...kinds].join(", ")}); an update must be of one kind`,
        "Write an action for each kind.",
      );
    this.draft.update(targets, updates, this.reportMismatch);
  }

  /** Values to merge into each target. */
  private updates(): readonly unknown[] {
    const { copy } = this.action;
    const own = "update" in this.action ? [this.action.update] : [];
    if (copy === undefined) return own;
    if (own.length > 0)
      this.report(
        "overlay-copy-and-update",
        "The action has both `copy` and `update`, which the specification does not allow; " +
          "both are merged, the copy first",
        "Write two actions.",
      );
    const compiled = compileQuery(copy);
    if (!("query" in compiled)) {
      const message = `\`copy\` is not an RFC 9535 JSONPath: ${compiled.why}`;
      this.report("overlay-copy-source", message, compiled.hint);
      return [];
    }
    const { nodes, reason } = selectNodes(compiled.query, this.draft.root, this.budget);
    if (nodes.length !== 1)
      this.report(
        "overlay-copy-source",
        `\`copy\` must select exactly one node; ${copy} selects ${nodes.length}${reason}`,
      );
    const sources = nodes.slice(0, 1).map(({ value }) => value);
    this.draft.share(sources[0]);
    return [...sources, ...own];
  }

  /**
   * Reports a type mismatch: an error since 1.1, before only at the target itself. A null update
   * does not change an object or a list.
   */
  private readonly reportMismatch: MismatchHandler = (path, target, update, isTarget) => {
    const message =
      `The update of ${this.action.target} has ${withArticle(valueKind(update))} ` +
      `but the document has ${withArticle(valueKind(target))}, at #${formatPointer(path)}`;
    if (this.action.strict || isTarget) {
      const hint = "To replace the value, remove it by a previous action.";
      this.report("overlay-type-mismatch", message, hint);
      return target;
    }
    const hint = "This is an error since Overlay 1.1. Remove the value by a previous action.";
    const consequence = update === null ? "the value stays" : "the value is replaced";
    this.report("overlay-type-replaced", `${message}; ${consequence}`, hint);
    return update === null ? target : update;
  };
}

function withArticle(kind: string): string {
  return `${kind === "object" ? "an" : "a"} ${kind}`;
}

/** Maximum numbers of suggestions for the queries of an overlay, and of names that one considers. */
const MAX_SUGGESTIONS = 20;
const MAX_CANDIDATES = 5_000;

/** Compiled JSONPath query (RFC 9535), or the reason why the text is not one. */
type CompiledQuery =
  | { readonly query: JSONPathQuery }
  | { readonly why: string; readonly hint: string };

function compileQuery(text: string): CompiledQuery {
  try {
    return { query: compile(text) };
  } catch (error) {
    const why = (error as Error).message.replace(/(?<!\s)\s*\('[^]*$/, "").slice(0, 120);
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

/** Nodes that a query selects, each location once. */
interface Selection {
  readonly nodes: readonly PathNode[];
  /** Without nodes: the first part of the query without matches, and a similar key, as a clause. */
  readonly reason: string;
}

/** Budget of all queries of an overlay. */
interface SelectionBudget extends QueryBudget {
  suggestions: number;
}

/** Creates a budget, in visited nodes. */
function createSelectionBudget(nodes: number): SelectionBudget {
  return { ...createQueryBudget(nodes), suggestions: MAX_SUGGESTIONS };
}

/**
 * Selects nodes of a document.
 * @throws JsonPathLimitError when the budget is used up
 */
function selectNodes(query: JSONPathQuery, root: unknown, budget: SelectionBudget): Selection {
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
