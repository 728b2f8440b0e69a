import { quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../../json.js";
import type { DiagnosticCollector, SchemaUsage } from "../../diagnostics.js";
import type { AnySchema, Schemas } from "../refs.js";
import { matchesSchema } from "../values.js";
import { patternProblem } from "./patterns.js";

/** Longest list of values in a tool's schema; longer ones cost more than they help. */
export const MAX_ENUM_VALUES = 50;
const MAX_ENUM_LENGTH = 2000;
const MAX_EXAMPLE_LENGTH = 80;

/** A schema under construction. */
export type SchemaDraft = { [keyword: string]: unknown };

/**
 * Keywords that every host takes, by the type of their values, and those that need a look first.
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

/** What writing the plain keywords of a schema needs to know. */
export interface SchemaWriteOptions {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Copies the keywords that hold no schemas to `out`, those that every host takes.
 * @returns sentences that say in words what could not stay as a keyword
 */
export function writeSimpleKeywords(
  schema: JsonSchema,
  out: SchemaDraft,
  where: SchemaUsage,
  context: SchemaWriteOptions,
): string[] {
  const said: string[] = [];
  for (const key in schema) {
    const kind = SIMPLE_KEYWORDS.get(key);
    if (kind === undefined) continue;
    const value = schema[key];
    if (kind === "values")
      writeValues(key === "const" ? [value] : value, out, said, where, context);
    else if (kind === "pattern") writePattern(value, out, said, where, context);
    else if (kind === "default") writeDefault(schema, out, where, context);
    else if (typeof value === kind || (key === "type" && Array.isArray(value) && value.length > 0))
      out[key] = value;
  }
  if (schema.pattern !== undefined && out.pattern === undefined)
    describeExample(schema, said, context);
  if (schema.uniqueItems === false) delete out.uniqueItems;
  if (schema.examples !== undefined && out.enum === undefined) writeExample(schema, out, context);
  return said;
}

/** `const` becomes a list of one: some hosts know only `enum`. */
function writeValues(
  values: unknown,
  out: SchemaDraft,
  said: string[],
  where: SchemaUsage,
  { diagnostics }: SchemaWriteOptions,
): void {
  if (!Array.isArray(values) || values.length === 0) return;
  const text = values.length > MAX_ENUM_VALUES ? Number.POSITIVE_INFINITY : estimateSize(values);
  if (text <= MAX_ENUM_LENGTH) {
    out.enum = values;
    return;
  }
  const some = values
    .slice(0, 5)
    .map((value) => quoteText(typeof value === "string" ? value : JSON.stringify(value), 40));
  said.push(`One of ${values.length} values, such as ${some.join(", ")}.`);
  diagnostics.add(
    "plan-schema-enum",
    `${quoteText(where.label)} allows ${values.length} values, too many for the schema of a tool; its description names the first.`,
    where.location,
  );
}

function writePattern(
  pattern: unknown,
  out: SchemaDraft,
  said: string[],
  where: SchemaUsage,
  { diagnostics }: SchemaWriteOptions,
): void {
  if (typeof pattern !== "string" || pattern === "") return;
  const problem = patternProblem(pattern);
  if (problem === undefined) {
    out.pattern = pattern;
    return;
  }
  if (pattern.length <= 120) said.push(`Pattern: ${pattern}`);
  diagnostics.add(
    "plan-schema-pattern",
    `The pattern of ${quoteText(where.label)} ${problem}; it stands in the description instead.`,
    where.location,
  );
}

function writeDefault(
  schema: JsonSchema,
  out: SchemaDraft,
  where: SchemaUsage,
  { schemas, diagnostics }: SchemaWriteOptions,
): void {
  if (schema.default === undefined) return;
  if (matchesSchema(schema.default, schema, schemas)) out.default = schema.default;
  else
    diagnostics.add(
      "plan-schema-value",
      `The default of ${quoteText(where.label)} does not satisfy its schema; it is left out.`,
      where.location,
    );
}

/** What a value looks like that no keyword describes any more. */
function describeExample(
  schema: JsonSchema,
  said: string[],
  { schemas }: SchemaWriteOptions,
): void {
  const example = [...(Array.isArray(schema.examples) ? schema.examples : []), schema.default].find(
    (one) => typeof one === "string" && isShort(one) && matchesSchema(one, schema, schemas),
  );
  if (typeof example === "string") said.push(`Such as ${quoteText(example, MAX_EXAMPLE_LENGTH)}.`);
}

/** One short example that the schema allows. */
function writeExample(schema: JsonSchema, out: SchemaDraft, { schemas }: SchemaWriteOptions): void {
  const example = Array.isArray(schema.examples)
    ? schema.examples.find((one) => isShort(one) && matchesSchema(one, schema, schemas))
    : undefined;
  if (example !== undefined) out.examples = [example];
}

/** Examples of nested values are long and rarely help. */
function isShort(value: unknown): boolean {
  return (
    value !== null &&
    value !== "" &&
    !isObject(value) &&
    !Array.isArray(value) &&
    estimateSize(value) <= MAX_EXAMPLE_LENGTH
  );
}

/** About how many characters a JSON value takes, without writing it. Deep values count as large. */
export function estimateSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (depth > 16) return 1000;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += estimateSize(item, depth + 1) + 1;
  else
    for (const key in value)
      size += key.length + 4 + estimateSize((value as SchemaDraft)[key], depth + 1);
  return size;
}

/** What the keywords of a schema say about how it has to be written. */

/** Keywords that many hosts do not know. */
const REMOVED_KEYWORDS = new Set([
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedProperties",
  "unevaluatedItems",
  "patternProperties",
  "propertyNames",
  "contains",
]);

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

/** Nothing inside it, and nothing to remove: most schemas are a type and a text. */
export function isSimpleSchema(schema: JsonSchema): boolean {
  if (schema.type === "object" || schema.type === "array") return false;
  for (const key in schema) if (COMPOUND_KEYWORDS.has(key)) return false;
  return true;
}

/** Says which keywords nobody checks any more. */
export function reportRemovedKeywords(
  schema: JsonSchema,
  where: SchemaUsage,
  diagnostics: DiagnosticCollector,
): void {
  for (const key in schema) {
    if (
      !REMOVED_KEYWORDS.has(key) ||
      schema[key] === undefined ||
      (key === "not" && isFalseSchema(schema))
    )
      continue;
    diagnostics.add(
      "plan-schema-keyword",
      `${quoteText(where.label)} uses \`${key}\`, which many hosts do not know; the tool does not check it.`,
      where.location,
    );
  }
}

/** `{ not: {} }` is how the model writes `false`: nothing is valid. */
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
