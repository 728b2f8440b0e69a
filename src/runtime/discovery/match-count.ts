/** Numbers of matches, which the search returns and its input states before it is loaded. */

/** Most matches of one step by default. */
export function usualMatches(apiCount: number): number {
  return apiCount > 1 ? 12 : 10;
}

/** Most matches of a task of several steps by default. */
export const mostMatches = 20;
