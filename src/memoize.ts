/** Memoized functions of texts. */

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
    if (cached !== undefined || results.has(text)) return cached as T;
    if (results.size >= MAX_RESULTS) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
