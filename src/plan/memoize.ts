/**
 * Entries that are kept before a memory starts anew, so that a long-lived process does not grow.
 */
const MOST = 20_000;

/**
 * A function of one string that remembers its answers. The same words, segments and texts recur
 * thousands of times in an API.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= MOST) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
