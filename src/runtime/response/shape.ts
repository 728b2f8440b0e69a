/** Shapes results for agents: projects them to fields, removes invisible text, truncates them. */
import { valueAt } from "../data/values.js";
import type { PathSegment } from "../schema/check.js";
import type { FieldProjection, ResponseMapping } from "../types.js";

/** Inputs of the next page. */
type NextInputs = Readonly<Record<string, unknown>>;

/**
 * Projects a response body to the tool's result: the list or the object that the mapping points to,
 * under the name that the tool promises.
 * @param next value of `next` in the result; `null` for none, absent where the body decides
 */
export function project(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = assembleResult(body, mapping, next);
  return mapping.projection ? projectFields(result, mapping.projection) : result;
}

/** Keeps the projected fields of objects. Other values stay unchanged. */
function projectFields(result: unknown, { list, ...fields }: FieldProjection): unknown {
  if (typeof result !== "object" || result === null) return result;
  if (list === undefined)
    return Array.isArray(result)
      ? result.map((item) => projectFields(item, fields))
      : Object.fromEntries(Object.entries(result).filter(([name]) => isIncluded(name, fields)));
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      name === list ? projectFields(value, fields) : (value as unknown),
    ]),
  );
}

function isIncluded(name: string, { pick, drop }: FieldProjection): boolean {
  return (pick === undefined || pick.includes(name)) && drop?.includes(name) !== true;
}

function assembleResult(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = selectContent(body, mapping);
  const { next: pointers, extraFields } = mapping;
  const inputs = next === undefined ? pointers && nextPage(body, pointers) : next;
  if ((!inputs && !extraFields) || typeof result !== "object" || result === null) return result;
  const extra = extraFields && fieldsAt(body, extraFields);
  return { ...result, ...(inputs && { next: inputs }), ...extra };
}

/** Reads fields next to the list. A missing field is omitted. */
function fieldsAt(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, pointer]) =>
      valueAt(body, pointer) === undefined ? [] : [[name, valueAt(body, pointer)]],
    ),
  );
}

function selectContent(body: unknown, { wrap, items, item }: ResponseMapping): unknown {
  if (wrap === "items") return { items: body ?? [] };
  if (wrap === "value") return { value: body };
  if (items !== undefined) return { items: valueAt(body, items) ?? [] };
  if (item !== undefined) return { items: [valueAt(body, item)] };
  return body;
}

/**
 * Reads the inputs of the next page; `undefined` on the last page, where APIs omit them or write
 * null, false or "".
 */
export function nextPage(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const inputs = Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(body, pointer);
    return value === undefined || value === null || value === "" || value === false
      ? []
      : [[name, value] as const];
  });
  return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
}

/**
 * Characters that a reader does not see but a model or a terminal interprets: controls except tab
 * and line feed, bidirectional controls, characters without width and use in data (fillers,
 * invisible operators, tags, supplementary variation selectors), and rows of joiners or variation
 * selectors, which can spell a hidden text. Unicode: Bidi_Control, Default_Ignorable_Code_Point.
 */
const INVISIBLE =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Removes invisible characters. Unpaired surrogates become U+FFFD, so that the result is valid
 * JSON.
 */
