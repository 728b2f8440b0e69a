/**
 * Where property tests start: the same values in every run. `SEED=… npx vitest run …` tries others,
 * or repeats a run.
 */
export const seed = Number(process.env["SEED"] ?? 7);
