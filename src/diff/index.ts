import { pairTools, type Pair } from "./match.js";
import { toolChanges } from "./tool.js";
import {
  type Change,
  type ChangeClass,
  changeClasses,
  type Lock,
  type LockedTool,
} from "./types.js";
import { code } from "./words.js";

export { formatChanges, type DiffFormat, diffFormats, type FormatOptions } from "./format/index.js";
export { readLock, type LockFile } from "./read.js";
export {
  type Change,
  type ChangeClass,
  changeClasses,
  type ChangeKind,
  type Lock,
  type LockedTool,
} from "./types.js";

/**
 * What changed for those who use the tools, each change with its class.
 * @returns by tool, in the order of names; empty when no definition and no operation differs
 */
export function compareLocks(before: Lock, after: Lock): readonly Change[] {
  const stillHere = new Map(
    after.tools.flatMap((tool) => tool.operations.map((operation) => [operation, tool] as const)),
  );
  return pairTools(before.tools, after.tools).flatMap((pair) => changesOf(pair, stillHere));
}

function changesOf(
  { before, after }: Pair,
  stillHere: ReadonlyMap<string, LockedTool>,
): readonly Change[] {
  if (before && after) return toolChanges(before, after);
  if (after)
    return [
      {
        class: "additive",
        kind: "tool-added",
        tool: after.name,
        message: `Is new, for ${operations(after)}.`,
      },
    ];
  return before
    ? [
        {
          class: "breaking",
          kind: "tool-removed",
          tool: before.name,
          message: `Is gone. ${whereabouts(before, stillHere)}`,
        },
      ]
    : [];
}

/** Where the operations of a tool that went are now. */
function whereabouts(
  { operations: list }: LockedTool,
  stillHere: ReadonlyMap<string, LockedTool>,
): string {
  const heirs = new Set(list.flatMap((operation) => stillHere.get(operation)?.name ?? []));
  if (heirs.size === 0)
    return list.length === 0
      ? "It has no operations."
      : `So ${list.length === 1 ? "is its operation" : "are its operations"} ${list.map(code).join(", ")}.`;
  return `${heirs.size === 1 ? "Another tool does" : "Other tools do"} some of what it did: ${[...heirs].map(code).join(", ")}.`;
}

function operations({ operations: list }: LockedTool): string {
  return list.length === 0 ? "no operation of the API" : list.map(code).join(", ");
}

/** Whether a change is as severe as `least`, or more. */
export function isAtLeast(change: Change, least: ChangeClass): boolean {
  return changeClasses.indexOf(change.class) <= changeClasses.indexOf(least);
}
