// schema: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  beginningOf, canonicalJson, canParseUrl, isObject, joinFirst, nearestNames, ownProperty,
} from "./data.js";
import type { JsonSchema } from "./types.js";

// ---- schema/check.ts ----
// Checks of a value, and messages about the problems that they find.

/** A property name or an array index. */
export type PathSegment = string | number;

/** A violation of a schema. `describeProblem` makes a message of it. */
export interface Problem {
  /** Path to the invalid part, or to the missing or unknown property. */
  readonly path: readonly PathSegment[];
  /** The violated JSON Schema keyword. */
  readonly keyword: string;
  /** The value of the keyword: a bound, the allowed values, types or property names. */
  readonly rule: unknown;
  /** The invalid part. */
  readonly value: unknown;
  /** Fields of each alternative that the value lacks, of which one alternative is enough. */
  readonly forms?: readonly (readonly string[])[];
  /** True for a problem with an alternative that the value may not be meant to match. */
  readonly isUncertain?: true;
}

/**
 * State of a validation. All checks of one value share it, so that a valid value needs no further
 * allocations.
 */
export interface ValidationContext {
  readonly path: PathSegment[];
  readonly problems: Problem[];
  /** Nesting of the references that are being followed. */
  refDepth: number;

  readonly cost: ValidationCost;
}

/** Work done for one value, as far as it must be limited. */
export interface ValidationCost {
  /** Estimated steps of regular expressions. */
  patternSteps: number;
  /** Number of references that were followed. */
  followedRefs: number;
  /** Results of checks by the checked part. Filled after a number of followed references. */
  readonly cachedProblems: Map<Check, Map<unknown, readonly Problem[]>>;
}

/** Creates the state of one validation. */
export function createContext(): ValidationContext {
  return {
    path: [],
    problems: [],
    refDepth: 0,
    cost: { patternSteps: 0, followedRefs: 0, cachedProblems: new Map() },
  };
}

/** Checks a value. Adds problems to the context and returns whether the value is valid. */
export type Check = (value: unknown, context: ValidationContext) => boolean;

/** Adds a problem at the current path. Returns false, as the result of a check. */
export function report(
  context: ValidationContext,
  keyword: string,
  rule: unknown,
  value: unknown,
): false {
  context.problems.push({ path: [...context.path], keyword, rule, value });
  return false;
}

export const atLeast = (measured: number, limit: number): boolean => measured >= limit;

export const atMost = (measured: number, limit: number): boolean => measured <= limit;

/**
 * A keyword that limits a measure of values.
 * @param measure undefined for values of another type, which are valid
 */
export function limit(
  keyword: string,
  measure: (value: unknown) => number | undefined,
  isAllowed: (measured: number, limit: number) => boolean,
): KeywordCompiler {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return (value, context) => {
      const measured = measure(value);
      return (
        measured === undefined || isAllowed(measured, rule) || report(context, keyword, rule, value)
      );
    };
  };
}

/** Checks a member or an item of the current value. */
export function checkAt(
  segment: PathSegment,
  check: Check,
  value: unknown,
  context: ValidationContext,
): boolean {
  context.path.push(segment);
  const isValid = check(value, context);
  context.path.pop();
  return isValid;
}

/** Input of a keyword compiler. */
export interface Compilation {
  readonly root: JsonSchema | boolean;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  /** Checks of `$ref` targets, by reference. */
  readonly refs: Map<string, Check>;
  compile(schema: unknown): Check;
}

/** Compiles the value of a keyword to a check. Undefined without a check. */
export type KeywordCompiler = (rule: unknown, compilation: Compilation) => Check | undefined;

/**
 * The message of a problem, as a clause that follows the name of the part: `500 is above the
 * maximum of 100`. It includes at most a short excerpt of the value.
 */
export function describeProblem(problem: Problem): string {
  const clause = clauses.get(problem.keyword);
  const got = formatValue(problem.value);
  return clause ? clause(got, problem.rule, problem) : `${got} is not allowed here`;
}

/** Describes a value that was converted to the declared type: `a list (the API sent an object)`. */
export function describeConversion({ rule, value }: Problem): string {
  return `${joinTypes([rule].flat() as readonly string[])} (the API sent ${formatValue(value)})`;
}

type Clause = (got: string, rule: unknown, problem: Problem) => string;

const clauses: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["required", () => "is required"],
  [
    "additionalProperties",
    (_, known, { path }) => describeUnknownName(String(path.at(-1)), known as readonly string[]),
  ],
  ["forms", (_, forms) => `needs ${describeForms(forms as readonly (readonly string[])[])}`],
  ["type", (got, types) => `expected ${joinTypes(types as readonly string[])}, got ${got}`],
  ["enum", (got, allowed, { value }) => describeEnum(got, value, allowed as readonly unknown[])],
  ["const", (got, only) => `must be ${formatValue(only)}, got ${got}`],
  ["anyOf", (got, forms) => describeAnyOf(got, forms as readonly { type?: unknown }[])],
  ["oneOf", () => "matches more than one of the allowed forms; omit the fields of the other forms"],
  ["minimum", (got, limit) => `${got} is below the minimum of ${limit}`],
  ["maximum", (got, limit) => `${got} is above the maximum of ${limit}`],
  ["exclusiveMinimum", (got, limit) => `${got} is not greater than ${limit}`],
  ["exclusiveMaximum", (got, limit) => `${got} is not less than ${limit}`],
  ["multipleOf", (got, step) => `${got} is not a multiple of ${step}`],
  [
    "minLength",
    (got, limit) =>
      limit === 1 ? "must not be empty" : `${got} is shorter than ${limit} characters`,
  ],
  [
    "maxLength",
    (_, limit, { value }) =>
      `has ${(value as string).length} characters; at most ${limit} are allowed`,
  ],
  [
    "pattern",
    (got, pattern) => `${got} does not match the pattern ${beginningOf(pattern as string, 100)}`,
  ],
  ["format", (got, format) => `${got} is not ${formatNames.get(format as string)}`],
  ["minItems", (_, limit, { value }) => `has ${countItems(value)}; at least ${limit} needed`],
  ["maxItems", (_, limit, { value }) => `has ${countItems(value)}; at most ${limit} allowed`],
  ["minProperties", (_, limit, { value }) => `has ${countFields(value)}; at least ${limit} needed`],
  ["maxProperties", (_, limit, { value }) => `has ${countFields(value)}; at most ${limit} allowed`],
  ["uniqueItems", () => "has the same item more than once"],
  ["depth", () => "is nested too deeply"],
]);

/**
 * A path as text: `items[2].name`. Empty for the root. A name with spaces, which may be words of an
 * API, is quoted: `labels["to do"]`.
 */
