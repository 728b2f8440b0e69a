// client: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  canParseUrl, concatBytes, countJsonValues, isJson, isReadableText, isSequence, isXml,
  parseContentType, textInBytes,
} from "./data.js";
import {
  type ApiCall, type ApiResponse, type Body, type BodyCut, type BoundRequest, type CollectedBody,
  type Deadline, type Failure, type HttpResponse, isFailure, isSuccess, type ResponseHeaders,
  type RetryWait, type SendFunction,
} from "./request.js";
import type { ParameterSource, RequestMapping } from "./types.js";

// ---- client/failures.ts ----
// Failed requests: the cause of a network error, their effect, and when a retry may help.

type ConnectionFailure = Extract<Failure, { kind: "connection" }>;

/** Causes of one kind by the code of the error, or by the beginning of the code. */
interface CauseGroup extends Pick<ConnectionFailure, "sent" | "permanent"> {
  readonly codes: Readonly<Record<string, string>>;
  readonly prefixes?: Readonly<Record<string, string>>;
}

const timedOut = "the connection to the API timed out";
const connectionClosed = "the API closed the connection";
const tlsFailed = "no TLS connection could be made with the API";
const certificate = "the TLS certificate of the API";
const unknownAuthority = `${certificate} is signed by an unknown authority`;
const headersTooLarge = "the headers of the API's response are too large";
const badHeader = "the request has a header that cannot be sent";
const badEncoding = "the API's response is not compressed as its Content-Encoding states";

