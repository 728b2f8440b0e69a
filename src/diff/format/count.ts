import { type Change, type ChangeClass, changeClasses } from "../types.js";

/** `2 breaking, 1 additive and 3 wording changes`, `no changes`. */
export function countChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return "no changes";
  const counts = changeClasses
    .map((one) => [of(changes, one).length, one] as const)
    .filter(([count]) => count > 0);
  const parts = counts.map(([count, one]) => `${count} ${one}`);
  const last = parts.pop()!;
  return `${parts.length > 0 ? `${parts.join(", ")} and ${last}` : last} ${changes.length === 1 ? "change" : "changes"}`;
}

export function of(changes: readonly Change[], one: ChangeClass): readonly Change[] {
  return changes.filter((change) => change.class === one);
}

/** Changes by tool, in their order. */
export function byTool(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const tools = new Map<string, Change[]>();
  for (const change of changes)
    (tools.get(change.tool) ?? tools.set(change.tool, []).get(change.tool)!).push(change);
  return tools;
}
