/**
 * Sends a request of a call with a permit and within the deadline; follows redirects and retries.
 */
import type { BoundRequest, ClientCertificate } from "../request/types.js";
import type { ParameterSource, RequestMapping } from "../types.js";
import { readBody } from "./bounded-body.js";
import { pause, type Semaphore } from "./limits.js";
import { sendByFetch } from "./fetch.js";
import { connectionFailure } from "./network-errors.js";
import {
  type ApiResponse,
  type Deadline,
  type Failure,
  type HttpResponse,
  isFailure,
  isSuccess,
  type ResponseHeaders,
  type SendFunction,
} from "./types.js";

/** Attempts after the first. */
const maxRetries = 2;

interface SendRequestOptions extends RedirectOptions {
  readonly semaphore: Semaphore;
  /** False when the caller retries by itself. */
  readonly retries?: boolean;
  /** Called before each wait. */
  onRetry?(ms: number): void;
}

/**
 * Sends a request and reads the response, within the deadline. Retries if the request is repeatable
 * or has not reached the API, and if a retry may help. A wait that would outlast the deadline or
 * the retry wait of the call is not started; the outcome is returned instead. Never throws.
 */
export async function sendRequest(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, isRepeatable, retries = true } = options;
  let reachedApi = false;
  for (let attempt = 0; ; attempt++) {
    const outcome = withEarlierEffect(await sendWithPermit(request, options), reachedApi);
    reachedApi = mayHaveReachedApi(outcome);
    const mayRetry = retries && (isRepeatable || !reachedApi) && attempt < maxRetries;
    const wait = mayRetry ? retryDelay(outcome, attempt) : undefined;
    if (wait === undefined || wait >= deadline.remainingMs()) return outcome;
    if (wait > deadline.retryWait.remainingMs) return outcome;
    deadline.retryWait.remainingMs -= wait;
    options.onRetry?.(wait);
    await pause(wait, deadline);
    if (deadline.expired) return deadline.expired;
  }
}

/** True if the API may have seen the request. */
function mayHaveReachedApi(outcome: ApiResponse | Failure): boolean {
  return !isFailure(outcome) || (outcome.kind === "connection" && outcome.sent);
}

/** Marks a failed retry as sent: it does not undo the side effects of an earlier attempt. */
function withEarlierEffect(
  outcome: ApiResponse | Failure,
  reachedApi: boolean,
): ApiResponse | Failure {
  return reachedApi && isFailure(outcome) && outcome.kind === "connection"
    ? { ...outcome, sent: true }
    : outcome;
}

async function sendWithPermit(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { semaphore, deadline } = options;
  const permit = semaphore.acquire(deadline);
  if (permit !== true && !(await permit)) return deadline.expired ?? { kind: "busy" };
  try {
    return await sendFollowingRedirects(request, options);
  } finally {
    semaphore.release();
  }
}

/** Maximum number of bytes read of an error response. */
const maxErrorBytes = 64 * 1024;

interface RedirectOptions {
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Maximum size of a successful body in bytes, decoded. */
  readonly maxBytes: number;
  /** Client certificate (mutual TLS), which `fetch` cannot present. */
  readonly tls?: ClientCertificate;
  /** Sends one request; `fetch` by default. */
  readonly send?: SendFunction;
  /** Return redirects instead of following them. */
  readonly keepRedirects?: boolean;
}

/** Sends a request, follows redirects and reads the response. Never throws. */
export async function sendFollowingRedirects(
  request: BoundRequest,
  options: RedirectOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, maxBytes } = options;
  let hops = 0;
  try {
    let current = request;
    for (; hops <= maxRedirects; hops++) {
      if (deadline.expired) return deadline.expired;
      const response = await sendOnce(current, options);
      if (options.keepRedirects === true || !isRedirect(response)) {
        return await readResponse(response, maxBytes);
      }
      const next = redirectRequest(current, response);
      if ("kind" in next) return (response.discard(), next);
      await response.drain(maxErrorBytes);
      current = next;
    }
    return { kind: "redirect", cause: `the API redirected more than ${maxRedirects} times` };
  } catch (error) {
    const failure = connectionFailure(error, deadline.sent);
    // A server that redirects has received the request and may have acted on it.
    return deadline.expired ?? (hops > 0 ? { ...failure, sent: true } : failure);
  } finally {
    deadline.onExpire(undefined);
  }
}

function sendOnce(
  request: BoundRequest,
  { deadline, isRepeatable, tls, send = sendByFetch }: RedirectOptions,
): Promise<HttpResponse> {
  return send(request, { deadline, isRepeatable, ...(tls && { tls }) });
}

async function readResponse(
  response: HttpResponse,
  maxBytes: number,
): Promise<ApiResponse | Failure> {
  const isOk = isSuccess(response);
  const body = await readBody(response, isOk ? maxBytes : maxErrorBytes, !isOk);
  if ("kind" in body) return body;
  const { status, statusText, headers } = response;
  return { status, statusText, headers, ...body };
}

/** Maximum number of redirects. */
const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** True if a response is a redirect. */
function isRedirect({ status, headers }: Pick<HttpResponse, "status" | "headers">): boolean {
  return redirectStatuses.has(status) && headers.has("location");
}

/**
 * The request to the target of a redirect. The target must have the same origin, because the
 * request carries credentials and a body. RFC 9110, section 15.4.
 */
function redirectRequest(
  request: BoundRequest,
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
): BoundRequest | Failure {
  const location = decodeLocation(headers.get("location") ?? "");
  const currentUrl = new URL(request.url);
  const nextUrl = URL.canParse(location, currentUrl.href)
    ? new URL(location, currentUrl)
    : undefined;
  if (!nextUrl) return { kind: "redirect", cause: "the API redirected to an invalid URL" };
  if (nextUrl.origin !== currentUrl.origin || nextUrl.username || nextUrl.password) {
    const target =
      nextUrl.origin === "null"
        ? "an address that is not HTTP"
        : `another origin (${nextUrl.origin})`;
    return { kind: "redirect", cause: `the API redirected to ${target}, which is not followed` };
  }
  return changesToGet(status, request.method)
    ? toGet(request, nextUrl)
    : { ...request, url: nextUrl.href };
}

/**
 * Decodes a location outside of ASCII, which was read as Latin-1, as UTF-8 if it is valid. All
 * browsers do so.
 */
function decodeLocation(location: string): string {
  if (/^[\0-\x7f]*$/.test(location)) return location;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(location, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return location;
  }
}

function changesToGet(status: number, method: string): boolean {
  return (
    (status === 303 && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST")
  );
}

function toGet({ headers }: BoundRequest, nextUrl: URL): BoundRequest {
  return {
    method: "GET",
    url: nextUrl.href,
    headers: headers.filter(([name]) => !/^content-/i.test(name)),
  };
}

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
function retryDelay(outcome: ApiResponse | Failure, attempt: number): number | undefined {
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
