import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Folder } from "../../files/folder.js";
import type { Redact } from "../redact.js";
import type { ResultStore, FullResult } from "./result-store.js";

interface LinkOptions {
  /** Absent: results are not stored. */
  readonly resultStore?: ResultStore;
  /** Absent: files are not saved. */
  readonly files?: Folder;
  readonly redact: Redact;
  /** Returns the name of a saved file. */
  fileName(): string;
}

/**
 * Adds a link to the full result: to a saved file when there is a folder for files, otherwise to a
 * stored result.
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
  if (!link) return undefined;
  const time = `for ${options.resultStore?.lifetimeText}`;
  const location = `as the resource ${link.uri}`;
  return [note(`the full result (${link.size} bytes) is available ${time} ${location}.`), link];
}

function note(text: string): ContentBlock {
  return { type: "text", text: `Note: ${text}` };
}

/** Writes a path as a `file:` URL. RFC 8089. */
function fileUri(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .map((part, i) => (i === 0 && /^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)));
  return `file://${path.startsWith("/") ? "" : "/"}${parts.join("/")}`;
}
