import type { Schema } from "./types.js";

/**
 * A valid number of a schema: by its bounds and `multipleOf`.
 * @param n different numbers give different values where the bounds allow it
 */
export function sampleNumber(schema: Schema, n: number, isInteger: boolean): number {
  const { multipleOf } = schema;
  const unit = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
  const step = unit ?? 1;
  const exclusiveStep = isInteger ? 1 : (unit ?? 0.5);
  const low = lowerBound(schema, exclusiveStep);
  const high = upperBound(schema, exclusiveStep);
  const hasUnit = isInteger || unit !== undefined;
  if (!hasUnit && low !== undefined && high !== undefined && low > high)
    return roundedNumber(middleOf(schema));
  const start = startNumber(low, high, step, hasUnit);
  const first = hasUnit ? Math.ceil(start / step) * step : start;
  const value = roundedNumber(first + n * step);
  if (high === undefined || value <= high) return value;
  if (first <= high) return roundedNumber(first);
  return hasUnit ? roundedNumber(Math.floor(high / step) * step) : high;
}

/** The number between two bounds that are closer than a step: 0.1 of `0 < x < 0.2`. */
function middleOf(schema: Schema): number {
  return ((lowerBound(schema, 0) ?? 0) + (upperBound(schema, 0) ?? 0)) / 2;
}

/** The inclusive lower bound. An exclusive one is moved up by `step`. */
function lowerBound({ minimum, exclusiveMinimum }: Schema, step: number): number | undefined {
  const bounds = numbersOf(minimum, shifted(exclusiveMinimum, step));
  return bounds.length === 0 ? undefined : Math.max(...bounds);
}

/** The inclusive upper bound. An exclusive one is moved down by `step`. */
function upperBound({ maximum, exclusiveMaximum }: Schema, step: number): number | undefined {
  const bounds = numbersOf(maximum, shifted(exclusiveMaximum, -step));
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

const shifted = (bound: unknown, step: number): unknown =>
  typeof bound === "number" ? bound + step : undefined;

const numbersOf = (...values: readonly unknown[]): readonly number[] =>
  values.filter((value) => typeof value === "number");

/** The lower bound, otherwise a small positive number below the upper bound. */
function startNumber(
  low: number | undefined,
  high: number | undefined,
  step: number,
  hasUnit: boolean,
): number {
  if (low !== undefined) return Math.max(low, Number.MIN_SAFE_INTEGER);
  if (high !== undefined && high < step) return high;
  return hasUnit ? step : 1.5;
}

/** Without rounding errors of binary fractions: 0.3, not 0.30000000000000004. */
function roundedNumber(value: number): number {
  return Number(value.toPrecision(12));
}
