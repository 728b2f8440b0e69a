/** Duration of a run of `npm run fuzz`; 0 in tests, which use the same inputs every time. */
export const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
export const seed = Number(process.env.FUZZ_SEED ?? 7);

/** Shares of the duration: one for each test, more for each that measures times. */
export const COST_SHARE = 4;
const SHARES = 9 + 3 * COST_SHARE;

/** Bounds of one test: some runs, or its share of the duration. */
export function bounds(
  runs: number,
  share = 1,
): { numRuns: number; interruptAfterTimeLimit?: number } {
  return minutes > 0
    ? { numRuns: 1e9, interruptAfterTimeLimit: (minutes * 60_000 * share) / SHARES }
    : { numRuns: runs };
}

export function report(text: string): void {
  if (minutes > 0) process.stdout.write(`${text}\n`);
}
