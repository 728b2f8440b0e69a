import type { KeptFields, ReadBinding } from "../types.js";
import { valueAt } from "./pointer.js";

/** What to pass for the next page. */
type Next = Readonly<Record<string, unknown>>;

/**
 * The tool's result inside the API's answer: the list or the object that the binding points to,
 * under the name that the tool promises.
 * @param leads what belongs under `next`, where it is not for the answer alone to say; `null`:
 *   nothing
 */
export function project(answer: unknown, read: ReadBinding, leads?: Next | null): unknown {
  const result = assembled(answer, read, leads);
  return read.keep ? kept(result, read.keep) : result;
}

/** The result with the kept fields only; what is no object is left as it is. */
function kept(result: unknown, { of, ...fields }: KeptFields): unknown {
  if (typeof result !== "object" || result === null) return result;
  if (of === undefined)
    return Array.isArray(result)
      ? result.map((item) => kept(item, fields))
      : Object.fromEntries(Object.entries(result).filter(([name]) => isKept(name, fields)));
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      name === of ? kept(value, fields) : (value as unknown),
    ]),
  );
}

function isKept(name: string, { pick, drop }: KeptFields): boolean {
  return (pick === undefined || pick.includes(name)) && drop?.includes(name) !== true;
}

function assembled(answer: unknown, read: ReadBinding, leads?: Next | null): unknown {
  const result = selected(answer, read);
  const next = leads !== undefined ? leads : read.next && nextPage(answer, read.next);
  if ((!next && !read.rest) || typeof result !== "object" || result === null) return result;
  return { ...result, ...(next && { next }), ...(read.rest && fieldsAt(answer, read.rest)) };
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

function selected(answer: unknown, { wrap, items, item }: ReadBinding): unknown {
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
