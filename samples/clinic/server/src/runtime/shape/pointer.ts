/**
 * The value at a JSON pointer; `undefined` when there is none. `""` is the whole value. RFC 6901.
 */
export function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
