/**
 * Headers of the request, cookies included. A value with a line break is rejected, not repaired.
 */
import { headerIn } from "./types.js";
import { isJson } from "../data/media-types.js";
import type { ParameterSource, RequestMapping } from "../types.js";
import {
  addProblem,
  type BindingContext,
  type ParameterValue,
  resolveParameter,
} from "./parameter-source.js";
import { rejectPinnedNames } from "./pinned-names.js";
import { toAsciiJson } from "./serialize.js";
import { serialize } from "./serialize-content.js";
import { parameterCookies } from "./cookies.js";
import { headerText } from "./styles.js";

/** A header of a request, with its name in the spelling of the document. */
export type Header = readonly [name: string, value: string];

/** Headers that the transport, the body or the cookies set. A parameter never sets them. */
const MESSAGE_HEADERS = new Set(
  (
    "connection content-length content-type cookie expect host keep-alive proxy-connection " +
    "te trailer transfer-encoding upgrade"
  ).split(" "),
);

/**
 * Headers that the caller of a tool must not choose. Constants and environment variables may set
 * them. OpenAPI 3.1.1, Parameter Object, `name`.
 */
const RESTRICTED_HEADERS = new Set([
  "accept",
  "authorization",
  "proxy-authorization",
  "user-agent",
]);

/**
 * Binds all headers except credentials and those of the transport.
 * @param contentType media type of the body, if there is one
 */
export function bindHeaders(
  mapping: Pick<RequestMapping, "accept" | "headers" | "cookies">,
  contentType: string | undefined,
  binding: BindingContext,
): readonly Header[] {
  const headers = Object.entries(mapping.headers ?? {}).flatMap(([name, source]) =>
    parameterHeader(name, source, binding),
  );
  const cookies = Object.entries(mapping.cookies ?? {}).flatMap(([name, source]) =>
    parameterCookies(name, source, binding),
  );
  const hasAccept = headerIn(headers, "Accept") !== undefined;
  const mediaTypes: readonly Header[] = [
    ...(hasAccept ? [] : acceptHeader(mapping.accept ?? [])),
    ...(contentType === undefined ? [] : [["Content-Type", contentType] as const]),
  ];
  if (mediaTypes.some(([, value]) => !isHeaderValue(value)))
    addProblem(
      binding,
      "",
      "the operation has a media type that is not a valid header value; it cannot be called",
    );
  return [
    ...mediaTypes,
    ...headers,
    ...(cookies.length === 0
      ? []
      : [["Cookie", cookies.map(([name, value]) => `${name}=${value}`).join("; ")] as const]),
  ];
}

/**
 * True if a text is a valid header value: no control characters except tab, nothing beyond Latin-1.
 * RFC 9110, section 5.5.
 */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** True if a text is a `token`. RFC 9110, section 5.6.2. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Writes the order of preference as weights. RFC 9110, section 12.5.1. */
function acceptHeader(accept: readonly string[]): readonly Header[] {
  const weighted = accept.map((mediaType, index) =>
    index === 0 ? mediaType : `${mediaType};q=${Math.max(1, 10 - index) / 10}`,
  );
  return weighted.length === 0 ? [] : [["Accept", weighted.join(", ")]];
}

function parameterHeader(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
): readonly Header[] {
  if (MESSAGE_HEADERS.has(name.toLowerCase())) return [];
  if (RESTRICTED_HEADERS.has(name.toLowerCase()) && isCallerChosen(source)) return [];
  const parameter = resolveParameter(name, source, binding);
  const text =
    parameter &&
    (parameter.contentType === undefined
      ? headerText(parameter)
      : serializeHeader(parameter, parameter.contentType));
  if (parameter === undefined || text === undefined) return [];
  if (!isToken(name)) parameter.reportProblem("has a name that is not a valid header name");
  if (isCallerChosen(source)) rejectPinnedNames([name], binding.pinned.header, parameter);
  if (!isHeaderValue(text))
    parameter.reportProblem(
      "has a character that a header cannot carry: a line break, another control character or one beyond Latin-1",
    );
  // Recipients remove outer blanks. RFC 9110, section 5.5. A workflow may write `Bearer ` on
  // purpose.
  const isComputed = typeof source !== "string" && "from" in source && source.isConfigured === true;
  if (!isComputed && /^[\t ]|[\t ]$/.test(text))
    parameter.reportProblem("starts or ends with a space or tab, which a header cannot carry");
  return [[name, text]];
}

function isCallerChosen(source: ParameterSource): boolean {
  return typeof source === "string" || ("from" in source && source.isConfigured !== true);
}

function serializeHeader(parameter: ParameterValue, contentType: string): string {
  return isJson(contentType) ? toAsciiJson(parameter.value) : serialize(parameter, contentType);
}
