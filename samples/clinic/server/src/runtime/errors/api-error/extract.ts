import type { ApiResponse } from "../../client/index.js";
import { decodeText } from "../../response/decode-text.js";
import { sanitize } from "../../response/sanitize.js";
import { type ApiErrorDetails, type FieldError, parseErrorValue } from "./json-message.js";
import { markupMessage } from "./markup-message.js";
import { isJsonType, isReadableText, parseContentType } from "../../media-types.js";

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

/** Prepares the beginning of a malformed response for quoting. */
export function excerpt(text: string): string {
  return shorten(toOneLine(markupMessage(text)));
}

function parseBody({
  headers,
  body,
  size,
}: Pick<ApiResponse, "headers" | "body" | "size">): ApiErrorDetails {
  if (size === 0) return NO_DETAILS;
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (essence !== "" && !isJsonType(essence) && !isReadableText(essence)) return NO_DETAILS;
  const { text } = decodeText(body, charset);
  const value = parseJsonOrUndefined(text);
  return value === undefined
    ? { message: markupMessage(text), fieldErrors: [] }
    : parseErrorValue(value);
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function limitSize({ message, fieldErrors }: ApiErrorDetails): ApiErrorDetails {
  let left = MAX_CHARACTERS;
  const kept: FieldError[] = [];
  for (const error of fieldErrors.slice(0, MAX_FIELD_ERRORS)) {
    const field = toOneLine(error.field).slice(0, MAX_FIELD_NAME);
    const shortened = shorten(toOneLine(error.message), Math.max(0, left));
    left -= field.length + shortened.length;
    if (left > 0) kept.push({ field, message: shortened });
  }
  return { message: shorten(toOneLine(message)), fieldErrors: kept };
}

function toOneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, " ").trim();
}

function shorten(text: string, max = MAX_CHARACTERS): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
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
