/**
 * Values as text, and percent-encoding of text in URLs (RFC 3986, section 2; exceptions of
 * `allowReserved`: OpenAPI 3.2, "URL Percent-Encoding").
 */

/**
 * Lists the items of an array, or the value alone. `null` is omitted, because a form cannot express
 * it.
 */
export function itemsOf(value: SerializableValue): readonly SerializableValue[] {
  return (isReadonlyArray(value) ? value : [value]).filter((item) => item !== null);
}

/**
 * A value that can be sent unchanged: JSON, or a `bigint` for an integer that a number cannot
 * represent.
 */
export type SerializableValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly SerializableValue[]
  | { readonly [key: string]: SerializableValue };

/** Maximum nesting of values. Deeper values would exhaust the call stack. */
const MAX_DEPTH = 256;

/** Describes why a value cannot be sent, as a clause without a subject; `undefined` when it can. */
export function serializationProblem(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case "string":
      return isWellFormed(value)
        ? undefined
        : "contains an unpaired surrogate, which is not a character; correct the text";
    case "number":
      return numberProblem(value);
    case "object":
      return value === null ? undefined : memberProblem(value, depth + 1);
    case "boolean":
    case "bigint":
      return undefined;
    default:
      return "contains a value that is not JSON";
  }
}

/** True if a text has no unpaired surrogates, which UTF-8 cannot express. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** True if a value is an array or an object. */
export function isStructured(
  value: SerializableValue,
): value is readonly SerializableValue[] | { readonly [key: string]: SerializableValue } {
  return typeof value === "object" && value !== null;
}

/** True if a value is an array. Unlike `Array.isArray`, it keeps the type of read-only items. */
export function isReadonlyArray(value: SerializableValue): value is readonly SerializableValue[] {
  return Array.isArray(value);
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return "is not a finite number";
  // Such a number was most likely rounded when it was read: 9007199254740993 arrives as …992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return (
      "has an integer beyond ±9007199254740991, whose last digits may be lost; " +
      "pass it as a string with all its digits"
    );
  }
  return undefined;
}

function memberProblem(value: object, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  for (const [key, member] of Object.entries(value)) {
    const problem = serializationProblem(key) ?? serializationProblem(member, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Converts a value to plain text: numbers in decimal digits without an exponent, arrays and objects
 * as JSON. OpenAPI leaves the conversion to implementations (3.1.1, Appendix B).
 */
export function toText(value: SerializableValue): string {
  if (typeof value === "number") return toDecimal(value);
  return isStructured(value) ? toJson(value) : String(value);
}

/** Writes JSON without white space. Unlike `JSON.stringify`, it writes `bigint`s in full. */
export function toJson(value: SerializableValue): string {
  if (typeof value === "bigint") return String(value);
  if (!isStructured(value)) return JSON.stringify(value);
  if (isReadonlyArray(value)) return `[${value.map(toJson).join(",")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${toJson(member)}`,
  );
  return `{${members.join(",")}}`;
}

/** Writes JSON for a header, with `\u` escapes beyond ASCII. */
export function toAsciiJson(value: SerializableValue): string {
  return toJson(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Writes a number without an exponent: 0.00000015 instead of 1.5e-7. Positive exponents do not
 * occur, because such numbers are rejected.
 */
function toDecimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = value < 0 ? "-" : "";
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${mantissa.replace(/[-.]/g, "")}`;
}

/** Encodes text for its place in a request. Never throws. */
export type Encode = (text: string) => string;

/**
 * Encodes everything but unreserved characters. Never throws: an unpaired surrogate becomes U+FFFD.
 */
export function percentEncode(text: string): string {
  if (isUnreserved(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(
    /[!'()*]/g,
    toPercentTriplet,
  );
}

/**
 * Encodes a query value with `allowReserved`. Reserved characters and triplets are kept, except
 * `#[]`, which a query cannot contain, `&=+`, which have a meaning, and `'`, which URL parsers
 * encode.
 */
export const encodeReservedQuery: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:/?@!$()*,;])+)/);

/**
 * Encodes a path value with `allowReserved`, or literal text of a template. Every `pchar` stays.
 */
export const encodeReservedPath: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:@!$&'()*+,;=])+)/);

/** Encodes a cookie value with `allowReserved`. Reserved characters of RFC 6265 stay. */
export const encodeReservedCookie: Encode = encodeExcept(
  /((?:%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+=])+)/,
);

/** Encodes the name of a cookie. Characters of a `token` stay. RFC 9110. */
export const encodeCookieName: Encode = encodeExcept(/([!#$&'*+.^_`|~-]+)/);

/** Leaves text unencoded, for header values and parts of a multipart body. */
export const verbatim: Encode = (text) => text;

/**
 * Creates an encoder that keeps `allowed`, which is one capture group, so that splitting puts its
 * matches at odd indexes.
 */
function encodeExcept(allowed: RegExp): Encode {
  const encode: Encode = (text) =>
    text
      .split(allowed)
      .map((part, index) => (index % 2 === 1 ? part : percentEncode(part)))
      .join("");
  return (text) => (isUnreserved(text) ? text : encode(text));
}

/** True if a text needs no encoding. Testing is cheaper than encoding. */
function isUnreserved(text: string): boolean {
  return /^[\w.~-]*$/.test(text);
}

function toPercentTriplet(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
