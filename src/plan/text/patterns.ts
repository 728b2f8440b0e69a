/** Regular expressions that are composed of parts, and memoized functions of texts. */

/** Source of a regular expression that matches any of the given ones. Their flags are ignored. */
export function anyOfPatterns(...patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => source).join("|");
}

/** One pattern after another, with the flags of the first. Breaks long expressions into lines. */
export function sequence(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(""), parts[0]?.flags);
}

/** Matches one of these words, which blanks separate. A word may be a pattern: `an?`. */
export function wordIn(words: string): RegExp {
  return new RegExp(`^(?:${words.trim().split(/\s+/).join("|")})$`);
}

/**
 * Maximum number of results before the cache starts anew, so that a long-lived process does not
 * grow.
 */
const MAX_RESULTS = 20_000;

/**
 * Caches the results of a function of one string. The same words, segments and texts recur
 * thousands of times in an API.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    if (results.size >= MAX_RESULTS) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