export function sanitize(text: string): string {
  return text.replace(INVISIBLE, "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Maximum nesting of values. No agent reads deeper ones, and they would exhaust the stack. */
export const MAX_DEPTH = 100;

const DEPTH_MARKER = "[nested too deeply to show]";

/**
 * Maps every string of a JSON value, names of properties included, and cuts deeply nested parts. An
 * unchanged part is not copied.
 */
export function mapStrings(
  value: unknown,
  edit: (text: string) => string,
  depth = 0,
  editNumber: (number: number) => number = (number) => number,
): unknown {
  if (typeof value === "string") return edit(value);
  if (typeof value === "number") return editNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return DEPTH_MARKER;
  const editMember = (member: unknown): unknown => mapStrings(member, edit, depth + 1, editNumber);
  return Array.isArray(value)
    ? mapList(value, editMember)
    : mapObject(value as Record<string, unknown>, edit, editMember);
}

function mapList(
  list: readonly unknown[],
  editMember: (member: unknown) => unknown,
): readonly unknown[] {
  let changed = false;
  const copy = list.map((item) => {
    const edited = editMember(item);
    if (edited !== item) changed = true;
    return edited;
  });
  return changed ? copy : list;
}

function mapObject(
  object: Readonly<Record<string, unknown>>,
  edit: (text: string) => string,
  editMember: (member: unknown) => unknown,
): object {
  let changed = false;
  const copy = Object.entries(object).map(([key, value]) => {
    const entry = [edit(key), editMember(value)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    return entry;
  });
  // fromEntries defines properties, so that __proto__ is a key like any other.
  return changed ? Object.fromEntries(copy) : object;
}

/** A part that was omitted to make a value fit. */
export interface Omission {
  readonly path: readonly PathSegment[];
  readonly kind: "items" | "fields" | "characters";
  readonly omitted: number;
  readonly total: number;
}

/** A truncated value, with the parts that were omitted. */
interface Truncated {
  readonly value: unknown;
  readonly omissions: readonly Omission[];
}

/** Minimum number of characters of a truncated text. */
const MIN_TEXT = 40;

/** Number of characters up to which a value is hardly truncated. */
const MIN_VALUE = 2 * MIN_TEXT;

/**
 * Truncates a value to about `budget` characters of JSON. Lists and long texts are truncated at
 * their end, and objects with very many properties lose the last ones. Small parts are kept. Large
 * parts share the remaining budget.
 */
export function truncate(value: unknown, budget: number): Truncated {
  const omissions: Omission[] = [];
  return { value: truncateValue(value, budget, [], omissions), omissions };
}

function truncateValue(
  value: unknown,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): unknown {
  if (sizeOf(value) <= budget) return value;
  if (typeof value === "string") return truncateText(value, budget, path, omissions);
  if (Array.isArray(value)) return truncateList(value, budget, path, omissions);
  if (typeof value !== "object" || value === null) return value;
  return truncateObject(value, budget, path, omissions);
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function truncateText(
  text: string,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): string {
  const kept = text.slice(0, Math.max(MIN_TEXT, budget - MIN_TEXT)).replace(/[\ud800-\udbff]$/, "");
  if (kept.length + MIN_TEXT >= text.length) return text;
  const omitted = text.length - kept.length;
  omissions.push({ path, kind: "characters", omitted, total: text.length });
  return `${kept}… [${omitted} more characters]`;
}

function truncateList(
  list: readonly unknown[],
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): readonly unknown[] {
  const kept: unknown[] = [];
  let remaining = budget - 2;
  for (const item of list) {
    const size = sizeOf(item) + 1;
    if (size > remaining && kept.length > 0) break;
    kept.push(
      size > remaining ? truncateValue(item, remaining, [...path, kept.length], omissions) : item,
    );
    remaining -= size;
  }
  if (kept.length < list.length)
    omissions.push({ path, kind: "items", omitted: list.length - kept.length, total: list.length });
  return kept;
}

function truncateObject(
  object: object,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): object {
  const keys = Object.keys(object);
  const kept = fittingMembers(object as Readonly<Record<string, unknown>>, keys, budget - 2);
  const shares = allocate(
    kept.map(({ size }) => size),
    budget - 2,
  );
  const truncated = kept.map(({ key, value }, i) => {
    const share = shares[i]! - key.length - 4;
    return [key, truncateValue(value, share, [...path, key], omissions)] as const;
  });
  const omitted = keys.length - kept.length;
  if (omitted > 0) omissions.push({ path, kind: "fields", omitted, total: keys.length });
  return Object.fromEntries(truncated);
}

/** A member of an object, and the length of its JSON. */
interface SizedMember {
  readonly key: string;
  readonly value: unknown;
  readonly size: number;
}

/** The first members that fit into a budget, if their values are truncated. */
function fittingMembers(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  budget: number,
): readonly SizedMember[] {
  const members: SizedMember[] = [];
  let total = 0;
  for (const key of keys) {
    const value = object[key];
    const size = sizeOf(value) + key.length + 4;
    total += Math.min(size, key.length + 4 + MIN_VALUE);
    if (total > budget) break;
    members.push({ key, value, size });
  }
  return members;
}

/** Shares the budget among parts. The smallest go first; the rest is left to the larger ones. */
function allocate(sizes: readonly number[], budget: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes
    .map((size, i) => ({ size, i }))
    .sort((a, b) => a.size - b.size || a.i - b.i);
  let remaining = budget;
  smallestFirst.forEach(({ size, i }, served) => {
    const share = Math.min(size, Math.floor(remaining / (sizes.length - served)));
    shares[i] = share;
    remaining -= share;
  });
  return shares;
}
