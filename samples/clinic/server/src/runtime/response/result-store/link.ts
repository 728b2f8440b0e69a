import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Folder } from "../../files/folder.js";
import type { Redact } from "../redact.js";
import type { ResultStore, FullResult } from "./result-store.js";

export interface LinkOptions {
  /** Absent: nothing is kept. */
  readonly resultStore?: ResultStore;
  /** Absent: nothing is saved. */
  readonly files?: Folder;
  readonly redact: Redact;
  /** What a file is called. */
  fileName(): string;
}

/**
 * A result that shows only a part of the whole, with a link to the whole: to a file, if it is one
 * and there is a folder for it, else to what is kept.
 */
export async function linkFullResult(
  result: CallToolResult,
  tool: string,
  fullResult: FullResult,
  options: LinkOptions,
): Promise<CallToolResult> {
  const more =
    (await saveFile(fullResult, options)) ??
    storeResult(tool, fullResult, options) ??
    ("text" in fullResult ? [] : [note("It is too large to be shown.")]);
  return { ...result, content: [...result.content, ...more] };
}

async function saveFile(
  fullResult: FullResult,
  { files, fileName }: LinkOptions,
): Promise<readonly ContentBlock[] | undefined> {
  const path = "text" in fullResult ? undefined : await files?.save(fileName(), fullResult.bytes);
  if (path === undefined || "text" in fullResult) return undefined;
  const [name] = path.split(/[/\\]/).slice(-1);
  return [
    note(`saved as ${path}.`),
    {
      type: "resource_link",
      uri: fileUri(path),
      name: name ?? path,
      mimeType: fullResult.mimeType,
      size: fullResult.bytes.byteLength,
    },
  ];
}

function storeResult(
  tool: string,
  fullResult: FullResult,
  options: LinkOptions,
): readonly ContentBlock[] | undefined {
  const link = options.resultStore?.store(
    tool,
    "text" in fullResult ? { ...fullResult, text: options.redact(fullResult.text) } : fullResult,
  );
  return (
    link && [
      note(
        `the full result (${link.size} bytes) is available for ${options.resultStore?.lifetimeText} as the resource ${link.uri}.`,
      ),
      link,
    ]
  );
}

function note(text: string): ContentBlock {
  return { type: "text", text: `Note: ${text}` };
}

/** RFC 8089. */
function fileUri(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .map((part, i) => (i === 0 && /^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)));
  return `file://${path.startsWith("/") ? "" : "/"}${parts.join("/")}`;
}
