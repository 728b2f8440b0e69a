import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type Server,
} from "@modelcontextprotocol/server";
import type { ForwardedHeader } from "../../request/types.js";
import {
  createServerContext,
  type ServerContext,
  type ServerContextOptions,
} from "../../server/context.js";
import { createMcpServer } from "../../protocol/mcp-server.js";
import { serveMessage } from "./content-negotiation.js";
import { guard, maxRequestBytes } from "./guard.js";
import { createPolicy, type Policy } from "./policy.js";
import { readMessage } from "./read-message.js";

export interface FetchHandlerOptions extends ServerContextOptions {
  /** Lets anybody call when no token is set. */
  readonly allowUnauthenticated?: boolean;
}

export type Fetch = (request: Request) => Promise<Response>;

/**
 * The protocol over HTTP, without any check of who calls. Stateless: every request gets a server of
 * its own. Each caller, told by its token and by what it has us pass on, sees its own kept results;
 * clients from before 2026-07-28 have no stream by which they could be told of changes.
 */
export function createHandler(
  app: ServerContext,
  policy: Pick<Policy, "forwardHeaders">,
): McpHttpHandler {
  const connect = ({ requestInfo, authInfo, era }: McpRequestContext): Server => {
    const forwarded = readForwardedHeaders(requestInfo, policy);
    const caller = [authInfo?.clientId ?? "", ...forwarded.map(({ value }) => value)];
    return createMcpServer(
      {
        ...app,
        resultStore: app.resultStore?.forCaller(JSON.stringify(caller)),
        toolListChanges: era === "modern" ? app.toolListChanges : undefined,
      },
      forwarded,
    );
  };
  const handler = createMcpHandler(connect, {
    maxRequestBodySize: maxRequestBytes,
    onerror: (error) => app.log.debug("http", error),
  });
  app.toolListChanges?.subscribe(() => handler.notify.toolsChanged());
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
  const created = createServerContext({ write: writeToConsole, ...options });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context: app } = created;
  const { envPrefix } = app.api;
  const policyResult = createPolicy(app, {
    isLocal: false,
    allowUnauthenticated,
    optIn: `${envPrefix}_ALLOW_UNAUTHENTICATED=1`,
  });
  if (!policyResult.ok) throw new Error(policyResult.problems.join(" "));
  const { policy } = policyResult;
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

/** The headers that a client's request may pass on to the API, with what this one has of them. */
export function readForwardedHeaders(
  request: Request | undefined,
  { forwardHeaders }: Pick<Policy, "forwardHeaders">,
): readonly ForwardedHeader[] {
  return [...forwardHeaders].map(([from, name]) => ({
    from,
    name,
    value: withBearerScheme(name, request?.headers.get(from) ?? ""),
  }));
}

/**
 * A token without the word before it is a bearer token: hosts ask people for tokens, not for
 * headers.
 */
function withBearerScheme(name: string, value: string): string {
  return /^authorization$/i.test(name) && /^[\w.~+/-]+=*$/.test(value) ? `Bearer ${value}` : value;
}

/**
 * The log where there is no stderr: the console is what platforms show. Over stdio nothing may use
 * it, because stdout belongs to the protocol.
 */
export function writeToConsole(lines: string): void {
  // oxlint-disable-next-line no-console
  console.error(lines.trimEnd());
}
