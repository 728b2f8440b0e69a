import { inlineCode } from "./inline-code.js";
import type { Change } from "./types.js";

/** Changes that are the same for one or more tools. */
export interface ChangeGroup {
  readonly tools: readonly string[];
  readonly messages: readonly string[];
  /** Shared schema that changed. Absent for changes of one tool. */
  readonly schema?: string;
}

/**
 * Groups changes of one class for a reader: by tool, and changes of a shared schema by the tools
 * that it reaches. Keeps the order of the first change of each group.
 */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const reached = toolsBySharedChange(changes);
  const groups = new Map<
    string,
    { tools: readonly string[]; messages: Set<string>; schema?: string }
  >();
  for (const change of changes) {
    const key = sharedKey(change);
    const tools = reached.get(key ?? "") ?? [];
    const isShared = tools.length > 1;
    const { schema } = change;
    const groupKey = isShared ? JSON.stringify([schema, tools]) : change.tool;
    const group = groups.get(groupKey) ?? {
      tools: isShared ? tools : [change.tool],
      messages: new Set<string>(),
      ...(isShared && schema !== undefined && { schema }),
    };
    group.messages.add(isShared ? sharedMessage(change) : change.message);
    groups.set(groupKey, group);
  }
  return [...groups.values()].map((group) => ({ ...group, messages: [...group.messages] }));
}

/** The tools of each change of a shared schema. */
function toolsBySharedChange(changes: readonly Change[]): ReadonlyMap<string, readonly string[]> {
  const reached = new Map<string, string[]>();
  for (const change of changes) {
    const key = sharedKey(change);
    if (key === undefined) continue;
    const tools = reached.get(key) ?? [];
    if (tools.at(-1) !== change.tool) tools.push(change.tool);
    reached.set(key, tools);
  }
  return reached;
}

/** Equal for changes that are one change of a shared schema. */
const sharedKey = (change: Change): string | undefined =>
  change.schema === undefined
    ? undefined
    : JSON.stringify([change.class, change.schema, sharedMessage(change)]);

/** The message with the path in the shared schema instead of the path in the tool. */
function sharedMessage({ message, schema = "", schemaPath = "", where = "" }: Change): string {
  const path = where.replace(/^(?:input|output)\.?/, "");
  const separator = schemaPath === "" || schemaPath.startsWith("[") ? "" : ".";
  const changed = inlineCode(`${schema}${separator}${schemaPath}`);
  return path === "" ? message : message.replace(inlineCode(path), () => changed);
}
