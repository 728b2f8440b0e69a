/** Tools that only other tools of the server call. */
import type { PlannedTool, ToolPlan } from "./types.js";

/** All tools of a plan: those that clients see, then those that only other tools call. */
export const allTools = ({
  tools,
  hiddenTools = [],
}: Pick<ToolPlan, "tools" | "hiddenTools">): readonly PlannedTool[] => [...tools, ...hiddenTools];

/** Separates the tools that clients see from those that only other tools call. */
export function splitHidden(
  tools: readonly PlannedTool[],
): readonly [visible: readonly PlannedTool[], hidden: readonly PlannedTool[]] {
  return [
    tools.filter(({ definition }) => !definition.hidden),
    tools.filter(({ definition }) => definition.hidden),
  ];
}

/** Marks a tool that only other tools call. */
export function markHidden(tool: PlannedTool, names: ReadonlySet<string>): PlannedTool {
  return names.has(tool.definition.name)
    ? { ...tool, definition: { ...tool.definition, hidden: true } }
    : tool;
}

/** Removes hidden tools from the texts of others, which agents could not follow. */
export function withoutHiddenAlternatives(
  tools: readonly PlannedTool[],
  names: ReadonlySet<string>,
): readonly PlannedTool[] {
  if (names.size === 0) return tools;
  return tools.map((tool) => {
    const alternatives = tool.text.alternatives.filter((one) => !names.has(one.tool));
    return { ...tool, text: { ...tool.text, alternatives } };
  });
}
