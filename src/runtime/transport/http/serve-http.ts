/** MCP over Streamable HTTP, with the server of Node. */
import { canParseUrl } from "../../data/urls.js";
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  Server as HttpServer,
  ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { noSignInProblem } from "../../auth/signed-in.js";
import type { LoadSignIn } from "../../auth/sign-in-module.js";
import type { Caller } from "../../auth/types.js";
import { isObject } from "../../data/values.js";
import type { ServerContext } from "../../server/context.js";
import { interruptCalls } from "../../server/running-calls.js";
import type { WorkerChannel } from "../../server/worker-channel.js";
import { onShutdownSignal } from "../../server/node-platform.js";
import { scopeChallenge } from "./oauth-resource-server.js";
import { consentProblem, createConsentPages } from "./caller-credentials.js";
import { type ConnectServer, headerOf, plainRequest, serveDirectly } from "./direct-exchange.js";
import {
  authInfoOf,
  createConnector,
  createHandler,
  readForwardedHeaders,
  viewOf,
} from "./fetch-handler.js";
import { createPolicy, guard, hasSessions, mcpPath, type Policy } from "./guard.js";
import { errorReply, readMessage, type Reply, serveMessage } from "./messages.js";
import { OpenExchanges } from "./open-exchanges.js";
import { createReadiness } from "./readiness.js";
import { isModernRevision } from "../../protocol/messages.js";
import { readSession, sessionFor } from "../../protocol/session.js";
import { listenForMetrics, metricsReader } from "./serve-metrics.js";
import { readTrustedProxies } from "./trusted-proxies.js";

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Serves other machines without authentication. */
  readonly allowUnauthenticated: boolean;
  /** The process that started this one as one of several. */
  readonly parent?: WorkerChannel;
}

/**
 * Limits against clients that hold connections: slow requests end with 408, large headers with 431.
 * Idle connections are kept open longer than clients and load balancers do (mostly 60 s), because a
 * server that closes first may meet a request in flight.
 */
const serverLimits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/**
 * Milliseconds for which the server continues to accept requests after a signal, while a client is
 * connected. A request in transit gets a response, which ends the connection.
 */
const idleGraceMs = 1000;

/** Milliseconds for the responses of calls that end at their deadline or are interrupted. */
const responseFlushMs = 1000;

/** Milliseconds between two checks of the connections of a server that stops. */
const stoppingPollMs = 50;

/** The URL at which clients reach a server, or a sentence with the reason why it cannot start. */
type ListenResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Serves MCP over Streamable HTTP until the process receives a signal.
 * @param loadSignIn absent for an API without a sign-in
 */
export async function serveHttp(
  context: ServerContext,
  options: HttpOptions,
  loadSignIn?: LoadSignIn,
): Promise<ListenResult> {
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(options.host);
  const created = createPolicy(context, {
    isLocal,
    allowUnauthenticated: options.allowUnauthenticated,
    optIn: "--allow-unauthenticated",
  });
  if (!created.ok) return { ok: false, problem: created.problems.join("\n") };
  const proxies = await readTrustedProxies(created.policy, context.api.envPrefix, isLocal);
  if (!proxies.ok) return proxies;
  const { signIn } = created.policy;
  const withoutSignIn = signIn && !loadSignIn ? noSignInProblem(context.api) : undefined;
  const signInProblem = signIn && (consentProblem(context) ?? withoutSignIn);
  if (signInProblem !== undefined) return { ok: false, problem: signInProblem };
  const consents = signIn && loadSignIn && createConsentPages(context, signIn, loadSignIn);
  const readiness = createReadiness(context, created.policy.verify?.hasKeys);
  const { isTrustedProxy } = proxies;
  const exchanges = isOneProcess(context, options) ? new OpenExchanges() : undefined;
  const policy = { ...created.policy, isTrustedProxy, consents, readiness, exchanges };
  const { server, stop } = await createNodeServer(context, policy);
  const problem = await listen(server, options, context);
  if (problem !== undefined) return { ok: false, problem };
  const metricsProblem = await startMetrics(context, options.parent);
  if (metricsProblem !== undefined) {
    server.close();
    return { ok: false, problem: metricsProblem };
  }
  const url = `${serverUrl(server)}${mcpPath}`;
  context.log.info(`Listening on ${url}`);
  const begin = onShutdownSignal(() => {
    readiness.stop();
    return stop();
  });
  options.parent?.onStop(begin);
  return { ok: true, url };
}

