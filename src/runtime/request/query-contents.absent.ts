/** Stands in for contents of media types in the query, of which this project has none. */

export function bindQuerystring(..._: readonly unknown[]): string {
  return "";
}

export function serializeQueryValue(..._: readonly unknown[]): string {
  return "";
}
