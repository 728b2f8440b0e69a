import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { type App, type AppOptions, createApp } from "../app.js";
import { createServer } from "../server.js";
import { guard, maxRequestBytes, type Policy } from "./guard.js";

export interface FetchHandlerOptions extends AppOptions {
  /** Lets anybody call when no token is set. */
  readonly allowUnauthenticated?: boolean;
}

/** The protocol over HTTP, without any check of who calls. Stateless: every request gets a server of its own. */
export function createHandler(app: App): McpHttpHandler {
  return createMcpHandler(() => createServer(app), { maxRequestBodySize: maxRequestBytes, onerror: (error) => app.log.debug("http", error) });
}

/**
 * The server as a web-standard `fetch` handler, for Cloudflare Workers, Deno and Bun.
 * @throws Error when a setting makes no sense, or when anybody could call and nobody said that they may
 */
export function fetchHandler({ allowUnauthenticated = false, ...options }: FetchHandlerOptions): (request: Request) => Promise<Response> {
  const created = createApp(options);
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { app } = created;
  const { httpToken, allowedHosts, allowedOrigins } = app.settings;
  if (httpToken === "" && !allowUnauthenticated) throw new Error(`Set ${app.api.envPrefix}_HTTP_TOKEN, or allow unauthenticated calls.`);
  const policy: Policy = { token: httpToken, hosts: allowedHosts.length > 0 ? allowedHosts : undefined, origins: allowedOrigins };
  const handler = createHandler(app);
  return async (request) => {
    const rejection = guard({ path: new URL(request.url).pathname, header: (name) => request.headers.get(name) ?? undefined }, policy);
    return rejection ? new Response(rejection.body, rejection) : handler.fetch(request);
  };
}
