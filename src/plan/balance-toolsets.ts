/** Sizes of toolsets: large groups are split, small ones join others. */
import { groupBy } from "../groups.js";
import type { Operation } from "../model/types.js";
import { singularize } from "../language/grammar.js";
import { parsePathTemplate } from "./operations/path.js";

/**
 * Sizes that toolsets should have, in operations. Six are five tools if two of them merge. APIs up
 * to the maximum keep their groups.
 */
const [MIN_SIZE, MAX_SIZE] = [6, 40];
/** Maximum number of path segments below a group by which it is split. */
const MAX_DEPTH = 3;
const OTHER = "other";

/** Operations by the name of their toolset. */
type Toolsets = ReadonlyMap<string, readonly Operation[]>;
/** Toolsets that are being balanced. */
type Groups = Map<string, readonly Operation[]>;

/**
 * Adapts groups of operations to useful sizes: large ones are split by path, and small ones join
 * the group with the closest name or path, else `other`. Groups that are still too large are split
 * into numbered parts.
 * @param nameOf converts words to the name of a toolset; empty if it cannot
 */
export function balanceToolsets(groups: Toolsets, nameOf: (text: string) => string): Toolsets {
  const total = [...groups.values()].flat().length;
  if (total <= MAX_SIZE) return groups;
  const balanced: Groups = new Map();
  for (const [name, operations] of groups) {
    const isLarge = operations.length > MAX_SIZE || operations.length * 2 > total;
    for (const part of isLarge ? split(name, operations, nameOf) : [[name, operations] as const])
      add(balanced, ...part);
  }
  joinBy(balanced, findParentByName(balanced));
  joinFamilies(balanced, nameOf);
  joinBy(balanced, findParentByPath(balanced));
  joinOthers(balanced);
  const common = new Map([...balanced].map(([name, members]) => [name, commonSegments(members)]));
  return packLargeGroups(
    balanced,
    MAX_SIZE,
    (operation, name) => subjectOf(operation, name, common.get(name)),
    (name, segment) => nameOf(`${name} ${segment}`),
  );
}

/** Subjects of the operations of a group, the most frequent first. */
export function contentsOf(name: string, operations: readonly Operation[]): readonly string[] {
  const common = commonSegments(operations);
  const subjects = operations.map((operation) => subjectOf(operation, familyOf(name), common));
  return keysByFrequency(subjects).filter((subject) => subject !== "");
}

/**
 * First path segment after the common ones that the name of the group does not have; `reminders` of
 * `reminders.add`.
 */
function subjectOf(operation: Operation, name: string, common = 0): string {
  const known = new Set(stemsOf(name));
  return (
    segmentsOf(operation)
      .slice(common)
      .map((segment) => segment.replace(/(?<=[^.])\.[^.]*$/, ""))
      .find((subject) => !known.has(singularize(subject.toLowerCase()))) ?? ""
  );
}

function add(groups: Groups, name: string, operations: readonly Operation[]): void {
  groups.set(name, [...(groups.get(name) ?? []), ...operations]);
}

/** Splits a group by the path segment after the common ones. Small parts stay in the group. */
function split(
  name: string,
  operations: readonly Operation[],
  nameOf: (text: string) => string,
  depth = 1,
): readonly (readonly [string, readonly Operation[]])[] {
  const common = commonSegments(operations);
  const parts = groupBy(operations, (operation) => segmentsOf(operation)[common] ?? "");
  const rest: Operation[] = [];
  const result = [...parts].flatMap(([segment, members]) => {
    const own = nameOf(segment);
    if (own === "" || members.length < MIN_SIZE || parts.size === 1) {
      rest.push(...members);
      return [];
    }
    const partName = common === 0 || own === name ? own : nameOf(`${name} ${segment}`);
    return members.length > MAX_SIZE && depth < MAX_DEPTH
      ? split(partName, members, nameOf, depth + 1)
      : [[partName, members] as const];
  });
  return rest.length > 0 ? [[name, rest], ...result] : result;
}

/** Moves every small group into the group that `parentOf` finds. */
function joinBy(groups: Groups, parentOf: (name: string) => string | undefined): void {
  for (const [name] of smallGroups(groups)) {
    const operations = groups.get(name) ?? [];
    if (operations.length >= MIN_SIZE) continue;
    const parent = parentOf(name);
    if (parent === undefined || !fits(groups, parent, operations)) continue;
    groups.delete(name);
    add(groups, parent, operations);
  }
}

const fits = (groups: Groups, name: string, operations: readonly Operation[]): boolean =>
  (groups.get(name)?.length ?? 0) + operations.length <= MAX_SIZE;

/** Small groups. Those with longer names come first, so that chains of parents collapse. */
function smallGroups(groups: Groups): readonly (readonly [string, readonly Operation[]])[] {
  return [...groups]
    .filter(([, operations]) => operations.length < MIN_SIZE)
    .sort(([a], [b]) => b.split("_").length - a.split("_").length);
}