export function formatPath(path: readonly PathSegment[]): string {
  const parts = path.map((segment, index) => {
    if (typeof segment === "number") return `[${segment}]`;
    if (/[\s"]/.test(segment)) return `[${quote(segment)}]`;
    return index === 0 ? beginningOf(segment, 64) : `.${beginningOf(segment, 64)}`;
  });
  return parts.join("");
}

/**
 * The problems to report. "matches none of the forms" is dropped when a problem inside the closest
 * form is reported, and so are problems of a form that the value may not have.
 */
export function relevantProblems(problems: readonly Problem[]): readonly Problem[] {
  if (!problems.some(({ keyword }) => keyword === "anyOf")) return problems;
  const reported = new Set<string>();
  return certainProblems(problems).filter(({ keyword, path }) => {
    const prefixes = prefixesOf(path);
    const isRelevant = keyword !== "anyOf" || !reported.has(prefixes.at(-1) ?? "");
    for (const prefix of prefixes) reported.add(prefix);
    return isRelevant;
  });
}

/** One problem in place of those about the same fields of alternatives. */
function certainProblems(problems: readonly Problem[]): readonly Problem[] {
  const lists = new Set<Problem["forms"]>();
  return problems.flatMap((problem): readonly Problem[] => {
    const { path, forms, isUncertain } = problem;
    if (isUncertain || (forms && lists.has(forms))) return [];
    if (!forms) return [problem];
    lists.add(forms);
    return [{ ...problem, path: path.slice(0, -1), keyword: "forms", rule: forms }];
  });
}

/** All prefixes of a path from the root on, each as a unique text. */
function prefixesOf(path: readonly PathSegment[]): readonly string[] {
  const prefixes = [""];
  for (const segment of path) prefixes.push(`${prefixes.at(-1)}${JSON.stringify(segment)},`);
  return prefixes;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["integer", "an integer"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["null", "null"],
]);

const formatNames: ReadonlyMap<string, string> = new Map([
  ["date", "a date such as 2026-01-31"],
  ["date-time", "a time such as 2026-01-31T12:00:00Z"],
  ["time", "a time of day such as 12:00:00Z"],
  ["email", "an e-mail address"],
  ["uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
  ["uri", "an absolute URI such as https://example.com/a"],
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
]);

function joinTypes(types: readonly string[]): string {
  const names = types.filter((type) => type !== "null" || types.length === 1);
  return names.map((type) => typeNames.get(type) ?? type).join(" or ");
}

function describeUnknownName(name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known, 1);
  if (near !== undefined) return `unknown input; did you mean ${near}?`;
  return known.length === 0
    ? "unknown input; none are allowed"
    : `unknown input; allowed are ${joinFirst(known, 20)}`;
}

function describeEnum(got: string, value: unknown, allowed: readonly unknown[]): string {
  const texts = allowed.filter((member) => typeof member === "string");
  const [near] = typeof value === "string" ? nearestNames(value, texts, 1) : [];
  const message = `${got} is not one of ${joinFirst(allowed.map(formatValue), 20)}`;
  return near === undefined ? message : `${message}; did you mean ${formatValue(near)}?`;
}

function describeAnyOf(got: string, schemas: readonly { type?: unknown }[]): string {
  const types = [...new Set(schemas.flatMap((schema) => schema?.type))];
  if (types.every((type) => typeof type === "string"))
    return `expected ${joinTypes(types)}, got ${got}`;
  return `${got} matches none of the ${schemas.length} allowed forms`;
}

/** `href or position`; fields that only together are enough are joined by "and". */
function describeForms(forms: readonly (readonly string[])[]): string {
  const all = forms.slice(0, 5).map((fields) => fields.join(" and "));
  if (forms.length > 5) all.push(`one of ${forms.length - 5} other forms`);
  const last = all.pop() ?? "";
  return `${all.join(", ")}${all.length > 1 ? "," : ""} or ${last}`;
}

function countFields(value: unknown): string {
  const count = Object.keys(value as object).length;
  return count === 0 ? "no fields" : `${count} field${count === 1 ? "" : "s"}`;
}

function countItems(value: unknown): string {
  const count = (value as readonly unknown[]).length;
  return `${count} item${count === 1 ? "" : "s"}`;
}

/** A value in a few words, for a sentence: `"activ"`, `500`, `null`, `an object`, `a list of 3`. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Text in quotes: on one line, short, without halves of surrogate pairs. */
function quote(text: string): string {
  return JSON.stringify(beginningOf(text, 40)).replace(/\\ud[89a-f]../g, "\ufffd");
}

// ---- schema/subschemas.ts ----
// The schemas that describe a part of a value, through references and alternatives.

const ALTERNATIVES = ["allOf", "anyOf", "oneOf"] as const;

/** All schemas that may apply to a value: through references and alternatives. */
export function expandSchemas(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
): readonly JsonSchema[] {
  const all = new Set<JsonSchema>(schemas);
  for (const schema of all) {
    const target = targetOf(schema["$ref"], root);
    if (target) all.add(target);
    for (const key of ALTERNATIVES)
      if (Array.isArray(schema[key]))
        for (const part of schema[key]) if (isObject(part)) all.add(part as JsonSchema);
  }
  return [...all];
}

/** The schema in `$defs` that a reference names. */
export function targetOf(ref: unknown, root: JsonSchema): JsonSchema | undefined {
  const name = typeof ref === "string" ? /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] : undefined;
  return ownProperty(root["$defs"] as Readonly<Record<string, JsonSchema>>, name ?? "");
}

/** The schemas of a member of an object or of an item of a list. */
export function memberSchemas(
  schemas: readonly JsonSchema[],
  step: PathSegment,
  root: JsonSchema,
): readonly JsonSchema[] {
  const parts = schemas.flatMap((schema) => {
    const part = typeof step === "number" ? schema["items"] : memberSchema(schema, step);
    return isObject(part) ? [part as JsonSchema] : [];
  });
  return expandSchemas(parts, root);
}

function memberSchema(schema: JsonSchema, name: string): unknown {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
}

/** Properties that a schema declares. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isObject(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {};
}

/** The schema of a property, which allows anything if it is not declared. */
export function propertySchema(schema: JsonSchema, name: string): JsonSchema {
  return ownProperty(propertiesOf(schema), name) ?? {};
}

/** The schemas of the part at a path. */
export function schemasAt(root: JsonSchema, path: readonly PathSegment[]): readonly JsonSchema[] {
  return path.reduce<readonly JsonSchema[]>(
    (schemas, step) => memberSchemas(schemas, step, root),
    expandSchemas([root], root),
  );
}

// ---- schema/coerce-input.ts ----
// Coercion of inputs of calls to the types of their schema.

/** An input part and the value that replaces it. */
export interface Conversion {
  readonly path: Problem["path"];
  readonly part: unknown;
  /** The boolean or number that became text. */
  readonly given?: unknown;
  /** True if the caller may have meant another value. */
  readonly mayDiffer?: boolean;
}

/** A value of a call by its path. */
export type GivenValue = Pick<Conversion, "path" | "part">;

/**
 * Converts inputs to the types that their schema declares: `1` for text, `"5"` for a number,
 * `"true"` for a boolean, one value for a list of one. Alternatives of a union may be distinguished
 * by types, so nothing inside of them is converted.
 */
export function coerceInput(problems: readonly Problem[]): readonly Conversion[] {
  const unions = new Set(problems.filter(isUnion).map(({ path }) => JSON.stringify(path)));
  const isInUnion = ({ path }: Problem): boolean =>
    unions.size > 0 && path.some((_, i) => unions.has(JSON.stringify(path.slice(0, i + 1))));
  return problems.flatMap((problem) => {
    if (problem.path.length === 0 || isInUnion(problem)) return [];
    const part = convert(problem);
    // The number 1.1 may have been the text "1.10".
    const mayDiffer = typeof part === "string" && !Number.isInteger(Number(problem.value ?? 0));
    return part === undefined
      ? []
      : [{ path: problem.path, part, ...givenFor(problem, part), ...(mayDiffer && { mayDiffer }) }];
  });
}

/** The value that became text. */
const givenFor = ({ value }: Problem, part: unknown): Pick<Conversion, "given"> =>
  typeof part === "string" && typeof value !== "string" ? { given: value } : {};

function isUnion({ keyword, rule, value }: Problem): boolean {
  if (keyword !== "anyOf" || haveOneType(nonNullForms(rule))) return false;
  return !Array.isArray(value) || !hasOneListForm(nonNullForms(rule));
}

/** True for alternatives of which a list can only mean one: `anyOf: [text, list of text]`. */
function hasOneListForm(forms: readonly unknown[]): boolean {
  const types = forms.map((form) => (isObject(form) ? form["type"] : undefined));
  return (
    types.every((type) => typeof type === "string") &&
    types.filter((type) => type === "array").length === 1
  );
}

const haveOneType = (forms: readonly unknown[]): boolean =>
  forms.length === 1 ||
  forms.every((form) => isObject(form) && form["type"] === "string" && !form["enum"]);

function nonNullForms(forms: unknown): readonly unknown[] {
  return [forms].flat().filter((form) => !isObject(form) || form["type"] !== "null");
}

/** Converts one value; `undefined` if that is impossible or ambiguous. */
function convert({ keyword, rule, value, path }: Problem): unknown {
  if (keyword === "enum") return memberWithText(rule as readonly unknown[], value);
  // `[1, 2]` for a list of lists is one of them at least as likely as two.
  const isItem = typeof path.at(-1) === "number";
  if (keyword === "type") return convertTo(rule, value, isItem);
  if (keyword !== "anyOf") return undefined;
  const [form] = nonNullForms(rule);
  return isObject(form) ? convertTo(form["type"], value, isItem) : undefined;
}

/** The one member of an enum whose text a value has: `1` for `"1"`. */
function memberWithText(members: readonly unknown[], value: unknown): unknown {
  if (typeof value === "object") return undefined;
  const matches = members.filter((member) => String(member) === String(value));
  return matches.length === 1 && typeof matches[0] !== "object" ? matches[0] : undefined;
}

function convertTo(rule: unknown, value: unknown, isItem: boolean): unknown {
  const [type, ...others] = [rule].flat().filter((name) => name !== "null");
  if (others.length > 0 || value === null) return undefined;
  switch (type) {
    case "string":
      return toExactText(value);
    case "integer":
    case "number":
      return typeof value === "string" ? toExactNumber(value.trim(), type) : undefined;
    case "boolean":
      return typeof value === "string" ? exactBooleans.get(value.trim().toLowerCase()) : undefined;
    case "array":
      return isItem ? undefined : toListOfOne(value);
    default:
      return undefined;
  }
}

const exactBooleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Text of a boolean or of a number that is written without an exponent. */
function toExactText(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  const isExact = Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact && !String(value).includes("e") ? String(value) : undefined;
}

/** A number in decimal digits. Leading zeros belong to codes, such as postal codes. */
function toExactNumber(text: string, type: "integer" | "number"): number | undefined {
  if (!/^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/.test(text)) return undefined;
  const number = Number(text);
  if (text.includes(".")) return type === "number" ? number : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A list of one value. A text with separators may be several, and is not converted. */
function toListOfOne(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return undefined;
  const isAmbiguous = typeof value === "string" && /^\s*(?:$|[[{])|[,;|\n]/.test(value);
  return isAmbiguous ? undefined : [value];
}

// ---- schema/alternatives.ts ----
// The problems of a value that none of several alternatives accepts.

/**
 * The problems of the closest alternative, which say what the others would take in their place: the
 * fields of each, or the values that select one of them.
 * @param failed the problems of each alternative
 * @param depth length of the path of the value
 */
export function closestProblems(
  failed: readonly (readonly Problem[])[],
  depth: number,
): readonly Problem[] {
  const distances = failed.map((problems) => distance(problems, depth));
  const least = Math.min(...distances);
  if (!(least < Infinity)) return otherValues(failed, depth);
  const closest = failed[distances.indexOf(least)]!;
  const possible = failed.filter((_, index) => distances[index]! < Infinity);
  const selector = mergeSelectors(possible, depth);
  if (selector) {
    const others = closest.filter(({ path }) => !isSame(path, selector.path));
    return [selector, ...others.map((problem) => ({ ...problem, isUncertain: true as const }))];
  }
  const forms = missingFields(possible, closest, depth);
  return forms ? closest.map((problem) => ({ ...problem, forms })) : closest;
}

/**
 * Distance of a value from an alternative: the number of fields with problems, of which a missing
 * one counts more than one whose value is wrong, and then the number of problems. Infinite for
 * another type, large for another discriminator value.
 */
function distance(problems: readonly Problem[], depth: number): number {
  const isOtherType = problems.some(
    ({ path, keyword }) => path.length === depth && ["type", "const", "enum"].includes(keyword),
  );
  if (isOtherType) return Infinity;
  const isOtherVariant = problems.some(
    ({ path, keyword }) => path.length === depth + 1 && keyword === "const",
  );
  const parts = new Set(problems.map(({ path }) => path[depth]));
  const missing = problems.filter(
    ({ path, keyword }) => path.length === depth + 1 && keyword === "required",
  );
  const fields = parts.size + missing.length / 2;
  return fields + problems.length / 1000 + (isOtherVariant ? 1000 : 0);
}

/**
 * The problem of a value of the right type that is not one of those that are listed, where the
 * other alternatives are null: `{"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type":
 * "null"}]}`.
 */
function otherValues(failed: readonly (readonly Problem[])[], depth: number): readonly Problem[] {
  const ofTypes = failed.filter((problems) => !isNullAlone(problems, depth));
  const [first] = ofTypes[0] ?? [];
  const values = ofTypes.map(([problem, ...others]) =>
    problem && others.length === 0 ? listedValues(problem, depth) : undefined,
  );
  if (!first || !values.every((list) => list !== undefined)) return [];
  return [{ ...first, keyword: "enum", rule: [...new Set(values.flat())] }];
}

/** True for the problems of a value that is not null with an alternative that only null satisfies. */
const isNullAlone = (problems: readonly Problem[], depth: number): boolean =>
  problems.some(
    ({ path, keyword, rule }) =>
      path.length === depth && keyword === "type" && [rule].flat().every((type) => type === "null"),
  );

/** The problem of a field whose value selects an alternative, if no alternative has that value. */
function mergeSelectors(
  possible: readonly (readonly Problem[])[],
  depth: number,
): Problem | undefined {
  if (possible.length < 2) return undefined;
  const first = possible[0]!.find((problem) => valuesOf(problem, depth));
  if (!first) return undefined;
  const selectors = possible.map((problems) =>
    problems.find(({ path }) => isSame(path, first.path)),
  );
  const values = selectors.map((problem) => problem && valuesOf(problem, depth));
  if (!values.every((list) => list !== undefined)) return undefined;
  return { ...first, keyword: "enum", rule: [...new Set(values.flat())] };
}

/** The values that a field of the value must have. */
const valuesOf = (problem: Problem, depth: number): readonly unknown[] | undefined =>
  listedValues(problem, depth + 1);

/** The values that the part at a depth must have. */
function listedValues(
  { path, keyword, rule }: Problem,
  depth: number,
): readonly unknown[] | undefined {
  if (path.length !== depth) return undefined;
  if (keyword === "const") return [rule];
  return keyword === "enum" && Array.isArray(rule) ? rule : undefined;
}

/** The fields that each alternative needs, if several need nothing else. */
function missingFields(
  possible: readonly (readonly Problem[])[],
  closest: readonly Problem[],
  depth: number,
): readonly (readonly string[])[] | undefined {
  const lacking = (problems: readonly Problem[]): readonly string[] | undefined =>
    problems.every(({ path, keyword }) => keyword === "required" && path.length === depth + 1)
      ? problems.map(({ path }) => String(path.at(-1)))
      : undefined;
  if (!lacking(closest)) return undefined;
  const lists = possible.map(lacking).filter((fields) => fields !== undefined);
  const distinct = [...new Map(lists.map((fields) => [JSON.stringify(fields), fields])).values()];
  // The fields of one alternative may be enough, and others of the value decide about the rest.
  const least = distinct.filter((fields) => !distinct.some((other) => isSubset(other, fields)));
  return least.length > 1 ? least : undefined;
}

/** True for fields that are all among others, which have more. */
const isSubset = (fields: readonly string[], others: readonly string[]): boolean =>
  fields.length < others.length && fields.every((field) => others.includes(field));

const isSame = (a: Problem["path"], b: Problem["path"]): boolean =>
  a.length === b.length && a.every((segment, index) => segment === b[index]);

// ---- schema/bounded-regexp.ts ----
// Regular expressions of documents, matched within a budget of steps.

/**
 * Regular expressions of a document are untrusted: `^(a+)+$` on 30 characters blocks a process for
 * minutes, and JavaScript cannot interrupt a match. The cost of each match is therefore estimated
 * before: an upper bound of its steps for the length of the text. A text over the budget is not
 * matched and counts as valid; the API validates it.
 */
const maxSteps = 2_000_000;

/** Budget of all texts of one value. */
const maxTotalSteps = 100_000_000;

/** Longer patterns are never matched. */
const maxPatternLength = 10_000;

/** Cost of a pattern: about `choices * length ** degree * base ** length` attempts. */
interface PatternCost {
  /** Greater than 1 for nested quantifiers. */
  readonly base: number;
  /** Number of unbounded quantifiers in sequence. */
  readonly degree: number;
  /** Number of ways through alternatives and optional parts. */
  readonly choices: number;
  /** Length of the parts without unbounded quantifiers: the steps of one attempt. */
  readonly fixedLength: number;
}

type StepBudget = Pick<ValidationCost, "patternSteps">;

/**
 * A test for a pattern. It returns true for texts over the budget, and for all texts when the
 * pattern is invalid in JavaScript.
 */
export function createMatcher(pattern: string): (text: string, used?: StepBudget) => boolean {
  const regex = toRegExp(pattern);
  if (!regex) return () => true;
  const cost = costOf(pattern);
  return (text, used) => !chargeSteps(cost, text.length, used) || regex.test(text);
}

function chargeSteps(cost: PatternCost, length: number, used: StepBudget | undefined): boolean {
  const steps = estimateSteps(cost, length);
  if (steps > maxSteps) return false;
  return !used || (used.patternSteps += steps) <= maxTotalSteps;
}

function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Many documents contain escapes that are valid only without the `u` flag.
    }
  }
  return undefined;
}

function estimateSteps(
  { base, degree, choices, fixedLength }: PatternCost,
  length: number,
): number {
  const attempts = choices * Math.max(1, length) ** degree;
  if (base > 1) return attempts * base ** length;
  return attempts * Math.max(1, Math.min(fixedLength, length));
}

/** An atom or a group with its quantifier. */
interface PatternPart extends PatternCost {
  /** It can match the same text in several ways. */
  readonly isVariable: boolean;
  readonly canBeEmpty: boolean;
}

/**
 * A group during parsing. `choices`, `fixedLength` and `requiresText` are those of the current
 * alternative.
 */
interface GroupState {
  base: number;
  degree: number;
  choices: number;
  fixedLength: number;
  isVariable: boolean;
  /** The current alternative cannot be empty. */
  requiresText: boolean;
  /** Sum of the choices of the alternatives before. */
  closedChoices: number;
  /** Maximum length of the alternatives before. */
  longest: number;
  /** One of the alternatives before can be empty. */
  canBeEmpty: boolean;
  readonly isLookaround: boolean;
}

const token =
  /\\(?:k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[a-z-]*:|[=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gsu;

function costOf(pattern: string): PatternCost {
  if (pattern.length > maxPatternLength)
    return { base: 1, degree: 0, choices: Infinity, fixedLength: 0 };
  const open: GroupState[] = [newGroup("")];
  let last: PatternPart | undefined;
  for (const [text] of pattern.matchAll(token)) {
    const times = parseQuantifier(text);
    if (times && last) last = applyQuantifier(last, times);
    else {
      if (last) addToGroup(open.at(-1)!, last);
      last = undefined;
      if (text.startsWith("(")) open.push(newGroup(text));
      else if (text === "|") closeAlternative(open.at(-1)!);
      else last = text === ")" && open.length > 1 ? closeGroup(open.pop()!) : atomCost(text);
    }
  }
  if (last) addToGroup(open.at(-1)!, last);
  const isAnchored = pattern.startsWith("^") && open[0]!.closedChoices === 0;
  const { degree, ...cost } = closeGroup(open[0]!);
  return { ...cost, degree: isAnchored ? degree : degree + 1 };
}

function newGroup(text: string): GroupState {
  return {
    base: 1,
    degree: 0,
    choices: 1,
    fixedLength: 0,
    isVariable: false,
    requiresText: false,
    closedChoices: 0,
    longest: 0,
    canBeEmpty: false,
    isLookaround: /[=!]$/.test(text),
  };
}

/** A character, a character class, an assertion or a back reference. */
function atomCost(text: string): PatternPart {
  const isBackReference = /^\\[1-9k]/.test(text);
  const isAssertion = /^(?:[$^]|\\b)$/i.test(text);
  return {
    base: isBackReference ? 2 : 1,
    degree: 0,
    choices: 1,
    fixedLength: isAssertion ? 0 : 1,
    isVariable: isBackReference,
    canBeEmpty: isBackReference || isAssertion,
  };
}

function addToGroup(group: GroupState, part: PatternPart): void {
  // Two exponential parts can divide the text at every character.
  group.degree += part.degree + (part.base > 1 && group.base > 1 ? 1 : 0);
  group.base = Math.max(group.base, part.base);
  group.choices *= part.choices;
  group.fixedLength += part.fixedLength;
  group.isVariable ||= part.isVariable;
  group.requiresText ||= !part.canBeEmpty;
}

function closeAlternative(group: GroupState): void {
  group.closedChoices += group.choices;
  group.longest = Math.max(group.longest, group.fixedLength);
  group.canBeEmpty ||= !group.requiresText;
  group.choices = 1;
  group.fixedLength = 0;
  group.requiresText = false;
  group.isVariable = true;
}

/** The part that a group is after its last alternative. */
function closeGroup(group: GroupState): PatternPart {
  return {
    base: group.base,
    degree: group.degree,
    choices: group.choices + group.closedChoices,
    fixedLength: Math.max(group.fixedLength, group.longest),
    isVariable: group.isVariable,
    canBeEmpty: group.canBeEmpty || !group.requiresText || group.isLookaround,
  };
}

/**
 * A part with its quantifier. Repeating a variable part multiplies the attempts with every
 * character. If the part can be empty, the required repetitions multiply them even without
 * characters. A small number of repetitions counts as if it were written out.
 */
function applyQuantifier(part: PatternPart, [min, max]: readonly [number, number]): PatternPart {
  const { base, degree, choices } = part;
  const repeated = {
    isVariable: part.isVariable || max > min,
    canBeEmpty: part.canBeEmpty || min === 0,
    fixedLength: part.fixedLength * Math.max(1, Number.isFinite(max) ? max : min),
  };
  if (part.isVariable && max > 1) {
    const unrolled = { degree: degree * max, choices: choices ** max * (max - min + 1) };
    if (base === 1 && unrolled.degree <= 4 && unrolled.choices <= 10_000)
      return { ...repeated, base, ...unrolled };
    const nested = base * choices + Math.max(1, 1.5 * degree - 0.5);
    return { ...repeated, base: nested, degree: 0, choices: part.canBeEmpty ? nested ** min : 1 };
  }
  if (max - min > 2) return { ...repeated, base, degree: degree + 1, choices };
  return { ...repeated, base, degree, choices: choices * (max - min + 1) };
}

/** Minimum and maximum of a quantifier. Undefined for any other token. */
function parseQuantifier(token: string): readonly [number, number] | undefined {
  if (token.startsWith("*")) return [0, Infinity];
  if (token.startsWith("+")) return [1, Infinity];
  if (token.startsWith("?")) return [0, 1];
  const [, min, comma, max] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(token) ?? [];
  if (min === undefined) return undefined;
  if (!comma) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : Infinity];
}

// ---- schema/object-checks.ts ----
// Parts of the checks of objects.

type Fields = Readonly<Record<string, unknown>>;

/** A check for objects. Other values are valid. */
export function checkObject(check: (value: Fields, context: ValidationContext) => boolean): Check {
  return (value, context) => !isObject(value) || check(value, context);
}

export function compileEntries(
  rule: unknown,
  { compile }: Compilation,
): readonly (readonly [string, Check])[] {
  return typeof rule === "object" && rule !== null
    ? Object.entries(rule).map(([key, schema]) => [key, compile(schema)] as const)
    : [];
}

export function reportMissing(context: ValidationContext, key: string): false {
  context.path.push(key);
  report(context, "required", key, undefined);
  context.path.pop();
  return false;
}

// ---- schema/rare-keywords.ts ----
// Keywords that few schemas have.

type Keywords = readonly (readonly [string, KeywordCompiler])[];

/** Rare keywords of arrays. */
export const rareArrayKeywords: Keywords = [
  ["prefixItems", prefixItems],
  ["contains", contains],
];

/** Rare keywords of objects. */
export const rareObjectKeywords: Keywords = [
  ["patternProperties", patternProperties],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
];

/** Rare keywords that combine schemas. */
export const rareCombinators: Keywords = [
  ["not", not],
  ["if", conditional],
];

function prefixItems(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    let isValid = true;
    for (let i = 0; i < checks.length && i < value.length; i++)
      isValid = checkAt(i, checks[i]!, value[i], context) && isValid;
    return isValid;
  };
}

function contains(rule: unknown, { compile, schema }: Compilation): Check {
  const check = compile(rule);
  const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Infinity;
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    const before = context.problems.length;
    const matching = value.filter((item, i) => checkAt(i, check, item, context)).length;
    context.problems.length = before;
    return (
      (matching >= least && matching <= most) || report(context, "contains", { least, most }, value)
    );
  };
}

