/** Headers of responses that state how many requests are left. */
import type { ResponseHeaders } from "../request/types.js";

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
