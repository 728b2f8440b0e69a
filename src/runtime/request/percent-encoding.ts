/**
 * Percent-encoding: how any text becomes part of a URL without changing the URL's structure. RFC
 * 3986, section 2; what `allowReserved` may leave as it is: OpenAPI 3.2, "URL Percent-Encoding".
 */

export type Encode = (text: string) => string;

/**
 * Encodes everything but RFC 3986's unreserved characters. Never throws: half a surrogate pair
 * becomes U+FFFD.
 */
export function percentEncode(text: string): string {
  if (isUnreserved(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(
    /[!'()*]/g,
    toPercentTriplet,
  );
}

/**
 * For `allowReserved` in a query. Stays: reserved characters and triples. Is encoded all the same:
 * `#[]`, which a query cannot hold, `&=+`, which mean something in it, and `'`, which every URL
 * parser encodes.
 */
export const encodeReservedQuery: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:/?@!$()*,;])+)/);

/**
 * For `allowReserved` in a path, and for the literal text of a path template. Stays: what RFC 3986
 * calls `pchar`.
 */
export const encodeReservedPath: Encode = encodeExcept(/((?:%[0-9A-Fa-f]{2}|[:@!$&'()*+,;=])+)/);

/** For `allowReserved` in a cookie. Stays: reserved characters that RFC 6265 allows in a value. */
export const encodeReservedCookie: Encode = encodeExcept(
  /((?:%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+=])+)/,
);

/** For names of cookies. Stays: the characters of a `token` (RFC 9110). */
export const encodeCookieName: Encode = encodeExcept(/([!#$&'*+.^_`|~-]+)/);

/**
 * For text that is not percent-encoded where it goes: header values and parts of a multipart body.
 */
export const verbatim: Encode = (text) => text;

/** `kept` is one capture group, so that splitting puts what it matches at the odd places. */
function encodeExcept(allowed: RegExp): Encode {
  const encode: Encode = (text) =>
    text
      .split(allowed)
      .map((part, index) => (index % 2 === 1 ? part : percentEncode(part)))
      .join("");
  return (text) => (isUnreserved(text) ? text : encode(text));
}

/** Most names and many values are; to see it is cheaper than to encode them. */
function isUnreserved(text: string): boolean {
  return /^[\w.~-]*$/.test(text);
}

function toPercentTriplet(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
