/** Limits of calls per minute: in all, and of each caller. */

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
