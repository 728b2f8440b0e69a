/** Notes about the status of a success: unchanged, not ready, and its documented meaning. */
import { retryAfter } from "../client/failures.js";
import { documentedStatus } from "../errors/documented-status.js";
import { formatSeconds } from "../errors/next-tools.js";
import type { ApiCall, ApiResponse } from "../request/types.js";

/** Sentences about the status of a success, if it means more than that the call succeeded. */
export interface StatusFacts {
  /** An event that the response has instead of data. */
  readonly event?: string;
  /** The documented meaning of the status. */
  readonly note?: string;
}

/** States the meaning of the status of a success. */
export function statusFacts(call: ApiCall, response: ApiResponse): StatusFacts {
  const { status } = response;
  const event = eventOf(call, response);
  const meaning = documentedStatus(call, status);
  const note = meaning && `The documentation says of ${status}: ${JSON.stringify(meaning)}`;
  return { ...(event && { event }), ...(note && { note }) };
}

function eventOf({ mapping, tool }: ApiCall, response: ApiResponse): string | undefined {
  if (response.status === 304) return "Nothing changed: the API responded with 304 Not Modified.";
  if (response.status !== 202 || mapping.method !== "GET") return undefined;
  const wait = retryAfter(response);
  const time = wait === undefined ? "later" : `in ${formatSeconds(wait)}`;
  return `The result is not ready yet (202 Accepted). Call ${tool.name} again ${time}.`;
}
