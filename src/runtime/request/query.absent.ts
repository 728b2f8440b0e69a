/** Stands in for the query, which no operation of this project has. */

export function bindQuery(..._: readonly unknown[]): string {
  return "";
}
