/** How long calls in flight may go on after the first signal. */
export const graceMs = 4000;

/**
 * Stops the process in good order: the first SIGTERM or SIGINT lets calls in flight end, the second
 * one ends the process at once.
 * @param stop resolves when nothing is in flight any more, after `graceMs` at the latest
 */
export function onSignals(stop: () => Promise<void>): void {
  let stopping = false;
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
      stopping = true;
      void stop().then(() => process.exit(0));
    });
  }
}
