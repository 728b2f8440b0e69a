/** Stands in for limits that processes share: each process has its own. */
import type { RateLimiter } from "./rate-limiter.js";

export function createSharedRateLimiter(
  _store: unknown,
  _limits: unknown,
  local: RateLimiter,
): RateLimiter {
  return local;
}
