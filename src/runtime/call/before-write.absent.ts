/** Stands in for the reads before a question about a write, which nobody asks. */

export const readsBeforeWrite = (..._: readonly unknown[]): object => ({});
