// This file is yours: mcp-gen wrote it once and does not change it again.
import type { Hooks } from "../runtime/index.js";

/**
 * What you add to the generated server. Each part is optional:
 *
 * - `tools`: tools of your own, made with `defineCustomTool`; one with the name of a generated tool replaces it
 * - `beforeRequest(request, call)`: changes a request before it is sent
 * - `afterResponse(result, call)`: changes a result before the agent gets it
 * - `mapError(text, failure, call)`: changes what the agent is told when a call fails
 */
const hooks: Hooks = {};

export default hooks;
