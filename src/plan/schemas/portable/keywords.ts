import { quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../../json.js";
import type { DiagnosticCollector, SchemaUsage } from "../../diagnostics.js";
import type { AnySchema, Schemas } from "../refs.js";
import { estimateSize, matchesSchema } from "../values.js";
import { isExample, patternProblem } from "./patterns.js";
import { isWithoutEffect, type SchemaDraft } from "./types.js";
/** Longest enum in a tool's schema. Longer ones cost more tokens than they help. */
export const MAX_ENUM_VALUES = 50;
const MAX_ENUM_LENGTH = 2000;

/**
 * Keywords that every host accepts, by the type of their values, or by the check that they need.
 */
const SIMPLE_KEYWORDS: ReadonlyMap<
  string,
  "string" | "number" | "boolean" | "values" | "pattern" | "default"
> = new Map([
  ...["type", "format", "contentEncoding"].map((key) => [key, "string"] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
    (key) => [key, "number"] as const,
  ),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (key) => [key, "number"] as const,
  ),
  ["uniqueItems", "boolean"],
  ["enum", "values"],
  ["const", "values"],
  ["pattern", "pattern"],
  ["default", "default"],
]);

/** Context for writing the simple keywords of a schema. */
export interface SchemaWriteOptions {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Copies keywords without subschemas to `draft`, as far as every host accepts them.
 * @returns sentences that describe omitted keywords
 */
export function writeSimpleKeywords(
  schema: JsonSchema,
  draft: SchemaDraft,
  usage: SchemaUsage,
  context: SchemaWriteOptions,
): string[] {
  const notes: string[] = [];
  for (const key in schema) {
    const kind = SIMPLE_KEYWORDS.get(key);
    if (kind === undefined || isWithoutEffect(key, schema)) continue;
    const value = schema[key];
    if (kind === "values")
      writeValues(key === "const" ? [value] : value, draft, notes, usage, context);
    else if (kind === "pattern") writePattern(value, draft, notes, usage, context);
    else if (kind === "default") writeDefault(schema, draft, usage, context);
    else if (typeof value === kind || (key === "type" && Array.isArray(value) && value.length > 0))
      draft[key] = value;
  }
  if (schema.pattern !== undefined && draft.pattern === undefined)
    describeExample(schema, notes, context);
  if (schema.uniqueItems === false) delete draft.uniqueItems;
  const example = draft.enum === undefined ? shortExample(schema, context.schemas) : undefined;
  if (example !== undefined) draft.examples = [example];
  return notes;
}

/** Writes `const` as an enum of one, because some hosts know only `enum`. */
function writeValues(
  values: unknown,
  draft: SchemaDraft,
  notes: string[],
  usage: SchemaUsage,
  { diagnostics }: SchemaWriteOptions,
): void {
  if (!Array.isArray(values) || values.length === 0) return;
  if (hasSentence(values)) {
    notes.push(
      `Documented values: ${values.map((value) => quoteText(String(value), 200)).join(", ")}.`,
    );
    diagnostics.add(
      "plan-schema-enum",
      `The enum of ${quoteText(usage.label)} has a sentence beside its values, which may mean ` +
        "others. Its description lists them instead.",
      usage.location,
    );
    return;
  }
  const text = values.length > MAX_ENUM_VALUES ? Number.POSITIVE_INFINITY : estimateSize(values);
  if (text <= MAX_ENUM_LENGTH) {
    draft.enum = values;
    return;
  }
  const samples = values
    .slice(0, 5)
    .map((value) => quoteText(typeof value === "string" ? value : JSON.stringify(value), 40));
  notes.push(`One of ${values.length} values, such as ${samples.join(", ")}.`);
  diagnostics.add(
    "plan-schema-enum",
    `${quoteText(usage.label)} has an enum of ${values.length} values, too many for a tool's schema. ` +
      "Its description lists the first ones instead.",
    usage.location,
  );
}

/** True for single words and a text about them: `low`, `high`, `any other level of the server`. */
function hasSentence(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === "string")) return false;
  const texts = values.filter((value) => /\s/.test(value));
  const areSentences = texts.every((value) => value.trim().split(/\s+/).length >= MIN_WORDS);
  return texts.length > 0 && texts.length < values.length && areSentences;
}

/** Minimum number of words of a sentence. Values of an API have fewer beside single words. */
const MIN_WORDS = 5;

