import type { RequestMapping, ParameterSource } from "../types.js";
import { type ApiResponse, type Failure, isFailure, type ResponseHeaders } from "./types.js";

/**
 * Sending again is harmless: by the method's definition, or because the API recognises the
 * repetition by its key. RFC 9110, section 9.2.2.
 */
export function isRepeatable({ method, unsafe, query, headers, body }: RequestMapping): boolean {
  return (
    (idempotentMethods.has(method) && !unsafe) ||
    [query, headers, body?.fields].some(hasGeneratedKey)
  );
}

/** What is made for each call is a key by which the API tells repetitions. */
function hasGeneratedKey(wires: Readonly<Record<string, ParameterSource>> = {}): boolean {
  return Object.values(wires).some((wire) => typeof wire === "object" && "generate" in wire);
}

/** The effect of several such requests is that of one. RFC 9110, section 9.2.2. */
const idempotentMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "OPTIONS",
  "QUERY",
]);

/**
 * Statuses that say "not now". 408 is also what a server says over a connection that it closes
 * while the request is on its way. RFC 9110, section 15.5.9.
 */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Milliseconds to wait before another try can help; `undefined` when it cannot.
 * @param attempt tries that were made, from 0
 */
export function retryDelay(outcome: ApiResponse | Failure, attempt: number): number | undefined {
  const backoff = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (isFailure(outcome))
    return outcome.kind === "connection" && !outcome.permanent ? backoff : undefined;
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const requested = retryAfter(outcome);
  return requested === undefined ? backoff : Math.max(requested, backoff);
}

/**
 * Milliseconds that the API asks to wait: `Retry-After` (RFC 9110, section 10.2.3), the longest if
 * there are several, else one of the headers that say when the caller's quota is full again, if
 * that is what it refuses for; `undefined` when there is none that makes sense.
 */
export function retryAfter({
  headers,
  status,
}: Pick<ApiResponse, "headers" | "status">): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  const seconds = value.split(",").map((one) => one.trim());
  if (seconds.every((one) => /^\d{1,9}(?:\.\d{1,9})?$/.test(one)))
    return Math.ceil(Math.max(...seconds.map(Number)) * 1000);
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date)
    ? status === 429 || status === 403
      ? quotaReset(headers)
      : undefined
    : Math.max(0, date - Date.now());
}

/**
 * Seconds from now (Discord, the IETF draft), or seconds since 1970 (GitHub, Okta, X), which no
 * quota lasts for.
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
