import type { ServerContext } from "@modelcontextprotocol/server";

/** Tells a client how far its call is. */
export interface Progress {
  tell(message: string): void;
  /** From now on nothing more is told: the call has its answer. */
  end(): void;
}

/**
 * Undefined when the client does not want to know. A call that it has taken back is not told of either.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export function progressOf({ signal, _meta, notify }: ServerContext["mcpReq"]): Progress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let hasEnded = false;
  return {
    tell(message) {
      if (hasEnded || signal.aborted) return;
      // A client that is gone does not want to know.
      notify({ method: "notifications/progress", params: { progressToken, progress: ++progress, message } }).catch(() => {});
    },
    end() {
      hasEnded = true;
    },
  };
}