/** True for a server of one process: the next request of a session may reach any other one. */
const isOneProcess = ({ store }: ServerContext, { parent }: HttpOptions): boolean =>
  parent === undefined && store === undefined;

async function startMetrics(
  context: ServerContext,
  parent: WorkerChannel | undefined,
): Promise<string | undefined> {
  if (!context.metrics) return undefined;
  const read = await metricsReader(context.metrics);
  if (!parent) return listenForMetrics(context, read);
  parent.serveMetrics(read);
  return undefined;
}

interface NodeServer {
  readonly server: HttpServer;
  /** Stops after the requests in flight, or after a grace period. */
  stop(): Promise<void>;
}

/**
 * Creates the server. `node:http` is imported dynamically, so that a start over stdio does not load
 * it.
 */
export async function createNodeServer(
  context: ServerContext,
  policy: Policy,
): Promise<NodeServer> {
  const { createServer: createHttpServer } = await import("node:http");
  const connect = createConnector(context, policy);
  const serving: ServingState = {
    context,
    connect,
    handler: createHandler(context, connect),
    policy,
    openResponses: new Set(),
    sockets: new Set(),
    isStopping: false,
  };
  const server = createHttpServer(serverLimits, (request, response) => {
    serving.openResponses.add(response.on("close", () => serving.openResponses.delete(response)));
    serveRequest(serving, request, response).catch((error: unknown) => {
      if (isAborted(request)) context.log.debug("A client aborted its request", error);
      else context.log.error("http", error);
      response.destroy();
    });
  });
  server.on("connection", (socket) => {
    serving.sockets.add(socket.on("close", () => serving.sockets.delete(socket)));
  });
  return { server, stop: () => stopGracefully(server, serving) };
}

interface ServingState {
  readonly context: ServerContext;
  readonly connect: ConnectServer;
  readonly handler: McpHttpHandler;
  readonly policy: Policy;
  /** Responses in flight, without subscriptions. */
  readonly openResponses: Set<ServerResponse>;
  readonly sockets: Set<Socket>;
  /** True after a signal: each response ends its connection. */
  isStopping: boolean;
}

/**
 * Completes the requests in flight and those in transit, and stops. Clients with open connections
 * lose no call: the last response of a connection announces its end. A connection that waits to be
 * accepted when the port is closed is reset by the system; its request has no effect.
 */
async function stopGracefully(server: HttpServer, serving: ServingState): Promise<void> {
  serving.isStopping = true;
  for (const response of serving.openResponses) endConnection(response);
  const endAll = (): unknown => serving.handler.close().finally(() => server.closeAllConnections());
  let timeout = setTimeout(() => {
    interruptCalls(serving.context);
    timeout = setTimeout(endAll, responseFlushMs);
  }, serverGraceMs(serving.context));
  // `close` ends idle connections at once.
  const idleUntil = Date.now() + idleGraceMs;
  while (Date.now() < idleUntil && (await isConnected(server))) await delay(stoppingPollMs);
  // The event loop accepts all connections that wait just before it runs immediates.
  await new Promise(setImmediate);
  const closed = new Promise((resolve) => server.close(resolve));
  const interval = setInterval(() => {
    server.closeIdleConnections();
    // To Node, connections that clients opened in advance are not idle.
    for (const socket of serving.sockets) if (socket.bytesRead === 0) socket.destroy();
    // Only subscriptions are open now; they end with a response.
    if (serving.openResponses.size === 0) void serving.handler.close();
  }, stoppingPollMs);
  await closed;
  clearInterval(interval);
  clearTimeout(timeout);
}

/** Milliseconds for the calls in flight: by default, until each of them must have ended. */
function serverGraceMs({ settings, runningCalls }: ServerContext): number {
  const longest = Math.max(settings.timeoutMs, runningCalls.longestMs());
  return settings.shutdownGraceMs ?? longest + responseFlushMs;
}

function isConnected(server: HttpServer): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count > 0)));
}

