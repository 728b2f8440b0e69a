/** MCP over HTTP as a function from `Request` to `Response`, for workers, too. */
import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type Server,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../auth/types.js";
import { createMcpServer } from "../../protocol/mcp-server.js";
import { omitUndefined } from "../../data/values.js";
import type { Env, ForwardedHeader } from "../../request/types.js";
import {
  createServerContext,
  type ServerContext,
  type ServerContextOptions,
} from "../../server/context.js";
import { permittedTools, scopeChallenge } from "./oauth-resource-server.js";
import { openWorkerStore } from "../../store/worker-store.js";
import { createPolicy, guard, mcpPath, type Policy } from "./guard.js";
import { readSession } from "../../protocol/session.js";
import { errorReply, maxRequestBytes, readMessage, type Reply, serveMessage } from "./messages.js";

/** Options of a server without a process of its own. */
export interface FetchHandlerOptions extends ServerContextOptions {
  /** Serves requests without authentication if no token is set. */
  readonly allowUnauthenticated?: boolean;
  /** Path of the protocol, or `*` if the router of another server has chosen it. Default: `/mcp`. */
  readonly path?: string;
  /**
   * Authenticates the caller in place of the server's own tokens.
   * @returns the caller; undefined if it is refused
   */
  readonly authenticate?: (
    request: Request,
  ) => AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined>;
}

/** A caller that another server has authenticated. */
export interface AuthenticatedCaller {
  /** Identity under which data of the caller is stored: the ID of a user. Never empty. */
  readonly id: string;
  /** Access token of the caller, for an exchange (RFC 8693). */
  readonly token?: string;
}

/** A web-standard request handler. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Creates the server of a request. Each caller, identified by its token and its forwarded headers,
 * sees its own stored results.
 */
export function createConnector(
  server: ServerContext,
  policy: Pick<
    Policy,
    | ("forwardHeaders" | "forwardHeadersOfApis" | "toolScopes" | "tokenExchanges" | "consents")
    | ("callerHeader" | "isTrustedProxy")
  >,
): (request: McpRequestContext) => Server {
  return ({ requestInfo, authInfo, era }) => {
    const context = viewOf(server, callerOf(authInfo));
    const forwarded = readForwardedHeaders(requestInfo, policy);
    const settings = policy.tokenExchanges;
    const { address = "" } = callerOf(authInfo);
    const isFromProxy = policy.callerHeader && policy.isTrustedProxy?.(address);
    const named = isFromProxy && requestInfo?.headers.get(policy.callerHeader ?? "");
    const { id, realm = "", isShared } = callerOf(authInfo);
    const known = [id, ...forwarded.map(({ value }) => value), ...(named ? [named] : [])];
    const isKnown = known.some((part) => part !== "");
    const caller = [realm, ...known];
    // Clients choose the forwarded headers, so that these do not make a known user another caller.
    const isUser = id !== "" && !isShared;
    const limited = isUser ? [realm, id, ...(named ? [named] : [])] : caller;
    return createMcpServer(
      {
        ...context,
        ...permittedTools(context, policy, callerOf(authInfo)),
        listsPerCaller: policy.toolScopes !== "never",
        resultStore: context.resultStore?.forCaller(JSON.stringify(caller)),
        pageMemory: isKnown ? context.pageMemory?.forCaller(JSON.stringify(caller)) : undefined,
        toolListChanges: era === "modern" ? context.toolListChanges : undefined,
      },
      {
        name: [id, named].filter(Boolean).join(" ") || address,
        kind: isUser || named ? "user" : "client",
        id: isKnown ? JSON.stringify(limited) : address,
        info: omitUndefined({
          user: callerOf(authInfo).user,
          scopes: callerOf(authInfo).scopes,
        }),
        forwarded,
        ...(settings && { exchanges: { token: callerOf(authInfo).token ?? "", settings } }),
        consent: policy.consents?.of(callerOf(authInfo).user),
        supportsUrls:
          readSession(requestInfo?.headers.get("mcp-session-id"))?.supportsUrls === true,
        supportsForms: callerOf(authInfo).answersForms === true,
      },
    );
  };
}

