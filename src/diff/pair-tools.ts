/** Pairs of the tools of two locks, and the APIs and operations by which they are compared. */
import type { LockedTool } from "./types.js";

/** The APIs of a tool of a server of several; none if it calls the only API of the document. */
export function apisOf({ operations, requests = [] }: LockedTool): readonly string[] {
  const named = requests.filter(({ api }) => api !== undefined);
  const isNamed = (operation: string): boolean =>
    named.some((request) => request.operation === operation);
  return operations.every(isNamed) ? [...new Set(named.map(({ api }) => api!))].sort() : [];
}

/** Finds the operations of a tool, each with the name of its API. */
type OperationKeys = (tool: LockedTool) => readonly string[];

/**
 * Tells operations of two APIs apart that have one method and path. An API that only one of the
 * locks has is not named: it may be one of the other lock under a new name.
 */
export function operationKeys(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): OperationKeys {
  const apisBefore = new Set(before.flatMap(apisOf));
  const inBoth = new Set(after.flatMap(apisOf).filter((api) => apisBefore.has(api)));
  return ({ operations, requests = [] }) =>
    operations.flatMap((operation) => {
      const apis = requests
        .filter((request) => request.operation === operation)
        .flatMap(({ api }) => (api !== undefined && inBoth.has(api) ? [api] : []));
      return apis.length === 0 ? [operation] : apis.map((api) => `${api} ${operation}`);
    });
}

/** A tool before and after. One side is absent for an added or removed tool. */
export interface ToolPair {
  readonly before?: LockedTool;
  readonly after?: LockedTool;
}

/**
 * Pairs the tools of two locks by name, and the remaining ones by their operations. A removed and
 * an added tool count as renamed when they share at least half of their operations. Among several
 * candidates, the largest overlap wins.
 * @param keysOf the operations of a tool, by which tools are compared
 * @returns sorted by name, the new name for renamed tools
 */
export function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
  keysOf: OperationKeys,
): readonly ToolPair[] {
  const [beforeByName, afterByName] = [byName(before), byName(after)];
  const same = before
    .filter(({ name }) => afterByName.has(name))
    .map((tool) => ({ before: tool, after: afterByName.get(tool.name)! }));
  const removed = before.filter(({ name }) => !afterByName.has(name));
  const added = after.filter(({ name }) => !beforeByName.has(name));
  const renamed = findRenames(removed, added, keysOf);
  const renamedTools = new Set<LockedTool>(
    renamed.flatMap(({ before: old, after: to }) => [old, to]),
  );
  const unpaired: readonly ToolPair[] = [
    ...removed.filter((tool) => !renamedTools.has(tool)).map((tool) => ({ before: tool })),
    ...added.filter((tool) => !renamedTools.has(tool)).map((tool) => ({ after: tool })),
  ];
  return [...same, ...renamed, ...unpaired].sort((a, b) => compare(nameOf(a), nameOf(b)));
}

function byName(tools: readonly LockedTool[]): ReadonlyMap<string, LockedTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function findRenames(
  removed: readonly LockedTool[],
  added: readonly LockedTool[],
  keysOf: OperationKeys,
): readonly Required<ToolPair>[] {
  const byOperation = new Map<string, LockedTool[]>();
  for (const tool of added)
    for (const key of keysOf(tool))
      (byOperation.get(key) ?? byOperation.set(key, []).get(key)!).push(tool);
  const candidates = removed.flatMap((before) => {
    const sharing = new Set(keysOf(before).flatMap((key) => byOperation.get(key) ?? []));
    return [...sharing]
      .map((after) => ({
        before,
        after,
        share: overlapOf(keysOf(before), keysOf(after)),
      }))
      .filter(({ share }) => share >= 0.5);
  });
  candidates.sort(
    (a, b) =>
      b.share - a.share ||
      compare(a.before.name, b.before.name) ||
      compare(a.after.name, b.after.name),
  );
  const used = new Set<LockedTool>();
  return candidates
    .filter(
      ({ before, after }) =>
        !used.has(before) && !used.has(after) && used.add(before) && used.add(after),
    )
    .map(({ before, after }) => ({ before, after }));
}

/** Shared operations as a fraction of all operations of both tools. */
function overlapOf(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((operation) => b.includes(operation)).length;
  return common / new Set([...a, ...b]).size;
}

const nameOf = ({ before, after }: ToolPair): string => (after ?? before)!.name;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
