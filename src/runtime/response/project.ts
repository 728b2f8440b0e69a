/** Results of tools from bodies of responses: the list or the object, and the next page. */
import { isObject, parsePointer, valueAt } from "../data/values.js";
import type { ResponseMapping } from "../types.js";
import { projectFields } from "./projection.js";

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
  const result = assembleResult(body, mappingOf(body, mapping), next);
  return [mapping.projection, mapping.selected].reduce<unknown>(
    (current, projection) => (projection ? projectFields(current, projection) : current),
    result,
  );
}

/**
 * The mapping of a list that the API returns inside of an object against its description, which has
 * the list alone: `{"total": 2, "data": […]}`.
 */
function mappingOf(body: unknown, { wrap, ...mapping }: ResponseMapping): ResponseMapping {
  const fields = wrap === "items" && isObject(body) ? Object.entries(body) : [];
  const lists = fields.filter(([, value]) => Array.isArray(value));
  const isEnvelope = fields.every(([name, value]) => Array.isArray(value) || ABOUT_LIST.test(name));
  const [name] = lists[0] ?? [];
  return name !== undefined && lists.length === 1 && fields.length > 1 && isEnvelope
    ? { ...mapping, items: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` }
    : { ...mapping, ...(wrap && { wrap }) };
}

/** Names of fields about a whole list. */
const ABOUT_LIST =
  /^(?:total\w*|\w*_?count|page\w*|per_?page|limit|offset|size|(?:next|prev|previous|first|last)\w*|\w*cursor|has_?(?:more|next)|truncated|links?|_links|meta\w*|pagination|paging)$/i;

function assembleResult(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = selectContent(body, mapping);
  const { next: pointers, extraFields } = mapping;
  const inputs = next === undefined ? pointers && nextPage(body, pointers) : next;
  const others = fieldsBesideList(body, mapping);
  const isWhole = !inputs && !extraFields && Object.keys(others).length === 0;
  if (isWhole || typeof result !== "object" || result === null) return result;
  const known = {
    ...result,
    ...(inputs && { next: inputs }),
    ...(extraFields && fieldsAt(body, extraFields)),
  };
  // Known fields come first, and keep their values.
  return { ...known, ...others, ...known };
}

/**
 * Fields next to the list that no pointer of the mapping leads to: those that the API's description
 * lacks, and the list itself under another name.
 */
function fieldsBesideList(
  body: unknown,
  { items, item, next = {}, extraFields = {} }: ResponseMapping,
): Readonly<Record<string, unknown>> {
  const list = items ?? item;
  if (!list || !isObject(body)) return {};
  if (items === undefined && valueAt(body, list) === undefined) return {};
  const pointers = [list, ...Object.values(next), ...Object.values(extraFields)];
  return withoutPaths(body, pointers.map(parsePointer));
}

/** URL or type of the list itself, which does not describe its items. */
const SELF_REFERENCE = /^(?:url|uri|self|href|object|kind)$/;

function withoutPaths(
  object: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (typeof value === "string" && SELF_REFERENCE.test(name)) return [];
      const inside = paths.filter(([step]) => step === name).map((path) => path.slice(1));
      if (inside.length === 0) return [[name, value]];
      if (!isObject(value) || inside.some((path) => path.length === 0)) return [];
      const others = withoutPaths(value, inside);
      return Object.keys(others).length === 0 ? [] : [[name, others]];
    }),
  );
}

/** Note about a response whose list is not where the API's description has it. */
export function missingListNote(body: unknown, mapping: ResponseMapping): string | undefined {
  const { items } = mapping;
  if (!items || !isObject(body) || valueAt(body, items) !== undefined) return undefined;
  return Object.keys(fieldsBesideList(body, mapping)).length === 0
    ? undefined
    : `The response has no list at ${items}, where the API's description has it. Read its other fields.`;
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
  // Servers send a bare list or item although their description has an object around it.
  if (items !== undefined)
    return { items: Array.isArray(body) ? body : (valueAt(body, items) ?? []) };
  if (item !== undefined) return { items: [itemAt(body, item)] };
  return body;
}

function itemAt(body: unknown, pointer: string): unknown {
  const item = valueAt(body, pointer);
  return item === undefined ? body : item;
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
