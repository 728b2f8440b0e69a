/** Texts that are identifiers. */

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
