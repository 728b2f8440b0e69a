import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Folder } from "../files/folder.js";
import type { Redact } from "../redact.js";
import type { Kept, Whole } from "./index.js";

export interface LinkOptions {
  /** Absent: nothing is kept. */
  readonly kept?: Kept;
  /** Absent: nothing is saved. */
  readonly files?: Folder;
  readonly redact: Redact;
  /** What a file is called. */
  nameOf(): string;
}

/**
 * A result that shows only a part of the whole, with a link to the whole: to a file, if it is one
 * and there is a folder for it, else to what is kept.
 */
export async function withWhole(
  result: CallToolResult,
  tool: string,
  whole: Whole,
  options: LinkOptions,
): Promise<CallToolResult> {
  const more =
    (await saved(whole, options)) ??
    kept(tool, whole, options) ??
    ("text" in whole ? [] : [note("It is too large to be shown.")]);
  return { ...result, content: [...result.content, ...more] };
}

async function saved(
  whole: Whole,
  { files, nameOf }: LinkOptions,
): Promise<readonly ContentBlock[] | undefined> {
  const path = "text" in whole ? undefined : await files?.save(nameOf(), whole.bytes);
  if (path === undefined || "text" in whole) return undefined;
  const [name] = path.split(/[/\\]/).slice(-1);
  return [
    note(`saved as ${path}.`),
    {
      type: "resource_link",
      uri: fileUri(path),
      name: name ?? path,
      mimeType: whole.mimeType,
      size: whole.bytes.byteLength,
    },
  ];
}

function kept(
  tool: string,
  whole: Whole,
  options: LinkOptions,
): readonly ContentBlock[] | undefined {
  const link = options.kept?.keep(
    tool,
    "text" in whole ? { ...whole, text: options.redact(whole.text) } : whole,
  );
  return (
    link && [
      note(
        `the whole result (${link.size} bytes) can be read for ${options.kept?.howLong} as the resource ${link.uri}.`,
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
