import { toSingleLine, quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../../json.js";
import { type AnySchema, refName, resolveSchema, typesOf } from "../refs.js";
import { isSameJson } from "../values.js";
import { hasEntries, isEmptySchema, isFalseSchema } from "./keywords.js";
import { LEVEL_COST, type ProjectionDirection, type SchemaWriteContext } from "./projection.js";

/** Claude refuses a whole request for one property name that does not match. */
const LEGAL_PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Properties and what is said of further ones. */
export function writeObject(schema: JsonSchema, writing: SchemaWriteContext): void {
  const { draft: out, notes: said, where, projectChild: below, diagnostics } = writing;
  const properties: [string, JsonSchema][] = [];
  const refused: string[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property === false || isFalseSchema(property) || isHidden(property, writing)) continue;
    if (!LEGAL_PROPERTY_NAME.test(name) || name === "__proto__") refused.push(name);
    else properties.push([name, below(property, LEVEL_COST, name).schema]);
  }
  if (properties.length > 0 || hasEntries(schema.properties))
    out.properties = Object.fromEntries(properties);
  const required = schema.required?.filter((name) => properties.some(([known]) => known === name));
  if (required && required.length > 0) out.required = required;
  if (refused.length === 0) return writeAdditionalProperties(schema, writing);
  const names = refused
    .slice(0, 8)
    .map((name) => quoteText(name, 40))
    .join(", ");
  said.push(`Also takes ${names}.`);
  diagnostics.add(
    "plan-schema-property",
    `${quoteText(where.label)} has properties whose names hosts refuse (${names}); it takes any further property instead.`,
    where.location,
  );
}

/** Further properties: closed objects stay closed, maps keep what they hold. */
function writeAdditionalProperties(
  schema: JsonSchema,
  { draft: out, projectChild: below }: SchemaWriteContext,
): void {
  const rest = schema.additionalProperties;
  if (rest === false && !hasEntries(schema.patternProperties)) out.additionalProperties = false;
  const values = unionSchema(
    additionalValueSchemas(schema).map((value) => below(value, LEVEL_COST, "values").schema),
  );
  if (!isEmptySchema(values)) out.additionalProperties = values;
}

function isHidden(
  property: AnySchema,
  { hiddenAnnotation: hidden, schemas }: ProjectionDirection,
): boolean {
  return (
    isObject(property) &&
    (property[hidden] === true ||
      (refName(property) !== undefined && resolveSchema(schemas, property)[hidden] === true))
  );
}

/**
 * What may stand under other names than those of `properties`; nothing when that is anything. Hosts
 * know no patterns of names, so each such value may have any name. An object of one pattern and
 * nothing else is a map, although it does not say that it is closed.
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

/** More places are not put into words. */
const MAX_DESCRIBED_POSITIONS = 6;

/** What a list holds. A schema for each place is one that any item may satisfy. */
export function writeArray(
  schema: JsonSchema,
  { draft: out, notes: said, where, projectChild: below, diagnostics, schemas }: SchemaWriteContext,
): void {
  const tuple = schema.prefixItems;
  if (tuple) {
    const all =
      isObject(schema.items) && !isFalseSchema(schema.items) ? [...tuple, schema.items] : tuple;
    out.items = unionSchema(all.map((item) => below(item, LEVEL_COST + 1, where.label).schema));
    if (schema.items === false) out.maxItems ??= tuple.length;
    if (tuple.length <= MAX_DESCRIBED_POSITIONS)
      said.push(
        `In this order: ${tuple.map((item) => (isObject(item) ? positionName(resolveSchema(schemas, item as JsonSchema)) : "anything")).join(", ")}.`,
      );
    diagnostics.add(
      "plan-schema-keyword",
      `${quoteText(where.label)} is a list with a schema for each place; every item may be any of them now.`,
      where.location,
    );
  } else if (isObject(schema.items)) {
    out.items = below(schema.items, LEVEL_COST, where.label).schema;
  } else if (typesOf(schema).includes("array")) {
    // OpenAI refuses a tool with a list that does not say what it holds.
    out.items = {};
  }
}

/** What stands at one place of a list, in a few words. */
function positionName(schema: JsonSchema): string {
  const said = [schema.title, schema.description].find(
    (words) =>
      typeof words === "string" && words !== "" && words.length <= 40 && !/[.,;:\n]/.test(words),
  );
  return said === undefined ? typesOf(schema).join(" or ") || "anything" : toSingleLine(said);
}

/** Any of the schemas; anything, where that is one of them or there are none. */
export function unionSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const parts = schemas.filter(
    (one, i) => schemas.findIndex((other) => isSameJson(one, other)) === i,
  );
  return parts.length < 2 || parts.some(isEmptySchema)
    ? (parts.find(isEmptySchema) ?? parts[0] ?? {})
    : { anyOf: parts };
}
