import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

/** Outcome of a tool call: the client's result and the figures for the log. */
export interface CallOutcome {
  /** `ok`, `invalid`, or the kind of failure. */
  readonly outcome: string;
  readonly result: CallToolResult;
  /** HTTP status of the API's response. */
  readonly status?: number;
  /** Bytes of the API's decoded response body. */
  readonly bytes?: number;
  /** Number of requests that were sent again. */
  readonly retries?: number;
}

/**
 * Builds the outcome of a failed call. An error result has no structured content, because that
 * would have to satisfy the output schema.
 */
export function errorResult(
  outcome: string,
  text: string,
  content: readonly ContentBlock[] = [],
): CallOutcome {
  return { outcome, result: { isError: true, content: [{ type: "text", text }, ...content] } };
}
