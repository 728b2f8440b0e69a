/** Position in a document: the path of its keys. */
export type Slot = readonly (string | number)[];

/** Lists the slots of all values in a document, without the document itself. */
export function slotsOf(value: unknown, at: Slot = []): readonly Slot[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const slot = [...at, Array.isArray(value) ? Number(key) : key];
    return [slot, ...slotsOf((value as Record<string, unknown>)[key], slot)];
  });
}

export function valueAt(root: unknown, slot: Slot): unknown {
  return slot.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    root,
  );
}

/** Copies a document with another value in one slot. */
export function withValue(root: unknown, [key, ...rest]: Slot, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(root))
    return root.map((item, i) => (i === key ? withValue(item, rest, value) : item));
  return fromEntries(
    Object.entries(root as object).map(([name, item]) => [
      name,
      name === key ? withValue(item, rest, value) : item,
    ]),
  );
}

/** Copies a document with another key in one slot. An existing member of that name is removed. */
export function withKey(root: unknown, slot: Slot, name: string): unknown {
  const [parent, oldName] = [slot.slice(0, -1), slot.at(-1)];
  const entries = Object.entries(valueAt(root, parent) as object).filter(([key]) => key !== name);
  return withValue(
    root,
    parent,
    fromEntries(entries.map(([key, item]) => [key === oldName ? name : key, item])),
  );
}

/** Builds an object in which `__proto__` is an ordinary key. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}
