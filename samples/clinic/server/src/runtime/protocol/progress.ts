import type { ServerContext as RequestContext } from "@modelcontextprotocol/server";

/** Progress notifications of one call. */
export interface Progress {
  report(message: string): void;
  /** Ends the notifications. When it resolves, the result may be sent. */
  end(): Promise<void>;
}

/**
 * Milliseconds between the last notification and the result. Clients of SDK 1 and 2 lose a
 * notification that arrives together with the result.
 */
const GAP_MS = 3;

/**
 * Creates the notifications of a call; `undefined` when the client did not ask for them. A
 * cancelled call sends none.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export function createProgress({
  mcpReq: { signal, _meta, notify },
  http,
}: Pick<RequestContext, "mcpReq" | "http">): Progress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let hasEnded = false;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    report(message) {
      if (hasEnded || signal.aborted) return;
      reportedAt = performance.now();
      // A failed notification is ignored: the client has disconnected.
      notify({
        method: "notifications/progress",
        params: { progressToken, progress: ++progress, message },
      }).catch(() => {});
    },
    async end() {
      hasEnded = true;
      const remainingMs = http ? 0 : GAP_MS - (performance.now() - reportedAt);
      if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
    },
  };
}
