import type { Failure } from "./failure.js";

/** When a call must end, whoever asks for it: the clock, the client, or the server's own stop. */
export interface Deadline {
  /** Aborted with the `Failure` that explains it as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** From now on the API may have seen the request. */
  started(): void;
  /** To be called when the call is over. */
  end(): void;
}

/** Starts the clock of one call: one deadline for queueing, sending, waiting, retrying and reading together. */
export function startDeadline(ms: number, client?: AbortSignal): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + ms;
  let sent = false;
  const stop = (failure: Failure): void => controller.abort(failure);
  const timer = setTimeout(() => stop({ kind: "timeout", afterMs: ms, sent }), ms);
  const cancel = (): void => stop({ kind: "cancelled" });
  if (client?.aborted) cancel();
  client?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    left: () => endsAt - performance.now(),
    started: () => (sent = true),
    end: () => {
      clearTimeout(timer);
      client?.removeEventListener("abort", cancel);
    },
  };
}

/** Waits; resolves early when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
