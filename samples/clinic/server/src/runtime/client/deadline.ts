import type { Deadline, Failure, RetryWait } from "./types.js";

/**
 * Starts the deadline of one call. It covers waiting, sending, retries and reading.
 * @param retryWait bound of the waits before retries; without it, only the deadline bounds them
 */
export function startDeadline(
  ms: number,
  client?: AbortSignal,
  retryWait: RetryWait = { remainingMs: Infinity },
): Deadline {
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
    retryWait,
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

/**
 * Milliseconds that a nested deadline outlasts the one around it. The outer one then expires first,
 * so that a timeout is attributed to it.
 */
const deadlineMargin = 100;

/** A deadline that expires at the latest with the one around it. */
export function nestedDeadline(outer: Deadline, ms: number): Deadline {
  const remaining = Math.max(0, outer.remainingMs());
  return startDeadline(Math.min(ms, remaining + deadlineMargin), outer.signal, outer.retryWait);
}
