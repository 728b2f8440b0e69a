import {
  type CallToolResult,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import type { App } from "./app.js";
import type { ForwardedHeader } from "./bind/types.js";
import { type CallContext, callTool } from "./call.js";
import { contentOf } from "./content-of.js";
import { serveKept } from "./kept/serve.js";
import { asTheyCome, isModern, isModernRevision, type Params } from "./params.js";
import { progressOf } from "./progress.js";

/** How long clients of 2026-07-28 may keep the list of tools. It is the same for everybody. */
const listCache = { ttlMs: 300_000, cacheScope: "public" } as const;
const noCache = { ttlMs: 0, cacheScope: "public" } as const;

/**
 * The protocol's view of the app: one server, for one connection or one HTTP request, in whatever
 * revision its client speaks.
 * @param forwarded headers of that HTTP request that its calls pass on to the API
 */
export function createServer(app: App, forwarded?: readonly ForwardedHeader[]): Server {
  const { name, title, version } = app.api;
  const server = new ToolServer(
    { name, title, version },
    {
      capabilities: {
        tools: app.changes ? { listChanged: true } : {},
        ...(app.kept && { resources: {} }),
      },
      instructions: [app.instructions, filesNote(app)].filter(Boolean).join(" ") || undefined,
    },
  );
  server.setRequestHandler("tools/list", { params: asTheyCome }, (params, context) =>
    listTools(app, params, context),
  );
  server.setRequestHandler("tools/call", { params: asTheyCome }, async (params, context) => {
    const { signal, _meta: carrier } = context.mcpReq;
    const progress = progressOf(context);
    const result = await callNamedTool(app, params, {
      signal,
      carrier,
      forwarded,
      progress: progress?.tell,
    }).finally(() => progress?.end());
    return contentOf(result, revisionOf(server, context));
  });
  if (app.kept) serveKept(server, app, app.kept);
  server.onerror = (error) => app.log.debug("protocol", error);
  return server;
}

/** What only this process knows about files. */
function filesNote({ files }: App): string | undefined {
  return (
    files &&
    `Inputs that hold a file also take file:NAME for a file in ${files.path}; files in results are saved there.`
  );
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK checks every call and every result against its own schemas. Ours say more, and to the
 * agent: wrong arguments are to be an answer that it can read, not a protocol error. What is wrong
 * with requests that the SDK serves itself, it calls an error of the server.
 */
class ToolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const fail = (error: unknown): never => {
      throw error instanceof ProtocolError ? error : invalidParams(method, error);
    };
    return (request, context) => {
      refuseOtherRevisions(this.getNegotiatedProtocolVersion(), context);
      // Some handlers throw, others reject.
      try {
        return handler(request, context).catch(fail);
      } catch (error) {
        return fail(error);
      }
    };
  }
}

/** The SDK tells what is wrong with parameters as JSON; any other error is for nobody outside. */
function invalidParams(method: string, error: unknown): ProtocolError {
  try {
    const issues = JSON.parse((error as Error).message) as readonly {
      readonly path: readonly PropertyKey[];
      readonly message: string;
    }[];
    const told = issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid ${method} request: ${told.join("; ")}.`,
    );
  } catch {
    return new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
}

/**
 * Every request names its revision, and one connection may bring several; the SDK looks at the
 * first one's only.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
 */
function refuseOtherRevisions(
  served: string | undefined,
  { mcpReq: { envelope } }: ServerContext,
): void {
  const requested = (envelope as Params | undefined)?.[PROTOCOL_VERSION_META_KEY];
  if (!isModernRevision(served) || typeof requested !== "string" || requested === served) return;
  throw new UnsupportedProtocolVersionError({ supported: [served], requested });
}

async function listTools(app: App, { cursor }: Params, context: ServerContext): Promise<Result> {
  const cache = app.changes ? noCache : listCache;
  return { ...app.catalogue.page(cursor), ...(isModern(context) && cache) };
}

async function callNamedTool(
  app: App,
  params: Params,
  context: CallContext,
): Promise<CallToolResult> {
  return callTool(app, app.catalogue.find(toolName(params)), params["arguments"], context);
}

/**
 * The protocol's revision that a request is served by, as far as anything says it. Over HTTP,
 * clients before 2025-06-18 said nothing.
 */
function revisionOf(server: Server, { http }: ServerContext): string | undefined {
  return (
    server.getNegotiatedProtocolVersion() ??
    (http?.req ? (http.req.headers.get("mcp-protocol-version") ?? "2025-03-26") : undefined)
  );
}

function toolName(params: Params): string {
  if (typeof params["name"] === "string") return params["name"];
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "tools/call needs `name`, the name of a tool.",
  );
}
