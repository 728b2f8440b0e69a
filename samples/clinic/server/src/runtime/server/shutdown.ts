/** Milliseconds that calls in flight may take after the first signal. */
export const shutdownGraceMs = 4000;

/**
 * Stops the process gracefully on the first SIGTERM or SIGINT, and at once on the second.
 * @param stop resolves when nothing is in flight, after `shutdownGraceMs` at the latest
 */
export function onShutdownSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(code);
      isStopping = true;
      void stop().then(() => process.exit(0));
    });
  }
}