function patternProperties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation).map(
    ([pattern, check]) => [createMatcher(pattern), check] as const,
  );
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) {
      for (const [matches, check] of checks)
        if (matches(key, context.cost))
          isValid = checkAt(key, check, value[key], context) && isValid;
    }
    return isValid;
  });
}

function propertyNames(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) isValid = checkAt(key, check, key, context) && isValid;
    return isValid;
  });
}

function dependentRequired(rule: unknown): Check | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  const entries = Object.entries(rule as Record<string, unknown>).map(
    ([key, keys]) => [key, Array.isArray(keys) ? keys.map(String) : []] as const,
  );
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, others] of entries) {
      if (Object.hasOwn(value, key))
        for (const name of others)
          if (!Object.hasOwn(value, name)) isValid = reportMissing(context, name);
    }
    return isValid;
  });
}

function dependentSchemas(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) isValid = check(value, context) && isValid;
    return isValid;
  });
}

function not(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return (value, context) =>
    !checkSilently(check, value, context) || report(context, "not", rule, value);
}

function conditional(rule: unknown, { compile, schema }: Compilation): Check {
  const [test, then, otherwise] = [compile(rule), compile(schema["then"]), compile(schema["else"])];
  return (value, context) =>
    (checkSilently(test, value, context) ? then : otherwise)(value, context);
}

