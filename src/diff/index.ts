import { apiChanges, comparesApis } from "./api-changes.js";
import { API } from "./api-name.js";
import { joinFirst } from "../diagnostics/index.js";
import { inlineCode } from "./inline-code.js";
import { RequestComparison } from "./request-changes.js";
import type { SharedNameLookup } from "./schema/changes.js";
import { listedInputSchema } from "../runtime/tools/shown-definition.js";
import { apisOf, operationKeys, pairTools, type ToolPair } from "./pair-tools.js";
import { toolChanges } from "./tool-changes.js";
import {
  type ListMode,
  type Change,
  type ChangeClass,
  changeClasses,
  type Lock,
  type LockedTool,
} from "./types.js";

export { formatChanges, type DiffFormat, diffFormats, type FormatOptions } from "./format.js";
export { readLock, readToolList, type LockFile } from "./read-lock.js";
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
export function compareLocks(wholeWas: Lock, wholeNow: Lock): readonly Change[] {
  const [was, now] = withoutUnknownTools(wholeWas, wholeNow);
  // The list of a server does not show the operations, so none are compared.
  const hasOperations = !was.isToolList && !now.isToolList;
  const [before, after] = hasOperations
    ? [was, now]
    : [withoutOperations(was), withoutOperations(now)];
  const keysOf = operationKeys(before.tools, after.tools);
  const toolByOperation = new Map(
    after.tools.flatMap((tool) => keysOf(tool).map((key) => [key, tool] as const)),
  );
  const successorsOf = (tool: LockedTool): readonly string[] => [
    ...new Set(keysOf(tool).flatMap((key) => toolByOperation.get(key)?.name ?? [])),
  ];
  const sharedName: SharedNameLookup = (was, now) => {
    const name = before.schemaNames?.get(was);
    return name !== undefined && name === after.schemaNames?.get(now) ? name : undefined;
  };
  const pairs = pairTools(before.tools, after.tools, keysOf);
  const requests = comparesApis(before, after)
    ? new RequestComparison(before, after, pairs)
    : undefined;
  const changes = pairs.flatMap((pair) => [
    ...pairChanges(pair, successorsOf, sharedName),
    ...(pair.after ? (requests?.changes(pair.before, pair.after) ?? []) : []),
  ]);
  return [
    ...listModeChanges(before, after),
    ...apiChanges(before, after),
    ...unselectedChanges(before, after),
    ...[...(requests?.sharedChanges() ?? []), ...changes].map(addApis(before, after)),
  ];
}

function addApis(before: Lock, after: Lock): (change: Change) => Change {
  const apisByTool = new Map(
    [...before.tools, ...after.tools].map((tool) => [tool.name, apisOf(tool)]),
  );
  return (change) => {
    const apis = apisByTool.get(change.tool) ?? [];
    return apis.length === 0 ? change : { ...change, apis };
  };
}

/**
 * Explains which parts of two locks are not compared, because one of them does not record them.
 * @returns one sentence; undefined if everything is compared, and for the first tools of a project
 */
export function uncomparedParts(was: Lock, now: Lock): string | undefined {
  if (comparesApis(was, now) || was.tools.length === 0 || now.tools.length === 0) return undefined;
  const reason =
    was.isToolList || now.isToolList
      ? "a list of tools does not show them"
      : "a lock of an earlier layout does not record them; regenerate it";
  return `Hosts, credentials and scopes were not compared: ${reason}.`;
}

/**
 * Leaves out custom tools if one side is a document without a project. A custom tool with the name
 * of a generated tool is the only definition of that name, so it is left out on both sides.
 */
function withoutUnknownTools(was: Lock, now: Lock): readonly [Lock, Lock] {
  if (!was.isWithoutProject && !now.isWithoutProject) return [was, now];
  const custom = new Set(
    [...was.tools, ...now.tools].flatMap((tool) => (tool.custom ? [tool.name] : [])),
  );
  const known = (lock: Lock): Lock => ({
    ...lock,
    tools: lock.tools.filter(({ name }) => !custom.has(name)),
  });
  return custom.size === 0 ? [was, now] : [known(was), known(now)];
}

