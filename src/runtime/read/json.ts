/** JSON as data. `exact` says that integers too large for a number were kept, as text. */
export interface ParsedJson {
  readonly value: unknown;
  readonly exact: boolean;
}

/**
 * Parses JSON without rounding: an integer beyond 2^53 becomes text with exactly its digits,
 * because IDs are often such integers.
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return { value, exact: false };
  const quoted = quoteLargeIntegers(text);
  return quoted === text ? { value, exact: false } : { value: JSON.parse(quoted), exact: true };
}

/**
 * Strings first, so that digits in them are passed over; then numbers, with any fraction and
 * exponent.
 */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quoteLargeIntegers(json: string): string {
  return json.replace(stringOrNumber, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}
