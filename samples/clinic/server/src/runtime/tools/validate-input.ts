import { isObject } from "../json.js";
import type { InputProblem } from "../request/types.js";
import {
  describeProblem,
  formatPath,
  formatValue,
  type Problem,
  relevantProblems,
} from "../schema/index.js";
import { validatorFor } from "../schema/compile.js";
import { findLimitViolation } from "./input-limits.js";
import type { JsonSchema, ToolInput } from "../types.js";
import { MAX_LISTED_PROBLEMS } from "../errors/input-hints.js";

/**
 * `absent`: names of inputs, or of parts of them, that were `null` where nothing says that they may
 * be.
 */
export type ValidationResult =
  | { readonly ok: true; readonly input: ToolInput; readonly omittedNulls?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Checks a call's arguments against the tool's input schema. All problems are told at once. Absent
 * arguments are none, and so is `null` where nothing says that it is a value: hosts that make every
 * input required ("strict" function calling) have no other word for it. An object or a list may
 * come as JSON text, as some hosts send it, also inside others. Nothing else is converted: `"5"` is
 * not a number.
 * @param allowLargeIntegers integers that a number cannot hold may come as text, as results give
 *   them; they become `bigint`s, which requests can send
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
  const parsed = withParsedJson(input, problems);
  if (parsed) return validateInput(schema, parsed, allowLargeIntegers);
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

/** Documents often say `oneOf` where alternatives overlap; the API decides then, not we. */
function withoutOneOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ keyword }) => keyword !== "oneOf");
}

/** `null` for a property that wants something else. An unknown one stays unknown. */
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

/** Words are found for those that are told: what is nearest to a wrong name takes its time. */
function toInputProblem(problem: Problem, i: number): InputProblem {
  return {
    input: formatPath(problem.path),
    problem: i < MAX_LISTED_PROBLEMS ? describeProblem(problem) : "",
  };
}

function invalid(problems: readonly InputProblem[]): ValidationResult {
  return { ok: false, problems };
}

/**
 * The input with JSON texts read as what they say; `undefined` when there are none where something
 * else is wanted.
 */
function withParsedJson(input: ToolInput, problems: readonly Problem[]): ToolInput | undefined {
  const read = problems.flatMap(({ path, keyword, rule, value }) => {
    // At the top any fault will do; further in, only what is text and should be an object or a
    // list.
    const isWanted =
      path.length === 1 ||
      (path.length > 1 &&
        keyword === "type" &&
        [rule].flat().some((type) => type === "object" || type === "array"));
    const part = isWanted ? parseJsonText(value) : value;
    return part === value ? [] : [{ path, part }];
  });
  return read.length === 0 ? undefined : (replaceParts(input, read, 0) as ToolInput);
}

/** Stands for a property that is to go. */
const REMOVED = Symbol("absent");

/** What is to stand at a path. */
interface Replacement {
  readonly path: Problem["path"];
  readonly part: unknown;
}

/**
 * A copy with other parts, made once for all of them. `fromEntries` defines properties, so that a
 * key such as __proto__ is a key.
 */
function replaceParts(value: unknown, parts: readonly Replacement[], depth: number): unknown {
  const whole = parts.find(({ path }) => path.length === depth);
  if (whole) return whole.part;
  const below = new Map<unknown, Replacement[]>();
  for (const one of parts) {
    const known = below.get(one.path[depth]);
    if (known) known.push(one);
    else below.set(one.path[depth], [one]);
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

/** Digits in the place of an integer, and too many for a number. */
function isLargeInteger({ path, keyword, rule, value }: Problem): boolean {
  if (
    path.length !== 1 ||
    typeof value !== "string" ||
    !/^-?[1-9]\d{15,29}$/.test(value) ||
    Number.isSafeInteger(Number(value))
  )
    return false;
  const types =
    keyword === "type"
      ? [rule].flat()
      : keyword === "anyOf"
        ? (rule as readonly { type?: unknown }[]).map(({ type }) => type)
        : [];
  return types.includes("integer");
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
