import type { Env } from "../../request/types.js";
import type { ServerContextOptions } from "../../server/context.js";
import { type Fetch, fetchHandler, writeToConsole } from "./fetch-handler.js";

/**
 * The `fetch` of a worker's default export: Cloudflare Workers hand the environment over with each
 * request, Deno and Bun have it in `process.env`. The server is put together at the first request.
 * What is wrong with its settings stands in the log, not in the answer.
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
        { error: "This server is not configured; its log says what is missing." },
        { status: 500 },
      );
    }
    return handle(request);
  };
}

/** Only what is ours and text: what Deno and Bun pass beside the request is no environment. */
function workerEnv(prefix: string, bindings: unknown): Env {
  const process = (globalThis as { readonly process?: { readonly env?: Env } }).process?.env ?? {};
  const entries = Object.entries(typeof bindings === "object" && bindings !== null ? bindings : {});
  const variables = entries.filter(
    ([name, value]) =>
      typeof value === "string" && (name.startsWith(`${prefix}_`) || name === "LOG_LEVEL"),
  );
  return { ...process, ...(Object.fromEntries(variables) as Env) };
}
