import type { Draft } from "./leaf.js";

/** Which type each keyword is about; the others are about the value as a whole. */
const ABOUT: Readonly<Record<string, string>> = {
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

const ANNOTATIONS = new Set(["description", "default", "examples", "deprecated"]);

/**
 * Writes a list of types as alternatives of one type each, which hosts that know only one `type`
 * per schema accept (OpenAPI 3.0 dialects such as Gemini's): `{type: [string, null], format}` →
 * `{anyOf: [{type: string, format}, {type: null}]}`.
 */
export function oneTypeEach(schema: Draft): Draft {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  if (type.length === 1) return { ...schema, type: type[0] as unknown };
  const whole: Draft = {};
  const alternatives = new Map(type.map((name: string) => [name, { type: name } as Draft]));
  for (const key in schema) if (key !== "type") place(key, schema[key], alternatives, whole);
  const anyOf = [...alternatives.values()].filter(
    (one) => !Array.isArray(one["enum"]) || one["enum"].length > 0,
  );
  return withAlternatives(whole, anyOf);
}

function place(key: string, value: unknown, alternatives: Map<string, Draft>, whole: Draft): void {
  const about = ABOUT[key];
  if (key === "enum")
    for (const [type, one] of alternatives) shareEnum(type, one, value as readonly unknown[]);
  else if (about === undefined || ANNOTATIONS.has(key)) whole[key] = value;
  else
    for (const type of about === "number" ? ["number", "integer"] : [about])
      (alternatives.get(type) ?? {})[key] = value;
}

/** Each type keeps its own values; null needs no list. */
function shareEnum(type: string, one: Draft, values: readonly unknown[]): void {
  const own = values.filter(
    (value) => typeOf(value) === type || (type === "integer" && Number.isInteger(value)),
  );
  if (type !== "null" || own.length === 0) one["enum"] = own;
}

/** The JSON type of a value; `number` for integers, too. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A schema that must be one of the alternatives besides. */
export function withAlternatives(whole: Draft, anyOf: readonly Draft[]): Draft {
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
