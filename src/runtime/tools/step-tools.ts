/** The tools that one call may call as its steps. */
import type { StoredTool } from "./definitions.js";
import type { ListMode } from "./listing.js";

/** Tools that can be steps of one call: those that only read, or all that destroy nothing. */
export type StepTools = "reads" | "all";

/** The same, or `byMode`: only reads where each tool is listed, both where one tool calls them. */
export type StepSetting = StepTools | "byMode";

/**
 * The steps of each tool that a list has for them. A host remembers permissions by name: who always
 * allows `call_tool` has allowed the writes of `run_steps`, and where each write is listed, nobody
 * has.
 */
export function stepToolsIn(
  setting: StepSetting | undefined,
  mode: ListMode,
  tools: readonly Pick<StoredTool, "annotations">[],
): readonly StepTools[] {
  if (setting !== "byMode") return setting === undefined ? [] : [setting];
  const hasWrites = tools.some(
    ({ annotations: { readOnlyHint, destructiveHint } }) => !readOnlyHint && !destructiveHint,
  );
  return mode !== "tools" && hasWrites ? ["reads", "all"] : ["reads"];
}
