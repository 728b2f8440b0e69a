import type { ApiDefinition } from "../api-definition.js";
import type { ToolDefinition } from "../types.js";

/** Types a tool's data by its input and output. Returns its argument. */
export function defineTool<Input, Output>(
  tool: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return tool;
}

/** Version of package.json, which only a bundle defines. */
declare const PACKAGE_VERSION: string | undefined;

/** Types the description of the API. In a bundle, the version of the package replaces its version. */
export function defineApi(api: ApiDefinition): ApiDefinition {
  return typeof PACKAGE_VERSION === "string" ? { ...api, version: PACKAGE_VERSION } : api;
}
