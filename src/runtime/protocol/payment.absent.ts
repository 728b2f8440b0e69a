/** Stands in for the pages of payments: no operation of this project documents 402. */
import type { CallToolResult } from "@modelcontextprotocol/server";

export function unpaidText(..._: readonly unknown[]): string | undefined {
  return undefined;
}

/** There is no page to show. */
export function elicitPayment(
  _app: unknown,
  _page: unknown,
  result: CallToolResult,
  _call: unknown,
): CallToolResult {
  return result;
}
