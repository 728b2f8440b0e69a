import { oneLine, quoteText } from "../../diagnostics/clean.js";
import type { Findings } from "../findings.js";
import { sentenceCase } from "../name/title.js";
import { wordsOf } from "../name/words.js";
import { slugOf } from "../toolsets.js";
import type { PlannedTool, Toolset } from "../types.js";
import type { Rule } from "./rules.js";

/** Moves a tool to the toolset of its rule, which is made when there is none. */
export function withToolset(
  tool: PlannedTool,
  { rule, placeOf }: Rule,
  toolsets: Map<string, Toolset>,
  findings: Findings,
): PlannedTool {
  if (rule.toolset === undefined) return tool;
  const name = slugOf(rule.toolset);
  if (name === undefined) {
    findings.add(
      "curation-value",
      `The toolset ${quoteText(rule.toolset)} has no letter that a folder's name could have.`,
      placeOf("toolset"),
      "Use a word in ASCII letters.",
    );
    return tool;
  }
  const text = oneLine(rule.toolset);
  const title = /^[a-z0-9_-]+$/.test(text) ? sentenceCase(wordsOf(text)) : text.slice(0, 80);
  if (!toolsets.has(name)) toolsets.set(name, { name, title });
  return { ...tool, toolset: name };
}

/** Tools in the order of their toolsets, and the toolsets that have any. */
export function grouped(
  tools: readonly PlannedTool[],
  toolsets: ReadonlyMap<string, Toolset>,
): { readonly tools: readonly PlannedTool[]; readonly toolsets: readonly Toolset[] } {
  const list = [...toolsets.values()].filter(({ name }) =>
    tools.some((tool) => tool.toolset === name),
  );
  return {
    toolsets: list,
    tools: list.flatMap(({ name }) => tools.filter((tool) => tool.toolset === name)),
  };
}
