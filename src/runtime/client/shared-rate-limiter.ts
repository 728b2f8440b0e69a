/** Limits of calls per minute that all processes of a server share. */
import { isStoreUnavailable, type Store } from "../store/types.js";
import type { RateLimit, RateLimiter, RateLimits } from "./rate-limiter.js";

const windowMs = 60_000;

/**
 * Counts calls in a store, by minute. A caller gets its share of the limit of all callers, among
 * those that have called in this minute or the one before.
 * @param local limits this process while the store cannot be reached
 */
export function createSharedRateLimiter(
  store: Store,
  limits: RateLimits,
  local: RateLimiter,
  now: () => number = Date.now,
): RateLimiter {
  if (limits.perMinute === 0 && !limits.perMinuteOfCaller) return local;
  const count = createCounters(store);
  return {
    take: async (caller = "") => {
      try {
        return await takeShared(count, limits, caller, now());
      } catch (error) {
        if (isStoreUnavailable(error)) return local.take(caller);
        throw error;
      }
    },
  };
}

async function takeShared(
  count: Counters,
  { perMinute, perMinuteOfCaller = 0 }: RateLimits,
  caller: string,
  time: number,
): Promise<RateLimit | undefined> {
  const minute = Math.floor(time / windowMs);
  const waitMs = (minute + 1) * windowMs - time;
  const own = await count.add("caller", minute, caller);
  if (perMinuteOfCaller > 0 && own > perMinuteOfCaller)
    return { perMinute: perMinuteOfCaller, isOfCaller: true, waitMs };
  if (perMinute === 0) return undefined;
  const callers = own === 1 ? await count.add("callers", minute) : await count.read(minute);
  const active = Math.max(1, callers, await count.read(minute - 1));
  const isOverShare = own > Math.max(1, perMinute / active);
  const isOver = isOverShare || (await count.add("all", minute)) > perMinute;
  return isOver ? { perMinute, isOfCaller: false, waitMs } : undefined;
}

interface Counters {
  add(kind: "all" | "caller" | "callers", minute: number, caller?: string): Promise<number>;
  /** Number of callers in a minute. */
  read(minute: number): Promise<number>;
}

function createCounters(store: Store): Counters {
  const keyOf = (...parts: readonly (string | number)[]): string =>
    JSON.stringify(["calls", ...parts]);
  return {
    add: (kind, minute, caller = "") => store.increment(keyOf(kind, minute, caller), 3 * windowMs),
    read: (minute) => store.count(keyOf("callers", minute, "")),
  };
}
