/** Validation of the arguments of a call, and conversions to the types of the input schema. */
import { parseContainerText } from "../data/json-text.js";
import { MAX_LISTED_PROBLEMS } from "../errors/input-errors.js";
import { isObject } from "../data/values.js";
import type { InputProblem } from "../request/types.js";
import { validatorFor } from "../schema/compile.js";
import {
  describeProblem,
  formatPath,
  formatValue,
  type Problem,
  relevantProblems,
} from "../schema/check.js";
import type { JsonSchema, ToolInput } from "../types.js";
import { coerceInput, type Conversion, type GivenValue } from "../schema/coerce-input.js";
import { isIdentifierForNumber, isLargeInteger } from "./number-inputs.js";
import { stringifyJsonInputs } from "./text-inputs.js";

/** Result of validation. The lists name inputs, or parts of them: `owner.name`. */
type ValidationResult =
  | {
      readonly ok: true;
      readonly input: ToolInput;
      /** Those that were `null` where the schema does not allow it. */
      readonly omittedNulls?: readonly string[];
      /** Those that were converted to text that may differ from what the caller meant. */
      readonly converted?: readonly string[];
      /** Booleans and numbers that became text, as given. */
      readonly givenValues?: readonly GivenValue[];
      /** Integers beyond 2^53 that the input has as texts, as `bigint`s. */
      readonly largeIntegers?: readonly GivenValue[];
      /** Those that are identifiers in place of the declared numbers, as given. */
      readonly identifiers?: readonly string[];
      /** IDs inside of inputs that the schema requires and the call lacks. */
      readonly omittedIds?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

interface ValidationOptions {
  /** True if integers beyond 2^53 may be strings, as in results. */
  readonly allowLargeIntegers?: boolean;
  /**
   * True if identifiers may stand in place of numbers, and IDs of parts may be missing, unless
   * validation is strict.
   */
  readonly allowIdentifiers?: boolean;
  /** True if values of another type are refused instead of converted. */
  readonly strict?: boolean;
}

/** Maximum rounds of conversions. A list of one may contain a list of one. */
const MAX_CONVERSIONS = 8;

/**
 * Validates a call's arguments against the tool's input schema and reports all problems at once. A
 * `null` that the schema does not allow counts as absent, because hosts that make every input
 * required ("strict" function calling) cannot omit it. An object or a list may be JSON text, as
 * some hosts send it. Other values are converted if only one conversion is possible.
 */
export function validateInput(
  schema: JsonSchema,
  args: unknown,
  options: ValidationOptions = {},
): ValidationResult {
  return validate(schema, args, options, []);
}

/** @param converted inputs that were converted so far, one list for each round */
function validate(
  schema: JsonSchema,
  args: unknown,
  options: ValidationOptions,
  converted: readonly (readonly Conversion[])[],
): ValidationResult {
  const input = parseContainerText(args) ?? args ?? {};
  if (!isObject(input))
    return invalid([
      { input: "", problem: `the arguments must be an object, got ${formatValue(input)}` },
    ]);
  const limitProblem = findLimitViolation(input);
  if (limitProblem !== undefined) return invalid([{ input: "", problem: limitProblem }]);
  const check = validatorFor(schema);
  const problems = withoutOneOf(check(input));
  if (problems.length === 0) return accept(input, converted);
  const reparsedInput = withParsedJson(input, problems);
  if (reparsedInput) return validate(schema, reparsedInput, options, converted);
  const nulls = problems.filter(isUnexpectedNull);
  if (nulls.length > 0) {
    const removals = nulls.map(({ path }) => ({ path, part: REMOVED }));
    const withoutNulls = replaceParts(input, removals, 0);
    return withOmittedNulls(validate(schema, withoutNulls, options, converted), nulls);
  }
  const canConvert = !options.strict && converted.length < MAX_CONVERSIONS;
  const texts = canConvert ? stringifyJsonInputs(schema, problems) : [];
  if (texts.length > 0)
    return validate(schema, replaceParts(input, texts), options, [...converted, []]);
  const conversions = canConvert ? coerceInput(problems) : [];
  if (conversions.length > 0) {
    const replaced = replaceParts(input, conversions);
    return validate(schema, replaced, options, [...converted, conversions]);
  }
  const allowsIdentifiers = options.allowIdentifiers === true && !options.strict;
  const identifiers = allowsIdentifiers ? problems.filter(isIdentifierForNumber) : [];
  const paths = new Set(identifiers.map(({ path }) => formatPath(path)));
  const omittedIds = allowsIdentifiers ? problems.filter(isOmittedId) : [];
  const isSettled = (problem: Problem): boolean =>
    omittedIds.includes(problem) ||
    (/^(?:type|anyOf)$/.test(problem.keyword) && paths.has(formatPath(problem.path)));
  const large = options.allowLargeIntegers ? problems.filter(isLargeInteger) : [];
  const others = problems.filter((problem) => !isSettled(problem) && !large.includes(problem));
  if (others.length === 0)
    return {
      ...accept(input, converted, [...paths]),
      ...(large.length > 0 && { largeIntegers: large.map(toBigInt) }),
      ...(omittedIds.length > 0 && { omittedIds: omittedIds.map(({ path }) => formatPath(path)) }),
    };
  return invalid(relevantProblems(others).map(toInputProblem));
}

const toBigInt = ({ path, value }: Problem): GivenValue => ({
  path,
  part: BigInt(value as string),
});

/** The input with its large integers as they are sent, where it still has their texts. */
export function withLargeIntegers(
  input: ToolInput,
  integers: readonly GivenValue[] = [],
): ToolInput {
  const current = integers.filter(
    ({ path, part }) =>
      path.reduce<unknown>((value, step) => Object(value)[step] as unknown, input) === String(part),
  );
  return current.length === 0 ? input : (replaceParts(input, current) as ToolInput);
}

function accept(
  input: ToolInput,
  converted: readonly (readonly Conversion[])[],
  identifiers: readonly string[] = [],
): ValidationResult {
  const conversions = converted.flat();
  const differing = conversions.filter(({ mayDiffer }) => mayDiffer);
  const names = [...new Set(differing.map(({ path }) => formatPath(path)))];
  const givenValues = conversions.flatMap(({ path, given }) =>
    given === undefined ? [] : [{ path, part: given }],
  );
  return {
    ok: true,
    input,
    ...(names.length > 0 && { converted: names }),
    ...(givenValues.length > 0 && { givenValues }),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/**
 * True for a missing ID of a part: documents describe a new thing with the schema of an existing
 * one, whose ID the API assigns.
 */
const isOmittedId = ({ path, keyword }: Problem): boolean =>
  keyword === "required" && path.length > 1 && /^(?:_?id|uuid|guid)$/.test(String(path.at(-1)));

/** Ignores `oneOf`. Documents often use it for overlapping alternatives, which the API accepts. */
function withoutOneOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ keyword }) => keyword !== "oneOf");
}

