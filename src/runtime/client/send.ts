/**
 * Sends a request of a call with a permit and within the deadline, by `fetch` unless the platform
 * has another client; follows redirects and retries.
 */
import { canParseUrl } from "../data/urls.js";
import {
  type ApiResponse,
  type BoundRequest,
  type CollectedBody,
  type Deadline,
  type Failure,
  type HttpResponse,
  isFailure,
  isSuccess,
  type SendFunction,
} from "../request/types.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import { connectionFailure, isNotReady, notReadyDelay, retryDelay } from "./failures.js";
import { BoundedBuffer, pauseFor } from "./limits.js";
import { readBody, readErrorBody } from "./read-body.js";
import type { PermitRequest, Semaphore } from "./semaphore.js";

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
