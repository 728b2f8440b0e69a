/** Stands in for the names of toolsets: this project has one at most. */

export function describeToolsets(..._: readonly unknown[]): string {
  return "";
}