function checkSilently(check: Check, value: unknown, context: ValidationContext): boolean {
  const before = context.problems.length;
  const isValid = check(value, context);
  context.problems.length = before;
  return isValid;
}

// ---- schema/container-keywords.ts ----
// Keywords of arrays and objects.

/** Keywords of arrays. */
export const arrayKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minItems", limit("minItems", lengthOf, atLeast)],
  ["maxItems", limit("maxItems", lengthOf, atMost)],
  ["uniqueItems", uniqueItems],
  ...rareArrayKeywords,
  ["items", items],
];

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function uniqueItems(rule: unknown): Check | undefined {
  if (rule !== true) return undefined;
  return (value, context) =>
    !Array.isArray(value) ||
    new Set(value.map(canonicalJson)).size === value.length ||
    report(context, "uniqueItems", true, value);
}

function items(rule: unknown, { compile, schema }: Compilation): Check {
  const check = compile(rule);
  const from = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    let isValid = true;
    for (let i = from; i < value.length; i++)
      isValid = checkAt(i, check, value[i], context) && isValid;
    return isValid;
  };
}

/** Keywords of objects. */
export const objectKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["required", required],
  ["minProperties", limit("minProperties", sizeOf, atLeast)],
  ["maxProperties", limit("maxProperties", sizeOf, atMost)],
  ["properties", properties],
  ...rareObjectKeywords,
  ["additionalProperties", additionalProperties],
];

