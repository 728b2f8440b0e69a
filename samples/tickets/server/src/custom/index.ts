// This file is yours: mcp-gen wrote it once and does not change it again.
import type { Hooks } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";

/**
 * What you add to the generated server. Each part is optional:
 *
 * - `on`: hooks of single tools by name, typed by their inputs and outputs: `run` answers the call yourself, `beforeRequest`
 *   changes the request, `afterResponse` the structured result, `mapError` what the agent is told when the call fails
 * - `tools`: tools of your own, made with `defineCustomTool`; one with the name of a generated tool replaces it
 * - `beforeRequest(request, call)`: changes every request before it is sent
 * - `afterResponse(result, call)`: changes every result before the agent gets it
 * - `mapError(text, failure, call)`: changes what the agent is told when any call fails
 */
const hooks: Hooks<Tools> = {};

export default hooks;
