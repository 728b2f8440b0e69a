/**
 * The runtime of a generated MCP server. `src/main.ts` calls `serve` of serve.ts, `src/worker.ts`
 * calls `workerFetch`; the tools are data, made with `defineTool`; what happens when one is called
 * can be read from call.ts on: validate → choose → bind → authenticate → send → read → shape.
 */
export {
  type ServerContext,
  type ServerContextOptions,
  type ServerContextResult,
  createServerContext,
} from "./server/context.js";
export { callTool } from "./call/call-tool.js";
export type { CallContext } from "./call/prepared-call.js";
export { defineApi, defineTool } from "./tools/define.js";
export {
  type AnyTool,
  type CallInfo,
  type CustomTool,
  defineCustomTool,
  type Hooks,
  type ToolHooks,
  type ToolTypes,
} from "./tools/hooks.js";
export { fetchHandler, type FetchHandlerOptions } from "./transport/http/fetch-handler.js";
export { workerFetch } from "./transport/http/worker.js";
export type { BoundRequest } from "./request/types.js";
export type { Failure } from "./client/index.js";
export { createMcpServer } from "./protocol/mcp-server.js";
export type * from "./types.js";
