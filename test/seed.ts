/**
 * Seed of property tests, the same in every run. `SEED=… npx vitest run …` uses another one, or
 * repeats a run.
 */
export const seed = Number(process.env["SEED"] ?? 7);