/** Finds the group with the longest name that a name begins with: `users` of `user_profiles`. */
function findParentByName(groups: Groups): (name: string) => string | undefined {
  const byStem = new Map([...groups.keys()].map((name) => [stemsOf(name).join("_"), name]));
  return (name) => {
    const stems = stemsOf(name);
    const prefixes = stems.map((_, i) => stems.slice(0, i).join("_")).reverse();
    return prefixes
      .map((words) => byStem.get(words))
      .find((parent) => parent !== undefined && groups.has(parent));
  };
}

const stemsOf = (name: string): readonly string[] => name.split("_").map(singularize);

/** Joins small groups whose names share the first word: `likes_songs`, `likes_albums` → `likes`. */
function joinFamilies(groups: Groups, nameOf: (text: string) => string): void {
  const families = groupBy(smallGroups(groups), ([name]) => familyOf(name));
  for (const [family, members] of families) {
    const operations = members.flatMap(([, own]) => own);
    const relative = [...groups].find(
      ([name, { length }]) => length >= MIN_SIZE && familyOf(name) === family,
    )?.[0];
    const isEnough = operations.length >= MIN_SIZE && operations.length <= MAX_SIZE;
    const common = isEnough ? nameOf(commonWords(members.map(([name]) => name))) : relative;
    if (common === undefined || common === "" || !fits(groups, common, operations)) continue;
    for (const [name] of members) groups.delete(name);
    add(groups, common, operations);
  }
}

/** First word of a name in the singular. */
export const familyOf = (name: string): string => stemsOf(name)[0] as string;

/** Leading words that names share: `on_demand_regions`, `on_demand_genres` → on demand. */
function commonWords(names: readonly string[]): string {
  const [first = [], ...others] = names.map((name) => name.split("_"));
  const differs = first.findIndex((word, i) => others.some((words) => words[i] !== word));
  return first.slice(0, differs < 0 ? first.length : Math.max(differs, 1)).join(" ");
}

/** Finds the group with most operations below the path segment that distinguishes operations. */
function findParentByPath(groups: Groups): (name: string) => string | undefined {
  const common = commonSegments([...groups.values()].flat());
  const segmentOf = (operation: Operation): string | undefined => segmentsOf(operation)[common];
  const namesBySegment = groupBy(
    [...groups].flatMap(([name, operations]) =>
      [...new Set(operations.map(segmentOf))].map((segment) => ({ name, segment })),
    ),
    ({ segment = "" }) => segment,
  );
  return (name) => {
    const own = groups.get(name)?.[0];
    const segment = own && segmentOf(own);
    const counts = (namesBySegment.get(segment ?? "") ?? [])
      .filter((candidate) => candidate.name !== name && groups.has(candidate.name))
      .map((candidate) => ({
        name: candidate.name,
        count: groups.get(candidate.name)?.filter((one) => segmentOf(one) === segment).length ?? 0,
      }));
    const [first] = counts.sort((x, y) => y.count - x.count);
    return segment === undefined ? undefined : first?.name;
  };
}

/** Joins the small groups that are left. */
function joinOthers(groups: Groups): void {
  const small = smallGroups(groups);
  const operations = small.flatMap(([, own]) => own);
  if (small.length < 2) return;
  for (const [name] of small) groups.delete(name);
  add(groups, OTHER, operations);
}

const segmentsByOperation = new WeakMap<Operation, readonly string[]>();

/** Words of a path, without parameters. */
function segmentsOf(operation: Operation): readonly string[] {
  const known = segmentsByOperation.get(operation);
  if (known) return known;
  const parts = parsePathTemplate(operation.path);
  const segments = parts.flatMap((part) => (part.kind === "words" ? [part.text] : []));
  segmentsByOperation.set(operation, segments);
  return segments;
}

/** Number of leading segments that all paths share. */
function commonSegments(operations: readonly Operation[]): number {
  const [first = [], ...others] = operations.map(segmentsOf);
  const differs = first.findIndex((segment, i) => others.some((path) => path[i] !== segment));
  return differs < 0 ? first.length : differs;
}

/** Converts the key of an operation within its group to the name of a toolset. */
type NamePart = (group: string, key: string) => string;

/**
 * Splits the groups that hold more operations than the maximum, and that neither tags nor paths
 * split further, into parts of about equal size. The first keeps the name, the others are named by
 * the most frequent key of their operations: `repos`, `repos_keys`. Operations with the same key
 * stay together if they fit.
 * @param keyOf key of an operation within its group
 */
function packLargeGroups(
  groups: Toolsets,
  maxSize: number,
  keyOf: (operation: Operation, group: string) => string,
  nameOf: NamePart,
): Toolsets {
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

/** Name by the most frequent key that gives a free name; else a number. */
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
  const numbered = `${name}_${number}`;
  return isFree(numbered) ? numbered : freeNumber(name, isFree, number + 1);
}

/** Different keys, the most frequent first, equally frequent ones by alphabet. */
function keysByFrequency(keys: readonly string[]): readonly string[] {
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
  return [...groupBy(operations, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, family]) => family);
}

function chunks(family: readonly Operation[], size: number): readonly (readonly Operation[])[] {
  const count = Math.ceil(family.length / size);
  const length = Math.ceil(family.length / count);
  return Array.from({ length: count }, (_, i) => family.slice(i * length, (i + 1) * length));
}
