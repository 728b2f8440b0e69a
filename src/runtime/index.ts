/**
 * Runtime of a generated MCP server. `src/main.ts` calls `serve` of serve.ts, `src/worker.ts` calls
 * `workerFetch`. Tools are data, made with `defineTool`. The flow of a call is
 * `callTool`.
 */
export {
  type ServerContext,
  type ServerContextOptions,
  type ServerContextResult,
  createServerContext,
} from "./server/context.js";
export { bindTools } from "./tools/bind-tools.js";
export { callTool } from "./call/call-tool.js";
export type { CallContext } from "./call/send-authenticated.js";
export {
  type AnyTool,
  type CallInfo,
  type CustomPrompt,
  type CustomResource,
  type CustomTool,
  customToolsFor,
  defineApi,
  defineCustomTool,
  defineTool,
  type Hooks,
  type ToolHooks,
  type ToolTypes,
} from "./tools/definitions.js";
export { customPromptsFor, customResourcesFor } from "./tools/custom-content.js";
export { ToolError } from "./tools/tool-error.js";
export {
  type AuthenticatedCaller,
  fetchHandler,
  type FetchHandlerOptions,
  workerFetch,
} from "./transport/http/fetch-handler.js";
export { StoreObject } from "./store/worker-store.js";
export type { BoundRequest, Failure } from "./request/types.js";
export { createMcpServer } from "./protocol/mcp-server.js";
export type * from "./api-definition.js";
export type * from "./types.js";
