/** Pairs of names and values in queries, forms and cookies, and their decoding. */

/** A `name=value` pair of a query, a form or a cookie, still percent-encoded. */
export type Pair = readonly [name: string, value: string];

/** Percent-decoding. In a query and a form `+` is a space. Headers are not decoded. */
export type Decoder = (text: string) => string;

/** Percent-decoding of RFC 3986. Malformed sequences are kept. */
export const decodeUri: Decoder = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
/** Percent-decoding of `application/x-www-form-urlencoded`. */
export const decodeForm: Decoder = (text) => decodeUri(text.replaceAll("+", " "));
export const noDecoding: Decoder = (text) => text;

/** Percent-encoding of UTF-8, for which a lone surrogate is replaced. RFC 3986, section 2.1. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

/** `a=1` → `["a", "1"]`; without `=` the value is empty. */
export function pairOf(text: string): Pair {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * A serialized value that is still text: a scalar, array items or object members. Members of deep
 * objects are nested.
 */
export type RawValue = string | readonly RawValue[] | ReadonlyMap<string, RawValue>;

/** A value and the pairs that it was read from. */
export interface PairsReading {
  readonly raw: RawValue;
  readonly used: readonly Pair[];
}

/** Adds a value under a key, which becomes a list where it has one before. */
export function append(map: Map<string, RawValue>, key: string, value: RawValue): void {
  const before = map.get(key);
  if (before === undefined) map.set(key, value);
  else map.set(key, Array.isArray(before) ? [...(before as RawValue[]), value] : [before, value]);
}
