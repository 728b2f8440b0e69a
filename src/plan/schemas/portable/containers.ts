import { quoteText, toSingleLine } from "../../../diagnostics/text.js";
import { isObject, isSameJson, type JsonSchema, omitUndefined, typesOf } from "../../../json.js";
import { describeAlternatives, type EnumMeanings } from "../values.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../refs.js";
import {
  hasEntries,
  isEmptySchema,
  isFalseSchema,
  MAX_ENUM_VALUES,
  writeSimpleKeywords,
} from "./keywords.js";
import { type SchemaDraft, isEnumOnly, normalizeTypes } from "./types.js";
import { LEVEL_COST, type ProjectionDirection, type SchemaWriteContext } from "./projection.js";
import { isRelation, isThing } from "../relation.js";
import { withTitle } from "../title.js";
import { briefThing } from "./relations.js";

/** Property names that Claude accepts. One other name fails the whole request. */
const LEGAL_PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Writes properties and additional properties. */
export function writeObject(schema: JsonSchema, context: SchemaWriteContext): void {
  const { draft, notes, usage, projectChild, diagnostics } = context;
  const fields = visibleProperties(schema, context);
  const isInput = context.hiddenAnnotation === "readOnly";
  const titled = (field: AnySchema, name: string): AnySchema =>
    isInput ? withTitle(field, name, context.schemas) : field;
  const refused = fields.map(([name]) => name).filter((name) => !isLegalName(name));
  const properties = fields
    .filter(([name]) => isLegalName(name))
    .map(([name, field]): [string, JsonSchema] => [
      name,
      projectChild(titled(field, name), LEVEL_COST, name).schema,
    ]);
  if (properties.length > 0 || hasEntries(schema.properties))
    draft.properties = Object.fromEntries(properties);
  const required = schema.required?.filter((name) => properties.some(([legal]) => legal === name));
  if (required && required.length > 0) draft.required = required;
  if (refused.length === 0) return writeAdditionalProperties(schema, context);
  draft.additionalProperties = true;
  const names = refused
    .slice(0, 8)
    .map((name) => quoteText(name, 40))
    .join(", ");
  notes.push(`Also takes ${names}.`);
  diagnostics.add(
    "plan-schema-property",
    `${quoteText(usage.label)} has property names that hosts reject (${names}). ` +
      "It accepts any additional property instead.",
    usage.location,
  );
}

const isLegalName = (name: string): boolean =>
  LEGAL_PROPERTY_NAME.test(name) && name !== "__proto__";

/** Properties that values may have in the direction of the projection. */
function visibleProperties(
  schema: JsonSchema,
  context: ProjectionDirection,
): readonly (readonly [string, AnySchema])[] {
  return Object.entries(schema.properties ?? {}).filter(
    ([, field]) => field !== false && !isFalseSchema(field) && !isHidden(field, context),
  );
}

/** Closed objects stay closed; maps keep the schema of their values. */
function writeAdditionalProperties(
  schema: JsonSchema,
  { draft, projectChild }: SchemaWriteContext,
): void {
  const rest = schema.additionalProperties;
  if (rest === false && !hasEntries(schema.patternProperties)) draft.additionalProperties = false;
  const values = unionSchema(
    additionalValueSchemas(schema).map((value) => projectChild(value, LEVEL_COST, "values").schema),
  );
  if (!isEmptySchema(values)) draft.additionalProperties = values;
}

function isHidden(
  property: AnySchema,
  { hiddenAnnotation, schemas }: ProjectionDirection,
): boolean {
  return (
    isObject(property) &&
    (property[hiddenAnnotation] === true ||
      (refName(property) !== undefined &&
        resolveSchema(schemas, property)[hiddenAnnotation] === true))
  );
}

/**
 * Schemas of values under names outside `properties`; empty when these may be anything. Hosts do
 * not know patterns of names, so such a value may have any name. An object with only one pattern is
 * a map, even when it is not closed.
 */
function additionalValueSchemas({
  additionalProperties: rest,
  patternProperties,
  properties,
  unevaluatedProperties,
}: JsonSchema): readonly AnySchema[] {
  const patterns = Object.values(patternProperties ?? {}) as AnySchema[];
  if (isObject(rest)) return [rest, ...patterns];
  const isMap =
    patterns.length === 1 &&
    rest === undefined &&
    !hasEntries(properties) &&
    unevaluatedProperties === undefined;
  return rest === false || isMap ? patterns : [];
}

/** Longer tuples are not described in words. */
const MAX_DESCRIBED_POSITIONS = 6;

