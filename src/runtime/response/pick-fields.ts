/** Fields of a result that an agent picks by dotted paths: `items.name`. */
import { type FieldPath, pickFields } from "../data/field-paths.js";
import { isObject, joinFirst, ownProperty } from "../data/values.js";
import type { JsonSchema } from "../types.js";
import type { PathSegment } from "../schema/check.js";
import type { Omission } from "./truncate.js";

/** The picked fields of a result; the whole result if it has none of them. */
export interface PickedResult {
  readonly value: unknown;
  /** Sentences about paths that lead nowhere. */
  readonly notes: readonly string[];
  readonly isPicked: boolean;
}

type Names = readonly string[];

/** Limits of what a call picks: paths, and characters of each. */
const [MAX_PATHS, MAX_PATH] = [50, 500];

/** Limits of the places at which a path may start: their depth, and their number at a depth. */
const [MAX_INNER_DEPTH, MAX_INNER_PLACES] = [3, 5000];

/** Maximum numbers of paths and of names in notes. */
const [MAX_NOTED, MAX_NAMES] = [5, 12];

/** Facts about a result beside its data, which stay. */
const FACTS = ["notes", "next", "nextUrl", "total", "resource", "nullFields", "httpStatus"];

/** The schema of the input `pick`. */
export const pickSchema = {
  type: "array",
  maxItems: MAX_PATHS,
  items: { type: "string", maxLength: MAX_PATH },
  description: "Paths of the fields to show, such as items.name. Default: all.",
} as const satisfies JsonSchema;

/**
 * Keeps the fields of a result that paths lead to, in its shape. Lists are passed through. A path
 * that leads nowhere from the top starts at the inner objects from which it leads somewhere. Parts
 * in `unexpected` are picked by the place that they have in the response. In the result of a run,
 * paths lead from the result of each step.
 */
export function pickPaths(value: unknown, paths: readonly string[]): PickedResult {
  const outer = paths.map((path): PickedPath => ({ names: namesOf(path), isInner: false }));
  const { missing: unmatched } = pickAll(value, outer);
  const picks = outer.map((pick, i) => ({ ...pick, isInner: unmatched[i] !== undefined }));
  const picked = pickAll(value, picks);
  const missing = picked.missing.flatMap((place, i) =>
    place === undefined ? [] : [`pick ${JSON.stringify(paths[i])} matches nothing: ${place}`],
  );
  const isPicked = missing.length < paths.length;
  const outside = isPicked && picked.outside > 0 ? [outsideNote(picked.outside)] : [];
  const problems = missing.length > 0 ? [`${joinFirst(missing, MAX_NOTED, "; ")}.`] : [];
  if (isPicked) return { value: picked.value, notes: [...problems, ...outside], isPicked };
  const whole = paths.length > 0 ? ["The whole result is shown."] : [];
  return { value, notes: [[...problems, ...whole].join(" ")].filter(Boolean), isPicked };
}

const outsideNote = (count: number): string =>
  `Without ${count} of the parts in \`unexpected\`, which pick does not name.`;

