/**
 * References of a step to the results of earlier ones: `{{1.id}}`, `{{1.items[0].id}}`,
 * `{{1.items[name=Rex].id}}` for the only item with that name, and `{{1.items[*].id}}` for a list
 * of that of each item.
 */
import { isObject, joinFirst } from "../data/values.js";

/** A value with the results in place of its references, or why there is none, as a clause. */
export type FilledValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** One move within a result. */
type Segment =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly isEach: true }
  | { readonly key: string; readonly equals: string };

type SingleSegment = Exclude<Segment, { readonly isEach: true }>;

/** Names that a problem lists. */
const MAX_NAMES = 12;

/** A reference within a text. Other text in two braces belongs to the API. */
const REFERENCE = /\{\{ ?(\d{1,2})((?:\.[^.[\]{}]+|\[[^[\]{}]+\])*) ?\}\}/g;
const SEGMENT = /\.([^.[\]{}]+)|\[(\d+)\]|\[(\*)\]|\[([^[\]{}=]+)=([^[\]{}]*)\]/g;

/** Numbers of the steps that a value refers to. */
export function referredSteps(value: unknown): readonly number[] {
  if (typeof value === "string") return referencesIn(value).map(([, step]) => Number(step));
  if (Array.isArray(value)) return value.flatMap((item) => referredSteps(item));
  return isObject(value) ? Object.values(value).flatMap((item) => referredSteps(item)) : [];
}

/**
 * Puts results in place of the references of a value, at any depth. A text that is one reference
 * becomes the value with its type; in a longer text the value must be a text or a number.
 * @param results results of the steps before, in order
 */
export function fillReferences(value: unknown, results: readonly unknown[]): FilledValue {
  if (typeof value === "string") return fillText(value, results);
  if (Array.isArray(value)) {
    const filled = value.map((item) => fillReferences(item, results));
    const failed = filled.find(({ ok }) => !ok);
    return failed ?? { ok: true, value: filled.map(valueOf) };
  }
  if (!isObject(value)) return { ok: true, value };
  const filled = Object.entries(value).map(
    ([key, item]) => [key, fillReferences(item, results)] as const,
  );
  const [, failed] = filled.find(([, { ok }]) => !ok) ?? [];
  const entries = filled.map(([key, one]) => [key, valueOf(one)]);
  return failed ?? { ok: true, value: Object.fromEntries(entries) as Record<string, unknown> };
}

const valueOf = (filled: FilledValue): unknown => (filled.ok ? filled.value : undefined);

const referencesIn = (text: string): readonly RegExpExecArray[] => [...text.matchAll(REFERENCE)];

function fillText(text: string, results: readonly unknown[]): FilledValue {
  const references = referencesIn(text);
  let filled = "";
  let end = 0;
  for (const reference of references) {
    const found = resolveReference(reference, results);
    const isWhole = reference[0].length === text.length;
    if (!found.ok || isWhole) return found;
    if (isObject(found.value) || Array.isArray(found.value))
      return { ok: false, problem: `${reference[0]} stands in a text, but is not a single value` };
    filled += text.slice(end, reference.index) + String(found.value);
    end = reference.index + reference[0].length;
  }
  return { ok: true, value: filled + text.slice(end) };
}

function resolveReference(
  [text, step = "", path = ""]: RegExpExecArray,
  results: readonly unknown[],
): FilledValue {
  const found = follow(results[Number(step) - 1], segmentsOf(path), `the result of step ${step}`);
  return found.ok ? found : { ok: false, problem: `${text}: ${found.problem}` };
}

/** Follows a path from a value, whose place is named in a problem. */
function follow(value: unknown, path: readonly Segment[], place: string): FilledValue {
  const [segment, ...rest] = path;
  if (!segment) return { ok: true, value };
  if ("isEach" in segment) return followEach(value, rest, place);
  const next = move(value, segment);
  if (!next.ok) return { ok: false, problem: `${place} ${next.problem}` };
  return follow(next.value, rest, `${nameOf(segment)} of ${place}`);
}

/** Follows the rest of a path from each item of a list. */
function followEach(value: unknown, rest: readonly Segment[], place: string): FilledValue {
  if (!Array.isArray(value)) return { ok: false, problem: `${place} is not a list` };
  const found = value.map((item, i) => follow(item, rest, `item ${i} of ${place}`));
  return found.find(({ ok }) => !ok) ?? { ok: true, value: found.map(valueOf) };
}

function segmentsOf(path: string): readonly Segment[] {
  return [...path.matchAll(SEGMENT)].map(([, name, index, each, key = "", equals = ""]) => {
    if (name !== undefined) return { key: name.trim() };
    if (each !== undefined) return { isEach: true };
    return index === undefined ? { key: key.trim(), equals: equals.trim() } : { index: +index };
  });
}

const nameOf = (segment: SingleSegment): string =>
  "index" in segment ? `item ${segment.index}` : segment.key;

function move(value: unknown, segment: SingleSegment): FilledValue {
  if ("equals" in segment) return onlyItem(value, segment);
  const isList = Array.isArray(value);
  if ("index" in segment) {
    if (!isList) return { ok: false, problem: "is not a list" };
    const item: unknown = value[segment.index];
    return item === undefined
      ? { ok: false, problem: `has ${value.length} items` }
      : { ok: true, value: item };
  }
  const { key } = segment;
  if (isObject(value) && Object.hasOwn(value, key)) return { ok: true, value: value[key] };
  if (isList) return { ok: false, problem: `is a list of ${value.length} items` };
  return { ok: false, problem: isObject(value) ? describeNames(value, key) : "has no fields" };
}

function describeNames(value: object, key: string): string {
  const names = Object.keys(value);
  return `has no ${key}; it has ${joinFirst(names, MAX_NAMES) || "no fields"}`;
}

/** The only item of a list whose field has a value. */
function onlyItem(value: unknown, { key, equals }: { key: string; equals: string }): FilledValue {
  if (!Array.isArray(value)) return { ok: false, problem: "is not a list" };
  const items = value.filter((item) => isObject(item) && String(item[key]) === equals);
  if (items.length === 1) return { ok: true, value: items[0] };
  const problem =
    items.length === 0
      ? `has no item whose ${key} is ${JSON.stringify(equals)}`
      : `has ${items.length} items whose ${key} is ${JSON.stringify(equals)}`;
  return { ok: false, problem };
}
