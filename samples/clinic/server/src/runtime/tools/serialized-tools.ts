import type { AnyTool } from "./hooks.js";

/**
 * A tool in a bundle: what a start needs to know of it, and everything else as JSON text.
 * `bundle.mjs` makes them of the tools in `src/tools`, because a server with very many of them
 * would otherwise spend most of its start, and of its memory, on definitions that nobody asks for.
 */
export interface SerializedTool extends Pick<AnyTool, "name" | "toolset" | "annotations"> {
  /** All other fields of its `ToolDefinition`. */
  readonly json: string;
}

/** A tool as it is kept: in a bundle packed, if it is data and nothing else. */
export type StoredTool = AnyTool | SerializedTool;

/**
 * The whole tool. A packed one is read anew each time: who needs it more than once keeps what this
 * gives.
 */
export function deserializeTool(tool: StoredTool): AnyTool {
  if (!isSerialized(tool)) return tool;
  const { json, ...rest } = tool;
  return { ...rest, ...(JSON.parse(json) as Omit<AnyTool, keyof typeof rest>) } as AnyTool;
}

/** Whether a tool is there as text only. */
export function isSerialized(tool: object): tool is SerializedTool {
  return "json" in tool;
}
