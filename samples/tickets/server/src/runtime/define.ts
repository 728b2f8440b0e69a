import type { ApiDefinition, ToolDefinition } from "./types.js";

/** Ties a tool's data to its input and output types. Returns what it is given. */
export function defineTool<Input, Output>(tool: ToolDefinition<Input, Output>): ToolDefinition<Input, Output> {
  return tool;
}

/** Types the description of the API. Returns what it is given. */
export function defineApi(api: ApiDefinition): ApiDefinition {
  return api;
}
