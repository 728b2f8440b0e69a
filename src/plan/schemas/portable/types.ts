import { type JsonSchema, typesOf } from "../../../json.js";

/** A schema under construction. */
export type SchemaDraft = { [keyword: string]: unknown };

/**
 * Normalizes types for all hosts: one `type` per schema, also with enums; `items` for every list;
 * no enum of both booleans; the empty string apart from other enum values, because Gemini rejects
 * it among them.
 */
export function normalizeTypes(draft: SchemaDraft): SchemaDraft {
  const { enum: values, ...rest } = draft;
  if (!Array.isArray(values)) return addMissingItems(splitTypes(draft));
  const typed = splitTypes(
    draft.type === undefined ? { ...draft, type: typesOfValues(values) } : draft,
  );
  return typed.type === "boolean" && new Set(values).size === 2
    ? { ...rest, type: "boolean" }
    : addMissingItems(separateEmptyString(typed));
}

/** OpenAI rejects a tool with a list without `items`. */
function addMissingItems(schema: SchemaDraft): SchemaDraft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(lacksItems))
    return {
      ...schema,
      anyOf: anyOf.map((alternative: SchemaDraft) =>
        lacksItems(alternative) ? { ...alternative, items: {} } : alternative,
      ),
    };
  return lacksItems(schema) ? { ...schema, items: {} } : schema;
}

const lacksItems = ({ type, items }: SchemaDraft): boolean =>
  type === "array" && items === undefined;

function typesOfValues(values: readonly unknown[]): readonly string[] {
  const areIntegers = values.every((value) => typeof value !== "number" || Number.isInteger(value));
  return [...new Set(values.map(jsonTypeOf))].map((type) =>
    type === "number" && areIntegers ? "integer" : type,
  );
}

/** `["", a]` → `a`, or an empty string. */
function separateEmptyString(schema: SchemaDraft): SchemaDraft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(hasEmptyString))
    return {
      ...schema,
      anyOf: anyOf.flatMap((alternative: SchemaDraft) =>
        hasEmptyString(alternative) ? separateValues(alternative) : [alternative],
      ),
    };
  if (!hasEmptyString(schema)) return schema;
  const { type, enum: values, minLength, maxLength, pattern, format, ...others } = schema;
  const parts = separateValues({ type, enum: values });
  return parts.length === 1 ? { ...parts[0], ...others } : addAlternatives(others, parts);
}

const hasEmptyString = ({ enum: values }: SchemaDraft): boolean =>
  Array.isArray(values) && values.includes("");

const EMPTY_STRING: SchemaDraft = { type: "string", maxLength: 0 };

/** Separates the empty string. Other constraints on strings are implied by the values. */
function separateValues({ enum: values, type }: SchemaDraft): readonly SchemaDraft[] {
  const others = (values as readonly unknown[]).filter((value) => value !== "");
  return others.length === 0 ? [EMPTY_STRING] : [{ type, enum: others }, EMPTY_STRING];
}

const ENUM_KEYWORDS = new Set(["enum", "type", "description", "examples"]);

/** True for schemas with an enum and annotations only. */
export function isEnumOnly(schema: SchemaDraft): boolean {
  for (const key in schema) if (!ENUM_KEYWORDS.has(key)) return false;
  return schema.enum !== undefined;
}

/** Type that each keyword applies to. Other keywords apply to the whole value. */
const KEYWORD_TYPES: Readonly<Record<string, string>> = {
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  format: "string",
  contentEncoding: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  properties: "object",
  required: "object",
  additionalProperties: "object",
  minProperties: "object",
  maxProperties: "object",
  items: "array",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
};

/** True for `maxLength` of an integer: no value of the type can break it. Formats name units. */
export function isWithoutEffect(keyword: string, schema: JsonSchema): boolean {
  const only = KEYWORD_TYPES[keyword];
  if (only === undefined || keyword === "format") return false;
  const types = typesOf(schema);
  return types.length > 0 && !types.some((type) => (type === "integer" ? "number" : type) === only);
}

const ANNOTATION_KEYWORDS = new Set(["description", "default", "examples", "deprecated"]);

/**
 * Writes a list of types as alternatives with one type each, for hosts that accept one `type` per
 * schema (OpenAPI 3.0 dialects such as Gemini's): `{type: [string, null], format}` → `{anyOf:
 * [{type: string, format}, {type: null}]}`.
 */
export function splitTypes(schema: SchemaDraft): SchemaDraft {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  if (type.length === 1) return { ...schema, type: type[0] as unknown };
  const common: SchemaDraft = {};
  const alternatives = new Map(type.map((name: string) => [name, { type: name } as SchemaDraft]));
  for (const key in schema)
    if (key !== "type") assignKeyword(key, schema[key], alternatives, common);
  const anyOf = [...alternatives.values()].filter(
    (alternative) => !Array.isArray(alternative["enum"]) || alternative["enum"].length > 0,
  );
  // Types and values that exclude each other accept nothing, in any form.
  if (anyOf.length === 0) return { ...schema, type: type[0] as unknown };
  return anyOf.length === 1 ? { ...anyOf[0], ...common } : addAlternatives(common, anyOf);
}

/** Assigns a keyword to the alternatives of its type, or to all of them in common. */
function assignKeyword(
  key: string,
  value: unknown,
  alternatives: Map<string, SchemaDraft>,
  common: SchemaDraft,
): void {
  if (key === "enum") {
    const values = value as readonly unknown[];
    for (const [type, one] of alternatives) assignEnumValues(type, one, values);
    return;
  }
  const keywordType = KEYWORD_TYPES[key];
  if (keywordType === undefined || ANNOTATION_KEYWORDS.has(key)) {
    common[key] = value;
    return;
  }
  const types = keywordType === "number" ? ["number", "integer"] : [keywordType];
  for (const type of types) (alternatives.get(type) ?? {})[key] = value;
}

/** Gives each type its own values; null needs no enum. */
function assignEnumValues(
  type: string,
  alternative: SchemaDraft,
  values: readonly unknown[],
): void {
  const typeValues = values.filter(
    (value) => jsonTypeOf(value) === type || (type === "integer" && Number.isInteger(value)),
  );
  if (type !== "null" || typeValues.length === 0) alternative["enum"] = typeValues;
}

/** JSON type of a value; integers are `number`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function addAlternatives(schema: SchemaDraft, anyOf: readonly SchemaDraft[]): SchemaDraft {
  const { anyOf: others, allOf = [], ...rest } = schema;
  if (others === undefined && schema["allOf"] === undefined) return { anyOf, ...schema };
  return {
    ...rest,
    allOf: [
      ...(allOf as readonly unknown[]),
      ...(others === undefined ? [] : [{ anyOf: others }]),
      { anyOf },
    ],
  };
}
