import type { InputProblem } from "./bind/types.js";
import { mostProblems, outOfBounds } from "./bounds.js";
import {
  compile,
  describe,
  pathName,
  type Problem,
  show,
  type Validator,
  worthTelling,
} from "./schema/index.js";
import type { JsonSchema } from "./types.js";
import { isObject } from "./object.js";

/** A tool's arguments, by name. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * `absent`: names of inputs, or of parts of them, that were `null` where nothing says that they may
 * be.
 */
export type Validated =
  | { readonly ok: true; readonly input: Input; readonly absent?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

const compiled = new WeakMap<JsonSchema, Validator>();

/** The validator of a schema, compiled when the first value comes. */
export function validatorOf(schema: JsonSchema): Validator {
  let validator = compiled.get(schema);
  if (!validator) compiled.set(schema, (validator = compile(schema)));
  return validator;
}

/**
 * Checks a call's arguments against the tool's input schema. All problems are told at once. Absent
 * arguments are none, and so is `null` where nothing says that it is a value: hosts that make every
 * input required ("strict" function calling) have no other word for it. An object or a list may
 * come as JSON text, as some hosts send it, also inside others. Nothing else is converted: `"5"` is
 * not a number.
 * @param exact integers that a number cannot hold may come as text, as results give them; they
 *   become `bigint`s, which requests can send
 */
export function validate(schema: JsonSchema, given: unknown, exact = false): Validated {
  const input = parsedText(given ?? {});
  if (!isObject(input))
    return refused([{ input: "", problem: `the arguments must be an object, got ${show(input)}` }]);
  const beyond = outOfBounds(input);
  if (beyond !== undefined) return refused([{ input: "", problem: beyond }]);
  const check = validatorOf(schema);
  const problems = meant(check(input));
  if (problems.length === 0) return { ok: true, input };
  const unwrapped = withParsedText(input, problems);
  if (unwrapped) return validate(schema, unwrapped, exact);
  const nulls = problems.filter(isNull);
  if (nulls.length > 0)
    return withAbsent(
      validate(
        schema,
        replaced(
          input,
          nulls.map(({ path }) => ({ path, part: absent })),
          0,
        ),
        exact,
      ),
      nulls,
    );
  if (exact && problems.every(isLargeInteger))
    return { ok: true, input: withLargeIntegers(input, problems) };
  return refused(worthTelling(problems).map(toInputProblem));
}

/** Documents often say `oneOf` where alternatives overlap; the API decides then, not we. */
function meant(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ keyword }) => keyword !== "oneOf");
}

/** `null` for a property that wants something else. An unknown one stays unknown. */
function isNull({ path, keyword, value }: Problem): boolean {
  return value === null && keyword !== "additionalProperties" && typeof path.at(-1) === "string";
}

function withAbsent(validated: Validated, nulls: readonly Problem[]): Validated {
  if (!validated.ok) return validated;
  const names = new Set([...nulls.map(({ path }) => pathName(path)), ...(validated.absent ?? [])]);
  return { ...validated, absent: [...names] };
}

/** Words are found for those that are told: what is nearest to a wrong name takes its time. */
function toInputProblem(problem: Problem, i: number): InputProblem {
  return { input: pathName(problem.path), problem: i < mostProblems ? describe(problem) : "" };
}

function refused(problems: readonly InputProblem[]): Validated {
  return { ok: false, problems };
}

/**
 * The input with JSON texts read as what they say; `undefined` when there are none where something
 * else is wanted.
 */
function withParsedText(input: Input, problems: readonly Problem[]): Input | undefined {
  const read = problems.flatMap(({ path, keyword, rule, value }) => {
    // At the top any fault will do; further in, only what is text and should be an object or a
    // list.
    const isWanted =
      path.length === 1 ||
      (path.length > 1 &&
        keyword === "type" &&
        [rule].flat().some((type) => type === "object" || type === "array"));
    const part = isWanted ? parsedText(value) : value;
    return part === value ? [] : [{ path, part }];
  });
  return read.length === 0 ? undefined : (replaced(input, read, 0) as Input);
}

/** Stands for a property that is to go. */
const absent = Symbol("absent");

/** What is to stand at a path. */
interface Replacement {
  readonly path: Problem["path"];
  readonly part: unknown;
}

/**
 * A copy with other parts, made once for all of them. `fromEntries` defines properties, so that a
 * key such as __proto__ is a key.
 */
function replaced(value: unknown, parts: readonly Replacement[], depth: number): unknown {
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
    return inside ? replaced(item, inside, depth + 1) : item;
  };
  if (Array.isArray(value)) return value.map((item, i) => renewed(i, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, renewed(key, item)])
      .filter(([, item]) => item !== absent),
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

function withLargeIntegers(input: Input, problems: readonly Problem[]): Input {
  return {
    ...input,
    ...Object.fromEntries(
      problems.map(({ path, value }) => [String(path[0]), BigInt(value as string)]),
    ),
  };
}

function parsedText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
