import type { JSONPathNode } from "json-p3";
import { diagnostic, type Diagnostic, isError } from "../diagnostics/index.js";
import { type JsonObject, pointerTo } from "../json.js";
import type { OverlayAction } from "./action.js";
import type { Overlay } from "./document.js";
import { changeAt, kindOf, merge, type Misfit } from "./merge.js";
import { compiled, select, whereItEnds } from "./query.js";

interface Applied {
  readonly root: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

type Code =
  | "overlay-path-invalid"
  | "overlay-copy-source"
  | "overlay-type-mismatch"
  | "overlay-no-match"
  | "overlay-replaced"
  | "overlay-two-sources";

/**
 * Applies an overlay to a document, its actions in order, each on the result of the one before.
 * Overlay Specification 1.2.0, "Action Object". Zero matches is success with a warning.
 * @param root the parsed document; it is not changed
 * @returns the new document; with an error among the diagnostics it is the last good one
 */
export function applyOverlay(root: JsonObject, overlay: Overlay): Applied {
  const diagnostics: Diagnostic[] = [];
  let current = root;
  for (const action of overlay.actions) {
    const result = new Application(current, action).run();
    diagnostics.push(...result.diagnostics);
    current = result.root;
  }
  return { root: current, diagnostics };
}

/** One action on one document. */
class Application {
  private readonly diagnostics: Diagnostic[] = [];

  constructor(
    private readonly root: JsonObject,
    private readonly action: OverlayAction,
  ) {}

  run(): Applied {
    const root = this.changed();
    return {
      root: root === undefined || this.diagnostics.some(isError) ? this.root : (root as JsonObject),
      diagnostics: this.diagnostics,
    };
  }

  private report(code: Code, message: string, hint?: string): undefined {
    this.diagnostics.push(diagnostic(code, message, this.action.place, hint));
  }

  private changed(): unknown {
    const { target, remove } = this.action;
    const found = compiled(target);
    if (!("query" in found))
      return this.report(
        "overlay-path-invalid",
        `The target ${target} is no RFC 9535 JSONPath: ${found.why}`,
        found.hint,
      );
    const targets = select(found.query, this.root);
    if (targets.length === 0)
      return this.report(
        "overlay-no-match",
        `The target ${target} matches nothing in the document${whereItEnds(found.query, this.root)}`,
      );
    return remove ? this.removed(targets) : this.updated(targets);
  }

  private removed(targets: readonly JSONPathNode[]): unknown {
    if (targets.some(({ location }) => location.length === 0))
      return this.report("overlay-type-mismatch", "The whole document cannot be removed");
    return inSafeOrder(targets).reduce<unknown>(
      (now, { location }) => changeAt(now, location, () => undefined),
      this.root,
    );
  }

  private updated(targets: readonly JSONPathNode[]): unknown {
    const updates = this.updates();
    const kinds = new Set(targets.map(({ value }) => kindOf(value)));
    if (this.action.strict && kinds.size > 1 && updates.length > 0)
      return this.report(
        "overlay-type-mismatch",
        `The target ${this.action.target} selects values of several kinds (${[...kinds].join(", ")}), and an update is for one kind`,
        "Write an action for each kind.",
      );
    const change =
      (location: JSONPathNode["location"]) =>
      (value: unknown): unknown =>
        updates.reduce((merged, update) => merge(merged, update, this.misfit(location)), value);
    return inSafeOrder(targets).reduce<unknown>(
      (now, { location }) => changeAt(now, location, change(location)),
      this.root,
    );
  }

  /** What is merged into each target. */
  private updates(): readonly unknown[] {
    const { copy } = this.action;
    const own = "update" in this.action ? [this.action.update] : [];
    if (copy === undefined) return own;
    if (own.length > 0)
      this.report(
        "overlay-two-sources",
        "The action has `copy` and `update`, of which the specification lets neither work beside the other; both are merged, the copy first",
        "Write two actions.",
      );
    const found = compiled(copy);
    if (!("query" in found))
      return (
        this.report(
          "overlay-copy-source",
          `\`copy\` is no RFC 9535 JSONPath: ${found.why}`,
          found.hint,
        ),
        []
      );
    const sources = select(found.query, this.root);
    if (sources.length !== 1)
      this.report(
        "overlay-copy-source",
        `\`copy\` must select exactly one node; ${copy} selects ${sources.length}${sources.length === 0 ? whereItEnds(found.query, this.root) : ""}`,
      );
    return [...sources.slice(0, 1).map(({ value }) => value), ...own];
  }

  /**
   * Since 1.1 an error; before, only at the target itself. A null says nothing of an object or a
   * list.
   */
  private misfit(location: JSONPathNode["location"]): Misfit {
    return (path, target, update) => {
      const pointer = `#${pointerTo([...location, ...path])}`;
      const kinds = `${kindOf(update)} where the document has a${kindOf(target) === "object" ? "n" : ""} ${kindOf(target)}, at ${pointer}`;
      if (this.action.strict || path.length === 0)
        return (
          this.report(
            "overlay-type-mismatch",
            `The update of ${this.action.target} has a${kindOf(update) === "object" ? "n" : ""} ${kinds}`,
            "Remove what is there by an action before, if it is to be replaced.",
          ),
          target
        );
      this.report(
        "overlay-replaced",
        `The update of ${this.action.target} has a${kindOf(update) === "object" ? "n" : ""} ${kinds}; ${update === null ? "that stays" : "it takes its place"}`,
        "Overlay 1.1 makes this an error. Remove what is there by an action before.",
      );
      return update === null ? target : update;
    };
  }
}

/** Deepest and last first, so that a change never moves a target that is still to come. */
function inSafeOrder(nodes: readonly JSONPathNode[]): JSONPathNode[] {
  return [...nodes]
    .reverse()
    .sort((a, b) => b.location.length - a.location.length || lastIndex(b) - lastIndex(a));
}

function lastIndex(node: JSONPathNode): number {
  const last = node.location.at(-1);
  return typeof last === "number" ? last : -1;
}