function required(rule: unknown): Check | undefined {
  if (!Array.isArray(rule) || rule.length === 0) return undefined;
  const keys = rule.map(String);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of keys) if (!Object.hasOwn(value, key)) isValid = reportMissing(context, key);
    return isValid;
  });
}

function sizeOf(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

function properties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) isValid = checkAt(key, check, value[key], context) && isValid;
    return isValid;
  });
}

function additionalProperties(rule: unknown, { compile, schema }: Compilation): Check | undefined {
  if (rule === true) return undefined;
  const declaredNames = new Set(Object.keys(schema["properties"] ?? {}));
  const patterns = Object.keys(schema["patternProperties"] ?? {}).map(createMatcher);
  const check: Check =
    rule === false
      ? (value, context) => report(context, "additionalProperties", [...declaredNames], value)
      : compile(rule);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) {
      if (declaredNames.has(key) || patterns.some((matches) => matches(key, context.cost)))
        continue;
      isValid = checkAt(key, check, value[key], context) && isValid;
    }
    return isValid;
  });
}

// ---- schema/scalar-keywords.ts ----
// Keywords of texts, numbers and single values, and the formats of texts.

/** `type`, `const` and `enum`. `type` is first: `combineChecks` relies on it. */
export const typeKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["type", type],
  ["const", constant],
  ["enum", enumeration],
];

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  string: (value) => typeof value === "string",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function type(rule: unknown): Check | undefined {
  const names = (Array.isArray(rule) ? rule : [rule]).filter(
    (name) => typeof name === "string" && Object.hasOwn(typeTests, name),
  );
  const tests = names.map((name) => typeTests[name as string]!);
  const [first, second] = tests;
  if (!first) return undefined;
  if (tests.length === 1)
    return (value, context) => first(value) || report(context, "type", names, value);
  if (tests.length === 2)
    return (value, context) =>
      first(value) || second!(value) || report(context, "type", names, value);
  return (value, context) =>
    tests.some((test) => test(value)) || report(context, "type", names, value);
}

function constant(rule: unknown): Check {
  return (value, context) => jsonEquals(value, rule) || report(context, "const", rule, value);
}

function enumeration(rule: unknown): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const simple = new Set(rule.filter((member) => typeof member !== "object" || member === null));
  const structures = rule.filter((member) => typeof member === "object" && member !== null);
  return (value, context) =>
    simple.has(value) ||
    structures.some((member) => jsonEquals(member, value)) ||
    report(context, "enum", rule, value);
}

/** Keywords of numbers. */
export const numberKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minimum", limit("minimum", numberOf, atLeast)],
  ["maximum", limit("maximum", numberOf, atMost)],
  ["exclusiveMinimum", limit("exclusiveMinimum", numberOf, (value, least) => value > least)],
  ["exclusiveMaximum", limit("exclusiveMaximum", numberOf, (value, most) => value < most)],
  ["multipleOf", limit("multipleOf", numberOf, isMultiple)],
];

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/** Keywords of strings. */
export const stringKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minLength", limit("minLength", charactersOf, atLeast)],
  ["maxLength", limit("maxLength", charactersOf, atMost)],
  ["pattern", pattern],
  ["format", format],
];

/** Number of Unicode code points. JSON Schema counts these, `length` counts UTF-16 units. */
function charactersOf(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
      pairs++;
  }
  return text.length - pairs;
}

function pattern(rule: unknown): Check | undefined {
  if (typeof rule !== "string") return undefined;
  const matches = createMatcher(rule);
  return (value, context) =>
    typeof value !== "string" ||
    matches(value, context.cost) ||
    report(context, "pattern", rule, value);
}

function format(rule: unknown): Check | undefined {
  if (typeof rule !== "string" || !isCheckedFormat(rule)) return undefined;
  return (value, context) =>
    typeof value !== "string" ||
    matchesFormat(rule, value) ||
    (rule === "uuid" && PLAIN_UUID.test(value)) ||
    report(context, "format", rule, value);
}

/** A UUID without hyphens, as OpenStack and others write it. */
const PLAIN_UUID = /^[0-9a-f]{32}$/i;

/** True if two JSON values are equal, regardless of the order of properties. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && jsonEquals(a[key as keyof typeof a], b[key as keyof typeof b]),
  );
}

/**
 * The checked formats. Any other format is an annotation. The checks are as lenient as common APIs
 * and linear in the length of the text.
 * https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", (text: string) => isTime(text)],
  ["email", (text: string) => text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)],
  [
    "uuid",
    (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  ],
  ["uri", (text: string) => /^[a-z][a-z0-9+.-]*:/i.test(text) && canParseUrl(text)],
  ["ipv4", isIpv4],
  [
    "ipv6",
    (text: string) =>
      /^[0-9a-f:.]{2,45}$/i.test(text) && text.includes(":") && canParseUrl(`http://[${text}]`),
  ],
]);

function isCheckedFormat(format: string): boolean {
  return formats.has(format);
}

/** True for text in a format, and for all formats that are not checked. */
export function matchesFormat(format: string, text: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && !isLeapYear ? 28 : (daysInMonth[month - 1] ?? 0));
}

function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):?(\d\d))$/i.exec(text);
  if (!parts) return false;
  const [, hour, minute, second, offsetHour, offsetMinute] = parts.map((part) => Number(part ?? 0));
  return hour! < 24 && minute! < 60 && second! <= 60 && offsetHour! < 24 && offsetMinute! < 60;
}

function isDateTime(text: string): boolean {
  return /[t ]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
}

// ---- schema/compile.ts ----
// Compilation of a JSON Schema to a check, with the keywords that combine schemas.

/** Keywords that combine schemas. */
const combinatorKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ...rareCombinators,
];

/** References within the schema: `#`, `#/$defs/Pet`. The generator writes no others. */
const refKeywords: readonly (readonly [string, KeywordCompiler])[] = [["$ref", ref]];

/**
 * The supported keywords, in the order in which problems are reported. Others are annotations, as
 * JSON Schema defines for unknown keywords. Of the standard keywords, `unevaluated*`, `$dynamicRef`
 * and remote references are not supported.
 */
const keywords: ReadonlyMap<string, KeywordCompiler> = new Map([
  ...typeKeywords,
  ...numberKeywords,
  ...stringKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...combinatorKeywords,
  ...refKeywords,
]);

/** Returns all problems of a value. Valid values have none. */
export type Validator = (value: unknown) => readonly Problem[];

const noProblems: readonly Problem[] = [];

/**
 * Compiles a JSON Schema 2020-12 to closures. No code is generated. The run time is bounded for any
 * schema and any value: regular expressions have a budget, uniqueness is linear, references have a
 * maximum depth, and repeated checks are cached. Interpreting validators need ten times the time of
 * parsing the result, which matters because every result is validated.
 * https://json-schema.org/draft/2020-12/json-schema-validation
 */
export function compile(root: JsonSchema | boolean): Validator {
  const refs = new Map<string, Check>();
  const build = (schema: unknown): Check => compileSchema(schema, { root, refs, compile: build });
  const check = build(root);
  return (value) => {
    const context = createContext();
    return check(value, context) ? noProblems : context.problems;
  };
}

const acceptAll: Check = () => true;
const rejectAll: Check = (value, context) => report(context, "false", false, value);

