import type { FieldProjection, ResponseMapping } from "../types.js";
import { valueAt } from "../json.js";

/** What to pass for the next page. */
type NextInputs = Readonly<Record<string, unknown>>;

/**
 * The tool's result inside the API's answer: the list or the object that the binding points to,
 * under the name that the tool promises.
 * @param leads what belongs under `next`, where it is not for the answer alone to say; `null`:
 *   nothing
 */
export function project(
  answer: unknown,
  read: ResponseMapping,
  leads?: NextInputs | null,
): unknown {
  const result = assembleResult(answer, read, leads);
  return read.projection ? projectFields(result, read.projection) : result;
}

/** The result with the kept fields only; what is no object is left as it is. */
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
  answer: unknown,
  read: ResponseMapping,
  leads?: NextInputs | null,
): unknown {
  const result = selectContent(answer, read);
  const next = leads !== undefined ? leads : read.next && nextPage(answer, read.next);
  if ((!next && !read.extraFields) || typeof result !== "object" || result === null) return result;
  return {
    ...result,
    ...(next && { next }),
    ...(read.extraFields && fieldsAt(answer, read.extraFields)),
  };
}

/** What stands beside the list, as far as it is there. */
function fieldsAt(
  answer: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, pointer]) =>
      valueAt(answer, pointer) === undefined ? [] : [[name, valueAt(answer, pointer)]],
    ),
  );
}

function selectContent(answer: unknown, { wrap, items, item }: ResponseMapping): unknown {
  if (wrap === "items") return { items: answer ?? [] };
  if (wrap === "value") return { value: answer };
  if (items !== undefined) return { items: valueAt(answer, items) ?? [] };
  if (item !== undefined) return { items: [valueAt(answer, item)] };
  return answer;
}

/**
 * What to pass for the next page; `undefined` on the last one, where APIs leave it out, or say
 * null, false or "".
 */
export function nextPage(
  answer: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const found = Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(answer, pointer);
    return value === undefined || value === null || value === "" || value === false
      ? []
      : [[name, value] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
