import type { Operation } from "../model/types.js";

/** Operations by the name of their toolset. */
type Groups = ReadonlyMap<string, readonly Operation[]>;

/** Converts what an operation belongs to within its group to the name of a toolset. */
type NamePart = (group: string, key: string) => string;

/**
 * Splits the groups that hold more operations than the maximum, and that neither tags nor paths
 * split further, into parts of about equal size. The first keeps the name, the others are named by
 * what most of their operations belong to: `repos`, `repos_keys`. Operations with the same key stay
 * together where they fit.
 * @param keyOf what an operation belongs to within its group
 */
export function packLargeGroups(
  groups: Groups,
  maxSize: number,
  keyOf: (operation: Operation, group: string) => string,
  nameOf: NamePart,
): Groups {
  const packed = new Map<string, readonly Operation[]>();
  const isFree = (name: string): boolean => !groups.has(name) && !packed.has(name);
  for (const [name, operations] of groups) {
    const ownKey = (operation: Operation): string => keyOf(operation, name);
    const parts = operations.length <= maxSize ? [operations] : pack(operations, maxSize, ownKey);
    for (const [i, part] of parts.entries())
      packed.set(i === 0 ? name : nameOfPart(part.map(ownKey), name, nameOf, isFree), part);
  }
  return packed;
}

/** Name by the most frequent key that gives a free name; a number where none does. */
function nameOfPart(
  keys: readonly string[],
  group: string,
  nameOf: NamePart,
  isFree: (name: string) => boolean,
): string {
  const names = keysByFrequency(keys).map((key) => (key === "" ? "" : nameOf(group, key)));
  const free = names.find((name) => name !== "" && isFree(name));
  return free ?? freeNumber(names.find((name) => name !== "") ?? group, isFree);
}

function freeNumber(name: string, isFree: (name: string) => boolean, number = 2): string {
  const wanted = `${name}_${number}`;
  return isFree(wanted) ? wanted : freeNumber(name, isFree, number + 1);
}

/** Different keys, the most frequent first, equally frequent ones by alphabet. */
export function keysByFrequency(keys: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key]) => key);
}

/** Fills parts up to their average size, in the order of the keys. */
function pack(
  operations: readonly Operation[],
  maxSize: number,
  keyOf: (operation: Operation) => string,
): readonly (readonly Operation[])[] {
  const families = sortedFamilies(operations, keyOf).flatMap((family) => chunks(family, maxSize));
  const target = operations.length / Math.ceil(operations.length / maxSize);
  const parts: Operation[][] = [[]];
  for (const family of families) {
    const last = parts.at(-1) as Operation[];
    const isFull =
      last.length + family.length / 2 > target || last.length + family.length > maxSize;
    if (last.length > 0 && isFull) parts.push([...family]);
    else last.push(...family);
  }
  return parts;
}

function sortedFamilies(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string,
): readonly (readonly Operation[])[] {
  const families = new Map<string, Operation[]>();
  for (const operation of operations) {
    const key = keyOf(operation);
    families.set(key, [...(families.get(key) ?? []), operation]);
  }
  return [...families].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, family]) => family);
}

function chunks(family: readonly Operation[], size: number): readonly (readonly Operation[])[] {
  const count = Math.ceil(family.length / size);
  const length = Math.ceil(family.length / count);
  return Array.from({ length: count }, (_, i) => family.slice(i * length, (i + 1) * length));
}
