import { isObject } from "../../src/json.js";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Restrictions of model providers on tool schemas, with the error text of the provider. A violation
 * usually fails the whole request.
 */
const rules: readonly (readonly [rule: string, isBroken: (schema: Schema) => boolean])[] = [
  ["Gemini: type is not a list (Proto field is not repeating)", ({ type }) => Array.isArray(type)],
  [
    "Gemini: enums have a type (didn't specify the schema type field)",
    ({ type, enum: values }) => values !== undefined && typeof type !== "string",
  ],
  [
    "Gemini: enums have no empty string (enum[0]: cannot be empty)",
    ({ enum: values }) => Array.isArray(values) && values.includes(""),
  ],
  [
    "Gemini: schemas with an anyOf of enums have no type or format (it must be the only field set)",
    ({ type, format, anyOf }) =>
      Array.isArray(anyOf) &&
      anyOf.every(isEnumSchema) &&
      (type !== undefined || format !== undefined),
  ],
  [
    "OpenAI: arrays have items (array schema missing items)",
    ({ type, items }) => type === "array" && !isObject(items),
  ],
  [
    "OpenAI: enums are not empty and have no duplicates",
    ({ enum: values }) =>
      values !== undefined &&
      !(
        Array.isArray(values) &&
        values.length > 0 &&
        new Set(values.map((value) => JSON.stringify(value))).size === values.length
      ),
  ],
  [
    "all: enum values match the type",
    ({ type, enum: values }) =>
      Array.isArray(values) && values.some((value) => !isOfType(value, type)),
  ],
  [
    "all: required properties are declared",
    ({ required, properties }) =>
      Array.isArray(required) &&
      required.some((name) => !Object.hasOwn((properties ?? {}) as object, name as string)),
  ],
  [
    "Anthropic: property names (should match ^[a-zA-Z0-9_.-]{1,64}$)",
    ({ properties }) =>
      Object.keys((properties ?? {}) as object).some(
        (name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name),
      ),
  ],
  [
    "all: anyOf has two alternatives or more",
    ({ anyOf }) => anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.length > 1),
  ],
  [
    "all: only keywords that every host supports",
    (schema) => Object.keys(schema).some((keyword) => !supportedKeywords.has(keyword)),
  ],
];

/** Keywords that every host supports. */
const supportedKeywords: ReadonlySet<string> = new Set([
  ...[
    "type",
    "description",
    "enum",
    "default",
    "examples",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "contentEncoding",
  ],
  ...[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
  ],
  ...[
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "anyOf",
    "allOf",
    "$ref",
    "$defs",
  ],
]);

const isEnumSchema = (schema: unknown): boolean => isObject(schema) && schema["enum"] !== undefined;

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
}

/** Lists the rules that an input schema violates, with the path of each violation. */
export function hostFaults(schema: unknown, path: string): string[] {
  if (!isObject(schema)) return [];
  const broken = rules.flatMap(([rule, isBroken]) =>
    isBroken(schema) ? [`${path}: ${rule}`] : [],
  );
  const parts = ["properties", "$defs"].flatMap((holder) =>
    Object.entries((schema[holder] ?? {}) as object),
  );
  const alternatives = ["anyOf", "allOf"].flatMap((holder) =>
    Object.entries((schema[holder] ?? []) as object),
  );
  const single = ["items", "additionalProperties"].map(
    (holder) => [holder, schema[holder]] as const,
  );
  return [
    ...broken,
    ...[...parts, ...alternatives, ...single].flatMap(([name, part]) =>
      hostFaults(part, `${path}/${name}`),
    ),
  ];
}
