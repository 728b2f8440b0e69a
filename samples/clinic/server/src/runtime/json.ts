/** A JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value at a JSON pointer; `undefined` when there is none. `""` is the whole value. RFC 6901.
 */
export function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** JSON as data. `exact` says that integers too large for a number were kept, as text. */
export interface ParsedJson {
  readonly value: unknown;
  readonly hasLargeIntegers: boolean;
}

/**
 * Parses JSON without rounding: an integer beyond 2^53 becomes text with exactly its digits,
 * because IDs are often such integers.
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return { value, hasLargeIntegers: false };
  const quoted = quoteLargeIntegers(text);
  return quoted === text
    ? { value, hasLargeIntegers: false }
    : { value: JSON.parse(quoted), hasLargeIntegers: true };
}

/**
 * Strings first, so that digits in them are passed over; then numbers, with any fraction and
 * exponent.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quoteLargeIntegers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}
