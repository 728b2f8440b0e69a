import type { JsonSchema } from "../../json.js";
import type { Findings, Where } from "../findings.js";
import { patternProblem } from "./pattern.js";
import { fits } from "./values.js";
import { quoteText } from "../../diagnostics/clean.js";
import { isObject } from "../../json.js";
import type { Schemas } from "./refs.js";

/** Longest list of values in a tool's schema; longer ones cost more than they help. */
export const MAX_ENUM = 50;
const MAX_ENUM_TEXT = 2000;
const MAX_EXAMPLE = 80;

/** A schema under construction. */
export type Draft = { [keyword: string]: unknown };

/**
 * Keywords that every host takes, by the type of their values, and those that need a look first.
 */
const PLAIN: ReadonlyMap<
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
export interface LeafContext {
  readonly schemas: Schemas;
  readonly findings: Findings;
}

/**
 * Copies the keywords that hold no schemas to `out`, those that every host takes.
 * @returns sentences that say in words what could not stay as a keyword
 */
export function writeLeaf(
  schema: JsonSchema,
  out: Draft,
  where: Where,
  context: LeafContext,
): string[] {
  const said: string[] = [];
  for (const key in schema) {
    const kind = PLAIN.get(key);
    if (kind === undefined) continue;
    const value = schema[key];
    if (kind === "values")
      writeValues(key === "const" ? [value] : value, out, said, where, context);
    else if (kind === "pattern") writePattern(value, out, said, where, context);
    else if (kind === "default") writeDefault(schema, out, where, context);
    else if (typeof value === kind || (key === "type" && Array.isArray(value) && value.length > 0))
      out[key] = value;
  }
  if (schema.pattern !== undefined && out.pattern === undefined) sayExample(schema, said, context);
  if (schema.uniqueItems === false) delete out.uniqueItems;
  if (schema.examples !== undefined && out.enum === undefined) writeExample(schema, out, context);
  return said;
}

/** `const` becomes a list of one: some hosts know only `enum`. */
function writeValues(
  values: unknown,
  out: Draft,
  said: string[],
  where: Where,
  { findings }: LeafContext,
): void {
  if (!Array.isArray(values) || values.length === 0) return;
  const text = values.length > MAX_ENUM ? Number.POSITIVE_INFINITY : sizeOf(values);
  if (text <= MAX_ENUM_TEXT) {
    out.enum = values;
    return;
  }
  const some = values
    .slice(0, 5)
    .map((value) => quoteText(typeof value === "string" ? value : JSON.stringify(value), 40));
  said.push(`One of ${values.length} values, such as ${some.join(", ")}.`);
  findings.add(
    "plan-schema-enum",
    `${quoteText(where.label)} allows ${values.length} values, too many for the schema of a tool; its description names the first.`,
    where.place,
  );
}

function writePattern(
  pattern: unknown,
  out: Draft,
  said: string[],
  where: Where,
  { findings }: LeafContext,
): void {
  if (typeof pattern !== "string" || pattern === "") return;
  const problem = patternProblem(pattern);
  if (problem === undefined) {
    out.pattern = pattern;
    return;
  }
  if (pattern.length <= 120) said.push(`Pattern: ${pattern}`);
  findings.add(
    "plan-schema-pattern",
    `The pattern of ${quoteText(where.label)} ${problem}; it stands in the description instead.`,
    where.place,
  );
}

function writeDefault(
  schema: JsonSchema,
  out: Draft,
  where: Where,
  { schemas, findings }: LeafContext,
): void {
  if (schema.default === undefined) return;
  if (fits(schema.default, schema, schemas)) out.default = schema.default;
  else
    findings.add(
      "plan-schema-value",
      `The default of ${quoteText(where.label)} does not satisfy its schema; it is left out.`,
      where.place,
    );
}

/** What a value looks like that no keyword describes any more. */
function sayExample(schema: JsonSchema, said: string[], { schemas }: LeafContext): void {
  const example = [...(Array.isArray(schema.examples) ? schema.examples : []), schema.default].find(
    (one) => typeof one === "string" && isShort(one) && fits(one, schema, schemas),
  );
  if (typeof example === "string") said.push(`Such as ${quoteText(example, MAX_EXAMPLE)}.`);
}

/** One short example that the schema allows. */
function writeExample(schema: JsonSchema, out: Draft, { schemas }: LeafContext): void {
  const example = Array.isArray(schema.examples)
    ? schema.examples.find((one) => isShort(one) && fits(one, schema, schemas))
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
    sizeOf(value) <= MAX_EXAMPLE
  );
}

/** About how many characters a JSON value takes, without writing it. Deep values count as large. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (depth > 16) return 1000;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item, depth + 1) + 1;
  else for (const key in value) size += key.length + 4 + sizeOf((value as Draft)[key], depth + 1);
  return size;
}
