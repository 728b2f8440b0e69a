import { type JSONRPCRequest, ProtocolError, ProtocolErrorCode, type Result, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { App } from "./app.js";
import { callTool } from "./call.js";

/** How long clients of 2026-07-28 may keep the list of tools. It is the same for everybody. */
const listCache = { ttlMs: 300_000, cacheScope: "public" } as const;

/**
 * The protocol's view of the app: one SDK server, for one connection or one HTTP request, in whatever revision its client speaks.
 *
 * Requests come in through `fallbackRequestHandler`, because `setRequestHandler` checks every call and every result against the
 * SDK's schemas: our own checks say more, and a wrong argument is to be an answer that the agent can read, not a protocol error.
 */
export function createServer(app: App): Server {
  const { name, title, version, instructions } = app.api;
  const server = new Server({ name, title, version }, { capabilities: { tools: {} }, instructions });
  server.fallbackRequestHandler = (request, context) => dispatch(app, request, context);
  server.onerror = (error) => app.log.debug("protocol", error);
  return server;
}

async function dispatch(app: App, { method, params = {} }: JSONRPCRequest, context: ServerContext): Promise<Result> {
  switch (method) {
    case "tools/list":
      return { ...app.catalogue.page(params["cursor"]), ...(isModern(context) && listCache) };
    case "tools/call":
      return callTool(app, app.catalogue.find(toolName(params)), params["arguments"], callContext(context));
    default:
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
  }
}

/** Requests of 2026-07-28 and later bring what older clients said once, when they connected. */
function isModern({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}

function toolName(params: Readonly<Record<string, unknown>>): string {
  if (typeof params["name"] === "string") return params["name"];
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "tools/call needs `name`, the name of a tool.");
}

function callContext({ mcpReq }: ServerContext): Parameters<typeof callTool>[3] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: mcpReq.signal };
  let progress = 0;
  return {
    signal: mcpReq.signal,
    // A client that is gone does not want to know.
    progress: (message) => void mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: ++progress, message } }).catch(() => {}),
  };
}
