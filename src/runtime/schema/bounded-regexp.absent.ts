/** Stands in for the budget of regular expressions: no schema of the API has a pattern. */

/** A test for a pattern of code of the project. It returns true if the pattern is invalid. */
export function createMatcher(pattern: string): (text: string, ..._: unknown[]) => boolean {
  for (const flags of ["u", ""]) {
    try {
      const regex = new RegExp(pattern, flags);
      return (text) => regex.test(text);
    } catch {
      // Many patterns contain escapes that are valid only without the `u` flag.
    }
  }
  return () => true;
}
