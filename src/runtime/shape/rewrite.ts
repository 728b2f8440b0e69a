/**
 * Values nested deeper are cut: no agent reads them, and walking through them would exhaust the
 * stack.
 */
const deepest = 100;

const tooDeep = "[nested too deeply to show]";

/** Whether `rewrite` would cut a JSON value. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= deepest) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isTooDeep(item, depth + 1)) return true;
  return false;
}

/**
 * Applies an edit to every text of a JSON value, names of properties included, and cuts what is
 * nested too deeply. What does not change is not copied.
 */
export function rewrite(value: unknown, edit: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return edit(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= deepest) return tooDeep;
  return Array.isArray(value)
    ? rewriteList(value, edit, depth)
    : rewriteObject(value as Record<string, unknown>, edit, depth);
}

function rewriteList(
  list: readonly unknown[],
  edit: (text: string) => string,
  depth: number,
): readonly unknown[] {
  let changed = false;
  const copy = list.map((item) => {
    const edited = rewrite(item, edit, depth + 1);
    if (edited !== item) changed = true;
    return edited;
  });
  return changed ? copy : list;
}

function rewriteObject(
  object: Readonly<Record<string, unknown>>,
  edit: (text: string) => string,
  depth: number,
): object {
  let changed = false;
  const copy = Object.entries(object).map(([key, value]) => {
    const entry = [edit(key), rewrite(value, edit, depth + 1)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    return entry;
  });
  // fromEntries defines properties, so that a key such as __proto__ stays a key.
  return changed ? Object.fromEntries(copy) : object;
}
