import type { FieldProjection, ResponseMapping } from "../types.js";
import { valueAt } from "../data/values.js";

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

/** Reads fields beside the list. A missing field is omitted. */
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
