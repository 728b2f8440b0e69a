import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { ServerContext } from "../../server/context.js";
import { shutdownGraceMs, onShutdownSignal } from "../../server/shutdown.js";
import { serveMessage } from "./content-negotiation.js";
import { authInfoOf, createHandler } from "./fetch-handler.js";
import { guard, mcpPath } from "./guard.js";
import { isObject } from "../../json.js";
import { readMessage } from "./read-message.js";
import { toRequest, writeResponse } from "./node-adapter.js";
import { createPolicy, type Policy } from "./policy.js";
import type { Reply } from "./reply.js";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Serve other machines without authentication. */
  readonly allowUnauthenticated: boolean;
}

/**
 * Slow requests end with 408, large headers with 431: a client that says little for long holds a
 * connection. Idle connections are kept longer than clients and load balancers keep them (60 s,
 * mostly): who closes first must not be us, because the next request may be on its way.
 */
const serverLimits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/**
 * Serves MCP over Streamable HTTP until the process is told to stop.
 * @returns what is wrong, in a sentence, when the server cannot start
 */
export async function serveHttp(
  app: ServerContext,
  options: HttpOptions,
): Promise<string | undefined> {
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(options.host);
  const created = createPolicy(app, {
    isLocal,
    allowUnauthenticated: options.allowUnauthenticated,
    optIn: "--allow-unauthenticated",
  });
  if (!created.ok) return created.problems.join("\n");
  const { server, stop } = await createNodeServer(app, created.policy);
  const problem = await listen(server, options);
  if (problem !== undefined) return problem;
  app.log.info(`Listening on ${serverUrl(server)}${mcpPath}`);
  onShutdownSignal(stop);
  return undefined;
}

interface NodeServer {
  readonly server: Server;
  /** Lets requests in flight end, for a while. */
  stop(): Promise<void>;
}

/** node:http is loaded here and not above: a bundle would load it at every start over stdio. */
async function createNodeServer(app: ServerContext, policy: Policy): Promise<NodeServer> {
  const { createServer: createHttpServer } = await import("node:http");
  const serving: ServingState = {
    handler: createHandler(app, policy),
    policy,
    openResponses: new Set(),
  };
  const server = createHttpServer(serverLimits, (request, response) => {
    serving.openResponses.add(response.on("close", () => serving.openResponses.delete(response)));
    serveRequest(serving, request, response).catch((error: unknown) => {
      app.log.error("http", error);
      response.destroy();
    });
  });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const sweep = setInterval(() => {
      // A connection that was busy when the stop came is kept alive after its answer, by the
      // client's wish.
      server.closeIdleConnections();
      // What is open now are subscriptions: they end with an answer.
      if (serving.openResponses.size === 0) void serving.handler.close();
    }, 50);
    const giveUp = setTimeout(
      () => void serving.handler.close().finally(() => server.closeAllConnections()),
      shutdownGraceMs,
    );
    await ended;
    clearInterval(sweep);
    clearTimeout(giveUp);
  };
  return { server, stop };
}

interface ServingState {
  readonly handler: McpHttpHandler;
  readonly policy: Policy;
  /** Responses that will end by themselves, and have not. */
  readonly openResponses: Set<ServerResponse>;
}

async function serveRequest(
  { handler, policy, openResponses: unanswered }: ServingState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "GET", headers } = incoming;
  const guardResult = await guard(
    { method, path: requestPath(incoming), header: (name) => joinHeader(headers[name]) },
    policy,
  );
  if (guardResult.reply) return sendReply(outgoing, guardResult.reply);
  for (const [name, value] of Object.entries(guardResult.headers)) outgoing.setHeader(name, value);
  const disconnected = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || disconnected.abort());
  const read =
    method === "GET" || method === "HEAD"
      ? undefined
      : await readMessage(incoming, joinHeader(headers["mcp-protocol-version"]));
  if (read?.reply) return sendReply(outgoing, read.reply);
  if (isObject(read?.message) && read.message["method"] === "subscriptions/listen")
    unanswered.delete(outgoing);
  await writeResponse(
    await serveMessage(handler, toRequest(incoming, read?.body, disconnected.signal), {
      authInfo: authInfoOf(guardResult.caller),
      parsedBody: read?.message,
    }),
    outgoing,
  );
}

function listen(server: Server, { host, port }: HttpOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(`Cannot listen on ${host} port ${port}: ${error.code ?? "unknown error"}.`),
    );
    server.listen(port, host, () => resolve(undefined));
  });
}

/** The body of a refused request is not read; so the connection cannot be used again. */
function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response
    .writeHead(status, { ...headers, ...(status >= 400 && { connection: "close" }) })
    .end(body);
}

/** Of a path, or of a whole URL, as proxies may write it (RFC 9112, section 3.2.2). */
function requestPath({ url = "/" }: IncomingMessage): string {
  const path = url.split("?", 1)[0]!;
  return path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]*/i, "");
}

function joinHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

function serverUrl(server: Server): string {
  const { address: host, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}
