/** Coercion of inputs of calls to the types of their schema. */
import { isObject } from "../data/values.js";
import type { Problem } from "./check.js";

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
