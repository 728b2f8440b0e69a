import type { PlannedTool } from "./types.js";

/**
 * Finished tools with what a server needs to offer some of them and to find them: their toolset,
 * and where the values of their inputs come from.
 */
export function discoverable(tools: readonly PlannedTool[]): readonly PlannedTool[] {
  const names = new Set(tools.map(({ definition }) => definition.name));
  return tools.map((tool) => {
    const sources = tool.inputs.flatMap(({ name, producers = [] }) => {
      const known = producers.filter((producer) => names.has(producer));
      return known.length > 0 ? [[name, known] as const] : [];
    });
    return {
      ...tool,
      definition: {
        ...tool.definition,
        toolset: tool.toolset,
        ...(sources.length > 0 && { producers: Object.fromEntries(sources) }),
      },
    };
  });
}
