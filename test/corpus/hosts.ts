import { isObject } from "../../src/json.js";

type Schema = Readonly<Record<string, unknown>>;

/**
 * What providers of models refuse in the schema of a tool, mostly with the whole request; each as
 * one of them words it.
 */
const rules: readonly (readonly [rule: string, isBroken: (schema: Schema) => boolean])[] = [
  ["Gemini: type is no list (Proto field is not repeating)", ({ type }) => Array.isArray(type)],
  [
    "Gemini: values say their type (didn't specify the schema type field)",
    ({ type, enum: values }) => values !== undefined && typeof type !== "string",
  ],
  [
    "Gemini: no empty text among values (enum[0]: cannot be empty)",
    ({ enum: values }) => Array.isArray(values) && values.includes(""),
  ],
  [
    "Gemini: values beside anyOf, and their type, stand in it (it must be the only field set)",
    ({ type, format, anyOf }) =>
      Array.isArray(anyOf) && anyOf.every(isValue) && (type !== undefined || format !== undefined),
  ],
  [
    "OpenAI: a list says what it holds (array schema missing items)",
    ({ type, items }) => type === "array" && !isObject(items),
  ],
  [
    "OpenAI: values are some, and no two the same",
    ({ enum: values }) =>
      values !== undefined &&
      !(
        Array.isArray(values) &&
        values.length > 0 &&
        new Set(values.map((value) => JSON.stringify(value))).size === values.length
      ),
  ],
  [
    "all: values are of their type",
    ({ type, enum: values }) =>
      Array.isArray(values) && values.some((value) => !isOfType(value, type)),
  ],
  [
    "all: what is required is there",
    ({ required, properties }) =>
      Array.isArray(required) &&
      required.some((name) => !Object.hasOwn((properties ?? {}) as object, name as string)),
  ],
  [
    "Anthropic: names of properties (should match ^[a-zA-Z0-9_.-]{1,64}$)",
    ({ properties }) =>
      Object.keys((properties ?? {}) as object).some(
        (name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name),
      ),
  ],
  [
    "all: a choice has two ways or more",
    ({ anyOf }) => anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.length > 1),
  ],
  [
    "all: keywords that are known everywhere",
    (schema) => Object.keys(schema).some((keyword) => !known.has(keyword)),
  ],
];

const known: ReadonlySet<string> = new Set([
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

const isValue = (schema: unknown): boolean => isObject(schema) && schema["enum"] !== undefined;

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
}

/** The rules that an input schema breaks, with the place of each. */
export function hostFaults(schema: unknown, at: string): string[] {
  if (!isObject(schema)) return [];
  const broken = rules.flatMap(([rule, isBroken]) => (isBroken(schema) ? [`${at}: ${rule}`] : []));
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
      hostFaults(part, `${at}/${name}`),
    ),
  ];
}
