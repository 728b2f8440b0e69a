/**
 * Runtime of a generated MCP server. `src/main.ts` calls `serve` of serve.ts, `src/worker.ts` calls
 * `workerFetch`. Tools are data, made with `defineTool`. The flow of a call is
 * `callTool`.
 */
export { type CallContext, callTool } from "./call.js";
export { createMcpServer } from "./protocol.js";
export type { BoundRequest, Failure } from "./request.js";
export {
  createServerContext, type ServerContext, type ServerContextOptions, type ServerContextResult,
} from "./server.js";
export {
  type AnyTool, bindTools, type CallInfo, type CustomPrompt, customPromptsFor, type CustomResource,
  customResourcesFor, type CustomTool, customToolsFor, defineApi, defineCustomTool, defineTool,
  type Hooks, ToolError, type ToolHooks, type ToolTypes,
} from "./tools.js";
export {
  type AuthenticatedCaller, fetchHandler, type FetchHandlerOptions, StoreObject, workerFetch,
} from "./transport.js";
export type * from "./types.js";
