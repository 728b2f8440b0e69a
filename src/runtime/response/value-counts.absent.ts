/** Stands in for the counts of values in long lists: no tool of this project returns a list. */

export function valueCountsNote(..._: readonly unknown[]): string | undefined {
  return undefined;
}
