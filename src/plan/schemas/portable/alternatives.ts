import { quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../../json.js";
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
 * Writes `oneOf` as `anyOf`, which hosts know and which overlapping alternatives satisfy. An
 * alternative that accepts anything removes the choice.
 */
export function writeAlternatives(schema: JsonSchema, context: SchemaWriteContext): void {
  const { draft, usage, projectChild, schemas } = context;
  const projectAll = (list: readonly AnySchema[]): JsonSchema[] =>
    distinct(list.map((part) => projectChild(part, 1, usage.label).schema));
  const required = schema.allOf
    ? projectAll(schema.allOf).filter((part) => !isEmptySchema(part))
    : [];
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!list) continue;
    const parts = projectAll(list);
    const codes = parts.every(isEnumOnly) ? describeAlternatives(list, schemas) : undefined;
    if (parts.some(isEmptySchema)) reportIdleAlternatives(list, context);
    else if (parts.length === 1) required.push(parts[0] as JsonSchema);
    else if (codes && canJoinEnumValues(parts, codes))
      required.push(joinEnumValues(parts, codes.text, context));
    else required.push({ anyOf: parts });
    // Types that every alternative states are not repeated beside them, because Gemini accepts
    // them only there.
    if (codes && parts.every(({ type }) => type === draft.type))
      for (const key of ["type", "format"]) delete draft[key];
  }
  if (required.length === 1) mergeSinglePart(draft, required[0] as JsonSchema);
  else if (required.length > 1) draft.allOf = required;
}

/** Joins alternatives of one value each to one enum. Their meanings go into the description. */
function joinEnumValues(
  parts: readonly JsonSchema[],
  meanings: string | undefined,
  context: SchemaWriteContext,
): JsonSchema {
  const { notes, usage } = context;
  const types = new Set(parts.map(({ type }) => type as string));
  const values = [...new Set(parts.flatMap((part) => part.enum ?? []))];
  const joined: SchemaDraft = {};
  const type = types.size === 1 ? ([...types][0] as string) : undefined;
  const schema = omitUndefined({ type, enum: values });
  notes.push(...writeSimpleKeywords(schema, joined, usage, context));
  if (meanings !== undefined) notes.push(meanings);
  return normalizeTypes(joined) as JsonSchema;
}

/**
 * `anyOf: [{required: [a]}, {required: [b]}]`: reports that the tool does not check which
 * properties go together.
 */
function reportIdleAlternatives(
  list: readonly AnySchema[],
  { usage, diagnostics }: SchemaWriteContext,
): void {
  if (!list.some((part) => isObject(part) && part.required !== undefined)) return;
  diagnostics.add(
    "plan-schema-keyword",
    `${quoteText(usage.label)} constrains which properties go together. The tool does not enforce it.`,
    usage.location,
  );
}

/** Types of the alternatives; undefined unless all of them state one. */
export function typeOfAlternatives(schema: JsonSchema, schemas: Schemas): unknown {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const types = new Set(
    parts.flatMap((part) => (isObject(part) ? typesOf(resolveSchema(schemas, part)) : [])),
  );
  const areTyped =
    parts.length > 0 &&
    parts.every((part) => isObject(part) && typesOf(resolveSchema(schemas, part)).length > 0);
  if (!areTyped) return undefined;
  return types.size === 1 ? [...types][0] : [...types];
}

/** True when joining loses no meaning and the enum is not too long. */
function canJoinEnumValues(parts: readonly JsonSchema[], { isComplete }: EnumMeanings): boolean {
  return (
    parts.length <= MAX_ENUM_VALUES &&
    (isComplete || parts.every(({ description }) => description === undefined))
  );
}

/** Removes repeated schemas. Memoized parts are identical objects. */
function distinct(list: readonly JsonSchema[]): JsonSchema[] {
  return [...new Set(list)];
}

/** Adds the keywords of a single required part to the schema, or `allOf` when keywords collide. */
function mergeSinglePart(draft: SchemaDraft, part: JsonSchema): void {
  if (Object.keys(part).some((key) => key in draft && key !== "description" && key !== "type"))
    draft.allOf = [part];
  else for (const [key, value] of Object.entries(part)) draft[key] ??= value;
}
