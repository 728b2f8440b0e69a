import type { SchemaDraft } from "./keywords.js";

/**
 * The last touch to a schema that every host takes: each says its one type, lists of values too; a
 * list says what it holds; both booleans are no list of values; and the empty text stands apart
 * from other values, because Gemini refuses it among them.
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

/** OpenAI refuses a tool with a list that does not say what it holds. */
function addMissingItems(schema: SchemaDraft): SchemaDraft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(lacksItems))
    return {
      ...schema,
      anyOf: anyOf.map((one: SchemaDraft) => (lacksItems(one) ? { ...one, items: {} } : one)),
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

/** `["", a]`: `a`, or a text without letters. */
function separateEmptyString(schema: SchemaDraft): SchemaDraft {
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some(hasEmptyString))
    return {
      ...schema,
      anyOf: anyOf.flatMap((one: SchemaDraft) =>
        hasEmptyString(one) ? separateValues(one) : [one],
      ),
    };
  if (!hasEmptyString(schema)) return schema;
  const { type, enum: values, minLength, maxLength, pattern, format, ...beside } = schema;
  const parts = separateValues({ type, enum: values });
  return parts.length === 1 ? { ...parts[0], ...beside } : addAlternatives(beside, parts);
}

const hasEmptyString = ({ enum: values }: SchemaDraft): boolean =>
  Array.isArray(values) && values.includes("");

const EMPTY_STRING: SchemaDraft = { type: "string", maxLength: 0 };

/** What else a list of values says of its texts goes without saying. */
function separateValues({ enum: values, type }: SchemaDraft): readonly SchemaDraft[] {
  const others = (values as readonly unknown[]).filter((value) => value !== "");
  return others.length === 0 ? [EMPTY_STRING] : [{ type, enum: others }, EMPTY_STRING];
}

const ENUM_KEYWORDS = new Set(["enum", "type", "description", "examples"]);

/** A list of values, and nothing else that anybody checks. */
export function isEnumOnly(schema: SchemaDraft): boolean {
  for (const key in schema) if (!ENUM_KEYWORDS.has(key)) return false;
  return schema.enum !== undefined;
}

/** Which type each keyword is about; the others are about the value as a whole. */
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

const ANNOTATION_KEYWORDS = new Set(["description", "default", "examples", "deprecated"]);

/**
 * Writes a list of types as alternatives of one type each, which hosts that know only one `type`
 * per schema accept (OpenAPI 3.0 dialects such as Gemini's): `{type: [string, null], format}` →
 * `{anyOf: [{type: string, format}, {type: null}]}`.
 */
export function splitTypes(schema: SchemaDraft): SchemaDraft {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  if (type.length === 1) return { ...schema, type: type[0] as unknown };
  const whole: SchemaDraft = {};
  const alternatives = new Map(type.map((name: string) => [name, { type: name } as SchemaDraft]));
  for (const key in schema)
    if (key !== "type") assignKeyword(key, schema[key], alternatives, whole);
  const anyOf = [...alternatives.values()].filter(
    (one) => !Array.isArray(one["enum"]) || one["enum"].length > 0,
  );
  return addAlternatives(whole, anyOf);
}

function assignKeyword(
  key: string,
  value: unknown,
  alternatives: Map<string, SchemaDraft>,
  whole: SchemaDraft,
): void {
  const about = KEYWORD_TYPES[key];
  if (key === "enum")
    for (const [type, one] of alternatives)
      assignEnumValues(type, one, value as readonly unknown[]);
  else if (about === undefined || ANNOTATION_KEYWORDS.has(key)) whole[key] = value;
  else
    for (const type of about === "number" ? ["number", "integer"] : [about])
      (alternatives.get(type) ?? {})[key] = value;
}

/** Each type keeps its own values; null needs no list. */
function assignEnumValues(type: string, one: SchemaDraft, values: readonly unknown[]): void {
  const own = values.filter(
    (value) => jsonTypeOf(value) === type || (type === "integer" && Number.isInteger(value)),
  );
  if (type !== "null" || own.length === 0) one["enum"] = own;
}

/** The JSON type of a value; `number` for integers, too. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A schema that must be one of the alternatives besides. */
export function addAlternatives(whole: SchemaDraft, anyOf: readonly SchemaDraft[]): SchemaDraft {
  const { anyOf: others, allOf = [], ...rest } = whole;
  if (others === undefined && whole["allOf"] === undefined) return { anyOf, ...whole };
  return {
    ...rest,
    allOf: [
      ...(allOf as readonly unknown[]),
      ...(others === undefined ? [] : [{ anyOf: others }]),
      { anyOf },
    ],
  };
}
