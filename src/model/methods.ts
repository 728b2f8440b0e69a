/** Fixed fields of the Path Item Object that are operations. `query` came with OpenAPI 3.2. */
const METHODS: ReadonlySet<string | undefined> = new Set(
  "get put post delete options head patch trace query".split(" "),
);

/** True for a key of a Path Item Object that is an HTTP method. */
export function isMethodKey(key: string | undefined): boolean {
  return METHODS.has(key);
}
