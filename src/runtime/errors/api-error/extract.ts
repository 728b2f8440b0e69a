/** The API's own message in an error response. */
import type { ApiResponse } from "../../request/types.js";
import { isJson, isReadableText, parseContentType } from "../../data/media-types.js";
import { parseLimitedJson } from "../../data/limit-values.js";
import { decodeText } from "../../response/decode.js";
import { sanitize } from "../../response/shape.js";
import { type ApiErrorDetails, type FieldError, parseErrorValue } from "./json-message.js";

/** Maximum number of characters of the API's message that are passed on. */
const MAX_CHARACTERS = 2000;
const MAX_FIELD_ERRORS = 20;
const MAX_FIELD_NAME = 200;

const NO_DETAILS: ApiErrorDetails = { message: "", fieldErrors: [] };

/**
 * Extracts the API's message from an error response, and its errors of single fields. It knows the
 * usual shapes: problem details (RFC 9457), `message`, `error`, SOAP faults and pages. Both are
 * empty when the response has no message.
 */
export function extractApiError(
  response: Pick<ApiResponse, "headers" | "body" | "size">,
): ApiErrorDetails {
  const details = limitSize(parseBody(response));
  if (details.message || details.fieldErrors.length > 0) return details;
  const challenge = challengeMessage(response.headers.get("www-authenticate"));
  return { message: shorten(toOneLine(challenge)), fieldErrors: [] };
}

/** Extracts the message of a JSON value that reports an error. */
export function extractErrorFromValue(value: unknown): ApiErrorDetails {
  return limitSize(parseErrorValue(value));
}

/** Parses the body of an error response; undefined unless it is JSON. */
export function responseValue(response: Pick<ApiResponse, "headers" | "body" | "size">): unknown {
  const text = bodyText(response);
  return text === undefined ? undefined : parseLimitedJson(text, MAX_ERROR_VALUES);
}

/** Quotes the message of an API. The JSON of a body without one is not quoted once more. */
export function quoteMessage({ message, isBody }: Omit<ApiErrorDetails, "fieldErrors">): string {
  return isBody ? message : JSON.stringify(message);
}

/** Prepares the beginning of a malformed response for quoting. */
export function excerpt(text: string): string {
  return shorten(toOneLine(markupMessage(text)));
}

function parseBody(response: Pick<ApiResponse, "headers" | "body" | "size">): ApiErrorDetails {
  const text = bodyText(response);
  if (text === undefined) return NO_DETAILS;
  const value = parseLimitedJson(text, MAX_ERROR_VALUES);
  return value === undefined ? markupError(text) : parseErrorValue(value);
}

/** Elements that name the input of an error: `<QueryParameterName>blockid</QueryParameterName>`. */
const INPUT_NAMES = ["QueryParameterName", "ParameterName", "HeaderName", "ArgumentName"];

/** The message of markup, as that of the input that an XML document names. */
function markupError(text: string): ApiErrorDetails {
  const message = markupMessage(text);
  const field = isFault(text) ? firstElementText(text.slice(0, MAX_TEXT_READ), INPUT_NAMES) : "";
  return field === "" || message === ""
    ? { message, fieldErrors: [] }
    : { message: "", fieldErrors: [{ field, message }] };
}

/** Undefined without a body, and for one that is not text. */
function bodyText({
  headers,
  body,
  size,
}: Pick<ApiResponse, "headers" | "body" | "size">): string | undefined {
  if (size === 0) return undefined;
  const { essence, charset } = parseContentType(headers.get("content-type"));
  const isText = essence === "" || isJson(essence) || isReadableText(essence);
  return isText ? decodeText(body, charset).text : undefined;
}

/** Maximum number of values of an error response that are read. */
const MAX_ERROR_VALUES = 10_000;

function limitSize({ message, fieldErrors, isBody }: ApiErrorDetails): ApiErrorDetails {
  let remaining = MAX_CHARACTERS;
  const errors: FieldError[] = [];
  for (const error of fieldErrors.slice(0, MAX_FIELD_ERRORS)) {
    const field = toOneLine(error.field).slice(0, MAX_FIELD_NAME);
    const shortened = shorten(toOneLine(error.message), Math.max(0, remaining));
    remaining -= field.length + shortened.length;
    if (remaining > 0) errors.push({ field, message: shortened });
  }
  const shortened = { message: shorten(toOneLine(message)), fieldErrors: errors };
  return isBody ? { ...shortened, isBody } : shortened;
}

function toOneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, " ").trim();
}

/** Part of a shortened text that is its end, where a log has its error. */
const END_SHARE = 0.3;

/** Shortens a text to its beginning and its end, with a mark between them. */
function shorten(text: string, max = MAX_CHARACTERS): string {
  if (text.length <= max) return text;
  const end = Math.floor(max * END_SHARE);
  return `${text.slice(0, max - end)}…${end > 0 ? text.slice(-end) : ""}`;
}

/**
 * Reads the reason from a `WWW-Authenticate` header, which is often the only message. RFC 6750,
 * section 3. Empty when there is none.
 */
function challengeMessage(header: string | null): string {
  if (header === null) return "";
  const text = header.slice(0, 2000);
  const [description, error, scope] = ["error_description", "error", "scope"].map(
    (name) => new RegExp(`\\b${name}="([^"]*)"`, "i").exec(text)?.[1],
  );
  return [
    description ?? error,
    error === "insufficient_scope" && scope ? `scope needed: ${scope}` : undefined,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Maximum number of characters that are read, so that the time is bounded. */
const MAX_TEXT_READ = 32 * 1024;

/**
 * Extracts the message of a page or an XML document. That is the message of a SOAP fault or of an
 * error document (`<Error><Code>…<Message>…`), otherwise all text without scripts, styles,
 * what is shown without scripts, and tags.
 * Text without markup is returned unchanged.
 */
function markupMessage(text: string): string {
  const start = shorten(text, MAX_TEXT_READ);
  if (!/<[a-z!/?]/i.test(start)) return start;
  return faultMessage(start) || textOf(removeHead(start));
}

/** True for an error document of XML. */
const isFault = (text: string): boolean =>
  /^\s*<(?:\?xml|[\w:.-]{1,60}(?:Envelope|Error|Fault|ErrorResponse|problem)\b)/i.test(text);

function faultMessage(xml: string): string {
  if (!isFault(xml)) return "";
  const message = firstElementText(xml, ["faultstring", "Text", "message", "title", "detail"]);
  const code = firstElementText(xml, ["faultcode", "code"]);
  return message && code && !message.includes(code) ? `${message} (${code})` : message;
}

function firstElementText(xml: string, names: readonly string[]): string {
  for (const name of names) {
    const text = elementText(xml, name);
    if (text !== "") return text;
  }
  return "";
}

/** Reads the text of the first element of a name, in any namespace. */
function elementText(xml: string, name: string): string {
  const tag = `<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>`;
  const [, content = ""] = new RegExp(`${tag}([^<]{1,2000})<`, "i").exec(xml) ?? [];
  return decodeEntities(content).trim();
}

/** Removes the head of a page. A page without text in its body keeps it, for its title. */
function removeHead(page: string): string {
  const body = page.search(/<body\b/i);
  return body >= 0 && textOf(page.slice(body)).trim() !== "" ? page.slice(body) : page;
}

function textOf(markup: string): string {
  return decodeEntities(
    markup
      .replace(/<(script|style|noscript)\b[^]{0,8192}?<\/\1\s*>/gi, " ")
      .replace(/<[^<>]{0,2048}>/g, " "),
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** Replaces the entities of XML, and references to characters. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? entity;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity;
    },
  );
}
