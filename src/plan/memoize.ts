/**
 * Entries that are kept before a memory starts anew, so that a long-lived process does not grow.
 */
const MOST = 20_000;

/**
 * A function of one string that remembers its answers. The same words, segments and texts recur
 * thousands of times in an API.
 */
export function memoize<T>(work: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (answers.size >= MOST) answers.clear();
    const answer = work(text);
    answers.set(text, answer);
    return answer;
  };
}
