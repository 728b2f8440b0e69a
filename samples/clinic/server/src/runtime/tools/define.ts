import type { ApiDefinition, ToolDefinition } from "../types.js";

/** Ties a tool's data to its input and output types. Returns what it is given. */
export function defineTool<Input, Output>(
  tool: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return tool;
}

/** The version of package.json; only a bundle has it. */
declare const PACKAGE_VERSION: string | undefined;

/**
 * Types the description of the API. Its version is the document's until it is bundled, as the
 * package that it is then.
 */
export function defineApi(api: ApiDefinition): ApiDefinition {
  return typeof PACKAGE_VERSION === "string" ? { ...api, version: PACKAGE_VERSION } : api;
}
