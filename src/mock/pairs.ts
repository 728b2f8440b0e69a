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
