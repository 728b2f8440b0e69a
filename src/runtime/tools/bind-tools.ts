/** The tools of an API in a server of several APIs. */
import type { StoredTool } from "./definitions.js";

/** Name of a toolset in the server: `<api>_<toolset>`, or `<api>` if the API has only one. */
export function serverToolset(api: string, toolset: string | undefined, isOnly: boolean): string {
  return toolset === undefined || isOnly ? api : `${api}_${toolset}`;
}

/** Binds tools to their API, under the names that its toolsets have in the server. */
export function bindTools<Tool extends StoredTool>(
  api: string,
  tools: readonly Tool[],
): readonly Tool[] {
  const isOnly = new Set(tools.map(({ toolset }) => toolset)).size === 1;
  return tools.map((tool) => ({
    ...tool,
    toolset: serverToolset(api, tool.toolset, isOnly),
    api,
  }));
}
