/** Inputs of `npm run growth`: name, n, and a function of n. */
export const cases: readonly (readonly [
  name: string,
  n: number,
  create: (n: number) => {
    readonly document: unknown;
    readonly overlay?: unknown;
    readonly extension?: string;
  },
])[];
