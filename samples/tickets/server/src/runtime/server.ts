import { type CallToolResult, type JSONRPCRequest, ProtocolError, ProtocolErrorCode, type Result, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { App } from "./app.js";
import type { ForwardedHeader } from "./bind/types.js";
import { type CallContext, callTool } from "./call.js";
import { serveKept } from "./kept/serve.js";
import { asTheyCome, isModern, type Params } from "./params.js";
import { withoutLinks } from "./without-links.js";

/** How long clients of 2026-07-28 may keep the list of tools. It is the same for everybody. */
const listCache = { ttlMs: 300_000, cacheScope: "public" } as const;
const noCache = { ttlMs: 0, cacheScope: "public" } as const;

/**
 * The protocol's view of the app: one server, for one connection or one HTTP request, in whatever revision its client speaks.
 * @param forwarded headers of that HTTP request that its calls pass on to the API
 */
export function createServer(app: App, forwarded?: readonly ForwardedHeader[]): Server {
  const { name, title, version } = app.api;
  const server = new ToolServer({ name, title, version }, { capabilities: { tools: app.changes ? { listChanged: true } : {}, ...(app.kept && { resources: {} }) }, instructions: [app.instructions, filesNote(app)].filter(Boolean).join(" ") || undefined });
  server.setRequestHandler("tools/list", { params: asTheyCome }, (params, context) => listTools(app, params, context));
  server.setRequestHandler("tools/call", { params: asTheyCome }, async (params, context) => {
    const result = await callNamedTool(app, params, { ...callContext(context), forwarded });
    return withoutLinks(result, revisionOf(server, context));
  });
  if (app.kept) serveKept(server, app, app.kept);
  server.onerror = (error) => app.log.debug("protocol", error);
  return server;
}

/** What only this process knows about files. */
function filesNote({ files }: App): string | undefined {
  return files && `Inputs that hold a file also take file:NAME for a file in ${files.path}; files in results are saved there.`;
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK checks every call and every result against its own schemas. Ours say more, and to the agent: wrong arguments are to be an
 * answer that it can read, not a protocol error.
 */
class ToolServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}

async function listTools(app: App, { cursor }: Params, context: ServerContext): Promise<Result> {
  const cache = app.changes ? noCache : listCache;
  return { ...app.catalogue.page(cursor), ...(isModern(context) && cache) };
}

async function callNamedTool(app: App, params: Params, context: CallContext): Promise<CallToolResult> {
  return callTool(app, app.catalogue.find(toolName(params)), params["arguments"], context);
}

/** The protocol's revision that a request is served by, as far as anything says it. Over HTTP, clients before 2025-06-18 said nothing. */
function revisionOf(server: Server, { http }: ServerContext): string | undefined {
  return server.getNegotiatedProtocolVersion() ?? (http?.req ? (http.req.headers.get("mcp-protocol-version") ?? "2025-03-26") : undefined);
}

function toolName(params: Params): string {
  if (typeof params["name"] === "string") return params["name"];
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "tools/call needs `name`, the name of a tool.");
}

function callContext({ mcpReq }: ServerContext): CallContext {
  const { signal, _meta: carrier } = mcpReq;
  const progressToken = carrier?.progressToken;
  if (progressToken === undefined) return { signal, carrier };
  let progress = 0;
  return {
    signal,
    carrier,
    // A client that is gone does not want to know.
    progress: (message) => void mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: ++progress, message } }).catch(() => {}),
  };
}