/** Tells the client to send its next request over another connection. RFC 9112, section 9.6. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** True if the client closed the connection before the request was complete. */
function isAborted({ complete, destroyed }: IncomingMessage): boolean {
  return !complete && destroyed;
}

/**
 * True if a request names one host: with one `Host` header, and no other host in its target. RFC
 * 9112, sections 3.2 and 3.2.2.
 */
function hasOneHost({ rawHeaders, headers, url = "/" }: IncomingMessage): boolean {
  if (!isSentOnce(rawHeaders, "host")) return false;
  if (url.startsWith("/") || url === "*") return true;
  if (!canParseUrl(url)) return false;
  // As `URL` writes it: in lower case, without the default port of the scheme.
  const target = new URL(url);
  const host = `${target.protocol}//${headers.host}`;
  return canParseUrl(host) && new URL(host).host === target.host;
}

/** True for a header that is absent or sent once. Of several, a proxy may have checked another. */
function isSentOnce(rawHeaders: readonly string[], name: string): boolean {
  return rawHeaders.filter((sent, i) => i % 2 === 0 && sent.toLowerCase() === name).length < 2;
}

async function serveRequest(
  { context, connect, handler, policy, openResponses, isStopping }: ServingState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (isStopping) endConnection(outgoing);
  const { method = "GET", headers } = incoming;
  if (!hasOneHost(incoming)) return sendReply(outgoing, errorReply(400, "The host is ambiguous."));
  const repeated = ["authorization", policy.callerHeader ?? []]
    .flat()
    .find((name) => !isSentOnce(incoming.rawHeaders, name));
  if (repeated !== undefined)
    return sendReply(outgoing, errorReply(400, `The header ${repeated} is sent twice.`));
  const guardResult = await guard(
    { method, ...splitTarget(incoming), header: (name) => joinHeader(headers[name]) },
    policy,
  );
  if (guardResult.reply) {
    const { status } = guardResult.reply;
    if (status === 401 || status === 403) context.metrics?.addRejection(status);
    return sendReply(outgoing, guardResult.reply);
  }
  for (const [name, value] of Object.entries(guardResult.headers)) outgoing.setHeader(name, value);
  const disconnected = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || disconnected.abort());
  const hasBody = method !== "GET" && method !== "HEAD";
  const revision = joinHeader(headers["mcp-protocol-version"]);
  const readResult = hasBody ? await readMessage(incoming, revision) : undefined;
  const { body, message } = readResult ?? {};
  const caller = { ...guardResult.caller, address: incoming.socket.remoteAddress ?? "" };
  const view = viewOf(context, caller);
  const reply = readResult?.reply ?? scopeChallenge(view, policy, caller, { message, revision });
  if (reply) return sendReply(outgoing, reply);
  if (isObject(message) && message["method"] === "subscriptions/listen") {
    openResponses.delete(outgoing);
  }
  const session = sessionOf(policy, caller, headers);
  const status = session?.exchanges.accept(session.key, message);
  if (status === 202) return sendReply(outgoing, { status, headers: {}, body: "" });
  if (status === 400)
    return sendReply(outgoing, errorReply(400, "No call waits for this answer any longer."));
  const { signal } = disconnected;
  const plain = policy.consents ? undefined : plainRequest(message, headers);
  if (plain) {
    const asked = session?.supportsForms ? { ...caller, answersForms: true as const } : caller;
    const direct = { authInfo: authInfoOf(asked), signal, session };
    return serveDirectly(connect, plain, headers, direct, outgoing);
  }
  const authInfo = authInfoOf(caller);
  // A parsed message replaces the body.
  const request = toRequest(incoming, message === undefined ? body : undefined, signal);
  const options = { authInfo, parsedBody: message };
  const issued = hasSessions(policy) ? sessionFor(message) : undefined;
  if (issued !== undefined) outgoing.setHeader("mcp-session-id", issued);
  await writeResponse(await serveMessage(handler, request, options), outgoing);
}

