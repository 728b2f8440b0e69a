import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../../src/runtime/client/rate-limiter.js";

describe("calls per minute", () => {
  test("unlimited by default", () => {
    expect(createRateLimiter({ perMinute: 0 }).take()).toBeUndefined();
  });

  test("a burst up to the limit, then evenly spaced calls", () => {
    let now = 0;
    const limiter = createRateLimiter({ perMinute: 2 }, () => now);
    const wait = (): number => limiter.take()?.waitMs ?? 0;
    expect([wait(), wait(), wait()]).toEqual([0, 0, 30_000]);
    now = 29_000;
    expect(wait()).toBe(1_000);
    now = 30_000;
    expect([wait(), wait()]).toEqual([0, 30_000]);
    now = 1_000_000;
    expect([wait(), wait(), wait()]).toEqual([0, 0, 30_000]);
  });
});

/** Calls of several callers at one second: the number of those that were admitted, by caller. */
interface Second {
  readonly at: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly admitted: Readonly<Record<string, number>>;
}

function admittedBy(
  limiter: ReturnType<typeof createRateLimiter>,
  calls: Second["calls"],
): Readonly<Record<string, number>> {
  const count = (caller: string, times: number): number =>
    Array.from({ length: times }, () => limiter.take(caller)).filter((limit) => !limit).length;
  return Object.fromEntries(
    Object.entries(calls).map(([caller, times]) => [caller, count(caller, times)]),
  );
}

describe("calls per minute of several callers", () => {
  test.each<readonly [string, Parameters<typeof createRateLimiter>[0], readonly Second[]]>([
    [
      "a lone caller has the whole limit",
      { perMinute: 10 },
      [{ at: 0, calls: { ann: 12 }, admitted: { ann: 10 } }],
    ],
    [
      "a later caller gets the tokens that are refilled",
      { perMinute: 10 },
      [
        { at: 0, calls: { ann: 40 }, admitted: { ann: 10 } },
        { at: 1, calls: { ben: 1 }, admitted: { ben: 0 } },
        { at: 6, calls: { ann: 40, ben: 1 }, admitted: { ann: 0, ben: 1 } },
        { at: 12, calls: { ann: 40, ben: 1 }, admitted: { ann: 1, ben: 0 } },
        { at: 18, calls: { ann: 40, ben: 1 }, admitted: { ann: 0, ben: 1 } },
      ],
    ],
    [
      "what another caller does not use is not lost",
      { perMinute: 10 },
      [
        { at: 0, calls: { ann: 40 }, admitted: { ann: 10 } },
        { at: 6, calls: { ben: 1 }, admitted: { ben: 1 } },
        { at: 18, calls: { ann: 40 }, admitted: { ann: 1 } },
        { at: 30, calls: { ann: 40 }, admitted: { ann: 2 } },
      ],
    ],
    [
      "a caller that has not called for a minute has no share",
      { perMinute: 10 },
      [
        { at: 0, calls: { ann: 1, ben: 1 }, admitted: { ann: 1, ben: 1 } },
        { at: 120, calls: { ann: 12 }, admitted: { ann: 10 } },
      ],
    ],
    [
      "each caller has its own limit",
      { perMinute: 0, perMinuteOfCaller: 2 },
      [
        { at: 0, calls: { ann: 5, ben: 5 }, admitted: { ann: 2, ben: 2 } },
        { at: 30, calls: { ann: 5 }, admitted: { ann: 1 } },
      ],
    ],
    [
      "both limits apply",
      { perMinute: 3, perMinuteOfCaller: 2 },
      [{ at: 0, calls: { ann: 5, ben: 5 }, admitted: { ann: 2, ben: 1 } }],
    ],
  ])("%s", (_, limits, seconds) => {
    let now = 0;
    const limiter = createRateLimiter(limits, () => now);
    for (const { at, calls, admitted } of seconds) {
      now = at * 1000;
      expect({ at, admitted: admittedBy(limiter, calls) }).toEqual({ at, admitted });
    }
  });

  test("at most 2,000 callers are known, because some choose their own names", () => {
    const limiter = createRateLimiter({ perMinute: 0, perMinuteOfCaller: 1 }, () => 0);
    const isLimited = (caller: string): boolean => limiter.take(caller) !== undefined;
    expect([isLimited("a"), isLimited("a")]).toEqual([false, true]);
    for (let i = 0; i < 1_999; i++) limiter.take(`other ${i}`);
    expect(isLimited("a")).toBe(true);
    for (let i = 0; i < 2_000; i++) limiter.take(`another ${i}`);
    expect(isLimited("a")).toBe(false);
  });

  test("the limit that was met is named", () => {
    const limiter = createRateLimiter({ perMinute: 5, perMinuteOfCaller: 1 }, () => 0);
    limiter.take("ann");
    expect(limiter.take("ann")).toEqual({ perMinute: 1, isOfCaller: true, waitMs: 60_000 });
  });
});