/**
 * Serves the protocol over HTTP, without any check of the caller. Every request gets its own
 * server. Only clients of 2026-07-28 have a stream for notifications of changes.
 */
export function createHandler(
  context: ServerContext,
  connect: (request: McpRequestContext) => Server,
): McpHttpHandler {
  const handler = createMcpHandler(connect, {
    maxRequestBodySize: maxRequestBytes,
    onerror: (error) => context.log.debug("http", error),
  });
  context.toolListChanges?.subscribe(() => handler.notify.toolsChanged());
  return handler;
}

/** The server as the address of a request shows it: `/mcp/billing` has the tools of one API. */
export function viewOf(server: ServerContext, { view }: Caller): ServerContext {
  return view === undefined ? server : { ...server, ...server.narrowTo(view) };
}

/** The caller as `AuthInfo`, which the SDK passes to `connect`. */
export function authInfoOf(caller: Caller): AuthInfo {
  return { token: "", clientId: caller.id, scopes: [], extra: { caller } };
}

function callerOf(authInfo: AuthInfo | undefined): Caller {
  return (authInfo?.extra?.["caller"] as Caller | undefined) ?? { id: "" };
}

/**
 * The server as a web-standard `fetch` handler. It imports no module that only Node has.
 * @throws Error for an invalid setting, or if access would be open without consent
 */
export function fetchHandler({
  allowUnauthenticated = false,
  path = mcpPath,
  authenticate,
  ...options
}: FetchHandlerOptions): Fetch {
  const created = createServerContext({ write: writeToConsole, ...options });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context } = created;
  const { envPrefix } = context.api;
  const policyResult = createPolicy(context, {
    isLocal: false,
    allowUnauthenticated: allowUnauthenticated || authenticate !== undefined,
    optIn: `${envPrefix}_ALLOW_UNAUTHENTICATED=1`,
  });
  if (!policyResult.ok) throw new Error(policyResult.problems.join(" "));
  const { policy } = policyResult;
  if (policy.callerHeader)
    throw new Error(
      `${envPrefix}_CALLER_HEADER needs a server that knows the address of the proxy ` +
        "(node dist/server.js --http). Name the caller with `authenticate`.",
    );
  if (policy.signIn) {
    const variable = `${envPrefix}_HTTP_SIGN_IN_CLIENT_ID`;
    throw new Error(`${variable} needs a server that one process serves (node dist/server.js).`);
  }
  const handler = createHandler(context, createConnector(context, policy));
  return async (request) => {
    const head = {
      method: request.method,
      path: mountedPath(new URL(request.url).pathname, path),
      query: "",
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const guardResult = await guard(head, policy);
    if (guardResult.reply) return toResponse(guardResult.reply);
    const { headers } = guardResult;
    const caller = authenticate
      ? authenticatedCaller(guardResult.caller, await authenticate(request))
      : guardResult.caller;
    if (!caller) return toResponse(errorReply(401, "The caller is not authenticated."));
    const response = await fetchMessage({ context, policy, handler, caller }, request);
    if (Object.keys(headers).length === 0) return response;
    return new Response(response.body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    });
  };
}

/** The path as if the protocol were at its usual place. Metadata of the server stay where they are. */
function mountedPath(path: string, mount: string): string {
  const isMount = mount === "*" ? !path.startsWith("/.well-known/") : path === mount;
  if (isMount) return mcpPath;
  if (path.startsWith(`${mount}/`)) return mcpPath + path.slice(mount.length);
  return path === mcpPath || path.startsWith(`${mcpPath}/`) ? "/" : path;
}

function authenticatedCaller(
  own: Caller,
  found: AuthenticatedCaller | undefined,
): Caller | undefined {
  if (!found || found.id === "") return undefined;
  const { realm: _realm, isShared: _isShared, ...others } = own;
  return {
    ...others,
    id: `caller ${found.id}`,
    ...(found.token !== undefined && { token: found.token }),
  };
}

/** A response with status 204 must not have a body. Fetch Standard, "null body status". */
function toResponse(reply: Reply): Response {
  return new Response(reply.status === 204 ? null : reply.body, reply);
}

/** A handler with the caller of one request. */
interface Serving {
  readonly context: ServerContext;
  readonly policy: Policy;
  readonly handler: McpHttpHandler;
  readonly caller: Caller;
}

