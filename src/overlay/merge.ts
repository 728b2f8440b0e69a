import { isObject } from "../json.js";

/**
 * Decides about values of which neither can be merged into the other: says what stands there then.
 */
export type Misfit = (path: readonly string[], target: unknown, update: unknown) => unknown;

/**
 * Merges an update into a target, as the Overlay Specification says ("Action Object", `update`):
 * objects merge by key, arrays concatenate, plain values are replaced. Neither argument is changed.
 * @param misfit asked about an object, an array or a plain value that meets something of another
 *   kind; the path leads from the target to it
 */
export function merge(
  target: unknown,
  update: unknown,
  misfit: Misfit,
  path: readonly string[] = [],
): unknown {
  const kind = kindOf(target);
  if (kind === "list" && path.length === 0 && !Array.isArray(update))
    return [...(target as unknown[]), update];
  if (kind !== kindOf(update)) return misfit(path, target, update);
  if (kind === "list") return [...(target as unknown[]), ...(update as unknown[])];
  return kind === "object"
    ? mergeObjects(
        target as Record<string, unknown>,
        update as Record<string, unknown>,
        misfit,
        path,
      )
    : update;
}

/** The kinds of values that the specification tells apart. */
export function kindOf(value: unknown): "object" | "list" | "plain value" {
  if (Array.isArray(value)) return "list";
  return isObject(value) ? "object" : "plain value";
}

function mergeObjects(
  target: Record<string, unknown>,
  update: Record<string, unknown>,
  misfit: Misfit,
  path: readonly string[],
): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(update))
    merged.set(
      key,
      merged.has(key) ? merge(merged.get(key), value, misfit, [...path, key]) : value,
    );
  // Object.fromEntries defines own properties, so a key such as __proto__ stays data.
  return Object.fromEntries(merged);
}

type Location = readonly (string | number)[];

/**
 * A copy of `root` in which the value at `location` is `change(value)`; `undefined` removes it.
 * Shares what did not change.
 */
export function changeAt(
  root: unknown,
  location: Location,
  change: (value: unknown) => unknown,
): unknown {
  const [step, ...rest] = location;
  if (step === undefined) return change(root);
  const below = (value: unknown): unknown => changeAt(value, rest, change);
  return Array.isArray(root)
    ? changeItem(root, Number(step), below)
    : changeKey(root as Record<string, unknown>, String(step), below);
}

function changeItem(
  list: readonly unknown[],
  index: number,
  change: (value: unknown) => unknown,
): unknown[] {
  return list.flatMap((item, i) => {
    const value = i === index ? change(item) : item;
    return i === index && value === undefined ? [] : [value];
  });
}

function changeKey(
  object: Record<string, unknown>,
  key: string,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, old]) => {
    const value = name === key ? change(old) : old;
    return name === key && value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
