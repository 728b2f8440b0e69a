/** Stands in for the limit of time of patterns, which no schema has. */

export const mayTakeLong = (..._: readonly unknown[]): boolean => false;

export const runInTime = <Result>(run: () => Result): Result => run();
