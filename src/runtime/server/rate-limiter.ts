/** How many calls may be made; see `createRate`. */
export interface RateLimiter {
  /** Takes one call; 0 when it may go, else the milliseconds until one may. */
  take(): number;
}

/** A token bucket: at most `perMinute` calls at once, refilled evenly. 0: no limit. */
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
