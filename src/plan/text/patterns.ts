/** Source of a regular expression that matches any of the given ones. Their flags are ignored. */
export function anyOfPatterns(...patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => source).join("|");
}
