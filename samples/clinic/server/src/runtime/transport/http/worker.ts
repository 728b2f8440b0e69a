import type { Env } from "../../request/types.js";
import type { ServerContextOptions } from "../../server/context.js";
import { type Fetch, fetchHandler, writeToConsole } from "./fetch-handler.js";

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
      handle ??= fetchHandler({ ...options, env: workerEnv(options.api.envPrefix, bindings) });
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
