/** Loosening of schemas that the document's own words or examples contradict. */
import { isObject, isOfType, type JsonSchema, typesOf } from "../../json.js";
import { matchesFormat } from "../../runtime/schema/scalar-keywords.js";
import { createMatcher } from "../../runtime/schema/bounded-regexp.js";
import type { Context } from "../context.js";
import type { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { isTemplateVariable } from "./json-values.js";

/** A pattern of a date in words: `dd-MM-yyyy`, `YYYYMMDD`, `yyyy-MM-dd HH:mm`. */
const DATE_PATTERN =
  /\b(?:y{4}([-./ ]?)m{2}\1d{2}|d{2}([-./ ]?)m{2,3}\2y{2,4}|m{2}([-./ ]?)d{2}\3y{2,4})(?:[T ']{1,3}h{2})?/i;
const DATE_PATTERNS: Readonly<Record<string, RegExp>> = {
  date: /^yyyy-mm-dd$/i,
  "date-time": /^yyyy-mm-dd'?T'?hh$/i,
};

/** A time that is given as its distance from now: `1h`. */
const RELATIVE_TIME =
  /\bparse_?duration\b|\b(?:as|accepts|takes) (?:an? )?(?:\w+ )?duration\b|\brelative (?:time|date)s?\b/i;

/**
 * Leaves out a format of dates that the description contradicts by a pattern, or by a relative
 * time: the API's author wrote the text by hand and the format with a type.
 */
export function loosenByDescription(
  c: Context,
  schema: JsonSchema,
  description: string | undefined,
  pointer: Pointer,
): JsonSchema {
  const { format = "" } = schema;
  const expected = Object.hasOwn(DATE_PATTERNS, format) ? DATE_PATTERNS[format] : undefined;
  if (!expected || !description) return schema;
  const [pattern] = DATE_PATTERN.exec(description) ?? RELATIVE_TIME.exec(description) ?? [];
  if (pattern === undefined || expected.test(pattern)) return schema;
  c.diagnostics.add(
    "model-schema-format",
    pointer,
    `The description says ${quote(pattern)}, which is not the format ${format}; the format is left out.`,
  );
  return without(schema, "format");
}

/** A class after two backslashes, which no pattern means as a backslash and a letter. */
const ESCAPED_TWICE = /\\\\[dwsDWS](?=[{+*?)\]$]|$)/;

/**
 * Removes a backslash of every pair from a pattern that was escaped for JSON twice: `\\\\d{4}`
 * matches a backslash and four letters d, which no caller sends.
 */
export function unescapePattern(c: Context, schema: JsonSchema, pointer: Pointer): JsonSchema {
  const { pattern } = schema;
  if (typeof pattern !== "string" || !ESCAPED_TWICE.test(pattern)) return schema;
  const unescaped = pattern.replaceAll("\\\\", "\\");
  if (pattern.replaceAll("\\\\", "").includes("\\")) return schema;
  c.diagnostics.add(
    "model-schema-pattern",
    pointer,
    `The pattern ${quote(pattern)} is escaped twice; ${quote(unescaped)} is used.`,
  );
  return { ...schema, pattern: unescaped };
}

/** `MUST NOT be included when changetype is DELETE`, `Optional description of the role`. */
const CAN_BE_ABSENT = [
  /\b(?:must|shall|should|may|can) ?not be (?:included|provided|specified|sent|given|passed|supplied|present) (?:when|if|for|unless)\b/i,
  /^\W{0,2}optional\b/i,
];

/** Requires only the properties whose own descriptions do not say that they can be absent. */
export function loosenRequired(c: Context, schema: JsonSchema, pointer: Pointer): JsonSchema {
  const { required = [], properties = {} } = schema;
  const absent = required.filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const text = isObject(property) ? (property as JsonSchema).description : undefined;
    return text !== undefined && CAN_BE_ABSENT.some((pattern) => pattern.test(text));
  });
  if (absent.length === 0) return schema;
  for (const name of absent)
    c.diagnostics.add(
      "model-schema-required",
      pointer.child("required"),
      `The description of ${quote(name)} says that it can be absent; it is not required.`,
    );
  const rest = required.filter((name) => !absent.includes(name));
  return rest.length === 0 ? without(schema, "required") : { ...schema, required: rest };
}