/** The session of a request, bound to its caller and to the headers that are forwarded. */
function sessionOf(
  { exchanges, ...policy }: Policy,
  { realm = "", id }: Caller,
  headers: IncomingHttpHeaders,
):
  | { readonly exchanges: OpenExchanges; readonly key: string; readonly supportsForms: boolean }
  | undefined {
  if (!exchanges || isModernRevision(headerOf(headers, "mcp-protocol-version") ?? undefined))
    return undefined;
  const sessionId = headerOf(headers, "mcp-session-id");
  const session = readSession(sessionId);
  if (!session) return undefined;
  const request = { headers: { get: (name: string) => headerOf(headers, name) } } as Request;
  const forwarded = readForwardedHeaders(request, policy).map(({ value }) => value);
  const key = JSON.stringify([sessionId, realm, id, ...forwarded]);
  return { exchanges, key, supportsForms: session.supportsForms && exchanges.hasRoom(key) };
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses the port; give another with --port",
  EACCES: "permission denied for the port; give one above 1023 with --port",
  EADDRNOTAVAIL: "this machine does not have the address; give another with --host",
  ENOTFOUND: "the host is unknown; give another with --host",
};

function listenProblem(code = "unknown error"): string {
  return LISTEN_PROBLEMS[code] ?? code;
}

/**
 * Starts to listen. Later errors, of accepting connections, are logged; without a listener, they
 * would end the process.
 * @returns the reason why the server cannot listen, as a sentence; undefined if it listens
 */
function listen(
  server: HttpServer,
  { host, port }: HttpOptions,
  { log }: ServerContext,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (server.listening) log.error("http", error);
      else resolve(`Cannot listen on ${host} port ${port}: ${listenProblem(error.code)}.`);
    });
    server.listen(port, host, () => resolve(undefined));
  });
}

/** Sends a reply. The body of a rejected request is not read, so the connection closes. */
function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response
    .writeHead(status, { ...headers, ...(status >= 400 && { connection: "close" }) })
    .end(body);
}

/**
 * Path and query of a request target, which proxies may send as an absolute URL (RFC 9112, section
 * 3.2.2).
 */
function splitTarget({ url = "/" }: IncomingMessage): {
  readonly path: string;
  readonly query: string;
} {
  const [path = "", ...query] = url.split("?");
  const withoutOrigin = path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]*/i, "");
  return { path: withoutOrigin, query: query.join("?") };
}

function joinHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

function serverUrl(server: HttpServer): string {
  const { address: host, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

/** Body of a request: read, or still to be read. */
export type RequestBody = Uint8Array | string | ReadableStream<Uint8Array>;

/**
 * Converts a request of `node:http` to a web-standard one. The package of the SDK for this loads
 * HTTP/2, which would slow down every start.
 * @param body the body, if it has been read, or its stream
 * @param target the request target, if a router has changed it
 * @param signal aborted when the client disconnects
 */
export function toRequest(
  incoming: IncomingMessage,
  body: RequestBody | undefined,
  signal: AbortSignal,
  target = incoming.url,
): Request {
  const { method = "GET", headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line) => [name, line] as [string, string]),
  );
  const url = new URL(target ?? "/", "http://localhost");
  // A stream is read while the response is written only in one direction (Fetch Standard, 5.3).
  const request = new Request(url, { method, headers: pairs, body, duplex: "half" });
  return withSignal(request, signal);
}

/**
 * Gives a request and its clones a signal. A signal that is passed to `new Request` is followed by
 * an own signal of the request, which stops following once the request is garbage, even if it has
 * listeners (Node 20 to 24). Calls of disconnected clients would go on.
 */
function withSignal(request: Request, signal: AbortSignal): Request {
  const clone = (): Request => withSignal(Request.prototype.clone.call(request), signal);
  return Object.defineProperties(request, { signal: { value: signal }, clone: { value: clone } });
}

/**
 * Writes a web-standard response at the speed of the client, until the client disconnects. Its
 * `Connection` is left out, because the server decides when a connection ends.
 */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, headers);
  if (response.body) await writeBody(response.body, outgoing);
  outgoing.end();
}

async function writeBody(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk))
      await new Promise<void>((resolve) => onceDrained(outgoing, resolve));
  }
}

function onceDrained(outgoing: ServerResponse, resume: () => void): void {
  const done = (): void => {
    outgoing.off("drain", done).off("close", done);
    resume();
  };
  outgoing.on("drain", done).on("close", done);
}
