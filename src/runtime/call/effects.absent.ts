/** Stands in for the effects of calls: no tool of this project writes. */

export function effectLines(..._: readonly unknown[]): readonly string[] {
  return [];
}
