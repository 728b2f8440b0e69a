import type { Failure } from "./types.js";

/** The end of a call: by the clock, by its client or by the shutdown of the server. */
export interface Deadline {
  /** The reason, once the call must end. */
  readonly expired: Failure | undefined;
  /**
   * Aborted at the end, with the failure as its reason. Created on first use, because most calls
   * need none.
   */
  readonly signal: AbortSignal;
  /** Whether the API may have seen the request. */
  readonly sent: boolean;
  /** Milliseconds until the deadline. */
  remainingMs(): number;
  /** Notes that the request is about to be written to a connection. */
  markSent(): void;
  /**
   * Sets the one listener for the end of the call, or removes it. It is called at once if the call
   * must end already. A call waits for one thing at a time, and an abort listener costs more than
   * the rest of such a wait.
   */
  onExpire(listener: (() => void) | undefined): void;
  /** Stops the clock. To be called at the end of the call. */
  dispose(): void;
}

/** Starts the deadline of one call. It covers waiting, sending, retries and reading. */
export function startDeadline(ms: number, client?: AbortSignal): Deadline {
  const endsAt = performance.now() + ms;
  let controller: AbortController | undefined;
  let expired: Failure | undefined;
  let sent = false;
  let listener: (() => void) | undefined;
  const expire = (failure: Failure): void => {
    if (expired) return;
    expired = failure;
    controller?.abort(failure);
    listener?.();
  };
  const timer = setTimeout(() => expire({ kind: "timeout", afterMs: ms, sent }), ms);
  const cancel = (): void => expire({ kind: "cancelled" });
  if (client?.aborted) cancel();
  client?.addEventListener("abort", cancel, { once: true });
  return {
    get expired() {
      return expired;
    },
    get signal() {
      controller ??= new AbortController();
      if (expired) controller.abort(expired);
      return controller.signal;
    },
    get sent() {
      return sent;
    },
    remainingMs: () => endsAt - performance.now(),
    markSent: () => (sent = true),
    onExpire: (next) => {
      listener = next;
      if (expired) next?.();
    },
    dispose: () => {
      clearTimeout(timer);
      client?.removeEventListener("abort", cancel);
    },
  };
}

/** Waits, or resolves early when the deadline expires. */
export function pause(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      deadline.onExpire(undefined);
      resolve();
    };
    const timer = setTimeout(done, ms);
    deadline.onExpire(done);
  });
}