/** True if a known property is `null` against its schema. */
function isUnexpectedNull({ path, keyword, value }: Problem): boolean {
  return value === null && keyword !== "additionalProperties" && typeof path.at(-1) === "string";
}

function withOmittedNulls(
  validated: ValidationResult,
  nulls: readonly Problem[],
): ValidationResult {
  if (!validated.ok) return validated;
  const names = new Set([
    ...nulls.map(({ path }) => formatPath(path)),
    ...(validated.omittedNulls ?? []),
  ]);
  return { ...validated, omittedNulls: [...names] };
}

/**
 * Describes a problem. Only listed problems are described, because finding similar names takes
 * time.
 */
function toInputProblem(problem: Problem, i: number): InputProblem {
  return {
    input: formatPath(problem.path),
    problem: i < MAX_LISTED_PROBLEMS ? describeProblem(problem) : "",
    ...(isDisputable(problem) && { isDisputable: true }),
    ...(isStructure(problem) && { isStructure: true }),
    ...(problem.keyword === "required" && { isMissing: true }),
  };
}

/**
 * True for a value of which documents are often wrong: one of another type, that is not in a list
 * of values, that has another form, or that exceeds a limit.
 */
const isDisputable = ({ path, keyword }: Problem): boolean =>
  path.length > 0 && DISPUTABLE.test(keyword);

const isStructure = ({ path, keyword, rule, value }: Problem): boolean =>
  path.length > 0 && keyword === "type" && String(rule) === "string" && typeof value === "object";

const DISPUTABLE =
  /^(?:anyOf|const|enum|form(?:at|s)|pattern|(?:exclusive)?m(?:ax|in)imum|m(?:ax|in)(?:Items|Length|Properties)|multipleOf|type)$/i;

function invalid(problems: readonly InputProblem[]): ValidationResult {
  return { ok: false, problems };
}

/** Parses JSON texts that replace objects and lists; `undefined` when there are none. */
function withParsedJson(input: ToolInput, problems: readonly Problem[]): ToolInput | undefined {
  const replacements = problems.flatMap(({ path, keyword, rule, value }) => {
    // At the top level, any problem counts. Deeper, only text instead of an object or a list.
    const isWanted =
      path.length === 1 ||
      (path.length > 1 &&
        keyword === "type" &&
        [rule].flat().some((type) => type === "object" || type === "array"));
    const part = isWanted ? (parseContainerText(value) ?? value) : value;
    return Object.is(part, value) ? [] : [{ path, part }];
  });
  return replacements.length === 0
    ? undefined
    : (replaceParts(input, replacements, 0) as ToolInput);
}

/** Marks a property that is removed. */
const REMOVED = Symbol("absent");

/**
 * Copies a value with its replacements. `fromEntries` defines properties, so that __proto__ is a
 * key like any other.
 */
export function replaceParts(value: unknown, parts: readonly GivenValue[], depth = 0): unknown {
  const replacement = parts.find(({ path }) => path.length === depth);
  if (replacement) return replacement.part;
  const below = new Map<unknown, GivenValue[]>();
  for (const nested of parts) {
    const siblings = below.get(nested.path[depth]);
    if (siblings) siblings.push(nested);
    else below.set(nested.path[depth], [nested]);
  }
  const renewed = (step: string | number, item: unknown): unknown => {
    const inside = below.get(step);
    return inside ? replaceParts(item, inside, depth + 1) : item;
  };
  if (Array.isArray(value)) return value.map((item, i) => renewed(i, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, renewed(key, item)])
      .filter(([, item]) => item !== REMOVED),
  );
}

/** Limits of the arguments of a call, checked before any recursive function sees them. */
const maxDepth = 64;
const maxValues = 200_000;

/** Describes a violated limit; `undefined` when there is none. */
function findLimitViolation(input: object): string | undefined {
  const size = { values: 0 };
  const depth = measureDepth(input, 1, size);
  if (size.values > maxValues) return `the input has more than ${maxValues} values`;
  return depth > maxDepth ? `the input is nested more than ${maxDepth} levels deep` : undefined;
}

/** Measures the nesting and stops at the limits. */
function measureDepth(value: object, depth: number, size: { values: number }): number {
  if (depth > maxDepth) return depth;
  let reached = depth;
  for (const part of Object.values(value)) {
    if (++size.values > maxValues) break;
    if (typeof part === "object" && part !== null)
      reached = Math.max(reached, measureDepth(part as object, depth + 1, size));
  }
  return reached;
}