function compileSchema(schema: unknown, compilation: Omit<Compilation, "schema">): Check {
  if (schema === false) return rejectAll;
  if (typeof schema !== "object" || schema === null) return acceptAll;
  const inSchema = { ...compilation, schema: schema as JsonSchema };
  const checks: Check[] = [];
  for (const [name, keyword] of keywords) {
    const check = Object.hasOwn(schema, name)
      ? keyword(inSchema.schema[name], inSchema)
      : undefined;
    if (check) checks.push(check);
  }
  return combineChecks(checks, Object.hasOwn(schema, "type"));
}

/**
 * Runs all checks, so that all problems are reported at once. After a type error, the other checks
 * are skipped: their problems would only repeat it.
 */
function combineChecks(checks: readonly Check[], hasType: boolean): Check {
  const [first, ...rest] = checks;
  if (!first) return acceptAll;
  if (rest.length === 0) return first;
  return (value, context) => {
    let isValid = first(value, context);
    if (!isValid && hasType) return false;
    for (const check of rest) isValid = check(value, context) && isValid;
    return isValid;
  };
}

const validators = new WeakMap<JsonSchema, Validator>();

/** The validator of a schema, compiled on first use. */
export function validatorFor(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = compile(schema)));
  return validator;
}

function allOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) => {
    let isValid = true;
    for (const check of checks) isValid = check(value, context) && isValid;
    return isValid;
  };
}

function anyOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) =>
    countMatches(checks, value, context, 1) > 0 || report(context, "anyOf", rule, value);
}

function oneOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) => {
    const matching = countMatches(checks, value, context, 2);
    if (matching === 1) return true;
    return report(context, matching === 0 ? "anyOf" : "oneOf", rule, value);
  };
}

/**
 * Number of alternatives that a value satisfies, at most `enough`. Without a match, the problems of
 * the closest alternative stay in the context, before the problem that the caller adds.
 */
function countMatches(
  checks: readonly Check[],
  value: unknown,
  context: ValidationContext,
  enough: number,
): number {
  const before = context.problems.length;
  let matching = 0;
  const failed: (readonly Problem[])[] = [];
  for (const check of checks) {
    if (check(value, context) && ++matching === enough) break;
    const problems = context.problems.splice(before);
    if (problems.length > 0) failed.push(problems.slice(0, maxCachedProblems));
  }
  context.problems.length = before;
  if (matching === 0) context.problems.push(...closestProblems(failed, context.path.length));
  return matching;
}

/** Maximum nesting of references. It also ends schemas that refer only to themselves. */
const maxRefDepth = 200;

/** References that are followed before results are cached. Most values have fewer. */
const maxUncachedRefs = 1000;

/** Maximum number of reported problems of one part. */
const maxCachedProblems = 100;

function ref(rule: unknown, { refs, root, compile }: Compilation): Check | undefined {
  if (typeof rule !== "string" || !rule.startsWith("#")) return undefined;
  let target = refs.get(rule);
  return (value, context) => {
    if (!target) refs.set(rule, (target = compile(resolveFragment(root, rule))));
    if (context.refDepth >= maxRefDepth) return report(context, "depth", maxRefDepth, value);
    return ++context.cost.followedRefs > maxUncachedRefs
      ? followRefCached(target, value, context)
      : followRef(target, value, context);
  };
}

function followRef(target: Check, value: unknown, context: ValidationContext): boolean {
  context.refDepth++;
  const isValid = target(value, context);
  context.refDepth--;
  return isValid;
}

/**
 * `followRef` with a cache by target and value. Without it, alternatives that refer to the same
 * target would double the work at every level.
 */
function followRefCached(target: Check, value: unknown, context: ValidationContext): boolean {
  const { problems, path, cost } = context;
  const cache = cost.cachedProblems.get(target) ?? new Map<unknown, readonly Problem[]>();
  cost.cachedProblems.set(target, cache);
  const cached = cache.get(value);
  if (cached) {
    // An object has one path. The same text or number can occur at several paths.
    const isObject = typeof value === "object";
    for (const problem of cached)
      problems.push(isObject ? problem : { ...problem, path: [...path] });
    return cached.length === 0;
  }
  const before = problems.length;
  const isValid = followRef(target, value, context);
  cache.set(value, isValid ? [] : problems.slice(before, before + maxCachedProblems));
  return isValid;
}

/** The schema at a JSON pointer fragment, or `true` when there is none. RFC 6901. */
function resolveFragment(root: Compilation["root"], fragment: string): unknown {
  let node: unknown = root;
  for (const step of fragment.split("/").slice(1)) {
    const key = unescapeToken(step);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return true;
    node = node[key as keyof typeof node];
  }
  return node;
}

function unescapeToken(step: string): string {
  const pointer = /%[^0-9a-f]|%.?$/i.test(step) ? step : decodeURIComponent(step);
  return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}

// ---- schema/id-name.ts ----

/**
 * True for names of properties with IDs: `id`, `user_id`, `userIds`, `uuid`. APIs send text where
 * they document numbers, and the other way round, so that output schemas allow both types, and
 * results keep theirs.
 */
export const isIdName = (name: string): boolean => ID_NAME.test(name);

const ID_NAME = /(?:^|[_-])(?:ids?|uuid|guid)$|[a-z](?:I[Dd]s?|U[Uu][Ii][Dd])$/;

// ---- schema/convert-output.ts ----
// Conversions of single values of a response to the type that the output schema declares.

/** A converted value. It is exact if the declared type leaves no doubt about the original. */
export interface OutputConversion {
  readonly value: unknown;
  readonly isExact: boolean;
}

/**
 * Converts a value that violates the declared type: `"42"` to `42`, `"true"` and `1` to `true`, a
 * value to a list of one, a scalar to text. `undefined` if digits or the type of an ID would be
 * lost.
 */
export function convertOutput({
  keyword,
  rule,
  value,
  path,
}: Problem): OutputConversion | undefined {
  if (keyword !== "type") return undefined;
  const types = [rule].flat();
  const name = path.findLast((step) => typeof step === "string") ?? "";
  const isId = isIdName(name);
  if (types.includes("string")) return isId ? undefined : toText(value);
  if (types.includes("number") || types.includes("integer"))
    return isId ? undefined : toNumber(value, !types.includes("number"));
  if (types.includes("boolean")) return BOOLEANS.get(value);
  if (types.includes("array")) return toList(value);
  return types.includes("object") ? toObject(value) : undefined;
}

const exact = (value: unknown): OutputConversion => ({ value, isExact: true });
const inexact = (value: unknown): OutputConversion => ({ value, isExact: false });

const BOOLEANS: ReadonlyMap<unknown, OutputConversion> = new Map<unknown, OutputConversion>([
  ["true", exact(true)],
  ["false", exact(false)],
  [1, inexact(true)],
  [0, inexact(false)],
  ["1", inexact(true)],
  ["0", inexact(false)],
]);

/** A number or a boolean as text. JSON as text is hard to read, so that objects keep their form. */
function toText(value: unknown): OutputConversion | undefined {
  return typeof value === "number" || typeof value === "boolean" ? exact(String(value)) : undefined;
}

/** Converts a text that is exactly the decimal form of a number: not `"007"`, `"12.50"`, 2^53 + 1. */
function toNumber(value: unknown, isInteger: boolean): OutputConversion | undefined {
  if (typeof value !== "string" || !/^-?\d/.test(value)) return undefined;
  const number = Number(value);
  if (String(number) !== value || (isInteger && !Number.isInteger(number))) return undefined;
  return !Number.isInteger(number) || Number.isSafeInteger(number) ? exact(number) : undefined;
}

/** A list of one value. Some APIs write an empty list as an empty object. */
function toList(value: unknown): OutputConversion | undefined {
  if (Array.isArray(value) || value === null) return undefined;
  return inexact(isEmpty(value) ? [] : [value]);
}