/** Reads and serves a message. A body that is not JSON is left to the SDK. */
async function fetchMessage(
  { context, policy, handler, caller }: Serving,
  request: Request,
): Promise<Response> {
  const authInfo = authInfoOf(caller);
  if (!request.body) return handler.fetch(request, { authInfo });
  const { url, method, headers, signal } = request;
  const chunks = request.body as unknown as AsyncIterable<Uint8Array>;
  const revision = headers.get("mcp-protocol-version") ?? undefined;
  const { body, message, ...read } = await readMessage(chunks, revision);
  const reply =
    read.reply ?? scopeChallenge(viewOf(context, caller), policy, caller, { message, revision });
  if (reply) return toResponse(reply);
  // A copy, because its headers are changed. A parsed message replaces the body.
  const init = { method, headers, signal, ...(message === undefined && { body }) };
  return serveMessage(handler, new Request(url, init), { authInfo, parsedBody: message });
}

/** The headers that are forwarded to the API, with their values in a request. */
export function readForwardedHeaders(
  request: Request | undefined,
  { forwardHeaders, forwardHeadersOfApis }: Pick<Policy, "forwardHeaders" | "forwardHeadersOfApis">,
): readonly ForwardedHeader[] {
  const read = (names: ReadonlyMap<string, string>, api?: string): readonly ForwardedHeader[] =>
    [...names].map(([from, name]) => ({
      from,
      name,
      value: withBearerScheme(name, request?.headers.get(from) ?? ""),
      ...(api !== undefined && { api }),
    }));
  const ofApis = [...(forwardHeadersOfApis ?? [])].flatMap(([api, names]) => read(names, api));
  return [...read(forwardHeaders), ...ofApis];
}

/** Adds `Bearer` to a bare token, because hosts ask users for tokens, not for headers. */
function withBearerScheme(name: string, value: string): string {
  return /^authorization$/i.test(name) && /^[\w.~+/-]+=*$/.test(value) ? `Bearer ${value}` : value;
}

/**
 * Writes log lines to the console, which platforms without stderr show. It must not be used over
 * stdio, where stdout belongs to the protocol.
 */
function writeToConsole(lines: string): void {
  // oxlint-disable-next-line no-console
  console.error(lines.trimEnd());
}

/**
 * The `fetch` of a worker's default export. Cloudflare Workers pass the environment with each
 * request; Deno and Bun have it in `process.env`. The first request creates the server. Problems of
 * its settings are logged, not sent.
 */
export function workerFetch(
  options: Omit<ServerContextOptions, "env">,
): (request: Request, bindings?: unknown) => Promise<Response> {
  let handle: Fetch | undefined;
  return async (request, bindings) => {
    try {
      // A worker must not wait for what another request has begun, so that each may create one.
      const created = handle ?? (await createWorkerHandler(options, bindings));
      handle ??= created;
    } catch (error) {
      writeToConsole(error instanceof Error ? error.message : String(error));
      return Response.json(
        { error: "This server is not configured. See its log." },
        { status: 500 },
      );
    }
    return handle(request);
  };
}

/** Without a store, results are not stored: the next request may reach another process. */
async function createWorkerHandler(
  options: Omit<ServerContextOptions, "env">,
  bindings: unknown,
): Promise<Fetch> {
  const { name, envPrefix } = options.api;
  const env = workerEnv(envPrefix, bindings);
  const named = { ...(typeof bindings === "object" && bindings) };
  const store = await openWorkerStore(envPrefix, named, env, name);
  return fetchHandler({ ...options, env, ...(store && { store, storeResults: true }) });
}

/** The environment: text variables of this server, because Deno and Bun pass other values. */
function workerEnv(prefix: string, bindings: unknown): Env {
  const process = (globalThis as { readonly process?: { readonly env?: Env } }).process?.env ?? {};
  const entries = Object.entries(typeof bindings === "object" && bindings !== null ? bindings : {});
  const variables = entries.filter(
    ([name, value]) =>
      typeof value === "string" && (name.startsWith(`${prefix}_`) || name === "LOG_LEVEL"),
  );
  return { ...process, ...(Object.fromEntries(variables) as Env) };
}
