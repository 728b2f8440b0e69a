import { isObject, type JsonSchema } from "../../json.js";
import { refName, resolve, type Schemas } from "../schema/refs.js";
import { sameJson } from "../schema/values.js";
import { fieldsOf } from "./fields.js";

export type Sameness =
  | { readonly same: true; readonly item: JsonSchema }
  | { readonly same: false; readonly why: string };

/**
 * Whether the items of a list and what a get returns are one kind of thing. They are when they have
 * the same schema, when one is an alternative of the other (a customer, or a deleted one), or when
 * the get has every field of the list's items and more. Then the result is the union of both, so
 * that nothing is lost.
 */
export function sameItem(listed: JsonSchema, got: JsonSchema, schemas: Schemas): Sameness {
  const [a, b] = [finalName(listed, schemas), finalName(got, schemas)];
  if (a !== undefined && a === b) return { same: true, item: listed };
  if (a === undefined && b === undefined && sameJson(listed, got))
    return { same: true, item: listed };
  if (isAlternative(a, got, schemas)) return { same: true, item: got };
  if (isAlternative(b, listed, schemas)) return { same: true, item: listed };
  const [less, more] = [fieldsOf(listed, schemas), fieldsOf(got, schemas)];
  if (!less || !more || less.size === 0 || more.size === 0)
    return { same: false, why: "their results are not of one kind" };
  const missing = [...less.keys()].filter((name) => !more.has(name));
  if (missing.length > 0)
    return {
      same: false,
      why: `one item has fields that another has not (${missing.slice(0, 3).join(", ")})`,
    };
  return { same: true, item: { anyOf: [got, listed] } };
}

/** The name of a schema, behind names that only stand for others. */
function finalName(schema: JsonSchema, schemas: Schemas): string | undefined {
  let name = refName(schema);
  for (let hop = 0; name !== undefined && hop < 32; hop++) {
    const next: string | undefined = Object.hasOwn(schemas, name)
      ? refName(schemas[name] as JsonSchema)
      : undefined;
    if (next === undefined) return name;
    name = next;
  }
  return name;
}

function isAlternative(name: string | undefined, schema: JsonSchema, schemas: Schemas): boolean {
  if (name === undefined) return false;
  const { anyOf, oneOf, properties } = resolve(schemas, schema);
  if (properties) return false;
  return [...(anyOf ?? []), ...(oneOf ?? [])].some(
    (part) => isObject(part) && finalName(part as JsonSchema, schemas) === name,
  );
}
