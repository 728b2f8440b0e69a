import { pairTools, type ToolPair } from "./pair-tools.js";
import { toolChanges } from "./tool-changes.js";
import {
  type Change,
  type ChangeClass,
  changeClasses,
  type Lock,
  type LockedTool,
} from "./types.js";
import { inlineCode } from "./inline-code.js";

export { formatChanges, type DiffFormat, diffFormats, type FormatOptions } from "./format.js";
export { readLock, type LockFile } from "./read-lock.js";
export {
  type Change,
  type ChangeClass,
  changeClasses,
  type ChangeKind,
  type Lock,
  type LockedTool,
} from "./types.js";

/**
 * Compares two locks and classifies each change by its effect on users of the tools.
 * @returns changes sorted by tool name; empty when no definition and no operation differs
 */
export function compareLocks(before: Lock, after: Lock): readonly Change[] {
  const toolByOperation = new Map(
    after.tools.flatMap((tool) => tool.operations.map((operation) => [operation, tool] as const)),
  );
  return pairTools(before.tools, after.tools).flatMap((pair) => pairChanges(pair, toolByOperation));
}

function pairChanges(
  { before, after }: ToolPair,
  toolByOperation: ReadonlyMap<string, LockedTool>,
): readonly Change[] {
  if (before && after) return toolChanges(before, after);
  if (after)
    return [
      {
        class: "additive",
        kind: "tool-added",
        tool: after.name,
        message: `Is new, for ${operationList(after)}.`,
      },
    ];
  return before
    ? [
        {
          class: "breaking",
          kind: "tool-removed",
          tool: before.name,
          message: `Is gone. ${describeRemoval(before, toolByOperation)}`,
        },
      ]
    : [];
}

/** Describes the tools that now have the operations of a removed tool. */
function describeRemoval(
  { operations: list }: LockedTool,
  toolByOperation: ReadonlyMap<string, LockedTool>,
): string {
  const successors = new Set(
    list.flatMap((operation) => toolByOperation.get(operation)?.name ?? []),
  );
  if (successors.size === 0)
    return list.length === 0
      ? "It has no operations."
      : `So ${list.length === 1 ? "is its operation" : "are its operations"} ${list.map(inlineCode).join(", ")}.`;
  return `${successors.size === 1 ? "Another tool does" : "Other tools do"} some of what it did: ${[...successors].map(inlineCode).join(", ")}.`;
}

function operationList({ operations: list }: LockedTool): string {
  return list.length === 0 ? "no operation of the API" : list.map(inlineCode).join(", ");
}

/** True when a change is at least as severe as `least`. */
export function isAtLeast(change: Change, least: ChangeClass): boolean {
  return changeClasses.indexOf(change.class) <= changeClasses.indexOf(least);
}
