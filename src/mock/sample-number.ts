import type { Schema } from "./types.js";

export function sampleNumber(schema: Schema, n: number, isInteger: boolean): number {
  const { multipleOf } = schema;
  const unit = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
  const step = unit ?? 1;
  const exclusiveStep = isInteger ? 1 : (unit ?? 0.5);
  const low = numberBound(schema, "minimum", "exclusiveMinimum", exclusiveStep);
  const high = numberBound(schema, "maximum", "exclusiveMaximum", -exclusiveStep);
  const hasUnit = isInteger || unit !== undefined;
  const start = startNumber(low, high, step, hasUnit);
  const first = hasUnit ? Math.ceil(start / step) * step : start;
  const value = roundedNumber(first + n * step);
  if (high === undefined || value <= high) return value;
  if (first <= high) return roundedNumber(first);
  return hasUnit ? roundedNumber(Math.floor(high / step) * step) : high;
}

/** An inclusive bound. An exclusive one is moved by `step`. */
function numberBound(
  schema: Schema,
  inclusive: string,
  exclusive: string,
  step: number,
): number | undefined {
  const [closed, open] = [schema[inclusive], schema[exclusive]];
  const bounds = [
    ...(typeof closed === "number" ? [closed] : []),
    ...(typeof open === "number" ? [open + step] : []),
  ];
  if (bounds.length === 0) return undefined;
  return step > 0 ? Math.max(...bounds) : Math.min(...bounds);
}

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
