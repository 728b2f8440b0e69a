/** Responses that go on after the deadline or the size limit: events, JSON in a row, logs. */
import { textInBytes } from "../data/framed-text.js";
import { countJsonValues } from "../data/json-sequence.js";
import { isJson, isSequence, parseContentType } from "../data/media-types.js";
import type { Body, ResponseHeaders } from "../request/types.js";

/**
 * True if the beginning of a body is of use without its end. A body of known length and a single
 * JSON value are documents, whose beginning is not.
 */
export function isBeginningOfStream(headers: ResponseHeaders, body: Body, size: number): boolean {
  if (headers.has("content-length")) return false;
  const { essence } = parseContentType(headers.get("content-type"));
  if (size === 0 || isSequence(essence)) return true;
  if (isJson(essence) || essence === "") return hasValues(body, 1);
  if (typeof body === "string") return essence === "text/plain";
  return textInBytes(body, essence) !== undefined;
}

/** True if the values of a body are of use without those beyond the size limit. */
export function isLargeSequence(headers: ResponseHeaders, body: Body): boolean {
  const { essence } = parseContentType(headers.get("content-type"));
  return isSequence(essence) || (isJson(essence) && hasValues(body, 2));
}

/** True if a body begins with so many complete JSON values. */
function hasValues(body: Body, count: number): boolean {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return countJsonValues(text, count) === count;
}
