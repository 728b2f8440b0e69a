import type { LockedTool } from "./types.js";

/** A tool before and after. One side is absent for an added or removed tool. */
export interface ToolPair {
  readonly before?: LockedTool;
  readonly after?: LockedTool;
}

/**
 * Pairs the tools of two locks by name, and the remaining ones by their operations. A removed and
 * an added tool count as renamed when they share at least half of their operations. Among several
 * candidates, the largest overlap wins.
 * @returns sorted by name, the new name for renamed tools
 */
export function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): readonly ToolPair[] {
  const [beforeByName, afterByName] = [byName(before), byName(after)];
  const same = before
    .filter(({ name }) => afterByName.has(name))
    .map((tool) => ({ before: tool, after: afterByName.get(tool.name)! }));
  const removed = before.filter(({ name }) => !afterByName.has(name));
  const added = after.filter(({ name }) => !beforeByName.has(name));
  const renamed = findRenames(removed, added);
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
): readonly Required<ToolPair>[] {
  const byOperation = new Map<string, LockedTool[]>();
  for (const tool of added)
    for (const operation of tool.operations)
      (byOperation.get(operation) ?? byOperation.set(operation, []).get(operation)!).push(tool);
  const candidates = removed.flatMap((before) => {
    const sharing = new Set(
      before.operations.flatMap((operation) => byOperation.get(operation) ?? []),
    );
    return [...sharing]
      .map((after) => ({
        before,
        after,
        share: operationOverlap(before.operations, after.operations),
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
function operationOverlap(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((operation) => b.includes(operation)).length;
  return common / new Set([...a, ...b]).size;
}

const nameOf = ({ before, after }: ToolPair): string => (after ?? before)!.name;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
