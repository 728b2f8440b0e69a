/** Stands in for the metrics, which are left out. */
import { leftOut } from "../left-out.js";
import type { Metrics } from "./measured-calls.js";

/** Sentence for the user who asks for metrics. */
export const metricsProblem: string | undefined = leftOut("metrics", "metrics");

/** @throws always */
export function createServerMetrics(..._: readonly unknown[]): Metrics {
  throw new Error(metricsProblem);
}
