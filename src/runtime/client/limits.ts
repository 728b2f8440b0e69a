/** Limits of a call: its deadline, and the bytes of a body. */
import type { CollectedBody, Deadline, Failure, RetryWait } from "../request/types.js";

/**
 * Starts the deadline of one call. It covers waiting, sending, retries and reading.
 * @param retryWait bound of the waits before retries; without it, only the deadline bounds them
 */
export function startDeadline(
  ms: number,
  client?: AbortSignal,
  retryWait: RetryWait = { remainingMs: Infinity },
): Deadline {
  let endsAt = performance.now() + ms;
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
  const end = (): void => expire({ kind: "timeout", afterMs: ms, sent });
  // Beyond 2^31 - 1, a timer fires at once.
  const startTimer = (delay: number): NodeJS.Timeout =>
    setTimeout(end, Math.min(Math.max(0, delay), 2 ** 31 - 1));
  let timer = startTimer(ms);
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
    extend: (more) => {
      endsAt += more;
      clearTimeout(timer);
      if (!expired) timer = startTimer(endsAt - performance.now());
    },
    markSent: () => (sent = true),
    interrupt: () => expire({ kind: "interrupted", sent }),
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
export function pauseFor(ms: number, deadline: Deadline): Promise<void> {
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

/** A buffer that stops at a limit of bytes. */
export class BoundedBuffer implements CollectedBody {
  readonly chunks: Uint8Array[] = [];
  size = 0;

  constructor(private readonly limit: number) {}

  /**
   * Appends a chunk.
   * @returns whether the limit leaves room for more
   */
  add(chunk: Uint8Array): boolean {
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    return this.size <= this.limit;
  }
}
