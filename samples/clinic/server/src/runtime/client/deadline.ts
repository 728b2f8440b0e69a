import type { Failure } from "./types.js";

/** When a call must end, whoever asks for it: the clock, the client, or the server's own stop. */
export interface Deadline {
  /** Why the call must end, once it must. */
  readonly expired: Failure | undefined;
  /**
   * Aborted then, with the same as its reason. Made for whoever asks: most calls end without one.
   */
  readonly signal: AbortSignal;
  /** The API may have seen the request. */
  readonly sent: boolean;
  /** Milliseconds left. */
  remainingMs(): number;
  /** From now on the API may see the request: there is a connection. */
  markSent(): void;
  /**
   * Calls back when the call must end, at once if it must already, until somebody else asks for it,
   * or `undefined` is given. A call waits for one thing at a time, and to listen to its signal
   * costs more than the rest of such a wait.
   */
  onExpire(waiter: (() => void) | undefined): void;
  /** To be called when the call is over. */
  dispose(): void;
}

/**
 * Starts the clock of one call: one deadline for queueing, sending, waiting, retrying and reading
 * together.
 */
export function startDeadline(ms: number, client?: AbortSignal): Deadline {
  const endsAt = performance.now() + ms;
  let controller: AbortController | undefined;
  let over: Failure | undefined;
  let sent = false;
  let listener: (() => void) | undefined;
  const stop = (failure: Failure): void => {
    if (over) return;
    over = failure;
    controller?.abort(failure);
    listener?.();
  };
  const timer = setTimeout(() => stop({ kind: "timeout", afterMs: ms, sent }), ms);
  const cancel = (): void => stop({ kind: "cancelled" });
  if (client?.aborted) cancel();
  client?.addEventListener("abort", cancel, { once: true });
  return {
    get expired() {
      return over;
    },
    get signal() {
      controller ??= new AbortController();
      if (over) controller.abort(over);
      return controller.signal;
    },
    get sent() {
      return sent;
    },
    remainingMs: () => endsAt - performance.now(),
    markSent: () => (sent = true),
    onExpire: (next) => {
      listener = next;
      if (over) next?.();
    },
    dispose: () => {
      clearTimeout(timer);
      client?.removeEventListener("abort", cancel);
    },
  };
}

/** Waits; resolves early when the call must end. */
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
