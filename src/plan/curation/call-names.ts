import type { Subject } from "../kind.js";
import type { ToolName } from "../name/index.js";
import { keyOf } from "../operation-key.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/**
 * Names that the file may call a tool by, each with the tool's own: that with and without the
 * namespace, what it would be called, and its rule's. The names that tools have go before those
 * that they would have.
 */
export function callNames(
  tools: readonly PlannedTool[],
  owners: ReadonlyMap<PlannedTool, readonly Rule[]>,
  names: ReadonlyMap<Subject, ToolName>,
  prefix: string,
): ReadonlyMap<string, string> {
  const inferred = new Map([...names].map(([{ operation }, { name }]) => [keyOf(operation), name]));
  const known = new Map<string, string>();
  const add = (name: string | undefined, own: string): void =>
    void (name !== undefined && !known.has(name) && known.set(name, own));
  for (const {
    definition: { name },
  } of tools) {
    add(name.slice(prefix.length), name);
    add(name, name);
  }
  for (const tool of tools) {
    const { name } = tool.definition;
    for (const rule of owners.get(tool) ?? []) add(rule.name, name);
    for (const operation of tool.workflow ? [] : tool.operations) {
      const before = inferred.get(keyOf(operation));
      add(before?.slice(prefix.length), name);
      add(before, name);
    }
  }
  return known;
}
