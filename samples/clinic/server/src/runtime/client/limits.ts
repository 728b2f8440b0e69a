/** Limits of a server: deadlines of calls, requests at once, calls per minute, bytes of a body. */
import { isJson, isReadableText, isXml, parseContentType } from "../data/media-types.js";
import { concatBytes } from "../data/bytes.js";
import type {
  Body,
  CollectedBody,
  Deadline,
  Failure,
  HttpResponse,
  ResponseHeaders,
  RetryWait,
} from "../request/types.js";

/**
 * Starts the deadline of one call. It covers waiting, sending, retries and reading.
 * @param retryWait bound of the waits before retries; without it, only the deadline bounds them
 */
export function startDeadline(
  ms: number,
  client?: AbortSignal,
  retryWait: RetryWait = { remainingMs: Infinity },
): Deadline {
  const endsAt = performance.now() + ms;
  // Beyond 2^31 - 1, a timer fires at once.
  const timerMs = Math.min(ms, 2 ** 31 - 1);
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
  const timer = setTimeout(() => expire({ kind: "timeout", afterMs: ms, sent }), timerMs);
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
    markSent: () => (sent = true),
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
export function pause(ms: number, deadline: Deadline): Promise<void> {
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

/** Limits concurrent requests. Further requests wait in a bounded queue. */
export interface Semaphore {
  /**
   * True if the caller may proceed, and must `release` afterwards. False if the queue is full or
   * the deadline expired while waiting.
   */
  acquire(deadline: Deadline): boolean | Promise<boolean>;
  release(): void;
}

/**
 * Creates a semaphore.
 * @param permits maximum of concurrent requests
 * @param maxWaiting maximum of waiting requests
 */
export function createSemaphore(permits: number, maxWaiting: number): Semaphore {
  // A Set keeps insertion order and removes any element, both in constant time.
  const waiting = new Set<(isAdmitted: boolean) => void>();
  let free = permits;

  function wait(deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isAdmitted: boolean): void => {
        waiting.delete(finish);
        deadline.onExpire(undefined);
        resolve(isAdmitted);
      };
      waiting.add(finish);
      deadline.onExpire(() => finish(false));
    });
  }

  return {
    acquire(deadline) {
      if (deadline.expired || (free === 0 && waiting.size >= maxWaiting)) return false;
      if (free === 0) return wait(deadline);
      free--;
      return true;
    },
    release() {
      const [next] = waiting;
      if (next) next(true);
      else free++;
    },
  };
}

/** Limits the number of calls. */
export interface RateLimiter {
  /** Takes a permit. Returns 0, or the milliseconds until a permit is available. */
  take(): number;
}

/** Creates a token bucket of `perMinute` permits, which is refilled evenly. 0 sets no limit. */
export function createRateLimiter(
  perMinute: number,
  now: () => number = () => performance.now(),
): RateLimiter {
  if (perMinute === 0) return { take: () => 0 };
  const msPerCall = 60_000 / perMinute;
  let tokens = perMinute;
  let refilledAt = now();
  return {
    take() {
      const time = now();
      tokens = Math.min(perMinute, tokens + (time - refilledAt) / msPerCall);
      refilledAt = time;
      if (tokens < 1) return Math.ceil((1 - tokens) * msPerCall);
      tokens--;
      return 0;
    },
  };
}

/** A body and its size in bytes. */
interface BodyWithSize {
  readonly body: Body;
  readonly size: number;
}

const utf8 = new TextDecoder();

/**
 * Reads a body up to a limit of decoded bytes, because a megabyte of gzip can expand to a gigabyte.
 * @param truncates return the first `limit` bytes of a larger body instead of a failure
 * @throws the error of a broken connection or of corrupt compression
 */
export async function readBody(
  response: HttpResponse,
  limit: number,
  truncates: boolean,
): Promise<BodyWithSize | Failure> {
  const { headers, hasBody } = response;
  if (!hasBody) return { body: "", size: 0 };
  if (!truncates && declaredSize(headers) > limit) {
    response.discard();
    return { kind: "tooLarge", limit };
  }
  const collected = await response.collect(limit);
  const { chunks, size } = collected;
  if (size > limit) {
    if (!truncates) return { kind: "tooLarge", limit };
    return { body: concatBytes(chunks, size).subarray(0, limit), size: limit };
  }
  const isText = isUtf8Text(headers, collected);
  return { body: isText ? utf8.decode(concatenate(collected)) : concatBytes(chunks, size), size };
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
