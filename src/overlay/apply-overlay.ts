import type { JSONPathNode } from "json-p3";
import { diagnostic, type Diagnostic, isError } from "../diagnostics/index.js";
import { formatPointer } from "../json-pointer.js";
import { isObject, type JsonObject } from "../json.js";
import { compileQuery, explainNoMatch, selectNodes } from "./query.js";
import type { Overlay, OverlayAction } from "./read-overlay.js";

interface AppliedOverlay {
  readonly root: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

type OverlayCode =
  | "overlay-path-invalid"
  | "overlay-copy-source"
  | "overlay-type-mismatch"
  | "overlay-no-match"
  | "overlay-type-replaced"
  | "overlay-copy-and-update";

/**
 * Applies the actions of an overlay in order, each to the result of the previous one (Overlay
 * Specification 1.2.0, "Action Object"). A target without matches is a warning.
 * @param root parsed document; not changed
 * @returns the new document; after an error, the last valid one
 */
export function applyOverlay(root: JsonObject, overlay: Overlay): AppliedOverlay {
  const diagnostics: Diagnostic[] = [];
  let current = root;
  for (const action of overlay.actions) {
    const result = new ActionRun(current, action).run();
    diagnostics.push(...result.diagnostics);
    current = result.root;
  }
  return { root: current, diagnostics };
}

/** One action on one document. */
class ActionRun {
  private readonly diagnostics: Diagnostic[] = [];

  constructor(
    private readonly root: JsonObject,
    private readonly action: OverlayAction,
  ) {}

  run(): AppliedOverlay {
    const root = this.apply();
    return {
      root: root === undefined || this.diagnostics.some(isError) ? this.root : (root as JsonObject),
      diagnostics: this.diagnostics,
    };
  }

  private report(code: OverlayCode, message: string, hint?: string): undefined {
    this.diagnostics.push(diagnostic(code, message, this.action.location, hint));
  }

  private apply(): unknown {
    const { target, remove } = this.action;
    const compiled = compileQuery(target);
    if (!("query" in compiled))
      return this.report(
        "overlay-path-invalid",
        `The target ${target} is not an RFC 9535 JSONPath: ${compiled.why}`,
        compiled.hint,
      );
    const targets = selectNodes(compiled.query, this.root);
    if (targets.length === 0)
      return this.report(
        "overlay-no-match",
        `The target ${target} matches nothing in the document${explainNoMatch(compiled.query, this.root)}`,
      );
    return remove ? this.remove(targets) : this.update(targets);
  }

  private remove(targets: readonly JSONPathNode[]): unknown {
    if (targets.some(({ location }) => location.length === 0))
      return this.report("overlay-type-mismatch", "The whole document cannot be removed");
    return deepestFirst(targets).reduce<unknown>(
      (root, { location }) => replaceAt(root, location, () => undefined),
      this.root,
    );
  }

  private update(targets: readonly JSONPathNode[]): unknown {
    const updates = this.updates();
    const kinds = new Set(targets.map(({ value }) => valueKind(value)));
    if (this.action.strict && kinds.size > 1 && updates.length > 0)
      return this.report(
        "overlay-type-mismatch",
        `The target ${this.action.target} selects values of several kinds ` +
          `(${[...kinds].join(", ")}); an update must be of one kind`,
        "Write an action for each kind.",
      );
    const change =
      (location: JSONPathNode["location"]) =>
      (value: unknown): unknown =>
        updates.reduce(
          (merged, update) => mergeUpdate(merged, update, this.reportMismatch(location)),
          value,
        );
    return deepestFirst(targets).reduce<unknown>(
      (root, { location }) => replaceAt(root, location, change(location)),
      this.root,
    );
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
    if (!("query" in compiled))
      return (
        this.report(
          "overlay-copy-source",
          `\`copy\` is not an RFC 9535 JSONPath: ${compiled.why}`,
          compiled.hint,
        ),
        []
      );
    const sources = selectNodes(compiled.query, this.root);
    if (sources.length !== 1) {
      const reason = sources.length === 0 ? explainNoMatch(compiled.query, this.root) : "";
      this.report(
        "overlay-copy-source",
        `\`copy\` must select exactly one node; ${copy} selects ${sources.length}${reason}`,
      );
    }
    return [...sources.slice(0, 1).map(({ value }) => value), ...own];
  }

