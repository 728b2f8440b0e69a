import type { ApiResponse } from "../../client/index.js";
import { decodeText } from "../../response/decode-text.js";
import { sanitize } from "../../response/sanitize.js";
import { type ApiErrorDetails, type FieldError, parseErrorValue } from "./json-message.js";
import { markupMessage } from "./markup-message.js";
import { isJsonType, isReadableText, parseContentType } from "../../media-types.js";

export type { FieldError, ApiErrorDetails } from "./json-message.js";

/** Most of the API's own words that are passed on. */
const MAX_CHARACTERS = 2000;
const MAX_FIELD_ERRORS = 20;

const NO_DETAILS: ApiErrorDetails = { message: "", fieldErrors: [] };

/**
 * What the API says about its refusal: the message of the usual error shapes (problem details,
 * `message`, `error`, SOAP faults, pages) in one line, and what it says about single fields; both
 * empty when it says nothing. RFC 9457.
 */
export function extractApiError(
  response: Pick<ApiResponse, "headers" | "body" | "size">,
): ApiErrorDetails {
  const said = limitSize(parseBody(response));
  return said.message || said.fieldErrors.length > 0
    ? said
    : {
        message: shorten(toOneLine(challengeMessage(response.headers.get("www-authenticate")))),
        fieldErrors: [],
      };
}

/** What a JSON value that reports a failure says. */
export function extractErrorFromValue(value: unknown): ApiErrorDetails {
  return limitSize(parseErrorValue(value));
}

/** Text of a broken answer, fit to be quoted. */
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
  for (const { field, message: about } of fieldErrors.slice(0, MAX_FIELD_ERRORS)) {
    const complaint: FieldError = {
      field: toOneLine(field).slice(0, 200),
      message: shorten(toOneLine(about), Math.max(0, left)),
    };
    left -= complaint.field.length + complaint.message.length;
    if (left > 0) kept.push(complaint);
  }
  return { message: shorten(toOneLine(message)), fieldErrors: kept };
}

function toOneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, " ").trim();
}

function shorten(text: string, most = MAX_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/**
 * The reason in a `WWW-Authenticate` header, which is often all that an API says: RFC 6750, section
 * 3. Empty when there is none.
 */
export function challengeMessage(header: string | null): string {
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
