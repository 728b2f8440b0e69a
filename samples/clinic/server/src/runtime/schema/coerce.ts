/** Coercion of values to the types of their schema: inputs of calls, and results of the API. */
import { isObject } from "../data/values.js";
import type { JsonSchema } from "../types.js";
import { type PathSegment, type Problem, relevantProblems } from "./check.js";
import { type Validator, validatorFor } from "./compile.js";

/** A value that satisfies the schema, with the differences of the original. */
export type CoercionResult =
  | { readonly ok: true; readonly value: unknown; readonly differences: readonly Problem[] }
  | { readonly ok: false; readonly differences: readonly Problem[] };

/** Maximum number of rounds of repairs. */
const MAX_ROUNDS = 16;

/**
 * Makes a response satisfy the tool's output schema, because clients reject a result that does not.
 * A part that differs is converted to the declared type, or becomes null where null is allowed.
 * Otherwise it is removed, or the part that contains it. **Changes the value in place.**
 */
export function coerceOutput(value: unknown, schema: JsonSchema): CoercionResult {
  const check = validatorFor(schema);
  const differences = relevantProblems(removeUnexpectedNulls(value, check));
  const attempts = new Set<string>();
  let remaining = differences;
  for (let round = 0; remaining.length > 0 && round < MAX_ROUNDS; round++) {
    // From the last to the first: removing an item must not move items that are repaired later.
    if (!remaining.toReversed().every((problem) => repair(value, problem, attempts))) break;
    remaining = relevantProblems(check(value));
  }
  return remaining.length === 0 ? { ok: true, value, differences } : { ok: false, differences };
}

/**
 * Removes properties that are null where the schema does not allow it. APIs write null for missing
 * values, so that this is not reported as a difference.
 */
function removeUnexpectedNulls(root: unknown, check: Validator): readonly Problem[] {
  const problems = check(root);
  const nulls = problems.filter(
    ({ path, value }) => value === null && typeof path.at(-1) === "string",
  );
  for (const { path } of nulls) {
    const parent = parentOf(root, path);
    if (parent) delete parent[path.at(-1) as PathSegment];
  }
  return nulls.length === 0 ? problems : check(root);
}

/** Repairs one problem. @returns false when the whole value is invalid */
function repair(root: unknown, problem: Problem, attempts: Set<string>): boolean {
  const { path, keyword } = problem;
  const step = path.at(-1);
  const parent = parentOf(root, path);
  if (step === undefined || parent === undefined) return step !== undefined;
  const attempt = JSON.stringify(path);
  if (keyword === "additionalProperties" || keyword === "propertyNames")
    return remove(parent, step);
  if (!attempts.has(attempt) && parent[step] !== null) {
    attempts.add(attempt);
    return define(parent, step, coerceValue(problem));
  }
  if (keyword === "required")
    return repair(root, { ...problem, path: path.slice(0, -1), keyword: "" }, attempts);
  return remove(parent, step);
}

/**
 * Converts a value to the declared type without changing its meaning: `"42"` to `42`, `"true"` and
 * `1` to `true`, a value to a list of one, any value to text. Otherwise null.
 */
function coerceValue({ keyword, rule, value }: Problem): unknown {
  const types = keyword === "type" ? [rule].flat() : [];
  if (types.includes("string")) return toText(value);
  if (types.includes("number") || types.includes("integer"))
    return toNumber(value, !types.includes("number"));
  if (types.includes("boolean")) return BOOLEANS.has(value) ? BOOLEANS.get(value) : null;
  if (types.includes("array")) return Array.isArray(value) || value === null ? null : [value];
  const isSingle = Array.isArray(value) && value.length === 1 && typeof value[0] === "object";
  return types.includes("object") && isSingle ? (value[0] as unknown) : null;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
  [1, true],
  [0, false],
  ["1", true],
  ["0", false],
]);

function toText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  return isEmpty ? null : JSON.stringify(value);
}

const DECIMAL = /^\s*-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?\s*$/;

/** Converts `"12.50"` to 12.5. A text stays when a number would lose digits: `"007"`, 2^53 + 1. */
function toNumber(value: unknown, isInteger: boolean): number | null {
  if (typeof value !== "string" || !DECIMAL.test(value)) return null;
  const number = Number(value);
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? number : null;
  return !isInteger && Number.isFinite(number) ? number : null;
}

function parentOf(
  root: unknown,
  path: readonly PathSegment[],
): Record<PathSegment, unknown> | undefined {
  let parent = root;
  for (const step of path.slice(0, -1)) {
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, step))
      return undefined;
    parent = (parent as Record<PathSegment, unknown>)[step];
  }
  if (typeof parent !== "object" || parent === null) return undefined;
  return parent as Record<PathSegment, unknown>;
}

function remove(parent: Record<PathSegment, unknown>, step: PathSegment): true {
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else delete parent[step];
  return true;
}

/** Defines a property instead of assigning it, so that `__proto__` is a key like any other. */
function define(parent: Record<PathSegment, unknown>, step: PathSegment, value: unknown): true {
  Object.defineProperty(parent, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return true;
}

/** An input part and the value that replaces it. */
export interface Conversion {
  readonly path: Problem["path"];
  readonly part: unknown;
}

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
    return part === undefined ? [] : [{ path: problem.path, part }];
  });
}

function isUnion({ keyword, rule, value }: Problem): boolean {
  if (keyword !== "anyOf" || nonNullForms(rule).length === 1) return false;
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

function nonNullForms(forms: unknown): readonly unknown[] {
  return [forms].flat().filter((form) => !isObject(form) || form["type"] !== "null");
}

/** Converts one value; `undefined` if that is impossible or ambiguous. */
function convert({ keyword, rule, value }: Problem): unknown {
  if (keyword === "enum") return memberWithText(rule as readonly unknown[], value);
  if (keyword === "type") return convertTo(rule, value);
  if (keyword !== "anyOf") return undefined;
  const [form] = nonNullForms(rule);
  return isObject(form) ? convertTo(form["type"], value) : undefined;
}

/** The one member of an enum whose text a value has: `1` for `"1"`. */
function memberWithText(members: readonly unknown[], value: unknown): unknown {
  if (typeof value === "object") return undefined;
  const matches = members.filter((member) => String(member) === String(value));
  return matches.length === 1 && typeof matches[0] !== "object" ? matches[0] : undefined;
}

function convertTo(rule: unknown, value: unknown): unknown {
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
      return toListOfOne(value);
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
