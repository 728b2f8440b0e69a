/** Checks of a value, and messages about the problems that they find. */
import { joinFirst, nearestNames, beginningOf } from "../data/values.js";
import type { JsonSchema } from "../types.js";

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
