import type { RequestMapping, ParameterSource } from "../types.js";
import { type ApiResponse, type Failure, isFailure, type ResponseHeaders } from "./types.js";

/**
 * True if a second request does no harm: by the definition of the method, or because the API
 * recognizes an idempotency key. RFC 9110, section 9.2.2.
 */
export function isRepeatable({ method, unsafe, query, headers, body }: RequestMapping): boolean {
  return (
    (idempotentMethods.has(method) && !unsafe) ||
    [query, headers, body?.fields].some(hasGeneratedKey)
  );
}

/** True if a value is generated for each call: an idempotency key. */
function hasGeneratedKey(sources: Readonly<Record<string, ParameterSource>> = {}): boolean {
  return Object.values(sources).some(
    (source) => typeof source === "object" && "generate" in source,
  );
}

/** Methods whose repetition has no further effect. RFC 9110, section 9.2.2. */
const idempotentMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "OPTIONS",
  "QUERY",
]);

/**
 * Statuses of temporary failures. Servers also send 408 over a connection that they close while a
 * request is in flight. RFC 9110, section 15.5.9.
 */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Milliseconds to wait before a retry; `undefined` if a retry cannot help.
 * @param attempt number of the failed attempt, from 0
 */
export function retryDelay(outcome: ApiResponse | Failure, attempt: number): number | undefined {
  const backoff = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (isFailure(outcome)) {
    return outcome.kind === "connection" && !outcome.permanent ? backoff : undefined;
  }
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const requested = retryAfter(outcome);
  return requested === undefined ? backoff : Math.max(requested, backoff);
}

/**
 * Milliseconds that the API asks to wait: the longest `Retry-After` (RFC 9110, section 10.2.3),
 * else, for 403 and 429, the reset of a quota. `undefined` without a valid header.
 */
export function retryAfter({
  headers,
  status,
}: Pick<ApiResponse, "headers" | "status">): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  const seconds = value.split(",").map((item) => item.trim());
  if (seconds.every((item) => /^\d{1,9}(?:\.\d{1,9})?$/.test(item))) {
    return Math.ceil(Math.max(...seconds.map(Number)) * 1000);
  }
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  return status === 429 || status === 403 ? quotaReset(headers) : undefined;
}

/**
 * Headers with the reset of a quota, in seconds from now (Discord, the IETF draft) or since 1970
 * (GitHub, Okta, X).
 */
const resetHeaders = [
  "x-ratelimit-reset-after",
  "ratelimit-reset",
  "x-ratelimit-reset",
  "x-rate-limit-reset",
];

function quotaReset(headers: ResponseHeaders): number | undefined {
  const value = resetHeaders
    .map((name) => headers.get(name)?.trim() ?? "")
    .find((text) => /^\d{1,13}(?:\.\d{1,9})?$/.test(text));
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds < 1e8) return Math.ceil(seconds * 1000);
  return Math.max(0, (seconds < 1e12 ? seconds * 1000 : seconds) - Date.now());
}
