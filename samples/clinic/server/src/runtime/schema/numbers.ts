import type { Keyword } from "./compile.js";
import { type Check, wrong } from "./problem.js";

/** Bounds and steps of numbers. */
export const numberKeywords: readonly (readonly [string, Keyword])[] = [
  ["minimum", bound("minimum", (value, limit) => value >= limit)],
  ["maximum", bound("maximum", (value, limit) => value <= limit)],
  ["exclusiveMinimum", bound("exclusiveMinimum", (value, limit) => value > limit)],
  ["exclusiveMaximum", bound("exclusiveMaximum", (value, limit) => value < limit)],
  ["multipleOf", bound("multipleOf", isMultiple)],
];

function bound(keyword: string, holds: (value: number, limit: number) => boolean): Keyword {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return (value, trace) =>
      typeof value !== "number" || holds(value, rule) || wrong(trace, keyword, rule, value);
  };
}

/** 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
