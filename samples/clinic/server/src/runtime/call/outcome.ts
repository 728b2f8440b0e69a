import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CallRecord } from "../server/log.js";

/** How a call ended: what the client gets, and what the log says. */
export interface CallOutcome extends Omit<CallRecord, "tool" | "ms"> {
  readonly result: CallToolResult;
}

/**
 * A call that ended with an error for the agent. Errors carry no structured content: it would have
 * to satisfy the output schema.
 */
export function errorResult(
  outcome: string,
  text: string,
  content: readonly ContentBlock[] = [],
): CallOutcome {
  return { outcome, result: { isError: true, content: [{ type: "text", text }, ...content] } };
}
