/** Warnings about rejected hosts and origins, for the operator of a server behind a proxy. */
import type { Log } from "../../server/telemetry.js";

/** Reports a rejected value, and the variable that allows it. */
export type ReportRejection = (name: "Host" | "Origin", value: string) => void;

/** Maximum number of reported values. Callers choose the values. */
const MAX_REPORTED = 20;
/** Maximum characters of a reported value. */
const MAX_CHARACTERS = 200;

/** Reports a refused token, which is not logged. */
export type ReportRefusal = (status: number, reason: string) => void;

/** Milliseconds between two lines about refused tokens. */
const REFUSALS_MS = 60_000;

/** Creates a function that logs the first refused token, and then once a minute with a number. */
export function createRefusalReport(
  log: Pick<Log, "warn">,
  now: () => number = () => performance.now(),
): ReportRefusal {
  let refused = 0;
  let reportedAt = -Infinity;
  return (status, reason) => {
    refused++;
    if (now() - reportedAt < REFUSALS_MS) return;
    const others = refused > 1 ? ` ${refused - 1} others since the last line.` : "";
    log.warn(`Refused a token with ${status}: ${reason}${others}`);
    [refused, reportedAt] = [0, now()];
  };
}

/** Creates a function that reports each value once. */
export function createRejectionReport(prefix: string, log: Log): ReportRejection {
  const reported = new Set<string>();
  return (name, value) => {
    const key = `${name}: ${value.slice(0, MAX_CHARACTERS)}`;
    if (reported.has(key) || reported.size >= MAX_REPORTED) return;
    reported.add(key);
    log.warn(
      `Rejected requests with ${key}. If they are legitimate, add the ${name.toLowerCase()} to ` +
        `${prefix}_ALLOWED_${name.toUpperCase()}S.`,
    );
  };
}
