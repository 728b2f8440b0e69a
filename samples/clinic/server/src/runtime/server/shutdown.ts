/** How long calls in flight may go on after the first signal. */
export const shutdownGraceMs = 4000;

/**
 * Stops the process in good order: the first SIGTERM or SIGINT lets calls in flight end, the second
 * one ends the process at once.
 * @param stop resolves when nothing is in flight any more, after `graceMs` at the latest
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