/**
 * Loosens a schema of scalars that its own examples contradict, each with a diagnostic. Callers
 * copy examples, and the API's author has seen them work.
 */
export function loosenByExamples(c: Context, schema: JsonSchema, pointer: Pointer): JsonSchema {
  let loosened = withoutPlaceholders(schema);
  for (const example of loosened.examples ?? []) {
    const change = example === "" ? undefined : findContradiction(loosened, example);
    if (!change) continue;
    const [reason, result] = change;
    const shown = quote(typeof example === "string" ? example : (JSON.stringify(example) ?? ""));
    c.diagnostics.add("model-example", pointer, `The example ${shown} ${reason}.`);
    loosened = result;
  }
  return loosened;
}

/** The contradiction and the schema without it. */
function findContradiction(
  schema: JsonSchema,
  example: unknown,
): readonly [reason: string, schema: JsonSchema] | undefined {
  const types = typesOf(schema);
  const outside = findValueContradiction(schema, example);
  if (outside) return outside;
  const isText = types.includes("string");
  if (typeof example === "string" && isText) return findTextContradiction(schema, example);
  if (typeof example === "number" && types.includes("integer") && !Number.isInteger(example))
    return types.includes("number")
      ? undefined
      : [
          "is not an integer; any number is accepted",
          { ...schema, type: types.length === 1 ? "number" : [...types, "number"] },
        ];
  if (!isText || !Array.isArray(example) || types.includes("array")) return undefined;
  if (!example.every((item) => isOfType(item, "string"))) return undefined;
  const { examples, description, default: fallback, ...item } = schema;
  const annotations = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    examples,
  };
  return [
    "is a list of strings; both strings and lists are accepted",
    { ...annotations, anyOf: [item, { type: "array", items: item }] },
  ];
}

/** Words that tools write where an author gave no example. */
const PLACEHOLDER_WORD = /^(?:string|str|text|value|null|none|<[^<>]*>|\.{3})$/i;

const isPlaceholder = (text: string): boolean =>
  PLACEHOLDER_WORD.test(text) || isTemplateVariable(text);

function withoutPlaceholders({ examples = [], ...schema }: JsonSchema): JsonSchema {
  const values = examples.filter(
    (example) => typeof example !== "string" || !isPlaceholder(example),
  );
  return values.length === 0 ? schema : { ...schema, examples: values };
}

/** An example that is not among the values of an enum, alone or as a list in one string. */
function findValueContradiction(
  schema: JsonSchema,
  example: unknown,
): readonly [reason: string, schema: JsonSchema] | undefined {
  const { enum: values } = schema;
  const isScalar = typeof example === "string" || typeof example === "number";
  if (!values || !isScalar || values.includes(example)) return undefined;
  if (!typesOf(schema).some((type) => isOfType(example, type))) return undefined;
  const parts = String(example).split(/(?<!\s)\s*,\s*/);
  if (parts.length === 1 || !parts.every((part) => values.includes(part)))
    return [
      "is not one of the values; it is accepted, too",
      { ...schema, enum: [...values, example] },
    ];
  const { examples, description, default: fallback, ...item } = schema;
  const annotations = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    examples,
  };
  const anyOf = [item, { type: "string" }];
  return [
    "contains several values in one string; any string is accepted",
    { ...annotations, anyOf },
  ];
}

function findTextContradiction(
  schema: JsonSchema,
  example: string,
): readonly [reason: string, schema: JsonSchema] | undefined {
  const { format, pattern, minLength, maxLength } = schema;
  if (format !== undefined && !matchesFormat(format, example))
    return [`is not a valid ${format}; the format is left out`, without(schema, "format")];
  if (typeof pattern === "string" && !createMatcher(pattern)(example))
    return ["does not match the `pattern`, which is left out", without(schema, "pattern")];
  const length = [...example].length;
  if (typeof minLength === "number" && length < minLength)
    return [
      `is shorter than ${minLength}; \`minLength\` is left out`,
      without(schema, "minLength"),
    ];
  if (typeof maxLength === "number" && length > maxLength)
    return [`is longer than ${maxLength}; \`maxLength\` is left out`, without(schema, "maxLength")];
  return undefined;
}

function without(schema: JsonSchema, key: string): JsonSchema {
  const { [key]: _, ...rest } = schema;
  return rest;
}
