/** Regular expressions that are composed of parts. */

export { memoize } from "../memoize.js";

/** Source of a regular expression that matches any of the given ones. Their flags are ignored. */
export function anyOfPatterns(...patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => source).join("|");
}

/** One pattern after another, with the flags of the first. Breaks long expressions into lines. */
export function sequence(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(""), parts[0]?.flags);
}

/** Source of a regular expression that matches any of the given phrases, which commas separate. */
export function anyOfPhrases(...lines: readonly string[]): string {
  return lines.join(", ").split(", ").join("|");
}

/** Matches one of these words, which blanks separate. A word may be a pattern: `an?`. */
export function wordIn(words: string): RegExp {
  return new RegExp(`^(?:${words.trim().split(/\s+/).join("|")})$`);
}
