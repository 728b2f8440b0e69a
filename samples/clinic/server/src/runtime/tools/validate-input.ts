import { MAX_LISTED_PROBLEMS } from "../errors/input-errors.js";
import { isObject } from "../data/json.js";
import type { InputProblem } from "../request/types.js";
import { validatorFor } from "../schema/compile.js";
import {
  describeProblem,
  formatPath,
  formatValue,
  type Problem,
  relevantProblems,
} from "../schema/index.js";
import type { JsonSchema, ToolInput } from "../types.js";

/**
 * Result of validation. `omittedNulls` names inputs, or parts of them, that were `null` where the
 * schema does not allow it.
 */
type ValidationResult =
  | { readonly ok: true; readonly input: ToolInput; readonly omittedNulls?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Validates a call's arguments against the tool's input schema and reports all problems at once. A
 * `null` that the schema does not allow counts as absent, because hosts that make every input
 * required ("strict" function calling) cannot omit it. An object or a list may be JSON text, as
 * some hosts send it. Nothing else is converted: `"5"` is not a number.
 * @param allowLargeIntegers whether integers beyond 2^53 may be text, as results write them; they
 *   become `bigint`s
 */
export function validateInput(
  schema: JsonSchema,
  args: unknown,
  allowLargeIntegers = false,
): ValidationResult {
  const input = parseJsonText(args ?? {});
  if (!isObject(input))
    return invalid([
      { input: "", problem: `the arguments must be an object, got ${formatValue(input)}` },
    ]);
  const limitProblem = findLimitViolation(input);
  if (limitProblem !== undefined) return invalid([{ input: "", problem: limitProblem }]);
  const check = validatorFor(schema);
  const problems = withoutOneOf(check(input));
  if (problems.length === 0) return { ok: true, input };
  const reparsedInput = withParsedJson(input, problems);
  if (reparsedInput) return validateInput(schema, reparsedInput, allowLargeIntegers);
  const nulls = problems.filter(isUnexpectedNull);
  if (nulls.length > 0)
    return withOmittedNulls(
      validateInput(
        schema,
        replaceParts(
          input,
          nulls.map(({ path }) => ({ path, part: REMOVED })),
          0,
        ),
        allowLargeIntegers,
      ),
      nulls,
    );
  if (allowLargeIntegers && problems.every(isLargeInteger))
    return { ok: true, input: withLargeIntegers(input, problems) };
  return invalid(relevantProblems(problems).map(toInputProblem));
}

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
  };
}

function invalid(problems: readonly InputProblem[]): ValidationResult {
  return { ok: false, problems };
}

/** Parses JSON texts in the place of objects and lists; `undefined` when there are none. */
function withParsedJson(input: ToolInput, problems: readonly Problem[]): ToolInput | undefined {
  const replacements = problems.flatMap(({ path, keyword, rule, value }) => {
    // At the top level, any problem counts. Further in, only text in the place of an object or a
    // list.
    const isWanted =
      path.length === 1 ||
      (path.length > 1 &&
        keyword === "type" &&
        [rule].flat().some((type) => type === "object" || type === "array"));
    const part = isWanted ? parseJsonText(value) : value;
    return part === value ? [] : [{ path, part }];
  });
  return replacements.length === 0
    ? undefined
    : (replaceParts(input, replacements, 0) as ToolInput);
}

/** Marks a property that is removed. */
const REMOVED = Symbol("absent");

/** Replacement of the value at a path. */
interface Replacement {
  readonly path: Problem["path"];
  readonly part: unknown;
}

/**
 * Copies a value with its replacements. `fromEntries` defines properties, so that __proto__ is a
 * key like any other.
 */
function replaceParts(value: unknown, parts: readonly Replacement[], depth: number): unknown {
  const replacement = parts.find(({ path }) => path.length === depth);
  if (replacement) return replacement.part;
  const below = new Map<unknown, Replacement[]>();
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

/** True if a problem is an integer in text that a number cannot hold. */
function isLargeInteger({ path, keyword, rule, value }: Problem): boolean {
  if (
    path.length !== 1 ||
    typeof value !== "string" ||
    !/^-?[1-9]\d{15,29}$/.test(value) ||
    Number.isSafeInteger(Number(value))
  )
    return false;
  if (keyword === "type") return [rule].flat().includes("integer");
  const alternatives = rule as readonly { type?: unknown }[];
  return keyword === "anyOf" && alternatives.some(({ type }) => type === "integer");
}

function withLargeIntegers(input: ToolInput, problems: readonly Problem[]): ToolInput {
  return {
    ...input,
    ...Object.fromEntries(
      problems.map(({ path, value }) => [String(path[0]), BigInt(value as string)]),
    ),
  };
}

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
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
