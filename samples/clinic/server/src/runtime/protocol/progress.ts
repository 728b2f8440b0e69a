import type { ServerContext as RequestContext } from "@modelcontextprotocol/server";

/** Tells a client how far its call is. */
export interface Progress {
  report(message: string): void;
  /** From now on nothing more is told, and when this resolves, the call may have its answer. */
  end(): Promise<void>;
}

/**
 * Milliseconds between what is told last and the answer. Clients of SDK 1 and 2 lose what reaches
 * them in one piece with the answer: that is dealt with at once, and nobody waits any more when it
 * is time for what was told.
 */
const GAP_MS = 3;

/**
 * Undefined when the client does not want to know. A call that it has taken back is not told of
 * either. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
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
      // A client that is gone does not want to know.
      notify({
        method: "notifications/progress",
        params: { progressToken, progress: ++progress, message },
      }).catch(() => {});
    },
    async end() {
      hasEnded = true;
      const left = http ? 0 : GAP_MS - (performance.now() - reportedAt);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    },
  };
}
