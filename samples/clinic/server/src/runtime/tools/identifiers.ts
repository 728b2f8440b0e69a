/** Identifiers that are given where the API's description declares a number. */
import { isObject } from "../data/values.js";
import type { Problem } from "../schema/check.js";

/**
 * True if a text stands where only a number is allowed, and is an identifier that cannot be one. An
 * API that declares its UUIDs as integers accepts it, and no number would be right.
 */
export function isIdentifierForNumber({ path, keyword, rule, value }: Problem): boolean {
  if (typeof value !== "string" || path.length === 0 || !isIdentifier(value)) return false;
  if (keyword === "type") return allowsNumber(rule);
  return (
    keyword === "anyOf" &&
    [rule].flat().some((form) => isObject(form) && allowsNumber(form["type"]))
  );
}

function allowsNumber(rule: unknown): boolean {
  return [rule].flat().some((type) => type === "integer" || type === "number");
}

/** A UUID of any version. */
export const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Digests and object IDs. */
const HEXADECIMAL = /^[\da-f]{16,128}$/i;

/** ULID, KSUID and CUID: letters and digits without a separator. */
const TOKEN = /^[\da-z]{20,64}$/i;

/** `usr_8f3k2m9q`: the kind of the thing, and a token. */
const PREFIXED = /^[a-z]{1,10}_(?:[a-z]{1,10}_)?([\da-z]{8,64})$/i;

/** Least number of digits in a token. A name in camel case has fewer. */
const MIN_DIGITS = 2;

/** True for texts that only identify: never for words, names, dates, or amounts with a unit. */
export function isIdentifier(text: string): boolean {
  if (UUID.test(text)) return true;
  const token = HEXADECIMAL.test(text) || TOKEN.test(text) ? text : PREFIXED.exec(text)?.[1];
  if (token === undefined) return false;
  const digits = token.replace(/\D/g, "").length;
  return digits >= MIN_DIGITS && digits < token.length;
}
