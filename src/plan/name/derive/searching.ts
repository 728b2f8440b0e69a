const SEARCHING = new Set(["search", "discover", "lookup"]);

/** `getSearchMovie` and `GET /search/movie` search, though they start with another word. */
export function isSearching(word: string | undefined): boolean {
  return word !== undefined && SEARCHING.has(word);
}
