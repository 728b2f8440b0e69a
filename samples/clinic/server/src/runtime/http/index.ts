import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { App } from "../app.js";
import { graceMs, onSignals } from "../shutdown.js";
import { createHandler } from "./fetch-handler.js";
import { guard, localPolicy, maxRequestBytes, mcpPath, type Policy, type Rejection, tooLarge } from "./guard.js";
import { toRequest, writeResponse } from "./node-adapter.js";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Serve other machines without a token. */
  readonly allowUnauthenticated: boolean;
}

/** Slow requests end with 408, large headers with 431: a client that says little for long holds a connection. */
const limits = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 16 * 1024 };

/**
 * Serves MCP over Streamable HTTP until the process is told to stop.
 * @returns what is wrong, in a sentence, when the server cannot start
 */
export async function serveHttp(app: App, options: HttpOptions): Promise<string | undefined> {
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(options.host);
  const { httpToken, allowedHosts, allowedOrigins } = app.settings;
  if (!isLocal && httpToken === "" && !options.allowUnauthenticated) {
    return `Refusing to serve other machines without authentication: set ${app.api.envPrefix}_HTTP_TOKEN, or say --allow-unauthenticated.`;
  }
  const local = localPolicy(httpToken, allowedHosts, allowedOrigins);
  const policy = isLocal || allowedHosts.length > 0 ? local : { ...local, hosts: undefined };
  const { server, stop } = await createNodeServer(app, policy);
  const problem = await listen(server, options);
  if (problem !== undefined) return problem;
  app.log.info(`Listening on ${address(server)}${mcpPath}`);
  onSignals(stop);
  return undefined;
}

interface NodeServer {
  readonly server: Server;
  /** Lets requests in flight end, for a while. */
  stop(): Promise<void>;
}

/** node:http is loaded here and not above: a bundle would load it at every start over stdio. */
async function createNodeServer(app: App, policy: Policy): Promise<NodeServer> {
  const { createServer: createHttpServer } = await import("node:http");
  const handler = createHandler(app);
  const server = createHttpServer(limits, (request, response) => {
    const rejection = guard({ path: pathOf(request), header: (name) => single(request.headers[name]) }, policy);
    if (rejection) return answer(response, rejection);
    serve(handler, request, response).catch((error: unknown) => {
      app.log.error("http", error);
      response.destroy();
    });
  });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const giveUp = setTimeout(() => void handler.close().finally(() => server.closeAllConnections()), graceMs);
    await ended;
    clearTimeout(giveUp);
  };
  return { server, stop };
}

async function serve(handler: McpHttpHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || gone.abort());
  const request = await toRequest(incoming, gone.signal, maxRequestBytes);
  if (!request) return answer(outgoing, tooLarge());
  await writeResponse(await handler.fetch(request), outgoing);
}

function listen(server: Server, { host, port }: HttpOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(`Cannot listen on ${host} port ${port}: ${error.code ?? "unknown error"}.`));
    server.listen(port, host, () => resolve(undefined));
  });
}

/** The body of a rejected request is not read; so the connection cannot be used again. */
function answer(response: ServerResponse, { status, headers, body }: Rejection): void {
  response.writeHead(status, { ...headers, ...(status >= 400 && { connection: "close" }) }).end(body);
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0]!;
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

function address(server: Server): string {
  const { address: host, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}
