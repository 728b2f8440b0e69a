/** A place in a document: the keys that lead to it. */
export type Slot = readonly (string | number)[];

/** Every value of a document, by the way to it; the document itself is not among them. */
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

/** A copy of a document with another value in one slot. */
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

/** A copy of a document with another key in one slot; an existing one of that name gives way. */
export function withKey(root: unknown, slot: Slot, name: string): unknown {
  const [parent, old] = [slot.slice(0, -1), slot.at(-1)];
  const entries = Object.entries(valueAt(root, parent) as object).filter(([key]) => key !== name);
  return withValue(
    root,
    parent,
    fromEntries(entries.map(([key, item]) => [key === old ? name : key, item])),
  );
}

/** Unlike `Object.fromEntries` in JSON text: `__proto__` is a key like any other. */
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
