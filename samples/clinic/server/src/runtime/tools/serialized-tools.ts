import type { AnyTool } from "./hooks.js";

/**
 * A tool in a bundle: the fields that a start needs, and all others as JSON text. `bundle.mjs`
 * makes them from `src/tools`, because definitions that nobody asks for would take most of the time
 * and memory of a start.
 */
export interface SerializedTool extends Pick<AnyTool, "name" | "toolset" | "annotations"> {
  /** The other fields of its `ToolDefinition`. */
  readonly json: string;
}

/** A tool in a registry. In a bundle, a tool without functions is serialized. */
export type StoredTool = AnyTool | SerializedTool;

/** The complete tool. A serialized one is parsed on each call. */
export function deserializeTool(tool: StoredTool): AnyTool {
  if (!isSerialized(tool)) return tool;
  const { json, ...rest } = tool;
  return { ...rest, ...(JSON.parse(json) as Omit<AnyTool, keyof typeof rest>) } as AnyTool;
}

/** True if a tool is serialized. */
export function isSerialized(tool: object): tool is SerializedTool {
  return "json" in tool;
}
