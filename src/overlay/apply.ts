import { compile, type JSONPathNode } from "json-p3";
import { diagnostic, type Diagnostic } from "../diagnostics/index.js";
import { isObject, type JsonObject } from "../json.js";
import type { Overlay, OverlayAction } from "./document.js";
import { changeAt, merge } from "./merge.js";

interface Applied {
  readonly root: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an overlay to a document, its actions in order, each on the result of the one before.
 * Overlay Specification 1.1.0, "Action Object". Zero matches is success with a warning.
 * @param root the parsed document; it is not changed
 * @returns the new document; with an error among the diagnostics it is the last good one
 */
export function applyOverlay(root: JsonObject, overlay: Overlay): Applied {
  const diagnostics: Diagnostic[] = [];
  let current = root;
  for (const action of overlay.actions) {
    const result = applyAction(current, action);
    diagnostics.push(...result.diagnostics);
    current = result.root;
  }
  return { root: current, diagnostics };
}

function applyAction(root: JsonObject, action: OverlayAction): Applied {
  const fail = (code: "overlay-path-invalid" | "overlay-copy-source" | "overlay-type-mismatch" | "overlay-no-match", message: string): Applied => ({
    root,
    diagnostics: [diagnostic(code, message, action.place)],
  });
  const targets = select(root, action.target);
  if (!targets) return fail("overlay-path-invalid", `The target ${action.target} is not an RFC 9535 JSONPath`);
  if (targets.length === 0) return fail("overlay-no-match", `The target ${action.target} matches nothing in the document`);
  if (action.remove) return remove(root, targets, action);
  const source = action.copy === undefined ? undefined : select(root, action.copy);
  if (action.copy !== undefined && source?.length !== 1) return fail("overlay-copy-source", `\`copy\` must select exactly one node; ${action.copy} selects ${source?.length ?? "none, it is no JSONPath"}`);
  const updates = [...(source ? [source[0]?.value] : []), ...(action.update === undefined ? [] : [action.update])];
  if (targets.some(({ value }) => updates.some((update) => mismatched(value, update)))) return fail("overlay-type-mismatch", `The update of ${action.target} is not of the kind of what it targets (an object, a list or a plain value)`);
  return { root: updateAll(root, targets, updates), diagnostics: [] };
}

function select(root: JsonObject, path: string): JSONPathNode[] | undefined {
  try {
    // The library's own JSON type is mutable; it only reads.
    return [...compile(path).query(root as never)];
  } catch {
    return undefined;
  }
}

function mismatched(target: unknown, update: unknown): boolean {
  return Array.isArray(target) ? false : isObject(target) !== isObject(update);
}

/** Deepest and last first, so that a change never moves a target that is still to come. */
function inSafeOrder(nodes: readonly JSONPathNode[]): JSONPathNode[] {
  return [...nodes].reverse().sort((a, b) => b.location.length - a.location.length || lastIndex(b) - lastIndex(a));
}

function lastIndex(node: JSONPathNode): number {
  const last = node.location.at(-1);
  return typeof last === "number" ? last : -1;
}

function remove(root: JsonObject, targets: readonly JSONPathNode[], action: OverlayAction): Applied {
  if (targets.some(({ location }) => location.length === 0)) {
    return { root, diagnostics: [diagnostic("overlay-type-mismatch", "The whole document cannot be removed", action.place)] };
  }
  const removed = inSafeOrder(targets).reduce<unknown>((now, { location }) => changeAt(now, location, () => undefined), root);
  return { root: removed as JsonObject, diagnostics: [] };
}

function updateAll(root: JsonObject, targets: readonly JSONPathNode[], updates: readonly unknown[]): JsonObject {
  const apply = (value: unknown): unknown => updates.reduce((merged, update) => merge(merged, update), value);
  return inSafeOrder(targets).reduce<unknown>((now, { location }) => changeAt(now, location, apply), root) as JsonObject;
}
