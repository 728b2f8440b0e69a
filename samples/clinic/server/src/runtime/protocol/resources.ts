import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Result,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import type { ServerContext } from "../server/context.js";
import { passThroughSchema, isModernRequest, type Params } from "./request-params.js";
import type { ResultStore } from "../response/result-store/result-store.js";
import { isFirstPage } from "../tools/tool-registry.js";

/** What is kept is for one reader, and is not worth keeping twice. */
const CACHE_HINTS = { ttlMs: 0, cacheScope: "private" } as const;

/**
 * Serves kept results as resources. They are in no list: each is for the one who got its link.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function serveStoredResults(server: Server, app: ServerContext, kept: ResultStore): void {
  server.setRequestHandler(
    "resources/list",
    { params: passThroughSchema },
    async (params, context) => withCacheHints(onlyPage({ resources: [] }, params), context),
  );
  server.setRequestHandler(
    "resources/templates/list",
    { params: passThroughSchema },
    async (params, context) => withCacheHints(onlyPage({ resourceTemplates: [] }, params), context),
  );
  server.setRequestHandler(
    "resources/read",
    { params: passThroughSchema },
    async ({ uri }, context) => withCacheHints({ contents: [contents(kept, app, uri)] }, context),
  );
}

function withCacheHints(result: Result, context: RequestContext): Result {
  return isModernRequest(context) ? { ...result, ...CACHE_HINTS } : result;
}

/** @throws ProtocolError -32602 for any cursor, because the list gives none */
function onlyPage(page: Result, { cursor }: Params): Result {
  if (isFirstPage(cursor)) return page;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid cursor: this list has one page.",
  );
}

function contents(
  kept: ResultStore,
  { api }: ServerContext,
  uri: Params[string],
): { readonly uri: string } {
  if (typeof uri !== "string")
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "resources/read needs `uri`, the URI of a resource.",
    );
  const found = kept.read(uri);
  if (found) return found;
  const why = `results are stored for ${kept.lifetimeText}, and only in the process that produced them (${api.envPrefix}_KEPT_RESULT_BYTES)`;
  throw new ResourceNotFoundError(
    uri.slice(0, 200),
    `Resource not found: ${why}. Call the tool again and request less.`,
  );
}
