/**
 * Groups items by a key, in order of the first item of each group. Items without a key are left
 * out.
 */
export function groupBy<T, K extends string>(
  items: Iterable<T>,
  keyOf: (item: T) => K | undefined,
): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Adds a value to the list of a key. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
