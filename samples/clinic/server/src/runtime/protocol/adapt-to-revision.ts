import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

/** Revisions that brought kinds of content with them. */
const introducedIn: Partial<Record<ContentBlock["type"], string>> = {
  audio: "2025-03-26",
  resource_link: "2025-06-18",
};

/**
 * A result for a client of this revision: an older one refuses content of a kind that it does not
 * know.
 */
export function adaptToRevision(result: CallToolResult, revision = "2025-06-18"): CallToolResult {
  const isKnown = ({ type }: ContentBlock): boolean => revision >= (introducedIn[type] ?? "");
  if (result.content.every(isKnown)) return result;
  return {
    ...result,
    content: result.content.flatMap((block) => (isKnown(block) ? block : replacement(block))),
  };
}

/** Sound is a file too; a link is named by the text beside it. */
function replacement(block: ContentBlock): ContentBlock[] {
  return block.type === "audio"
    ? [
        {
          type: "resource",
          resource: { uri: "result://audio", mimeType: block.mimeType, blob: block.data },
        },
      ]
    : [];
}
