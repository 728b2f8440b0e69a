import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type Server,
} from "@modelcontextprotocol/server";
import { type App, type AppOptions, createApp } from "../app.js";
import { createServer } from "../server.js";
import { serveMessage } from "./accept.js";
import { writeToConsole } from "./console.js";
import { forwardedFrom } from "./forwarded.js";
import { guard, maxRequestBytes } from "./guard.js";
import { readMessage } from "./message.js";
import { createPolicy, type Policy } from "./policy.js";

export interface FetchHandlerOptions extends AppOptions {
  /** Lets anybody call when no token is set. */
  readonly allowUnauthenticated?: boolean;
}

export type Fetch = (request: Request) => Promise<Response>;

/**
 * The protocol over HTTP, without any check of who calls. Stateless: every request gets a server of
 * its own. Each caller, told by its token and by what it has us pass on, sees its own kept results;
 * clients from before 2026-07-28 have no stream by which they could be told of changes.
 */
export function createHandler(app: App, policy: Pick<Policy, "forwardHeaders">): McpHttpHandler {
  const connect = ({ requestInfo, authInfo, era }: McpRequestContext): Server => {
    const forwarded = forwardedFrom(requestInfo, policy);
    const caller = [authInfo?.clientId ?? "", ...forwarded.map(({ value }) => value)];
    return createServer(
      {
        ...app,
        kept: app.kept?.of(JSON.stringify(caller)),
        changes: era === "modern" ? app.changes : undefined,
      },
      forwarded,
    );
  };
  const handler = createMcpHandler(connect, {
    maxRequestBodySize: maxRequestBytes,
    onerror: (error) => app.log.debug("http", error),
  });
  app.changes?.subscribe(() => handler.notify.toolsChanged());
  return handler;
}

/** Who calls, as the SDK hands it to `connect`. */
export function authInfoOf(caller: string): AuthInfo {
  return { token: "", clientId: caller, scopes: [] };
}

/**
 * The server as a web-standard `fetch` handler. Nothing that it reaches is particular to Node.
 * @throws Error when a setting makes no sense, or when anybody could call and nobody said that they
 *   may
 */
export function fetchHandler({
  allowUnauthenticated = false,
  ...options
}: FetchHandlerOptions): Fetch {
  const created = createApp({ write: writeToConsole, ...options });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { app } = created;
  const { envPrefix } = app.api;
  const permitted = createPolicy(app, {
    isLocal: false,
    allowUnauthenticated,
    consent: `${envPrefix}_ALLOW_UNAUTHENTICATED=1`,
  });
  if (!permitted.ok) throw new Error(permitted.problems.join(" "));
  const { policy } = permitted;
  const handler = createHandler(app, policy);
  return async (request) => {
    const head = {
      method: request.method,
      path: new URL(request.url).pathname,
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const { reply, headers, caller } = { headers: {}, caller: "", ...(await guard(head, policy)) };
    if (reply) return new Response(reply.status === 204 ? null : reply.body, reply);
    const response = await fetchMessage(handler, request, authInfoOf(caller));
    if (Object.keys(headers).length === 0) return response;
    return new Response(response.body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    });
  };
}

async function fetchMessage(
  handler: McpHttpHandler,
  request: Request,
  authInfo: AuthInfo,
): Promise<Response> {
  if (!request.body) return handler.fetch(request, { authInfo });
  const read = await readMessage(
    request.body as unknown as AsyncIterable<Uint8Array>,
    request.headers.get("mcp-protocol-version") ?? undefined,
  );
  if (read.reply) return new Response(read.reply.body, read.reply);
  // Another one, whose headers can be changed, and which needs no body when the message is read.
  const { url, method, headers, signal } = request;
  return serveMessage(
    handler,
    new Request(url, {
      method,
      headers,
      signal,
      ...(read.message === undefined && { body: read.body }),
    }),
    { authInfo, parsedBody: read.message },
  );
}
