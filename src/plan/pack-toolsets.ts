import type { Operation } from "../model/types.js";

/** Operations by the name of their toolset. */
type Groups = ReadonlyMap<string, readonly Operation[]>;

/**
 * Splits the groups that hold more operations than the maximum, and that neither tags nor paths
 * split further, into parts of about equal size: `repos`, `repos_2`. Operations with the same key
 * stay together where they fit.
 * @param keyOf what an operation belongs to within its group
 */
export function packLargeGroups(
  groups: Groups,
  maxSize: number,
  keyOf: (operation: Operation, group: string) => string,
): Groups {
  return new Map(
    [...groups].flatMap(([name, operations]) =>
      operations.length <= maxSize
        ? [[name, operations] as const]
        : pack(operations, maxSize, (operation) => keyOf(operation, name)).map(
            (part, i) => [i === 0 ? name : freeName(groups, name, i + 1), part] as const,
          ),
    ),
  );
}

function freeName(groups: Groups, name: string, number: number): string {
  const wanted = `${name}_${number}`;
  return groups.has(wanted) ? freeName(groups, wanted, 2) : wanted;
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
