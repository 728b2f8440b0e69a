// This file is yours: mcp-gen wrote it once and does not change it again.
import type { Hooks } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";

/**
 * Your customizations of the generated server. Each part is optional:
 *
 * - `on`: hooks of single tools by name, typed by their inputs and outputs: `run` replaces the
 *   call, `beforeRequest` changes the request, `afterResponse` the structured result, `mapError`
 *   the error text for the agent
 * - `tools`: custom tools, made with `customToolsFor<Tools>()`, which types their inputs and
 *   `call.tools.name({…})`; a tool with the name of a generated tool replaces it. The agent reads
 *   the message of a `ToolError`
 * - `prompts`, `resources`: made with `customPromptsFor<Tools>()` and `customResourcesFor<Tools>()`;
 *   generate the project again after you add the first
 * - `beforeRequest(request, call)`: changes every request before it is sent
 * - `afterResponse(result, call)`: changes every result before the agent receives it
 * - `mapError(text, failure, call)`: changes the error text of every failed call
 */
const hooks: Hooks<Tools> = {};

export default hooks;