const causeGroups: readonly CauseGroup[] = [
  {
    sent: false,
    permanent: false,
    codes: {
      EAI_AGAIN: "the API's host name could not be resolved (DNS)",
      ECONNREFUSED: "the API refused the connection",
      EHOSTUNREACH: "the API's host cannot be reached",
      ENETUNREACH: "the API's network cannot be reached",
      ETIMEDOUT: timedOut,
      UND_ERR_CONNECT_TIMEOUT: timedOut,
      UND_ERR_PRX_CONNECT: "the proxy cannot be reached (HTTPS_PROXY, HTTP_PROXY)",
    },
  },
  {
    sent: false,
    permanent: true,
    codes: {
      ENOTFOUND: "the API's host name does not exist (DNS)",
      UND_ERR_ABORTED: "the proxy rejected the request",
      GET_BODY: "only Node can send a GET request with a body, as the document has it",
      ERR_INVALID_URL: "the address of the proxy is not valid (HTTPS_PROXY, HTTP_PROXY)",
      UND_ERR_PRX_TLS: "no TLS connection could be made with the proxy",
      UND_ERR_INVALID_ARG: badHeader,
      UND_ERR_NOT_SUPPORTED: badHeader,
      ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        "the API requires a client certificate (mutual TLS)",
      EPROTO: tlsFailed,
      CERT_HAS_EXPIRED: `${certificate} has expired`,
      DEPTH_ZERO_SELF_SIGNED_CERT: `${certificate} is self-signed (NODE_EXTRA_CA_CERTS can name it)`,
      SELF_SIGNED_CERT_IN_CHAIN: `${unknownAuthority} (NODE_EXTRA_CA_CERTS can name it)`,
      UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        `${unknownAuthority}, or without the certificates between them ` +
        "(NODE_EXTRA_CA_CERTS can name those)",
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${unknownAuthority} (NODE_EXTRA_CA_CERTS can name it)`,
      ERR_TLS_CERT_ALTNAME_INVALID: `${certificate} is for another host name`,
    },
    prefixes: {
      ERR_OSSL_:
        "the client certificate and its key cannot be used: one of them is damaged or encrypted, " +
        "or they do not belong together",
      ERR_INVALID_: badHeader,
      ERR_SSL_: tlsFailed,
      ERR_TLS_: tlsFailed,
      CERT_: `${certificate} is not valid`,
    },
  },
  {
    sent: true,
    permanent: false,
    codes: {
      ECONNRESET: connectionClosed,
      EPIPE: connectionClosed,
      UND_ERR_SOCKET: connectionClosed,
      UND_ERR_HEADERS_TIMEOUT: "the API did not respond",
      UND_ERR_BODY_TIMEOUT: "the API stopped sending its response",
    },
  },
  {
    sent: true,
    permanent: true,
    codes: {
      HPE_HEADER_OVERFLOW: headersTooLarge,
      UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
      UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
        "the API's response does not have the length that it declares",
    },
    prefixes: {
      HPE_: "the API's response is not valid HTTP",
      Z_: badEncoding,
      // Brotli
      ERR__ERROR_: badEncoding,
      ZSTD_: badEncoding,
    },
  },
];

/**
 * The failure that an exception of sending or reading means. Its text comes from the code of the
 * error; messages of errors are not used, because they can contain secrets.
 * @param sent whether the API may have seen the request, as far as the sender knows
 */
export function connectionFailure(error: unknown, sent = true): ConnectionFailure {
  const { code = "", syscall } = findRootError(error) ?? {};
  const known = findByMessage(error) ?? findByCode(code);
  const { cause, ...group } = known ?? {
    cause: "the request to the API failed",
    sent: true,
    permanent: false,
  };
  // Errors of a new connection can also occur on a connection that has been used.
  const mayHaveBeenSent = group.sent || syscall === "read" || syscall === "write";
  return { kind: "connection", ...group, cause, sent: sent && mayHaveBeenSent };
}

type Cause = Omit<ConnectionFailure, "kind">;

function findByCode(code: string): Cause | undefined {
  for (const { codes, sent, permanent } of causeGroups) {
    if (Object.hasOwn(codes, code)) return { cause: codes[code]!, sent, permanent };
  }
  for (const { prefixes = {}, sent, permanent } of causeGroups) {
    const prefix = Object.keys(prefixes).find((start) => code.startsWith(start));
    if (prefix !== undefined) return { cause: prefixes[prefix]!, sent, permanent };
  }
  return undefined;
}

/** Errors without a code of their own: of `fetch` for a blocked port, of undici for a proxy. */
function findByMessage(error: unknown): Cause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const cause = causesByMessage.get(message);
  return cause === undefined ? undefined : { cause, sent: false, permanent: true };
}

const causesByMessage: ReadonlyMap<string, string> = new Map([
  ["bad port", "the API's port belongs to another protocol, and fetch blocks it"],
  ["Proxy Authentication Required (407)", "the proxy requires other credentials"],
]);

interface RootError {
  readonly code: string;
  /** The system call that failed. */
  readonly syscall?: unknown;
}

/**
 * The innermost error with a code, among the error and its causes. Several attempts (IPv6, IPv4)
 * are an AggregateError.
 */
function findRootError(error: unknown, depth = 0): RootError | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, errors, name, syscall } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: readonly unknown[];
    readonly name?: unknown;
    readonly syscall?: unknown;
  };
  const inner = findRootError(cause, depth + 1) ?? findRootError(errors?.[0], depth + 1);
  if (inner) return inner;
  if (typeof code === "string") return { code, syscall };
  // Newer versions of undici give these errors no code.
  return name === "HTTPParserError" ? { code: "HPE_" } : undefined;
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
const idempotentMethods: ReadonlySet<string> = new Set(
  "GET HEAD PUT DELETE OPTIONS QUERY".split(" "),
);

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
  const backoff = backoffMs(attempt);
  if (isFailure(outcome)) {
    return outcome.kind === "connection" && !outcome.permanent ? backoff : undefined;
  }
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const requested = retryAfter(outcome);
  return requested === undefined ? backoff : Math.max(requested, backoff);
}

/** True if the API accepted a request for data that it has not prepared yet: 202 to a GET. */
export function isNotReady(outcome: ApiResponse | Failure): outcome is ApiResponse {
  return !isFailure(outcome) && outcome.status === 202;
}

/** Milliseconds before data is asked for again; `undefined` if the API names no time. */
export function notReadyDelay(response: ApiResponse, attempt: number): number | undefined {
  const requested = retryAfter(response);
  return requested === undefined ? undefined : Math.max(requested, backoffMs(attempt));
}

/** Random, because clients that failed together must not return together. */
function backoffMs(attempt: number): number {
  return 250 * 2 ** attempt * (0.5 + Math.random() / 2);
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

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** True if the call may change something. RFC 9110, section 9.2.1. */
export function isWrite({ mapping }: { readonly mapping: RequestMapping }): boolean {
  return mapping.unsafe === true || !READ_METHODS.has(mapping.method);
}

/** True if a request may change something: its tool does not only read, and neither does it. */
export const isPossibleWrite = (call: ApiCall): boolean =>
  isWrite(call) && call.onlyReads !== true && !call.tool.annotations.readOnlyHint;

// ---- client/circuit-breaker.ts ----
// Circuit breakers: after several failures, requests to a host are not retried, then not sent.

/** Failures in a row after which failed requests are not repeated. */
const maxFailuresWithRetries = 5;

/** Failures in a row after which requests are not sent. */
const maxFailures = 10;

/** Milliseconds after which earlier failures no longer count. */
const memoryMs = 10_000;

/** Milliseconds for which no request is sent; doubled after each failed probe. */
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

interface FailingHost {
  failures: number;
  lastFailureAt: number;
  last: LastFailure;
  pauseMs: number;
  /** The time until which no request is sent. Absent while the circuit is closed. */
  openUntil?: number;
  /** True while one request probes the host. */
  isProbing?: boolean;
}

/** The latest failure: the status of the response, or the cause of its absence. */
type LastFailure = Pick<Extract<Failure, { kind: "unavailable" }>, "status" | "cause">;

/** Circuit breakers of all hosts. A host is identified by its origin. */
export interface CircuitBreaker {
  /** The reason not to send a request; undefined if it may be sent. */
  refusal(origin: string): Extract<Failure, { kind: "unavailable" }> | undefined;
  /** Notes that a request is sent. After a pause, it is the one that probes the host. */
  start(origin: string): void;
  /** Notes the outcome of a request. */
  end(origin: string, outcome: ApiResponse | Failure): void;
  /** True if a failed request may be sent again. */
  mayRetry(origin: string): boolean;
}

interface CircuitBreakerOptions {
  /** Called when requests to a host are no longer sent, and when they are sent again. */
  onChange?(origin: string, isOpen: boolean, last?: LastFailure): void;
  now?(): number;
}

/** Creates circuit breakers. Only hosts that fail are remembered. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  return new HostCircuits(options);
}

class HostCircuits implements CircuitBreaker {
  readonly #hosts = new Map<string, FailingHost>();
  readonly #onChange: NonNullable<CircuitBreakerOptions["onChange"]>;
  readonly #now: () => number;

  constructor({ onChange = () => {}, now = () => performance.now() }: CircuitBreakerOptions) {
    this.#onChange = onChange;
    this.#now = now;
  }

  refusal(origin: string): ReturnType<CircuitBreaker["refusal"]> {
    const host = this.#hosts.get(origin);
    if (host?.openUntil === undefined) return undefined;
    const waitMs = Math.max(0, host.openUntil - this.#now());
    if (waitMs === 0 && !host.isProbing) return undefined;
    return { kind: "unavailable", origin, failures: host.failures, waitMs, ...host.last };
  }

  start(origin: string): void {
    const host = this.#hosts.get(origin);
    if (host?.openUntil !== undefined) host.isProbing = true;
  }

  end(origin: string, outcome: ApiResponse | Failure): void {
    const failure = failureOf(outcome);
    if (failure) this.#fail(origin, failure, isFailure(outcome) ? 0 : (retryAfter(outcome) ?? 0));
    else if (failure === undefined) this.#succeed(origin);
    else this.#endProbe(origin);
  }

  mayRetry(origin: string): boolean {
    return (this.#hosts.get(origin)?.failures ?? 0) < maxFailuresWithRetries;
  }

  #fail(origin: string, last: LastFailure, requestedMs: number): void {
    const now = this.#now();
    const known = this.#hosts.get(origin);
    const isRecent =
      known && (known.openUntil !== undefined || now - known.lastFailureAt < memoryMs);
    const host = isRecent
      ? known
      : { failures: 0, lastFailureAt: now, last, pauseMs: firstPauseMs };
    Object.assign(host, { failures: host.failures + 1, lastFailureAt: now, last });
    this.#hosts.set(origin, host);
    if (host.failures < maxFailures) return;
    if (host.openUntil === undefined) this.#onChange(origin, true, last);
    // Requests that were sent before the pause do not prolong it.
    else if (!host.isProbing) return;
    else host.pauseMs = Math.min(maxPauseMs, host.pauseMs * 2);
    host.isProbing = false;
    host.openUntil = now + Math.min(maxPauseMs, Math.max(host.pauseMs, requestedMs));
  }

  #succeed(origin: string): void {
    const host = this.#hosts.get(origin);
    if (!host) return;
    this.#hosts.delete(origin);
    if (host.openUntil !== undefined) this.#onChange(origin, false);
  }

  /** A probe without an outcome, such as a cancelled one. The next request probes the host. */
  #endProbe(origin: string): void {
    const host = this.#hosts.get(origin);
    if (host) host.isProbing = false;
  }
}

/** Statuses of gateways and servers that cannot serve any request. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** The failure of a host; undefined if it works, null if the outcome is inconclusive. */
function failureOf(outcome: ApiResponse | Failure): LastFailure | undefined | null {
  if (!isFailure(outcome))
    return downStatuses.has(outcome.status) ? { status: outcome.status } : undefined;
  if (outcome.kind === "connection") return { cause: outcome.cause };
  if (outcome.kind === "timeout") return { cause: "the API did not respond" };
  return outcome.kind === "tooLarge" || outcome.kind === "redirect" ? undefined : null;
}

// ---- client/limits.ts ----
// Limits of a call: its deadline, and the bytes of a body.

/**
 * Starts the deadline of one call. It covers waiting, sending, retries and reading.
 * @param retryWait bound of the waits before retries; without it, only the deadline bounds them
 */
export function startDeadline(
  ms: number,
  client?: AbortSignal,
  retryWait: RetryWait = { remainingMs: Infinity },
): Deadline {
  let endsAt = performance.now() + ms;
  let controller: AbortController | undefined;
  let expired: Failure | undefined;
  let sent = false;
  let listener: (() => void) | undefined;
  const expire = (failure: Failure): void => {
    if (expired) return;
    expired = failure;
    controller?.abort(failure);
    listener?.();
  };
  const end = (): void => expire({ kind: "timeout", afterMs: ms, sent });
  // Beyond 2^31 - 1, a timer fires at once.
  const startTimer = (delay: number): NodeJS.Timeout =>
    setTimeout(end, Math.min(Math.max(0, delay), 2 ** 31 - 1));
  let timer = startTimer(ms);
  const cancel = (): void => expire({ kind: "cancelled" });
  if (client?.aborted) cancel();
  client?.addEventListener("abort", cancel, { once: true });
  return {
    get expired() {
      return expired;
    },
    get signal() {
      controller ??= new AbortController();
      if (expired) controller.abort(expired);
      return controller.signal;
    },
    get sent() {
      return sent;
    },
    retryWait,
    remainingMs: () => endsAt - performance.now(),
    extend: (more) => {
      endsAt += more;
      clearTimeout(timer);
      if (!expired) timer = startTimer(endsAt - performance.now());
    },
    markSent: () => (sent = true),
    interrupt: () => expire({ kind: "interrupted", sent }),
    onExpire: (next) => {
      listener = next;
      if (expired) next?.();
    },
    dispose: () => {
      clearTimeout(timer);
      client?.removeEventListener("abort", cancel);
    },
  };
}

/** Waits, or resolves early when the deadline expires. */
export function pauseFor(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      deadline.onExpire(undefined);
      resolve();
    };
    const timer = setTimeout(done, ms);
    deadline.onExpire(done);
  });
}

/**
 * Milliseconds that a nested deadline outlasts the one around it. The outer one then expires first,
 * so that a timeout is attributed to it.
 */
const deadlineMargin = 100;

/** A deadline that expires at the latest with the one around it. */
export function nestedDeadline(outer: Deadline, ms: number): Deadline {
  const remaining = Math.max(0, outer.remainingMs());
  return startDeadline(Math.min(ms, remaining + deadlineMargin), outer.signal, outer.retryWait);
}

/** A buffer that stops at a limit of bytes. */
export class BoundedBuffer implements CollectedBody {
  readonly chunks: Uint8Array[] = [];
  size = 0;

  constructor(private readonly limit: number) {}

  /**
   * Appends a chunk.
   * @returns whether the limit leaves room for more
   */
  add(chunk: Uint8Array): boolean {
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    return this.size <= this.limit;
  }
}

// ---- client/streams.ts ----
// Responses that go on after the deadline or the size limit: events, JSON in a row, logs.

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

// ---- client/read-body.ts ----
// Bodies of responses, read within the limits of size and time.

interface BodyWithSize {
  readonly body: Body;
  readonly size: number;
  readonly cut?: BodyCut;
}

const utf8 = new TextDecoder();

/**
 * Reads a body up to a limit of decoded bytes, because a megabyte of gzip can expand to a gigabyte.
 * Of a stream that goes on after the limit or the deadline, the beginning is returned.
 * @throws the error of a broken connection or of corrupt compression
 */
export async function readBody(
  response: HttpResponse,
  limit: number,
  deadline: Deadline,
): Promise<BodyWithSize | Failure> {
  const { headers, hasBody } = response;
  if (!hasBody) return { body: "", size: 0 };
  if (declaredSize(headers) > limit && !isSequence(headers.get("content-type") ?? "")) {
    response.discard();
    return { kind: "tooLarge", limit };
  }
  const collected = await response.collect(limit, true);
  if (collected.isPart) return beginningOf(collected, headers, deadline.expired!);
  if (collected.size <= limit) return decoded(collected, headers);
  const part = decoded(firstBytes(collected, limit), headers);
  if (!isLargeSequence(headers, part.body)) return { kind: "tooLarge", limit };
  return { ...part, cut: { kind: "size", limit } };
}

/** Reads the body of an error response, of which the beginning is enough. */
export async function readErrorBody(
  response: HttpResponse,
  limit: number,
  deadline: Deadline,
): Promise<BodyWithSize | Failure> {
  if (!response.hasBody) return { body: "", size: 0 };
  const collected = await response.collect(limit, true);
  if (collected.isPart && deadline.expired && deadline.expired.kind !== "timeout")
    return deadline.expired;
  return collected.size > limit
    ? { body: firstBytes(collected, limit).chunks[0]!, size: limit }
    : decoded(collected, response.headers);
}

/** The beginning of a stream whose deadline has expired; the failure for any other body. */
function beginningOf(
  collected: CollectedBody,
  headers: ResponseHeaders,
  expired: Failure,
): BodyWithSize | Failure {
  if (expired.kind !== "timeout") return expired;
  const part = decoded(collected, headers);
  return isBeginningOfStream(headers, part.body, part.size)
    ? { ...part, cut: { kind: "deadline", afterMs: expired.afterMs } }
    : expired;
}

function decoded(collected: CollectedBody, headers: ResponseHeaders): BodyWithSize {
  const { chunks, size } = collected;
  const isText = isUtf8Text(headers, collected);
  return { body: isText ? utf8.decode(concatenate(collected)) : concatBytes(chunks, size), size };
}

function firstBytes({ chunks, size }: CollectedBody, limit: number): CollectedBody {
  return { chunks: [concatBytes(chunks, size).subarray(0, limit)], size: limit };
}

/** The length on the wire is the length of the content only without a content coding. */
function declaredSize(headers: ResponseHeaders): number {
  return headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? 0);
}

/**
 * True if the body is UTF-8 text. XML and a byte order mark of UTF-16 can declare another encoding.
 */
function isUtf8Text(headers: ResponseHeaders, { chunks: [first] }: CollectedBody): boolean {
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (charset === undefined ? isXml(essence) : charset !== "utf-8") return false;
  return (
    (isJson(essence) || isReadableText(essence)) && !(first !== undefined && first[0]! >= 0xfe)
  );
}

/** Concatenates chunks; one chunk is not copied. */
function concatenate({ chunks, size }: CollectedBody): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : concatBytes(chunks, size);
}

// ---- client/durations.ts ----
// Estimates of the durations of requests, from those before.

/** Mean of durations, and their mean deviation, in milliseconds. */
interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

/** Smoothing and bound of the retransmission timer of TCP. RFC 6298, section 2. */
const meanGain = 1 / 8;
const deviationGain = 1 / 4;
const deviations = 4;
/**
 * Smallest deviations, as shares of the mean: an API that always takes as long may take longer. A
 * request that cannot be repeated has a wider margin, because nobody knows the effect of a cut one.
 */
const minDeviation = 1 / 8;
const minDeviationOfWrites = 1 / 4;
/**
 * Largest margin of a request that can be repeated, as a share of the mean. After a pause of the
 * process, the deviation is large, and a call with most of its time left must not be refused.
 */
const maxMarginOfReads = 1;
/** Deviation that the first duration is taken to have, as a share of it. */
const firstDeviation = 1 / 4;

/**
 * Rounds of concurrent requests after which slow ones are believed to be the speed of the API. A
 * burst of calls keeps the process busy, and makes the whole first round slow.
 */
const roundsOfDoubt = 8;

/** Durations of requests in milliseconds, by tool and of all. */
export interface Durations {
  /** Adds the duration of a request that took as long as its tool does. */
  add(tool: string, ms: number): void;
  /** Adds the time for which a request had a permit, however it ended. */
  addPermitTime(ms: number): void;
  /** Time within which nearly all requests of a tool end, or of all tools. Absent if unknown. */
  usual(tool: string, isRepeatable: boolean): number | undefined;
  /** Mean time for which requests have a permit; 0 if unknown. */
  meanPermitTime(): number;
  /** Time for which the quickest of the latest requests had a permit; near 0 while in doubt. */
  quickPermitTime(): number;
}

/**
 * Creates estimates that follow the durations of the latest requests.
 * @param permits maximum of concurrent requests
 */
export function createDurations(permits: number): Durations {
  const byTool = new Map<string, Estimate>();
  let all: Estimate | undefined;
  let permitTime: Estimate | undefined;
  let quick = 0;
  return {
    add(tool, ms) {
      byTool.set(tool, follow(byTool.get(tool), ms));
      all = follow(all, ms);
    },
    addPermitTime(ms) {
      permitTime = follow(permitTime, ms);
      quick = Math.min(ms, quick + (ms - quick) / (roundsOfDoubt * permits));
    },
    usual(tool, isRepeatable) {
      const estimate = byTool.get(tool) ?? all;
      if (!estimate) return undefined;
      const { mean, deviation } = estimate;
      const min = mean * (isRepeatable ? minDeviation : minDeviationOfWrites);
      const margin = deviations * Math.max(deviation, min);
      return mean + (isRepeatable ? Math.min(margin, maxMarginOfReads * mean) : margin);
    },
    meanPermitTime: () => permitTime?.mean ?? 0,
    quickPermitTime: () => quick,
  };
}

function follow(estimate: Estimate | undefined, ms: number): Estimate {
  if (!estimate) return { mean: ms, deviation: ms * firstDeviation };
  const { mean, deviation } = estimate;
  return {
    mean: mean + meanGain * (ms - mean),
    deviation: deviation + deviationGain * (Math.abs(ms - mean) - deviation),
  };
}

// ---- client/fair-queue.ts ----
// A queue whose callers take turns, and within a caller its tools.

/** An entry that waits. */
interface Queued {
  readonly caller: string;
  readonly tool: string;
}

interface CallerQueue<Entry> {
  readonly byTool: Map<string, Set<Entry>>;
  size: number;
}

/**
 * Round robin over callers and over the tools of each caller, first come first served within a
 * tool. Maps and sets keep insertion order, so the first one is next, and whoever had its turn is
 * appended.
 */
export class FairQueue<Entry extends Queued> {
  readonly #callers = new Map<string, CallerQueue<Entry>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const { caller, tool } = entry;
    const queue = this.#callers.get(caller) ?? { byTool: new Map(), size: 0 };
    const entries = queue.byTool.get(tool) ?? new Set();
    this.#callers.set(caller, queue);
    queue.byTool.set(tool, entries.add(entry));
    queue.size++;
    this.#size++;
  }

  delete(entry: Entry): void {
    const { caller, tool } = entry;
    const queue = this.#callers.get(caller);
    const entries = queue?.byTool.get(tool);
    if (!queue || !entries?.delete(entry)) return;
    if (entries.size === 0) queue.byTool.delete(tool);
    if (--queue.size === 0) this.#callers.delete(caller);
    this.#size--;
  }

  /** Removes and returns the entry whose turn it is, among those of the eligible callers. */
  take(isEligible: (caller: string) => boolean): Entry | undefined {
    for (const [caller, { byTool }] of this.#callers) {
      if (!isEligible(caller)) continue;
      const [[tool, [entry]] = ["", []]] = byTool;
      if (!entry) continue;
      this.delete(entry);
      moveToEnd(byTool, tool);
      moveToEnd(this.#callers, caller);
      return entry;
    }
    return undefined;
  }

  /** Makes a caller the last one, because it was served. */
  postpone(caller: string): void {
    moveToEnd(this.#callers, caller);
  }

  /** Maximum number of entries that have their turn before a new one of a caller. */
  countAhead(caller: string): number {
    const own = this.countOf(caller);
    const others = this.#callers.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + (own + 1) * others);
  }

  countOf(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

// ---- client/semaphore.ts ----
// Permits for requests to the API: a limited number at once, fair to callers, and only for requests
// with time enough left.

/** A request that needs a permit. */
export interface PermitRequest {
  readonly deadline: Deadline;
  /** Identity of the caller. Callers take turns. */
  readonly caller: string;
  /** Name of the tool, whose usual duration must be left. */
  readonly tool: string;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
}

/** The permit to send one request. */
export interface Permit {
  /** Milliseconds for which the request waited. */
  readonly waitedMs: number;
  /**
   * Ends the request.
   * @param isTypical true if it took as long as requests of its tool take
   */
  release(isTypical: boolean): void;
}

/** A permit, or the reason why the request must not be sent. */
export type PermitResult = Permit | Failure;

/** Limits concurrent requests. Further requests wait in a bounded queue. */
export interface Semaphore {
  acquire(request: PermitRequest): PermitResult | Promise<PermitResult>;
  /** Number of requests that wait. */
  readonly waiting: number;
  /** Number of requests that have a permit. */
  readonly inFlight: number;
}

interface SemaphoreOptions {
  /** Maximum of concurrent requests. */
  readonly permits: number;
  /** Maximum of concurrent requests of one caller. */
  readonly permitsPerCaller?: number;
  /** Maximum of waiting requests. */
  readonly maxWaiting: number;
}

interface Waiter extends PermitRequest {
  /** Gives it its turn, which it takes if the time left is enough. */
  offer(): void;
}

/** Beyond it, a timer fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Share of the time of a request that it needs if no duration is known. */
const neededShare = 0.1;

/**
 * Factor by which even the wait behind the quickest requests may be too long. A burst of calls
 * makes the first requests slow, and a call that could be answered must not be refused. A
 * repeatable request waits in doubt, until its time is used up; it is never sent too late.
 */
const doubtMargin = 4;

/** Creates a semaphore. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  return new FairSemaphore(options);
}

class FairSemaphore implements Semaphore {
  readonly #permits: number;
  readonly #permitsPerCaller: number;
  readonly #maxWaiting: number;
  readonly #queue = new FairQueue<Waiter>();
  readonly #durations: Durations;
  readonly #inFlightByCaller = new Map<string, number>();
  #inFlight = 0;

  constructor({ permits, permitsPerCaller = permits, maxWaiting }: SemaphoreOptions) {
    this.#permits = permits;
    this.#permitsPerCaller = Math.min(permits, permitsPerCaller);
    this.#maxWaiting = maxWaiting;
    this.#durations = createDurations(permits);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  acquire(request: PermitRequest): PermitResult | Promise<PermitResult> {
    const { deadline, caller } = request;
    if (deadline.expired) return deadline.expired;
    if (this.#inFlight < this.#permits && this.#hasRoom(caller)) return this.#grant(request, 0);
    const neededMs = this.#neededTime(request);
    const isLate = this.#leastWait(request) + neededMs() > deadline.remainingMs();
    if (isLate || this.#queue.size >= this.#maxWaiting)
      return { kind: "busy", waitedMs: 0, expectedMs: this.#expectedWait(caller) };
    return this.#wait(request, neededMs);
  }

  #hasRoom(caller: string): boolean {
    return (this.#inFlightByCaller.get(caller) ?? 0) < this.#permitsPerCaller;
  }

  #grant({ caller, tool }: PermitRequest, waitedMs: number): Permit {
    const startedAt = performance.now();
    this.#count(caller, 1);
    const release = (isTypical: boolean): void => {
      const ms = performance.now() - startedAt;
      this.#durations.addPermitTime(ms);
      if (isTypical) this.#durations.add(tool, ms);
      this.#count(caller, -1);
      this.#queue.postpone(caller);
      this.#giveTurns();
    };
    return { waitedMs, release };
  }

  #count(caller: string, change: 1 | -1): void {
    this.#inFlight += change;
    const count = (this.#inFlightByCaller.get(caller) ?? 0) + change;
    if (count > 0) this.#inFlightByCaller.set(caller, count);
    else this.#inFlightByCaller.delete(caller);
  }

  /** Milliseconds until a new request of the caller has its turn, as far as is known. */
  #expectedWait(caller: string): number {
    return this.#turnsBefore(caller) * this.#durations.meanPermitTime();
  }

  /** Milliseconds that a new request waits for its turn at the least, to decide on its refusal. */
  #leastWait({ caller, isRepeatable }: PermitRequest): number {
    if (!isRepeatable) return this.#expectedWait(caller);
    return (this.#turnsBefore(caller) * this.#durations.quickPermitTime()) / doubtMargin;
  }

  #turnsBefore(caller: string): number {
    return Math.max(
      (this.#queue.countAhead(caller) + 1) / this.#permits,
      (this.#queue.countOf(caller) + 1) / this.#permitsPerCaller,
    );
  }

  #neededTime({ deadline, tool, isRepeatable }: PermitRequest): () => number {
    const unknownMs = deadline.remainingMs() * neededShare;
    return () => this.#durations.usual(tool, isRepeatable) ?? unknownMs;
  }

  /** Waits for a turn, as long as the time left is enough. */
  #wait(request: PermitRequest, neededMs: () => number): Promise<PermitResult> {
    const { deadline, caller } = request;
    const startedAt = performance.now();
    const spareMs = (): number => deadline.remainingMs() - neededMs();
    const waitedMs = (): number => performance.now() - startedAt;
    return new Promise((resolve) => {
      const leave = (result: PermitResult): void => {
        this.#queue.delete(waiter);
        clearTimeout(timer);
        deadline.onExpire(undefined);
        resolve(result);
      };
      const giveUp = (): void => {
        const expectedMs = this.#expectedWait(caller);
        leave(deadline.expired ?? { kind: "busy", waitedMs: waitedMs(), expectedMs });
      };
      const offer = (): void =>
        spareMs() < 0 ? giveUp() : leave(this.#grant(request, waitedMs()));
      const waiter: Waiter = { ...request, offer };
      // The usual duration may change while the request waits.
      const check = (): void => {
        if (spareMs() < 1) giveUp();
        else timer = setTimeout(check, Math.min(spareMs(), maxTimerMs));
      };
      let timer = setTimeout(check, Math.min(spareMs(), maxTimerMs));
      this.#queue.add(waiter);
      deadline.onExpire(giveUp);
    });
  }

  #giveTurns(): void {
    while (this.#inFlight < this.#permits) {
      const next = this.#queue.take((caller) => this.#hasRoom(caller));
      if (!next) return;
      next.offer();
    }
  }
}

// ---- client/send.ts ----
// Sends a request of a call with a permit and within the deadline, by `fetch` unless the platform
// has another client; follows redirects and retries.

/** Attempts after the first. */
const maxRetries = 2;

interface SendRequestOptions extends RedirectOptions, PermitRequest {
  readonly semaphore: Semaphore;
  readonly circuits: CircuitBreaker;
  /** False when the caller retries. */
  readonly retries?: boolean;
  /** True if a retry of the request meets the same error, whatever the status says. */
  isFinal?(response: ApiResponse): boolean;
  /** Called before each wait. */
  onRetry?(ms: number): void;
  /** Called with the milliseconds for which a request waited for its permit. */
  onPermit?(waitedMs: number): void;
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
  let earlier: ApiResponse | Failure | undefined;
  for (let attempt = 0; ; attempt++) {
    const sent = await sendWithPermit(request, options);
    // A retry that is not sent does not undo the attempt before it.
    if (earlier && isFailure(sent) && isNotSent(sent)) return earlier;
    const outcome = withEarlierEffect(sent, reachedApi);
    earlier = outcome;
    reachedApi = mayHaveReachedApi(outcome);
    const mayRepeat = retries && (isRepeatable || !reachedApi) && !isFinal(outcome, options);
    const mayRetry = mayRepeat && options.circuits.mayRetry(new URL(request.url).origin);
    const wait = mayRetry ? waitBefore(outcome, attempt, request) : undefined;
    if (wait === undefined || wait >= deadline.remainingMs()) return outcome;
    if (wait > deadline.retryWait.remainingMs) return outcome;
    deadline.retryWait.remainingMs -= wait;
    options.onRetry?.(wait);
    await pauseFor(wait, deadline);
    if (deadline.expired) return deadline.expired;
  }
}

function isNotSent({ kind }: Failure): boolean {
  return kind === "busy" || kind === "unavailable";
}

/** True for an error of the server that a retry meets again. */
function isFinal(outcome: ApiResponse | Failure, options: SendRequestOptions): boolean {
  return !isFailure(outcome) && outcome.status >= 500 && options.isFinal?.(outcome) === true;
}

/**
 * Milliseconds before the next attempt; `undefined` if there is none. A result that is not ready is
 * asked for as often as the retry wait of the call allows.
 */
function waitBefore(
  outcome: ApiResponse | Failure,
  attempt: number,
  { method }: BoundRequest,
): number | undefined {
  if (method === "GET" && isNotReady(outcome)) return notReadyDelay(outcome, attempt);
  return attempt < maxRetries ? retryDelay(outcome, attempt) : undefined;
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
  const { semaphore, circuits } = options;
  const { origin } = new URL(request.url);
  const refusal = circuits.refusal(origin);
  if (refusal) return refusal;
  const acquired = semaphore.acquire(options);
  const permit = acquired instanceof Promise ? await acquired : acquired;
  if ("kind" in permit) return permit;
  options.onPermit?.(permit.waitedMs);
  let isTypical = false;
  try {
    const outcome = circuits.refusal(origin) ?? (await sendObserved(request, options, origin));
    isTypical = isTypicalDuration(outcome);
    return outcome;
  } finally {
    permit.release(isTypical);
  }
}

/** Sends a request whose outcome shows whether the host works. */
async function sendObserved(
  request: BoundRequest,
  options: SendRequestOptions,
  origin: string,
): Promise<ApiResponse | Failure> {
  options.circuits.start(origin);
  const outcome = await sendFollowingRedirects(request, options);
  options.circuits.end(origin, outcome);
  return outcome;
}

/** True unless the request ended early: refused by the API, cancelled, or without a response. */
function isTypicalDuration(outcome: ApiResponse | Failure): boolean {
  if (!isFailure(outcome)) return isSuccess(outcome);
  return outcome.kind === "timeout" || outcome.kind === "tooLarge";
}

/** Maximum number of bytes read of an error response. */
const maxErrorBytes = 64 * 1024;

interface RedirectOptions {
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Maximum size of a successful body in bytes, decoded. */
  readonly maxBytes: number;
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
        return await readResponse(response, maxBytes, deadline);
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
  { deadline, isRepeatable, send = sendByFetch }: RedirectOptions,
): Promise<HttpResponse> {
  return send(request, { deadline, isRepeatable });
}

async function readResponse(
  response: HttpResponse,
  maxBytes: number,
  deadline: Deadline,
): Promise<ApiResponse | Failure> {
  const isOk = isSuccess(response);
  const body = isOk
    ? await readBody(response, maxBytes, deadline)
    : await readErrorBody(response, maxErrorBytes, deadline);
  if ("kind" in body) return body;
  const { status, statusText, headers } = response;
  return { status, statusText, headers, ...body };
}

/** Maximum number of redirects. */
const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

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
  const nextUrl = canParseUrl(location, currentUrl.href)
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
 * Sends with the platform's `fetch`.
 * @throws an error with a code for a GET request with a body, and what `fetch` throws
 */
export const sendByFetch: SendFunction = async ({ method, url, headers, body }, { deadline }) => {
  if (method === "GET" && body !== undefined)
    throw Object.assign(new Error("`fetch` refuses a body of GET."), { code: "GET_BODY" });
  const init: RequestInit = {
    method,
    headers: headers as [string, string][],
    body: body as RequestInit["body"],
    redirect: "manual",
    signal: deadline.signal,
  };
  // `fetch` does not say when it has a connection.
  deadline.markSent();
  return toHttpResponse(await fetch(url, init), deadline);
};

function toHttpResponse(response: Response, deadline: Deadline): HttpResponse {
  const { status, statusText, headers, body } = response;
  return {
    status,
    statusText,
    headers,
    hasBody: body !== null,
    collect: (limit, acceptsPart = false) => {
      if (!body || contentLength(response) <= limit)
        return endOnExpiry(collectWhole(response), deadline);
      const buffer = new BoundedBuffer(limit);
      return endOnExpiry(collectChunks(body, buffer), deadline, acceptsPart ? buffer : undefined);
    },
    // `fetch` manages its own connections.
    drain: async () => void body?.cancel().catch(() => {}),
    discard: () => void body?.cancel().catch(() => {}),
  };
}

/**
 * The length of the content, which is the length on the wire only without a content coding. A body
 * of known length is read at once, which costs less.
 */
function contentLength({ headers }: Response): number {
  return headers.has("content-encoding")
    ? Infinity
    : Number(headers.get("content-length") ?? Infinity);
}

async function collectWhole(response: Response): Promise<CollectedBody> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { chunks: [bytes], size: bytes.byteLength };
}

async function collectChunks(
  body: ReadableStream<Uint8Array>,
  buffer: BoundedBuffer,
): Promise<CollectedBody> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return buffer;
    if (!buffer.add(value)) break;
  }
  await reader.cancel();
  return buffer;
}

/**
 * Rejects when the deadline expires, or resolves with the part that has been read. In Node 20 and
 * 22, a body that is corrupt in the second of its codings never ends, even if its signal is
 * aborted.
 */
function endOnExpiry(
  collected: Promise<CollectedBody>,
  deadline: Deadline,
  part?: CollectedBody,
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    deadline.onExpire(() => {
      if (!part) return reject(deadline.expired);
      resolve({ chunks: part.chunks, size: part.size, isPart: true });
    });
    collected.then(resolve, reject);
  });
}

// ---- client/rate-limiter.ts ----
// Limits of calls per minute: in all, and of each caller.

interface TokenBucket {
  /** Tokens that are left. */
  tokens: number;
  refilledAt: number;
}

const minuteMs = 60_000;

function refill(bucket: TokenBucket, perMinute: number, time: number): void {
  const added = ((time - bucket.refilledAt) / minuteMs) * perMinute;
  bucket.tokens = Math.min(perMinute, bucket.tokens + added);
  bucket.refilledAt = time;
}

/** Refills in small parts add up to a little less than a token. */
const rounding = 1e-6;

/** Milliseconds until a bucket has a number of tokens; 0 if it has them. */
function waitFor(count: number, { tokens }: TokenBucket, perMinute: number): number {
  return tokens >= count - rounding ? 0 : Math.ceil(((count - tokens) / perMinute) * minuteMs);
}

/** Limits the number of calls. */
export interface RateLimiter {
  /** Takes a permit for a caller, or tells when there will be one. */
  take(caller?: string): RateLimit | undefined | Promise<RateLimit | undefined>;
}

/** The limit that a call has met. */
export interface RateLimit {
  readonly perMinute: number;
  /** True if the limit is that of one caller. */
  readonly isOfCaller: boolean;
  readonly waitMs: number;
}

/** Limits of the process that has them. */
interface LocalRateLimiter extends RateLimiter {
  take(caller?: string): RateLimit | undefined;
}

/** Maximum number of callers that are known. Some choose their own names, in forwarded headers. */
const MAX_CALLERS = 2_000;

/** Calls per minute. 0 sets no limit. */
export interface RateLimits {
  /** Of all callers together. */
  readonly perMinute: number;
  /** Of each caller. */
  readonly perMinuteOfCaller?: number;
}

/**
 * Creates token buckets that are refilled evenly. A caller that has used its share of the limit of
 * all callers leaves a token for each other one that has called within a minute.
 */
export function createRateLimiter(
  { perMinute, perMinuteOfCaller = 0 }: RateLimits,
  now: () => number = () => performance.now(),
): LocalRateLimiter {
  if (perMinute === 0 && perMinuteOfCaller === 0) return { take: () => undefined };
  return new FairRateLimiter({ perMinute, perMinuteOfCaller }, now);
}

class FairRateLimiter implements LocalRateLimiter {
  readonly #limits: Required<RateLimits>;
  readonly #now: () => number;
  readonly #all: TokenBucket;
  /** Buckets of the callers that have called within a minute, the latest last. */
  readonly #callers = new Map<string, TokenBucket>();

  constructor(limits: Required<RateLimits>, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#all = { tokens: limits.perMinute, refilledAt: now() };
  }

  take(caller = ""): RateLimit | undefined {
    const { perMinute, perMinuteOfCaller } = this.#limits;
    const time = this.#now();
    const own = this.#bucketOf(caller, time);
    const ownWait = perMinuteOfCaller > 0 ? waitFor(1, own, perMinuteOfCaller) : 0;
    if (ownWait > 0) return { perMinute: perMinuteOfCaller, isOfCaller: true, waitMs: ownWait };
    const waitMs = perMinute > 0 ? this.#waitForShare(own, time) : 0;
    if (waitMs > 0) return { perMinute, isOfCaller: false, waitMs };
    this.#all.tokens--;
    own.tokens--;
    return undefined;
  }

  /** The refilled bucket of a caller, which is now the latest one. */
  #bucketOf(caller: string, time: number): TokenBucket {
    const bucket = this.#callers.get(caller) ?? { tokens: Infinity, refilledAt: time };
    this.#callers.delete(caller);
    for (const [other, { refilledAt }] of this.#callers) {
      if (time - refilledAt < minuteMs && this.#callers.size < MAX_CALLERS) break;
      this.#callers.delete(other);
    }
    this.#callers.set(caller, bucket);
    refill(bucket, this.#limitOfCaller(), time);
    return bucket;
  }

  /** The limit of a caller, else its share of the limit of all. */
  #limitOfCaller(): number {
    const { perMinute, perMinuteOfCaller } = this.#limits;
    return perMinuteOfCaller || Math.max(1, perMinute / this.#callers.size);
  }

  #waitForShare(own: TokenBucket, time: number): number {
    const { perMinute } = this.#limits;
    refill(this.#all, perMinute, time);
    const hasShare = own.tokens >= 1 - rounding;
    const reserved = hasShare ? 0 : Math.min(this.#callers.size - 1, perMinute - 1);
    return waitFor(1 + reserved, this.#all, perMinute);
  }
}

// ---- client/shared-rate-limiter.ts ----
// Stands in for limits that processes share: each process has its own.

export function createSharedRateLimiter(
  _store: unknown,
  _limits: unknown,
  local: RateLimiter,
): RateLimiter {
  return local;
}

// ---- client/rate-limit-headers.ts ----
// Headers of responses that state how many requests are left.

const REMAINING = ["ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining"];

/**
 * True if the headers of a response allow no further request now: `RateLimit-Remaining: 0` and its
 * variants, or `RateLimit: "default";r=0` (IETF draft of RateLimit header fields).
 */
export function isRateLimitExhausted(headers: ResponseHeaders): boolean {
  const counts = REMAINING.flatMap((name) => (headers.get(name) ?? "").match(/^\s*\d+/) ?? []);
  const [, quota] = /;\s*r=(\d{1,15})/.exec(headers.get("ratelimit") ?? "") ?? [];
  return [...counts, ...(quota === undefined ? [] : [quota])].some((count) => Number(count) === 0);
}
