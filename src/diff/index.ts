import { pairTools, type ToolPair } from "./pair-tools.js";
import type { SharedNameLookup } from "./schema/changes.js";
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
  const sharedName: SharedNameLookup = (was, now) => {
    const name = before.schemaNames?.get(was);
    return name !== undefined && name === after.schemaNames?.get(now) ? name : undefined;
  };
  return [
    ...listModeChanges(before, after),
    ...pairTools(before.tools, after.tools).flatMap((pair) =>
      pairChanges(pair, toolByOperation, sharedName),
    ),
  ];
}

/** Change of what clients see in `tools/list`. Tools can be called by name in either mode. */
function listModeChanges({ listMode: was }: Lock, { listMode: now }: Lock): readonly Change[] {
  if (was === undefined || now === undefined || was === now) return [];
  const change = { kind: "list-mode", tool: "tools/list", was, now } as const;
  return now === "discovery"
    ? [
        {
          ...change,
          class: "breaking",
          message:
            "Lists three tools that search, describe and call the others, instead of every tool.",
        },
      ]
    : [
        {
          ...change,
          class: "additive",
          message: "Lists every tool, instead of three discovery tools.",
        },
      ];
}

function pairChanges(
  { before, after }: ToolPair,
  toolByOperation: ReadonlyMap<string, LockedTool>,
  sharedName: SharedNameLookup,
): readonly Change[] {
  if (before && after) return toolChanges(before, after, sharedName);
  if (after)
    return [
      {
        class: "additive",
        kind: "tool-added",
        tool: after.name,
        message: `Added${describeAddition(after)}`,
      },
    ];
  return before
    ? [
        {
          class: "breaking",
          kind: "tool-removed",
          tool: before.name,
          message: `Removed${describeRemoval(before, toolByOperation)}`,
        },
      ]
    : [];
}

/** Describes a removed tool's operations, or the tools that have them now. */
function describeRemoval(
  { operations: list }: LockedTool,
  toolByOperation: ReadonlyMap<string, LockedTool>,
): string {
  const successors = new Set(
    list.flatMap((operation) => toolByOperation.get(operation)?.name ?? []),
  );
  if (successors.size > 0) {
    const names = [...successors].map(inlineCode).join(", ");
    const verb = successors.size === 1 ? "calls" : "call";
    return `. ${names} now ${verb} ${list.length === 1 ? "its operation" : "some of its operations"}.`;
  }
  if (list.length === 0) return ".";
  const operations = list.map(inlineCode).join(", ");
  return `, with its ${list.length === 1 ? "operation" : "operations"} ${operations}.`;
}

function describeAddition({ operations: list }: LockedTool): string {
  if (list.length === 0) return ".";
  return `, with the ${list.length === 1 ? "operation" : "operations"} ${list.map(inlineCode).join(", ")}.`;
}

/** True when a change is at least as severe as `least`. */
export function isAtLeast(change: Change, minimum: ChangeClass): boolean {
  return changeClasses.indexOf(change.class) <= changeClasses.indexOf(minimum);
}
