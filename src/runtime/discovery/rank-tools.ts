/** The tools that match words best, for a command line. */
import { deserializeTool, type StoredTool } from "../tools/definitions.js";

/** Ranks with the index of the tool search, which the first use loads. */
export async function rankTools(
  tools: readonly StoredTool[],
  query: string,
): Promise<readonly StoredTool[]> {
  const { createSearch } = await import("./search/index.js");
  const { hits } = createSearch(tools.map(deserializeTool)).find(query, { accepts: () => true });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return hits.flatMap(({ name }) => byName.get(name) ?? []);
}
