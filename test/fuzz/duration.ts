/** Duration of a run of `npm run fuzz`; 0 in tests, which use the same inputs every time. */
export const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
export const seed = Number(process.env.FUZZ_SEED ?? 7);

/** Number of tests that share the duration. */
const TESTS = 9;

/** Bounds of one test: some runs, or its share of the duration. */
export function bounds(runs: number): { numRuns: number; interruptAfterTimeLimit?: number } {
  return minutes > 0
    ? { numRuns: 1e9, interruptAfterTimeLimit: (minutes * 60_000) / TESTS }
    : { numRuns: runs };
}

export function report(text: string): void {
  if (minutes > 0) process.stdout.write(`${text}\n`);
}
