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
