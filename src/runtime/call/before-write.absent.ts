/** Stands in for the reads before a question about a write, which nobody asks. */
import type { CallToolResult } from "@modelcontextprotocol/server";

type Reader = (() => Promise<CallToolResult | undefined>) | undefined;

export function thingReader(..._: readonly unknown[]): Reader {
  return undefined;
}

export function previewer(..._: readonly unknown[]): Reader {
  return undefined;
}
