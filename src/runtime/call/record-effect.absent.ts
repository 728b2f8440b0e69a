/** Stands in for the record of writes: no tool of this project writes. */

export function recordEffect(..._: readonly unknown[]): void {}