/** The only object of a list. Some APIs write an empty object as an empty list. */
function toObject(value: unknown): OutputConversion | undefined {
  if (!Array.isArray(value) || value.length > 1) return undefined;
  if (value.length === 0) return inexact({});
  const [item] = value as readonly unknown[];
  return typeof item === "object" && item !== null ? inexact(item) : undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

// ---- schema/list-fields.ts ----
// Names of the fields at many paths, for notes.

type Path = readonly PathSegment[];

/** Maximum number of places that are listed for one field of several items. */
const MAX_PLACES = 10;

/** Number of paths after which no further field is listed. */
const MAX_PATHS = 50;

/**
 * Lists the fields at paths: `items[].owner` if all items have the path, otherwise each place, as
 * `items[3].owner`. Further places and fields are counted.
 * @param root the value, with or without these fields
 */
export function listFields(root: unknown, paths: readonly Path[]): readonly string[] {
  const listed: string[] = [];
  const fields = placesByField(paths);
  let described = 0;
  for (const places of fields) {
    if (listed.length >= MAX_PATHS) break;
    listed.push(...describeField(root, places));
    described++;
  }
  const omitted = fields.length - described;
  return omitted === 0 ? listed : [...listed, `… [${omitted} more fields]`];
}

/** Groups paths that differ in indexes only. A place may have several problems. */
function placesByField(paths: readonly Path[]): readonly (readonly Path[])[] {
  const fields = new Map<string, Map<string, Path>>();
  for (const path of paths) {
    const field = JSON.stringify(path.map((step) => (typeof step === "number" ? 0 : step)));
    const places = fields.get(field) ?? new Map<string, Path>();
    fields.set(field, places.set(JSON.stringify(path), path));
  }
  return [...fields.values()].map((places) => [...places.values()]);
}

function describeField(root: unknown, places: readonly Path[]): readonly string[] {
  const path = places[0]!;
  const name = formatPath(path).replace(/\[\d+\]/g, "[]");
  const owners = countOwners(root, path.slice(0, -1), places.length + 1);
  if (owners <= places.length) return [name];
  const omitted = places.length - MAX_PLACES;
  const listed = places.slice(0, MAX_PLACES).map(formatPath);
  return omitted > 0 ? [...listed, `${name} [${omitted} more of ${places.length}]`] : listed;
}

/** Number of objects at a path whose indexes may be any, up to a limit. */
function countOwners(value: unknown, [step, ...rest]: Path, limit: number): number {
  if (step === undefined) return isObject(value) ? 1 : 0;
  if (typeof step === "string")
    return isObject(value) && Object.hasOwn(value, step)
      ? countOwners(value[step], rest, limit)
      : 0;
  if (!Array.isArray(value)) return 0;
  let count = 0;
  for (const item of value as readonly unknown[]) {
    if (count >= limit) break;
    count += countOwners(item, rest, limit - count);
  }
  return count;
}

// ---- schema/remove-parts.ts ----
// Removal of parts of a value, with their paths in the original.

/**
 * Removes parts of a value in rounds. Items of lists are removed at the end of a round, so that the
 * paths of a round stay valid. Later paths are translated to those of the original value.
 */
export class PartRemover {
  /** Indexes in the original of the items that remain, by list. */
  private readonly indexes = new Map<object, readonly number[]>();
  /** Values that replaced another one. Their parts have no path in the original. */
  private readonly converted = new Set<string>();
  private readonly pending = new Map<unknown[], Set<number>>();
  private readonly removed = new Set<string>();

  constructor(private readonly root: object) {}

  /** Path of a part in the original value; of the part that was converted, if it is inside of one. */
  locate(path: readonly PathSegment[]): readonly PathSegment[] {
    const source: PathSegment[] = [];
    let value: unknown = this.root;
    for (const step of path) {
      if (this.converted.size > 0 && this.converted.has(JSON.stringify(source))) return source;
      const indexes = this.indexes.get(value as object);
      source.push(indexes?.[step as number] ?? step);
      value = (value as Record<PathSegment, unknown> | undefined)?.[step];
    }
    return source;
  }

  /** @param source path of a converted part in the original value */
  markConverted(source: readonly PathSegment[]): void {
    this.converted.add(JSON.stringify(source));
  }

  /** Removes a part, or the converted value around it. */
  remove(path: readonly PathSegment[]): void {
    const whole = path.slice(0, this.locate(path).length);
    let parent: unknown = this.root;
    for (const step of whole.slice(0, -1)) parent = (parent as Record<PathSegment, unknown>)[step];
    const step = whole.at(-1) as PathSegment;
    this.removed.add(JSON.stringify(whole));
    if (!Array.isArray(parent)) delete (parent as Record<PathSegment, unknown>)[step];
    else this.pending.set(parent, (this.pending.get(parent) ?? new Set()).add(step as number));
  }

  /** True if a part, or a part around it, was removed in this round. */
  isRemoved(path: readonly PathSegment[]): boolean {
    if (this.removed.size === 0) return false;
    return path.some((_, i) => this.removed.has(JSON.stringify(path.slice(0, i + 1))));
  }

  finishRound(): void {
    for (const [list, steps] of this.pending) {
      const indexes = this.indexes.get(list) ?? list.map((_, i) => i);
      const isKept = (_: unknown, i: number): boolean => !steps.has(i);
      this.indexes.set(list, indexes.filter(isKept));
      const items = list.filter(isKept);
      items.forEach((item, i) => (list[i] = item));
      list.length = items.length;
    }
    this.pending.clear();
    this.removed.clear();
  }
}

// ---- schema/coerce-output.ts ----
// Coercion of responses to the output schema. No value is lost.

/** A part of a response that the output schema does not allow in its place. */
export interface UnexpectedPart {
  /** Empty for the whole response. */
  readonly path: readonly PathSegment[];
  readonly value: unknown;
}

/** The differences between a response and the coerced value. */
export interface OutputDifferences {
  /** Violations of the schema whose parts were moved to `unexpected`. */
  readonly moved: readonly Problem[];
  /** Violations whose parts have another type now. Those that lose nothing are left out. */
  readonly converted: readonly Problem[];
  /** Parts that are not in the value, as the API sent them. */
  readonly unexpected: readonly UnexpectedPart[];
  /** Paths of properties that were null and are absent; `[]` stands for every index. */
  readonly nullFields: readonly string[];
}

/** A value that satisfies the schema, or the violations for which there is none. */
export type CoercionResult =
  | ({ readonly ok: true; readonly value: unknown } & OutputDifferences)
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NO_DIFFERENCES: OutputDifferences = {
  moved: [],
  converted: [],
  unexpected: [],
  nullFields: [],
};

/** Maximum number of rounds of repairs. */
const MAX_ROUNDS = 16;

/** Number of moved parts after which no single one is moved. */
const MAX_MOVED = 1_000;

/** Maximum number of unexpected parts. With more of them, whole properties of the root are moved. */
const MAX_PARTS = 20;

/**
 * Makes a response satisfy the tool's output schema, because clients reject a result that does not.
 * A part that differs is converted if that loses nothing, otherwise moved to `unexpected`. A
 * response that is not an object is moved as a whole. **Changes the value in place.**
 */
export function coerceOutput(value: unknown, schema: JsonSchema): CoercionResult {
  const check = validatorFor(schema);
  const problems = check(value);
  if (problems.length === 0 && isObject(value))
    return { ok: true as const, value, ...NO_DIFFERENCES };
  if (!isObject(value))
    return wrapList(value, check, problems) ?? moveResponse(value, check, problems);
  const nulls = problems.filter(
    ({ path, value: part }) => part === null && typeof path.at(-1) === "string",
  );
  const nullFields = listFields(
    value,
    nulls.map(({ path }) => path),
  );
  const withNulls = removeNulls(value, nulls);
  const remaining = relevantProblems(nulls.length === 0 ? problems : check(value));
  if (remaining.length === 0) return { ok: true, value, ...NO_DIFFERENCES, nullFields };
  const repaired = new OutputRepair(value, withNulls(), check).run(remaining);
  return repaired ? { ...repaired, nullFields } : moveResponse(withNulls(), check, remaining);
}

/**
 * Removes properties that are null where the schema does not allow it, as APIs write missing
 * values.
 * @returns a function that copies the value with these nulls
 */
function removeNulls(
  root: Record<string, unknown>,
  nulls: readonly Problem[],
): () => Record<string, unknown> {
  const removed = nulls.flatMap(({ path }) => {
    const parent = parentOf(root, path);
    const key = path.at(-1) as PathSegment;
    if (!parent || !Object.hasOwn(parent, key)) return [];
    delete parent[key];
    return [{ parent, key }];
  });
  let copy: string | undefined;
  return () => {
    if (copy === undefined) {
      for (const { parent, key } of removed) define(parent, key, null);
      copy = JSON.stringify(root);
      for (const { parent, key } of removed) delete parent[key];
    }
    return JSON.parse(copy) as Record<string, unknown>;
  };
}

/** A list in place of an object stands in `items`, if the schema leaves that open. */
function wrapList(
  list: unknown,
  check: Validator,
  problems: readonly Problem[],
): CoercionResult | undefined {
  const value = { items: list };
  if (!Array.isArray(list) || check(value).length > 0) return undefined;
  return { ok: true, value, ...NO_DIFFERENCES, converted: relevantProblems(problems) };
}

/** The result for a response of which no part has a place: empty, if the schema allows it. */
function moveResponse(
  original: unknown,
  check: Validator,
  problems: readonly Problem[],
): CoercionResult {
  const [moved, value] = [relevantProblems(problems), {}];
  const empty = new OutputRepair(value, {}, check).run(relevantProblems(check(value)));
  if (!empty) return { ok: false, problems: moved };
  const unexpected = [{ path: [], value: original }];
  return { ok: true, value: empty.value, ...NO_DIFFERENCES, moved, unexpected };
}

/** Repairs of one response, in rounds: a repair may uncover another problem. */
class OutputRepair {
  private readonly remover: PartRemover;
  private readonly attempts = new Set<string>();
  private readonly moved = new Map<string, { part: UnexpectedPart; problem: Problem }>();
  private readonly converted = new Map<string, Problem>();
  private maxMoved = MAX_MOVED;

  constructor(
    private readonly root: Record<string, unknown>,
    private readonly original: unknown,
    private readonly check: Validator,
  ) {
    this.remover = new PartRemover(root);
  }

  run(problems: readonly Problem[]): (CoercionResult & { ok: true }) | undefined {
    if (!this.repairAll(problems)) return undefined;
    if (this.parts().length > MAX_PARTS && !this.moveRootProperties()) return undefined;
    for (const { part, problem } of this.parts()) this.moveEmptied(part.path, problem);
    const parts = this.parts();
    return {
      ok: true,
      value: this.root,
      moved: parts.map(({ problem }) => problem),
      converted: [...this.converted.values()].filter(({ path }) => !this.isMoved(path)),
      unexpected: parts.map(({ part }) => part),
      nullFields: [],
    };
  }

  private repairAll(problems: readonly Problem[]): boolean {
    let remaining = problems;
    for (let round = 0; remaining.length > 0 && round < MAX_ROUNDS; round++) {
      for (const problem of remaining) {
        if (!this.repair(problem)) return false;
        if (this.moved.size > this.maxMoved) return this.stopMoving();
      }
      this.remover.finishRound();
      remaining = relevantProblems(this.check(this.root));
    }
    return remaining.length === 0;
  }

  /** Moves whole properties of the root from now on, because there will be too many parts. */
  private stopMoving(): boolean {
    this.maxMoved = Infinity;
    return this.moveRootProperties();
  }

  /** Repairs one problem. @returns false if the root itself is invalid */
  private repair(problem: Problem): boolean {
    const { path, keyword } = problem;
    const [step, parent] = [path.at(-1), parentOf(this.root, path)];
    if (step === undefined) return false;
    if (!parent || this.remover.isRemoved(path)) return true;
    if (keyword === "required") return this.repairMissing(problem, parent, step);
    const isNew = this.isNewAttempt("convert", path);
    const conversion = isNew && parent[step] !== null ? convertOutput(problem) : undefined;
    const source = this.remover.locate(path);
    const difference = { ...problem, path: source };
    if (conversion === undefined) return this.move(this.wholeList(path), difference);
    if (!conversion.isExact) this.converted.set(JSON.stringify(source), difference);
    this.remover.markConverted(source);
    return define(parent, step, conversion.value);
  }

  /**
   * The list of simple values around an item: without the item, the others would have other places.
   * The list that is the result stays.
   */
  private wholeList(path: readonly PathSegment[]): readonly PathSegment[] {
    if (typeof path.at(-1) !== "number" || !isValueList(parentOf(this.root, path))) return path;
    const list = path.slice(0, -1);
    return list.length === 1 && list[0] === "items" ? path : this.wholeList(list);
  }

  /**
   * A required property is null, then the JSON of what was moved from there, then an empty list at
   * the root, where the schema allows it.
   */
  private repairMissing(
    problem: Problem,
    parent: Record<PathSegment, unknown>,
    step: PathSegment,
  ): boolean {
    const { path } = problem;
    this.isNewAttempt("convert", path);
    if (this.isNewAttempt("null", path)) return define(parent, step, null);
    const text = this.isNewAttempt("text", path) ? this.movedAsText(path) : undefined;
    if (text !== undefined) return define(parent, step, text);
    if (path.length > 1) return this.move(path.slice(0, -1), this.causeOf(problem));
    return this.isNewAttempt("list", path) && define(parent, step, []);
  }

  /** The JSON of a moved object or list, for a required text. */
  private movedAsText(path: readonly PathSegment[]): string | undefined {
    const { part, problem } = this.moved.get(JSON.stringify(this.remover.locate(path))) ?? {};
    const isText = problem?.keyword === "type" && [problem.rule].flat().includes("string");
    const isJson = typeof part?.value === "object" && part.value !== null;
    return isText && isJson ? JSON.stringify(part.value) : undefined;
  }

  private isNewAttempt(kind: string, path: readonly PathSegment[]): boolean {
    const key = `${kind} ${JSON.stringify(path)}`;
    const isNew = !this.attempts.has(key);
    this.attempts.add(key);
    return isNew;
  }

  /** The problem for which a property is missing. */
  private causeOf(missing: Problem): Problem {
    const path = this.remover.locate(missing.path);
    return this.moved.get(JSON.stringify(path))?.problem ?? { ...missing, path };
  }

  /** Moves a part out of the value. A value that the original does not have is only removed. */
  private move(path: readonly PathSegment[], problem: Problem): true {
    const source = this.remover.locate(path);
    const key = JSON.stringify(source);
    const value = valueAtPath(this.original, source);
    if (value !== undefined && !this.moved.has(key))
      this.moved.set(key, { part: { path: source, value }, problem });
    this.remover.remove(path);
    return true;
  }

  /** Parts that are moved, without those inside of others, in the order of the response. */
  private parts(): readonly { readonly part: UnexpectedPart; readonly problem: Problem }[] {
    return [...this.moved.values()].filter(({ part }) => !this.isMoved(part.path.slice(0, -1)));
  }

  private isMoved(path: readonly PathSegment[]): boolean {
    return path.some((_, i) => this.moved.has(JSON.stringify(path.slice(0, i + 1))));
  }

  /**
   * Moves the objects around a moved part that have nothing left, because `{}` reads like a value.
   * Those that the schema requires stay, as do items of lists.
   */
  private moveEmptied(moved: readonly PathSegment[], problem: Problem): void {
    for (let path = moved.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
      const parent = parentOf(this.root, path);
      const step = path.at(-1) as PathSegment;
      if (!parent || !path.every(isKey) || !isEmptyObject(parent[step])) return;
      delete parent[step];
      if (this.check(this.root).length > 0) return void define(parent, step, {});
      const part = { path, value: valueAtPath(this.original, path) };
      this.moved.set(JSON.stringify(path), { part, problem });
    }
  }

  /** Moves the properties of the root that contain unexpected parts. */
  private moveRootProperties(): boolean {
    for (const { part, problem } of this.parts()) {
      const path = part.path.slice(0, 1);
      const key = JSON.stringify(path);
      if (this.moved.has(key)) continue;
      this.moved.set(key, { part: { path, value: valueAtPath(this.original, path) }, problem });
      this.remover.remove(path);
    }
    this.remover.finishRound();
    return this.repairAll(relevantProblems(this.check(this.root)));
  }
}

/** True for a list of simple values, and for one of such lists. */
const isValueList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => Array.isArray(item) || !isObject(item));

const isKey = (step: PathSegment): boolean => typeof step === "string";

const isEmptyObject = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 0;

/** The object or list that contains the part at a path. */
function parentOf(
  root: unknown,
  path: readonly PathSegment[],
): Record<PathSegment, unknown> | undefined {
  const parent = valueAtPath(root, path.slice(0, -1));
  return typeof parent === "object" && parent !== null
    ? (parent as Record<PathSegment, unknown>)
    : undefined;
}

function valueAtPath(root: unknown, path: readonly PathSegment[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PathSegment, unknown>)[step];
  }
  return value;
}

/** Defines a property instead of assigning it, so that `__proto__` is a key like any other. */
function define(parent: Record<PathSegment, unknown>, step: PathSegment, value: unknown): true {
  const attributes = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(parent, step, { value, ...attributes });
  return true;
}

// ---- schema/secret-name.ts ----
// Names of fields and inputs that hold credentials.

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|secret|token|credential|private_?key|(?:^|_)(?:otp|pin|api_?key|code)(?:$|_)/i;

/** True for a name such as `password`, and for a schema with that format. */
export function isSecretField(name: string, schema?: unknown): boolean {
  return (isObject(schema) && schema["format"] === "password") || SECRET_NAME.test(name);
}
