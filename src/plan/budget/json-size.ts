/** Printable ASCII without quotes and backslashes. Most strings match. */
const plain = /^[ !#-[\]-~]*$/;

/**
 * Measures a value as JSON, in bytes of UTF-8. `undefined` members count nothing.
 * @param known sizes of objects that were measured before; the objects must not change
 */
export function jsonSize(value: unknown, known: Map<object, number>): number {
  if (typeof value === "string")
    return plain.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return (JSON.stringify(value) ?? "null").length;
  const before = known.get(value);
  if (before !== undefined) return before;
  const size = Array.isArray(value) ? listSize(value, known) : objectSize(value, known);
  known.set(value, size);
  return size;
}

function listSize(items: readonly unknown[], known: Map<object, number>): number {
  return items.reduce<number>(
    (sum, item) => sum + jsonSize(item, known),
    2 + Math.max(0, items.length - 1),
  );
}

function objectSize(members: object, known: Map<object, number>): number {
  let [size, count] = [0, 0];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    size += jsonSize(name, known) + 1 + jsonSize(value, known);
    count++;
  }
  return size + 2 + Math.max(0, count - 1);
}
