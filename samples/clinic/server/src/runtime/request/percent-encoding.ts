/**
 * Percent-encoding of text in URLs. RFC 3986, section 2. Exceptions of `allowReserved`: OpenAPI
 * 3.2, "URL Percent-Encoding".
 */

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
 * Encodes a query value with `allowReserved`. Reserved characters and triplets stay, except `#[]`,
 * which a query cannot hold, `&=+`, which have a meaning, and `'`, which URL parsers encode.
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
