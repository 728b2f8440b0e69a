/** The toolsets of a server with their tools, as its documents list them. */
import type { ToolPlan } from "../../plan/types.js";
import { type ListedTool, listedTools } from "../listed-tools.js";

/** A toolset that has tools. */
interface FilledToolset {
  readonly title: string;
  readonly description?: string | undefined;
  readonly tools: readonly ListedTool[];
}

export function toolsetsOf(plan: ToolPlan): readonly FilledToolset[] {
  const sections = [...plan.toolsets, OWN_TOOLS];
  const members = new Map<string, ListedTool[]>(sections.map(({ name }) => [name, []]));
  for (const tool of listedTools(plan)) {
    const toolset = tool.custom?.toolset ?? tool.generated?.toolset ?? OWN_TOOLS.name;
    (members.get(toolset) ?? members.get(OWN_TOOLS.name)!).push(tool);
  }
  return sections
    .map(({ name, title, description }) => ({ title, description, tools: members.get(name)! }))
    .filter(({ tools }) => tools.length > 0);
}

/** Custom tools without a toolset. The empty name is not that of a toolset. */
const OWN_TOOLS: ToolPlan["toolsets"][number] = {
  name: "",
  title: "Custom tools",
  description: "Tools of `src/custom`.",
};

/** Returns the first sentence, truncated to 160 characters. */
export function firstSentence(text: string): string {
  const start = text.slice(0, 400);
  const end = /[.!?](?=\s|$)/.exec(start);
  const sentence = end ? start.slice(0, end.index + 1) : start;
  return sentence.length <= 160 ? sentence : `${sentence.slice(0, 159).trimEnd()}…`;
}
