/** Long work in steps, between which the server does other work. */

/** Work that returns a result after some steps, each of a few milliseconds at most. */
export type Steps<Result> = Generator<void, Result, void>;

/** Time after which the work pauses, in milliseconds. */
const MAX_BLOCKING_MS = 20;

/** Does work without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does work with pauses, so that other calls go on. */
export async function runWithPauses<Result>(steps: Steps<Result>): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - start < MAX_BLOCKING_MS) continue;
    await pause();
    start = performance.now();
  }
}

/** Lets everything run that waits for the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