function writePattern(
  pattern: unknown,
  draft: SchemaDraft,
  notes: string[],
  usage: SchemaUsage,
  { diagnostics }: SchemaWriteOptions,
): void {
  if (typeof pattern !== "string" || pattern === "") return;
  const problem = patternProblem(pattern);
  if (problem === undefined) {
    draft.pattern = pattern;
    return;
  }
  if (pattern.length <= 120)
    notes.push(`${isExample(pattern) ? "Example" : "Pattern"}: ${pattern}`);
  diagnostics.add(
    "plan-schema-pattern",
    `The pattern of ${quoteText(usage.label)} ${problem}. It is part of the description instead.`,
    usage.location,
  );
}

function writeDefault(
  schema: JsonSchema,
  draft: SchemaDraft,
  usage: SchemaUsage,
  { schemas, diagnostics }: SchemaWriteOptions,
): void {
  if (schema.default === undefined) return;
  if (matchesSchema(schema.default, schema, schemas)) draft.default = schema.default;
  else
    diagnostics.add(
      "plan-schema-value",
      `The default of ${quoteText(usage.label)} does not satisfy its schema and is ignored.`,
      usage.location,
    );
}

/** Adds an example to the description when no keyword describes the form of the value. */
function describeExample(
  schema: JsonSchema,
  notes: string[],
  { schemas }: SchemaWriteOptions,
): void {
  const examples = Array.isArray(schema.examples) ? schema.examples : [];
  const example = [...examples, schema.default].find(
    (candidate) =>
      typeof candidate === "string" &&
      isShort(candidate) &&
      matchesSchema(candidate, schema, schemas),
  );
  if (typeof example === "string") notes.push(`Such as ${quoteText(example, MAX_EXAMPLE_LENGTH)}.`);
}

/** Keywords that many hosts do not know. */
const REMOVED_KEYWORDS = new Set(
  (
    "not if dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems " +
    "patternProperties propertyNames contains"
  ).split(" "),
);

const COMPOUND_KEYWORDS = new Set([
  ...REMOVED_KEYWORDS,
  "$ref",
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "oneOf",
]);

/** True for schemas without subschemas and removed keywords, which most are. */
export function isSimpleSchema(schema: JsonSchema): boolean {
  if (schema.type === "object" || schema.type === "array") return false;
  for (const key in schema) if (COMPOUND_KEYWORDS.has(key)) return false;
  return true;
}

/** Reports keywords that the tool does not check. */
export function reportRemovedKeywords(
  schema: JsonSchema,
  usage: SchemaUsage,
  diagnostics: DiagnosticCollector,
): void {
  for (const key in schema) {
    if (!REMOVED_KEYWORDS.has(key) || schema[key] === undefined) continue;
    if (key === "not" && isFalseSchema(schema)) continue;
    diagnostics.add(
      "plan-schema-keyword",
      `${quoteText(usage.label)} uses \`${key}\`, which many hosts do not know. The tool does not enforce it.`,
      usage.location,
    );
  }
}

/** True for `{ not: {} }`, the model form of `false`. */
export function isFalseSchema(schema: AnySchema): boolean {
  return (
    isObject(schema) &&
    isObject(schema.not) &&
    Object.keys(schema.not).length === 0 &&
    Object.keys(schema).length === 1
  );
}

export const hasEntries = (record: unknown): boolean =>
  isObject(record) && Object.keys(record).length > 0;
export const isEmptySchema = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

/** Maximum length of an example in characters. */
const MAX_EXAMPLE_LENGTH = 80;

/** Maximum length of an example of a list or an object. */
const MAX_COMPOUND_LENGTH = 120;

/** One short example that satisfies the schema; that of a list is shortened to its first items. */
export function shortExample(schema: JsonSchema, schemas: Schemas): unknown {
  const examples: readonly unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
  return examples
    .filter((example) => isNeeded(example, schema))
    .flatMap((example) => [shorten(example), example])
    .find((example) => isShort(example) && matchesSchema(example, schema, schemas));
}

/** The fields of an object and the values of an enum are more informative than an example. */
function isNeeded(example: unknown, { properties, items }: JsonSchema): boolean {
  if (example === null || example === "") return false;
  if (Array.isArray(example))
    return example.length > 0 && !(isObject(items) && (items.enum ?? items.examples));
  return !isObject(example) || (!properties && Object.keys(example).length > 0);
}

const MAX_ITEMS = 2;

function shorten(example: unknown): unknown {
  if (!Array.isArray(example)) return example;
  return example.slice(0, typeof example[0] === "object" ? 1 : MAX_ITEMS);
}

/** Tests whether a value is short enough for an example. */
const isShort = (value: unknown): boolean =>
  estimateSize(value) <= (typeof value === "object" ? MAX_COMPOUND_LENGTH : MAX_EXAMPLE_LENGTH);
