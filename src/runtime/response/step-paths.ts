/** Paths into the results of steps, by the numbers with which `{{1.id}}` refers to steps. */
import { isObject } from "../data/values.js";
import type { PathSegment } from "../schema/check.js";

/** A path inside of the result of a step. */
interface StepPath {
  /** Number of the step, counted from 1. */
  readonly step: number;
  readonly path: readonly PathSegment[];
}

/**
 * Splits a path into the result of a run at its step; undefined for a path elsewhere.
 * @param value the whole result: `{"steps": [{"step": 1, "result": …}]}`
 */
export function stepPath(path: readonly PathSegment[], value: unknown): StepPath | undefined {
  const [root, at, part = "result", ...rest] = path;
  if (root !== "steps" || typeof at !== "number" || part !== "result") return undefined;
  const steps = isObject(value) ? value["steps"] : undefined;
  const item: unknown = Array.isArray(steps) ? steps[at] : undefined;
  const step = isObject(item) ? item["step"] : undefined;
  return typeof step === "number" ? { step, path: rest } : undefined;
}
