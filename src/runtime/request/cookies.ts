/** Cookies of the request. */
import { isText } from "../data/media-types.js";
import type { ParameterSource } from "../types.js";
import {
  type BindingContext,
  type ParameterValue,
  type ReportProblem,
  resolveParameter,
} from "./parameter-source.js";
import { isPinned, rejectPinnedNames } from "./pinned-names.js";
import { type Encode, encodeCookieName, encodeReservedCookie, percentEncode } from "./serialize.js";
import { serialize } from "./serialize-content.js";
import { namedPairs, type Pair } from "./styles.js";

/** True if a text is a valid cookie value, quoted or not. RFC 6265, section 4.1.1. */
export function isCookieValue(text: string): boolean {
  return /^("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1$/.test(text);
}

/**
 * Binds a cookie parameter. The default style `form` is percent-encoded, `cookie` is not. Both
 * write one cookie for each pair, because `&` has no meaning in a Cookie header (OpenAPI 3.2,
 * Appendix D). Content is encoded unless it is plain text.
 */
export function parameterCookies(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
): readonly Pair[] {
  const parameter = resolveParameter(name, source, binding);
  if (parameter === undefined) return [];
  const pairs = cookiePairs(parameter);
  const names = pairs.map(([pairName]) => decodeURIComponent(pairName));
  if (!isPinned(source)) rejectPinnedNames(names, binding.pinned.cookie, parameter);
  return pairs;
}

function cookiePairs(parameter: ParameterValue): readonly Pair[] {
  const { name, contentType, style, allowReserved } = parameter;
  if (contentType !== undefined) {
    const encode = isText(contentType) ? unencodedCookie(parameter.reportProblem) : percentEncode;
    return [[encodeCookieName(name), encode(serialize(parameter, contentType))]];
  }
  const encode = allowReserved === true ? encodeReservedCookie : percentEncode;
  const value = style === "cookie" ? unencodedCookie(parameter.reportProblem) : encode;
  return namedPairs(parameter, { name: encodeCookieName, value });
}

function unencodedCookie(reportProblem: ReportProblem): Encode {
  return (text) => {
    if (!isCookieValue(text))
      reportProblem(
        "has a character that a cookie cannot carry: a space, quote, comma, semicolon, " +
          "backslash, control character or one beyond ASCII",
      );
    return text;
  };
}