  /**
   * Reports a type mismatch: an error since 1.1, before only at the target itself. A null update
   * leaves an object or a list as it is.
   */
  private reportMismatch(location: JSONPathNode["location"]): MismatchHandler {
    return (path, target, update) => {
      const pointer = `#${formatPointer([...location, ...path])}`;
      const message =
        `The update of ${this.action.target} has ${withArticle(valueKind(update))} ` +
        `but the document has ${withArticle(valueKind(target))}, at ${pointer}`;
      if (this.action.strict || path.length === 0) {
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
}

function withArticle(kind: string): string {
  return `${kind === "object" ? "an" : "a"} ${kind}`;
}

/** Sorts nodes deepest and last first, so that a change never moves a later target. */
function deepestFirst(nodes: readonly JSONPathNode[]): JSONPathNode[] {
  return [...nodes]
    .reverse()
    .sort((a, b) => b.location.length - a.location.length || lastIndex(b) - lastIndex(a));
}

function lastIndex(node: JSONPathNode): number {
  const last = node.location.at(-1);
  return typeof last === "number" ? last : -1;
}

/** Returns the value to use when target and update are of different kinds. */
type MismatchHandler = (path: readonly string[], target: unknown, update: unknown) => unknown;

/**
 * Merges an update into a target (Overlay Specification, "Action Object", `update`): objects merge
 * by key, arrays concatenate, other values are replaced. Neither argument is changed.
 * @param misfit called for values of different kinds, with the path from the target
 */
function mergeUpdate(
  target: unknown,
  update: unknown,
  misfit: MismatchHandler,
  path: readonly string[] = [],
): unknown {
  const kind = valueKind(target);
  if (kind === "list" && path.length === 0 && !Array.isArray(update))
    return [...(target as unknown[]), update];
  if (kind !== valueKind(update)) return misfit(path, target, update);
  if (kind === "list") return [...(target as unknown[]), ...(update as unknown[])];
  return kind === "object"
    ? mergeObjects(
        target as Record<string, unknown>,
        update as Record<string, unknown>,
        misfit,
        path,
      )
    : update;
}

/** Kinds of values that the specification distinguishes. */
function valueKind(value: unknown): "object" | "list" | "plain value" {
  if (Array.isArray(value)) return "list";
  return isObject(value) ? "object" : "plain value";
}

function mergeObjects(
  target: Record<string, unknown>,
  update: Record<string, unknown>,
  misfit: MismatchHandler,
  path: readonly string[],
): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(update))
    merged.set(
      key,
      merged.has(key) ? mergeUpdate(merged.get(key), value, misfit, [...path, key]) : value,
    );
  // Object.fromEntries defines own properties, so a key such as __proto__ stays data.
  return Object.fromEntries(merged);
}

type ValuePath = readonly (string | number)[];

/**
 * Copies `root` with the value at `location` replaced by `change(value)`; `undefined` removes it.
 * Unchanged parts are shared.
 */
function replaceAt(
  root: unknown,
  location: ValuePath,
  change: (value: unknown) => unknown,
): unknown {
  const [step, ...rest] = location;
  if (step === undefined) return change(root);
  const below = (value: unknown): unknown => replaceAt(value, rest, change);
  return Array.isArray(root)
    ? replaceItem(root, Number(step), below)
    : replaceKey(root as Record<string, unknown>, String(step), below);
}

function replaceItem(
  list: readonly unknown[],
  index: number,
  change: (value: unknown) => unknown,
): unknown[] {
  return list.flatMap((item, i) => {
    const value = i === index ? change(item) : item;
    return i === index && value === undefined ? [] : [value];
  });
}

function replaceKey(
  object: Record<string, unknown>,
  key: string,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, old]) => {
    const value = name === key ? change(old) : old;
    return name === key && value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
