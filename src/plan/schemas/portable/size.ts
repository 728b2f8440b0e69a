/**
 * Estimated length of a JSON value in characters, without serializing it. Deep values count as
 * large.
 */
export function estimateSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (depth > 16) return 1000;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += estimateSize(item, depth + 1) + 1;
    return size;
  }
  for (const key in value) {
    size +=
      key.length + 4 + estimateSize((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
  return size;
}