/** `$.items[*].labels[].name` → items, labels, name. */
const namesOf = (path: string): Names =>
  path
    .trim()
    .replace(/^\$(?=[.[]|$)/, "")
    .replaceAll(/\[(?:\d*|\*)\]/g, "")
    .split(".")
    .filter(Boolean);

/** A path that a call picks. */
interface PickedPath {
  readonly names: Names;
  /** It may start at an inner object. */
  readonly isInner: boolean;
}

/** The parts of a value that paths lead to. */
interface Picked {
  readonly value: unknown;
  /** For each path that leads nowhere, the place and the names there, as a clause. */
  readonly missing: readonly (string | undefined)[];
  /** Number of unexpected parts that no path leads to. */
  readonly outside: number;
}

const pickAll = (value: unknown, picks: readonly PickedPath[]): Picked =>
  isRun(value) ? pickFromSteps(value, picks) : pickFromResult(value, picks);

function pickFromResult(value: unknown, picks: readonly PickedPath[]): Picked {
  const { unexpected, ...others } = isObject(value) ? value : {};
  const parts = unexpectedParts(unexpected);
  const searched = parts ? others : value;
  const found = picks.map((pick) => findPicked(searched, pick));
  const inParts = (parts ?? []).map((part) => picks.map(({ names }) => fieldsOfPart(part, names)));
  const missing = found.map(({ fields, place }, i) =>
    fields.length > 0 || inParts.some((fieldsOf) => fieldsOf[i]!.length > 0) ? undefined : place,
  );
  const data = keepFields(searched, [
    ...found.flatMap(({ fields }) => fields),
    ...factNames(searched).map((name) => [name]),
  ]);
  const kept = (parts ?? []).flatMap((part, i) => pickPart(part, inParts[i]!.flat()));
  const shown = kept.length > 0 ? { ...(data as object), unexpected: kept } : data;
  return { value: shown, missing, outside: (parts?.length ?? 0) - kept.length };
}

/** Keeps fields; the path without names is the whole value. */
const keepFields = (value: unknown, fields: readonly FieldPath[]): unknown =>
  fields.some(({ length }) => length === 0) ? value : pickFields(value, fields);

/** Marks of an API that its list has more items. */
const HAS_MORE = /^(?:(?:is_?|was_?)?truncated|incomplete(?:_?results)?|has_?more|partial)$/i;

/** Names of facts in a result. Where the data has the name, the fact has another one. */
function factNames(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  const facts = FACTS.flatMap((name) => {
    const other = `result${name[0]!.toUpperCase()}${name.slice(1)}`;
    return [other, name].find((one) => Object.hasOwn(value, one)) ?? [];
  });
  const marks = Object.keys(value).filter((name) => value[name] === true && HAS_MORE.test(name));
  return [...facts, ...marks];
}

/** A part of the response that the output schema does not allow. */
interface UnexpectedPart {
  readonly path: string;
  readonly value: unknown;
}

function unexpectedParts(value: unknown): readonly UnexpectedPart[] | undefined {
  const isPart = (one: unknown): boolean =>
    isObject(one) && typeof one["path"] === "string" && Object.hasOwn(one, "value");
  return Array.isArray(value) && value.every(isPart)
    ? (value as readonly UnexpectedPart[])
    : undefined;
}

/** Fields of a part that a path leads to, by its place or through `unexpected`. */
function fieldsOfPart({ path, value }: UnexpectedPart, names: Names): readonly Names[] {
  const [first, second, ...rest] = names;
  if (first === "unexpected")
    return second === undefined ? [[]] : second === "value" ? findFields(value, rest).fields : [];
  const place = namesOf(path);
  const lead = [names, ["items", ...names]].find((one) => startsAlike(one, place));
  if (!lead) return [];
  return lead.length <= place.length ? [[]] : findFields(value, lead.slice(place.length)).fields;
}

const startsAlike = (one: Names, other: Names): boolean =>
  one.slice(0, other.length).every((name, i) => name === other[i]);

const pickPart = (part: UnexpectedPart, fields: readonly Names[]): readonly UnexpectedPart[] =>
  fields.length === 0 ? [] : [{ ...part, value: keepFields(part.value, fields) }];

/** Fields that a path leads to; without any, the place where it ends, as a clause. */
interface FoundFields {
  readonly fields: readonly Names[];
  readonly place: string;
}

/** Finds fields from the top of a result, or from the items of its list. */
function findFields(value: unknown, names: Names): FoundFields {
  const isList = Array.isArray(value) && names[0] === "items";
  const hasItems = isObject(value) && Array.isArray(value["items"]);
  const other = isList ? names.slice(1) : hasItems ? ["items", ...names] : undefined;
  const searches = [names, ...(other ? [other] : [])].map((one) => searchFields(value, one));
  const found = searches.find(({ fields }) => fields.size > 0);
  // A list without items may have any fields.
  const { depth, open } = searches[0]!;
  const deepest = searches.toSorted((a, b) => b.depth - a.depth)[0]!;
  const fields = found ? [...found.fields.values()] : open && depth < 0 ? [open] : [];
  return { fields, place: placeText(deepest) };
}

function findPicked(value: unknown, { names, isInner }: PickedPath): FoundFields {
  const found = findFields(value, names);
  return isInner && found.fields.length === 0
    ? { ...found, fields: findInnerFields(value, names) }
    : found;
}

/** Objects at one place of a result, through lists. */
interface InnerObjects {
  readonly place: Names;
  readonly objects: readonly object[];
}

/**
 * Fields that a path leads to from the outermost inner objects from which it leads anywhere. Of
 * objects by their IDs, those without the field stay, empty.
 */
function findInnerFields(value: unknown, names: Names): readonly Names[] {
  let level: readonly InnerObjects[] = [{ place: [], objects: objectsIn(value) }];
  for (let depth = 0; depth < MAX_INNER_DEPTH; depth++) {
    level = level.flatMap(innerObjects);
    if (level.length > MAX_INNER_PLACES) return [];
    const found = level.map(({ objects }) => findFields(objects, names).fields);
    const matches = countBy(level.filter((_, i) => found[i]!.length > 0).map(parentOf));
    if (matches.size === 0) continue;
    return level.flatMap((one, i) => {
      const isOfMap = found[i]!.length === 0 && (matches.get(parentOf(one)) ?? 0) > 1;
      return (isOfMap ? [names] : found[i]!).map((field) => [...one.place, ...field]);
    });
  }
  return [];
}

const parentOf = ({ place }: InnerObjects): string => JSON.stringify(place.slice(0, -1));

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function innerObjects({ place, objects }: InnerObjects): readonly InnerObjects[] {
  const byName = new Map<string, object[]>();
  for (const [name, value] of objects.flatMap((object) => Object.entries(object))) {
    const inner = objectsIn(value);
    const known = byName.get(name);
    if (known) inner.forEach((one) => known.push(one));
    else if (inner.length > 0) byName.set(name, [...inner]);
  }
  return [...byName].map(([name, inner]) => ({ place: [...place, name], objects: inner }));
}

const objectsIn = (value: unknown): readonly object[] =>
  isObject(value) ? [value] : Array.isArray(value) ? value.flatMap(objectsIn) : [];

interface Search {
  /** Paths by their text. */
  readonly fields: Map<string, Names>;
  /** A path that ends at an empty list or null. */
  open?: Names;
  /** Number of names before the deepest place where the path ends; -1 for none. */
  depth: number;
  place: Names;
  readonly known: Set<string>;
}

function searchFields(value: unknown, names: Names): Search {
  const search: Search = { fields: new Map(), depth: -1, place: [], known: new Set() };
  follow(value, names, [], search);
  return search;
}

/** Follows a path. A name may have dots itself. */
function follow(value: unknown, names: Names, before: Names, search: Search): void {
  if (names.length === 0) return void search.fields.set(JSON.stringify(before), before);
  if (value === null || (Array.isArray(value) && value.length === 0))
    return void (search.open ??= [...before, ...names]);
  if (Array.isArray(value)) return value.forEach((item) => follow(item, names, before, search));
  const object = isObject(value) ? value : {};
  const ends = names.map((_, i) => i + 1);
  const known = ends.filter((end) => Object.hasOwn(object, names.slice(0, end).join(".")));
  if (known.length === 0) return followItems(object, names, before, search);
  for (const end of known) {
    const name = names.slice(0, end).join(".");
    follow(object[name], names.slice(end), [...before, name], search);
  }
}

/** Follows a path that leaves out an inner `items`. */
function followItems(
  object: Readonly<Record<string, unknown>>,
  names: Names,
  before: Names,
  search: Search,
): void {
  const items = ownProperty(object, "items");
  endAt(object, before, search);
  if (before.length > 0 && Array.isArray(items) && items.length > 0)
    follow(items, names, [...before, "items"], search);
}

function endAt(object: object, before: Names, search: Search): void {
  if (before.length < search.depth) return;
  if (before.length > search.depth) search.known.clear();
  search.depth = before.length;
  search.place = before;
  for (const name of Object.keys(object)) search.known.add(name);
}

const placeText = ({ place, known }: Search): string =>
  `${place.length === 0 ? "the result" : place.join(".")} has ` +
  (joinFirst([...known], MAX_NAMES) || "no fields");

/** The result of a run: `{"steps": [{"step": 1, "tool": …, "result": …}]}`. */
interface RunResult {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

const isRun = (value: unknown): value is RunResult =>
  isObject(value) && Array.isArray(value["steps"]) && value["steps"].every(isStep);

const isStep = (value: unknown): boolean =>
  isObject(value) && typeof value["step"] === "number" && typeof value["tool"] === "string";

/** Picks from the result of each step. Results without any of the fields are left out. */
function pickFromSteps(run: RunResult, given: readonly PickedPath[]): Picked {
  const picks = given.map(({ names, isInner }) => ({
    names: isOfSteps(names) ? names.slice(2) : names,
    isInner,
  }));
  const picked = run.steps.map((step) =>
    Object.hasOwn(step, "result") ? pickFromResult(step["result"], picks) : undefined,
  );
  const steps = run.steps.map(({ result: _, ...step }, i) => {
    const own = picked[i];
    return own?.missing.includes(undefined) ? { ...step, result: own.value } : step;
  });
  const results = picked.filter((one) => one !== undefined);
  const missing = picks.map((_, i) => {
    const places = results.map((one) => one.missing[i]);
    return places.includes(undefined) ? undefined : (places[0] ?? "no step has a result");
  });
  const outside = results.reduce((sum, one) => sum + one.outside, 0);
  return { value: { ...run, steps }, missing, outside };
}

const isOfSteps = ([first, second]: Names): boolean => first === "steps" && second === "result";

/** Two paths for `pick` in a result, from the list of which items were omitted. */
export function examplePaths(value: unknown, omissions: readonly Omission[]): readonly string[] {
  const sorted = omissions.toSorted((a, b) => a.path.length - b.path.length);
  const omission = sorted.find(({ kind }) => kind === "items") ?? sorted[0];
  if (!omission) return [];
  const { path, kind } = omission;
  const base = kind === "characters" ? path.slice(0, -1) : path;
  const names = base.filter((segment) => typeof segment === "string");
  return exampleNames(valueAtPath(value, base), path).map((name) => [...names, name].join("."));
}

const valueAtPath = (value: unknown, path: readonly PathSegment[]): unknown =>
  path.reduce<unknown>(
    (current, segment) => (current as Readonly<Record<PathSegment, unknown>>)[segment],
    value,
  );

/** Names that tell items apart come first, then those of other single values. */
function exampleNames(value: unknown, omitted: readonly PathSegment[]): readonly string[] {
  const item: unknown = Array.isArray(value) ? value.find(isObject) : value;
  if (!isObject(item)) return [];
  const names = Object.keys(item).filter(
    (name) => typeof item[name] !== "object" && name !== omitted.at(-1) && name.length <= 60,
  );
  const rankOf = (name: string): number =>
    /^(?:id|name|title)$/i.test(name) ? 0 : /(?:id|name)$/i.test(name) ? 1 : 2;
  return names.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 2);
}
