import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Result,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { App } from "../app.js";
import { asTheyCome, isModern, isNoCursor, type Params } from "../params.js";
import type { Kept } from "./index.js";

/** What is kept is for one reader, and is not worth keeping twice. */
const cache = { ttlMs: 0, cacheScope: "private" } as const;

/**
 * Serves kept results as resources. They are in no list: each is for the one who got its link.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function serveKept(server: Server, app: App, kept: Kept): void {
  server.setRequestHandler("resources/list", { params: asTheyCome }, async (params, context) =>
    cached(onlyPage({ resources: [] }, params), context),
  );
  server.setRequestHandler(
    "resources/templates/list",
    { params: asTheyCome },
    async (params, context) => cached(onlyPage({ resourceTemplates: [] }, params), context),
  );
  server.setRequestHandler("resources/read", { params: asTheyCome }, async ({ uri }, context) =>
    cached({ contents: [contents(kept, app, uri)] }, context),
  );
}

function cached(result: Result, context: ServerContext): Result {
  return isModern(context) ? { ...result, ...cache } : result;
}

/** @throws ProtocolError -32602 for any cursor, because the list gives none */
function onlyPage(page: Result, { cursor }: Params): Result {
  if (isNoCursor(cursor)) return page;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid cursor: this list has one page.",
  );
}

function contents(kept: Kept, { api }: App, uri: Params[string]): { readonly uri: string } {
  if (typeof uri !== "string")
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "resources/read needs `uri`, the URI of a resource.",
    );
  const found = kept.read(uri);
  if (found) return found;
  const why = `results are kept for ${kept.howLong}, and only by the process that gave them (${api.envPrefix}_KEPT_RESULT_BYTES)`;
  throw new ResourceNotFoundError(
    uri.slice(0, 200),
    `Resource not found: ${why}. Call the tool again, and ask it for less.`,
  );
}
