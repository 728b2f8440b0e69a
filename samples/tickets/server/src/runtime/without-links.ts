import type { CallToolResult } from "@modelcontextprotocol/server";

/** The first revision with links to resources in results. */
const firstWithLinks = "2025-06-18";

/** A result for a client of this revision: an older one refuses content of a kind that it does not know. The text names the link, too. */
export function withoutLinks(result: CallToolResult, revision = firstWithLinks): CallToolResult {
  if (revision >= firstWithLinks || result.content.every(({ type }) => type !== "resource_link")) return result;
  return { ...result, content: result.content.filter(({ type }) => type !== "resource_link") };
}