/** Writes the items of a list. Any item of a tuple may satisfy any of its schemas. */
export function writeArray(
  schema: JsonSchema,
  { draft, notes, usage, projectChild, diagnostics, schemas }: SchemaWriteContext,
): void {
  const tuple = schema.prefixItems;
  if (tuple) {
    const all =
      isObject(schema.items) && !isFalseSchema(schema.items) ? [...tuple, schema.items] : tuple;
    draft.items = unionSchema(
      all.map((item) => projectChild(item, LEVEL_COST + 1, usage.label).schema),
    );
    if (schema.items === false) draft.maxItems ??= tuple.length;
    if (tuple.length <= MAX_DESCRIBED_POSITIONS)
      notes.push(`In this order: ${tuple.map((item) => positionName(item, schemas)).join(", ")}.`);
    diagnostics.add(
      "plan-schema-keyword",
      `${quoteText(usage.label)} uses \`prefixItems\`, which many hosts do not know. ` +
        "In the tool, every item may match any of its schemas.",
      usage.location,
    );
  } else if (isObject(schema.items)) {
    draft.items = projectChild(schema.items, LEVEL_COST, usage.label).schema;
  } else if (typesOf(schema).includes("array")) {
    // OpenAI rejects a tool with a list without `items`.
    draft.items = {};
  }
}

/** Short name of one position of a tuple. */
function positionName(item: AnySchema, schemas: Schemas): string {
  if (!isObject(item)) return "anything";
  const schema = resolveSchema(schemas, item as JsonSchema);
  const text = [schema.title, schema.description].find(
    (words) =>
      typeof words === "string" && words !== "" && words.length <= 40 && !/[.,;:\n]/.test(words),
  );
  return text === undefined ? typesOf(schema).join(" or ") || "anything" : toSingleLine(text);
}

/** Union of schemas; anything when one of them is empty or there are none. */
function unionSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const parts = schemas.filter(
    (schema, i) => schemas.findIndex((other) => isSameJson(schema, other)) === i,
  );
  return parts.length < 2 || parts.some(isEmptySchema)
    ? (parts.find(isEmptySchema) ?? parts[0] ?? {})
    : { anyOf: parts };
}

/**
 * Writes `oneOf` as `anyOf`, which hosts know and which overlapping alternatives satisfy. An
 * alternative that accepts anything removes the choice.
 */
export function writeAlternatives(schema: JsonSchema, context: SchemaWriteContext): void {
  const { draft, usage, projectChild, schemas } = context;
  const projectAll = (list: readonly AnySchema[]): JsonSchema[] =>
    distinct(list.map((part) => projectChild(part, 1, usage.label).schema));
  const isInput = context.hiddenAnnotation === "readOnly";
  const required = schema.allOf
    ? projectAll(schema.allOf).filter((part) => !isEmptySchema(part))
    : [];
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!list) continue;
    const named = isInput ? list.map((part) => withObjectTitle(part, context)) : list;
    const parts =
      isInput && isRelation(list, schemas) ? projectRelation(list, context) : projectAll(named);
    const codes = parts.every(isEnumOnly) ? describeAlternatives(list, schemas) : undefined;
    if (parts.some(isEmptySchema)) reportIdleAlternatives(list, context);
    else if (parts.length === 1) required.push(parts[0] as JsonSchema);
    else if (codes && canJoinEnumValues(parts, codes))
      required.push(joinEnumValues(parts, codes.text, context));
    else required.push({ anyOf: parts });
    // Types that every alternative states are not repeated next to them, because Gemini accepts
    // them only there.
    if (codes && parts.every(({ type }) => type === draft.type))
      for (const key of ["type", "format"]) delete draft[key];
  }
  if (required.length === 1) mergeSinglePart(draft, required[0] as JsonSchema);
  else if (required.length > 1) draft.allOf = required;
}

/** An alternative that is an object, with its title as description. */
function withObjectTitle(part: AnySchema, { schemas, usage }: SchemaWriteContext): AnySchema {
  const isWithFields = isObject(part) && resolveSchema(schemas, part as JsonSchema).properties;
  return isWithFields ? withTitle(part, usage.label, schemas) : part;
}

/** Writes the ID of a thing first, and the thing in brief. */
function projectRelation(list: readonly AnySchema[], context: SchemaWriteContext): JsonSchema[] {
  const { schemas, projectChild, addPart, usage } = context;
  const thingOf = (part: AnySchema): JsonSchema | undefined => {
    if (typeof part === "boolean") return undefined;
    const target = resolveSchema(schemas, part);
    return isThing(target) ? target : undefined;
  };
  const others = list.filter((part) => !thingOf(part));
  const things = list.map(thingOf).filter((thing) => thing !== undefined);
  const briefs = things.map((thing) => {
    const fields = visibleProperties(thing, context).filter(([name]) => isLegalName(name));
    const brief = briefThing(thing, fields, context);
    addPart(brief, 1);
    return brief.schema;
  });
  return [...distinct(others.map((part) => projectChild(part, 1, usage.label).schema)), ...briefs];
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
