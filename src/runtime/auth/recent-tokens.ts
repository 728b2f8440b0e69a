/** Tokens in the order of their last use, of which the oldest are forgotten. */

/** Maximum number of tokens. The one that was not used for the longest time makes room. */
const MAX_ENTRIES = 2_000;

/** Adds a token, or moves it to the end. The oldest tokens above the maximum are removed. */
export function rememberToken(tokens: Set<string>, token: string): void {
  tokens.delete(token);
  tokens.add(token);
  removeOldest(tokens);
}

/** Removes the oldest entries above the maximum. */
export function removeOldest(entries: Map<string, unknown> | Set<string>): void {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(key);
  }
}
