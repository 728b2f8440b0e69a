import { quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../../json.js";
import { describeAlternatives, type EnumMeanings } from "../enum-meanings.js";
import { type AnySchema, resolveSchema, type Schemas, typesOf } from "../refs.js";
import {
  isEmptySchema,
  MAX_ENUM_VALUES,
  type SchemaDraft,
  writeSimpleKeywords,
} from "./keywords.js";
import { isEnumOnly, normalizeTypes } from "./types.js";
import type { SchemaWriteContext } from "./projection.js";

/**
 * `oneOf` becomes `anyOf`, which hosts know and overlapping alternatives satisfy. One that takes
 * anything makes the choice idle.
 */
export function writeAlternatives(schema: JsonSchema, writing: SchemaWriteContext): void {
  const { draft: out, where, projectChild: below, schemas } = writing;
  const each = (list: readonly AnySchema[]): JsonSchema[] =>
    distinct(list.map((part) => below(part, 1, where.label).schema));
  const all = schema.allOf ? each(schema.allOf).filter((part) => !isEmptySchema(part)) : [];
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!list) continue;
    const parts = each(list);
    const codes = parts.every(isEnumOnly) ? describeAlternatives(list, schemas) : undefined;
    if (parts.some(isEmptySchema)) reportIdleAlternatives(list, writing);
    else if (parts.length === 1) all.push(parts[0] as JsonSchema);
    else if (codes && canJoinEnumValues(parts, codes))
      all.push(joinEnumValues(parts, codes.text, writing));
    else all.push({ anyOf: parts });
    // What every value says of itself need not be said beside them; Gemini wants it nowhere else.
    if (codes && parts.every(({ type }) => type === out.type))
      for (const key of ["type", "format"]) delete out[key];
  }
  if (all.length === 1) mergeSinglePart(out, all[0] as JsonSchema);
  else if (all.length > 1) out.allOf = all;
}

/**
 * Alternatives of one value each are one list of values, whose meanings stand in the description.
 */
function joinEnumValues(
  parts: readonly JsonSchema[],
  meanings: string | undefined,
  writing: SchemaWriteContext,
): JsonSchema {
  const { notes: said, where } = writing;
  const types = new Set(parts.map(({ type }) => type as string));
  const values = [...new Set(parts.flatMap((part) => part.enum ?? []))];
  const joined: SchemaDraft = {};
  said.push(
    ...writeSimpleKeywords(
      { ...(types.size === 1 && { type: [...types][0] as string }), enum: values },
      joined,
      where,
      writing,
    ),
  );
  if (meanings !== undefined) said.push(meanings);
  return normalizeTypes(joined) as JsonSchema;
}

/**
 * `anyOf: [{required: [a]}, {required: [b]}]`: which properties go together is the API's to check.
 */
function reportIdleAlternatives(
  list: readonly AnySchema[],
  { where, diagnostics }: SchemaWriteContext,
): void {
  if (!list.some((part) => isObject(part) && part.required !== undefined)) return;
  diagnostics.add(
    "plan-schema-keyword",
    `${quoteText(where.label)} says which of its properties go together; the tool does not check it.`,
    where.location,
  );
}

/** The types that a choice allows, where each of its alternatives says its own. */
export function typeOfAlternatives(schema: JsonSchema, schemas: Schemas): unknown {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const types = new Set(
    parts.flatMap((part) => (isObject(part) ? typesOf(resolveSchema(schemas, part)) : [])),
  );
  const known =
    parts.length > 0 &&
    parts.every((part) => isObject(part) && typesOf(resolveSchema(schemas, part)).length > 0);
  return known ? (types.size === 1 ? [...types][0] : [...types]) : undefined;
}

/**
 * Values of which nothing is lost when they stand together: what is said of each, and that they are
 * not too many.
 */
function canJoinEnumValues(parts: readonly JsonSchema[], { isComplete }: EnumMeanings): boolean {
  return (
    parts.length <= MAX_ENUM_VALUES &&
    (isComplete || parts.every(({ description }) => description === undefined))
  );
}

/** Schemas without repetitions of the same object; memoised parts are identical. */
function distinct(list: readonly JsonSchema[]): JsonSchema[] {
  return [...new Set(list)];
}

/** What must hold besides: its keywords join those of the schema when none is there twice. */
function mergeSinglePart(out: SchemaDraft, only: JsonSchema): void {
  if (Object.keys(only).some((key) => key in out && key !== "description" && key !== "type"))
    out.allOf = [only];
  else for (const [key, value] of Object.entries(only)) out[key] ??= value;
}