/** A lock as the list of a server shows it. */
function withoutOperations(lock: Lock): Lock {
  const { api: _, otherApis: __, ...rest } = lock;
  const tools = lock.tools
    .filter(({ hidden }) => !hidden)
    .map(({ requests: ___, approve: ____, ...tool }) => ({
      ...tool,
      inputSchema: listedInputSchema(tool.inputSchema),
      operations: [],
    }));
  return { ...rest, tools };
}

/** Most operations that a message names. */
const MAX_OPERATIONS = 10;

/** Operations that the document got, and that no rule selects. */
function unselectedChanges(was: Lock, now: Lock): readonly Change[] {
  if (!was.unselected || !now.unselected) return [];
  const known = new Set([...was.unselected, ...was.tools.flatMap(({ operations }) => operations)]);
  const added = now.unselected.filter((operation) => !known.has(operation));
  if (added.length === 0) return [];
  const names = joinFirst(added.map(inlineCode), MAX_OPERATIONS);
  const [subject, verb] = added.length === 1 ? ["operation", "is"] : ["operations", "are"];
  return [
    {
      class: "cosmetic",
      kind: "operations-unselected",
      tool: API,
      message: `${added.length} new ${subject} ${verb} not selected: ${names}.`,
      now: added,
    },
  ];
}

/** Change of what clients see in `tools/list`. Tools can be called by name in either mode. */
function listModeChanges({ listMode: was }: Lock, { listMode: now }: Lock): readonly Change[] {
  if (was === undefined || now === undefined || was === now) return [];
  const change = { kind: "list-mode", tool: "tools/list", was, now } as const;
  const lists = LIST_MODES.indexOf(now) > LIST_MODES.indexOf(was) ? "breaking" : "additive";
  return [{ ...change, class: lists, message: LIST_MODE_TEXTS[now] }];
}

/** From the most to the fewest listed tools. */
const LIST_MODES: readonly ListMode[] = ["tools", "hybrid", "discovery"];

const LIST_MODE_TEXTS: Readonly<Record<ListMode, string>> = {
  tools: "Lists every tool, instead of tools that search and call the others.",
  hybrid:
    "Lists tools that search, describe and call the others, and those that most work starts with.",
  discovery: "Lists only tools that search, describe and call the others.",
};

function pairChanges(
  { before, after }: ToolPair,
  successorsOf: (tool: LockedTool) => readonly string[],
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
          message: `Removed${describeRemoval(before, successorsOf(before))}`,
        },
      ]
    : [];
}

/** Describes a removed tool's operations, or the tools that have them now. */
function describeRemoval(
  { operations: list, custom }: LockedTool,
  successors: readonly string[],
): string {
  if (successors.length > 0) {
    const names = successors.map(inlineCode).join(", ");
    const verb = successors.length === 1 ? "calls" : "call";
    return `. ${names} now ${verb} ${list.length === 1 ? "its operation" : "some of its operations"}.`;
  }
  if (list.length === 0) return custom ? " from `src/custom`." : ".";
  const operations = list.map(inlineCode).join(", ");
  return `, with its ${list.length === 1 ? "operation" : "operations"} ${operations}.`;
}

function describeAddition({ operations: list, custom }: LockedTool): string {
  if (custom) return " in `src/custom`.";
  if (list.length === 0) return ".";
  return `, with the ${list.length === 1 ? "operation" : "operations"} ${list.map(inlineCode).join(", ")}.`;
}

/** True when a change is of this class or a more severe one. */
export function isAtLeast(change: Change, minimum: ChangeClass): boolean {
  return changeClasses.indexOf(change.class) <= changeClasses.indexOf(minimum);
}
