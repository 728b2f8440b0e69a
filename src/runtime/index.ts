/**
 * The runtime of a generated MCP server. `src/main.ts` calls `serve` of serve.ts, `src/worker.ts`
 * calls `workerFetch`; the tools are data, made with `defineTool`; what happens when one is called
 * can be read from call.ts on: validate → choose → bind → authenticate → send → read → shape.
 */
export { type App, type AppOptions, type AppResult, createApp } from "./app.js";
export { type CallContext, callTool } from "./call.js";
export { defineApi, defineTool } from "./define.js";
export {
  type AnyTool,
  type CallInfo,
  type CustomTool,
  defineCustomTool,
  type Hooks,
  type ToolHooks,
  type ToolTypes,
} from "./hooks.js";
export { fetchHandler, type FetchHandlerOptions } from "./http/fetch-handler.js";
export { workerFetch } from "./http/worker.js";
export type { BoundRequest } from "./bind/types.js";
export type { Failure } from "./send/index.js";
export { createServer } from "./server.js";
export type * from "./types.js";
