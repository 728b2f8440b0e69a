/** Conversions of single values of a response to the type that the output schema declares. */
import type { Problem } from "./check.js";
import { isIdName } from "./id-name.js";

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
