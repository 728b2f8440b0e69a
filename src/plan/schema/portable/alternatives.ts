import { isObject, type JsonSchema } from "../../../json.js";
import { quoteText } from "../../../diagnostics/clean.js";
import { type Codes, codesOf } from "../../describe/codes.js";
import { type Draft, MAX_ENUM, writeLeaf } from "../leaf.js";
import { isValues, withPlainTypes } from "../plain-types.js";
import { type AnySchema, resolve, type Schemas, typesOf } from "../refs.js";
import { isEmpty } from "./keywords.js";
import type { Writing } from "./writing.js";

/**
 * `oneOf` becomes `anyOf`, which hosts know and overlapping alternatives satisfy. One that takes
 * anything makes the choice idle.
 */
export function writeAlternatives(schema: JsonSchema, writing: Writing): void {
  const { out, where, below, schemas } = writing;
  const each = (list: readonly AnySchema[]): JsonSchema[] =>
    distinct(list.map((part) => below(part, 1, where.label).schema));
  const all = schema.allOf ? each(schema.allOf).filter((part) => !isEmpty(part)) : [];
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!list) continue;
    const parts = each(list);
    const codes = parts.every(isValues) ? codesOf(list, schemas) : undefined;
    if (parts.some(isEmpty)) reportIdle(list, writing);
    else if (parts.length === 1) all.push(parts[0] as JsonSchema);
    else if (codes && isOneList(parts, codes)) all.push(oneList(parts, codes.text, writing));
    else all.push({ anyOf: parts });
    // What every value says of itself need not be said beside them; Gemini wants it nowhere else.
    if (codes && parts.every(({ type }) => type === out.type))
      for (const key of ["type", "format"]) delete out[key];
  }
  if (all.length === 1) mergeOnly(out, all[0] as JsonSchema);
  else if (all.length > 1) out.allOf = all;
}

/**
 * Alternatives of one value each are one list of values, whose meanings stand in the description.
 */
function oneList(
  parts: readonly JsonSchema[],
  meanings: string | undefined,
  writing: Writing,
): JsonSchema {
  const { said, where } = writing;
  const types = new Set(parts.map(({ type }) => type as string));
  const values = [...new Set(parts.flatMap((part) => part.enum ?? []))];
  const joined: Draft = {};
  said.push(
    ...writeLeaf(
      { ...(types.size === 1 && { type: [...types][0] as string }), enum: values },
      joined,
      where,
      writing,
    ),
  );
  if (meanings !== undefined) said.push(meanings);
  return withPlainTypes(joined) as JsonSchema;
}

/**
 * `anyOf: [{required: [a]}, {required: [b]}]`: which properties go together is the API's to check.
 */
function reportIdle(list: readonly AnySchema[], { where, findings }: Writing): void {
  if (!list.some((part) => isObject(part) && part.required !== undefined)) return;
  findings.add(
    "plan-schema-keyword",
    `${quoteText(where.label)} says which of its properties go together; the tool does not check it.`,
    where.place,
  );
}

/** The types that a choice allows, where each of its alternatives says its own. */
export function typeOfAlternatives(schema: JsonSchema, schemas: Schemas): unknown {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const types = new Set(
    parts.flatMap((part) => (isObject(part) ? typesOf(resolve(schemas, part)) : [])),
  );
  const known =
    parts.length > 0 &&
    parts.every((part) => isObject(part) && typesOf(resolve(schemas, part)).length > 0);
  return known ? (types.size === 1 ? [...types][0] : [...types]) : undefined;
}

/**
 * Values of which nothing is lost when they stand together: what is said of each, and that they are
 * not too many.
 */
function isOneList(parts: readonly JsonSchema[], { isComplete }: Codes): boolean {
  return (
    parts.length <= MAX_ENUM &&
    (isComplete || parts.every(({ description }) => description === undefined))
  );
}

/** Schemas without repetitions of the same object; memoised parts are identical. */
function distinct(list: readonly JsonSchema[]): JsonSchema[] {
  return [...new Set(list)];
}

/** What must hold besides: its keywords join those of the schema when none is there twice. */
function mergeOnly(out: Draft, only: JsonSchema): void {
  if (Object.keys(only).some((key) => key in out && key !== "description" && key !== "type"))
    out.allOf = [only];
  else for (const [key, value] of Object.entries(only)) out[key] ??= value;
}
