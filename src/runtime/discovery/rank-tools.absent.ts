/** Stands in for the ranking of tools, which is left out with the tool search. */
import { deserializeTool, type StoredTool } from "../tools/definitions.js";

/** Filters by the words, in any form of their ends: the tools with most of them first. */
export async function rankTools(
  tools: readonly StoredTool[],
  query: string,
): Promise<readonly StoredTool[]> {
  const stems = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = tools.map((tool) => {
    const { name, title = "", description } = deserializeTool(tool);
    const text = `${name} ${title} ${description}`.toLowerCase();
    const isFound = (word: string): boolean => text.includes(word.replace(/(?<=...)(?:es|s)$/, ""));
    return { tool, score: stems.filter(isFound).length };
  });
  const found = scored.filter(({ score }) => score > 0);
  return found.sort((a, b) => b.score - a.score).map(({ tool }) => tool);
}
