/** Files in results, which are saved in the folder for files. */
import { fileName, type Folder } from "../files/files.js";
import type { ResponseHeaders } from "../request/types.js";
import type { FullResult, Redact } from "./redact.js";
import type { ResultFacts } from "./result-facts.js";

/** The response that a file comes from. */
export interface FileSource {
  readonly url: string;
  readonly headers?: Pick<ResponseHeaders, "get"> | undefined;
}

interface SaveOptions {
  readonly tool: { readonly name: string };
  readonly files?: Folder | undefined;
  readonly source?: FileSource | undefined;
  readonly redact: Redact;
}

/**
 * Saves the bytes of a result, if there is a folder for files.
 * @param store stores the result as well, for clients that cannot read the folder
 */
export async function saveFile(
  fullResult: FullResult,
  options: SaveOptions,
  store: () => Promise<ResultFacts | undefined>,
): Promise<ResultFacts | undefined> {
  const { files } = options;
  if ("text" in fullResult || !files) return undefined;
  const { mimeType, bytes } = fullResult;
  const path = await files.save(nameOf(mimeType, options), bytes);
  if (path === undefined) return undefined;
  const [name = path] = path.split(/[/\\]/).slice(-1);
  if (files.isRemote) {
    const { notes = [], ...stored } = (await store()) ?? {};
    return { ...stored, notes: [`Saved as ${shownName(`file:${name}`)} on the server.`, ...notes] };
  }
  const uri = fileUri(path);
  return {
    notes: [`Saved as ${shownName(path)}.`],
    values: { resource: uri },
    blocks: [{ type: "resource_link", uri, name, mimeType, size: bytes.byteLength }],
  };
}

function nameOf(mimeType: string, { source, redact, tool }: SaveOptions): string {
  if (!source) return tool.name;
  const headers = { get: (name: string) => redact(source.headers?.get(name) ?? "") };
  return fileName({ headers, url: redact(source.url), mimeType, tool: tool.name });
}

/** A name with spaces, which may be words of an API, is quoted. */
function shownName(name: string): string {
  return /\s/.test(name) ? JSON.stringify(name) : name;
}

/** Writes a path as a `file:` URL. RFC 8089. */
function fileUri(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .map((part, i) => (i === 0 && /^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)));
  return `file://${path.startsWith("/") ? "" : "/"}${parts.join("/")}`;
}
