import type { SendBinding } from "../types.js";
import { type Failure, isFailure } from "./failure.js";
import type { ApiResponse } from "./response.js";

/** Sending again is harmless: by the method's definition, or because the API recognises the repetition by its key. RFC 9110, section 9.2.2. */
export function isRepeatable({ method, headers = {} }: SendBinding): boolean {
  return idempotent.has(method) || Object.values(headers).some((wire) => typeof wire === "object" && "generate" in wire);
}

const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "QUERY"]);

/** Statuses that say "not now". */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Milliseconds to wait before another try can help; `undefined` when it cannot.
 * @param attempt tries that were made, from 0
 */
export function waitBeforeRetry(outcome: ApiResponse | Failure, attempt: number): number | undefined {
  const backoff = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (isFailure(outcome)) return outcome.kind === "connection" && !outcome.lasting ? backoff : undefined;
  if (!passing.has(outcome.status)) return undefined;
  const asked = retryAfter(outcome);
  return asked === undefined ? backoff : Math.max(asked, backoff);
}

/** Milliseconds that `Retry-After` asks to wait; `undefined` when it is absent or makes no sense. RFC 9110, section 10.2.3. */
export function retryAfter({ headers }: Pick<ApiResponse, "headers">): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
