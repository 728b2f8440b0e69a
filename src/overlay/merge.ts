import { isObject } from "../json.js";

/**
 * Merges an update into a target, as the Overlay Specification says ("Action Object", `update`):
 * objects merge by key, arrays concatenate, anything else is replaced. Neither argument is changed.
 */
export function merge(target: unknown, update: unknown): unknown {
  if (Array.isArray(target)) return Array.isArray(update) ? [...target, ...update] : [...target, update];
  if (isObject(target) && isObject(update)) return mergeObjects(target, update);
  return update;
}

function mergeObjects(target: Record<string, unknown>, update: Record<string, unknown>): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(update)) merged.set(key, merged.has(key) ? mergeMember(merged.get(key), value) : value);
  // Object.fromEntries defines own properties, so a key such as __proto__ stays data.
  return Object.fromEntries(merged);
}

/** Inside an object, an array meets an array; any other change of kind replaces. */
function mergeMember(target: unknown, update: unknown): unknown {
  return Array.isArray(target) && !Array.isArray(update) ? update : merge(target, update);
}

type Location = readonly (string | number)[];

/** A copy of `root` in which the value at `location` is `change(value)`; `undefined` removes it. Shares what did not change. */
export function changeAt(root: unknown, location: Location, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = location;
  if (step === undefined) return change(root);
  const below = (value: unknown): unknown => changeAt(value, rest, change);
  return Array.isArray(root) ? changeItem(root, Number(step), below) : changeKey(root as Record<string, unknown>, String(step), below);
}

function changeItem(list: readonly unknown[], index: number, change: (value: unknown) => unknown): unknown[] {
  return list.flatMap((item, i) => {
    const value = i === index ? change(item) : item;
    return i === index && value === undefined ? [] : [value];
  });
}

function changeKey(object: Record<string, unknown>, key: string, change: (value: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, old]) => {
    const value = name === key ? change(old) : old;
    return name === key && value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
