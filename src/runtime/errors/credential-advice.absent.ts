/** Stands in for advice about the variables of security schemes, of which this project has none. */

export function prefixHint(..._: readonly unknown[]): string {
  return "";
}

export function declaredVariables(..._: readonly unknown[]): string {
  return "";
}
