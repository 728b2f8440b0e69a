/**
 * Bytes from text: how a tool's input, which is JSON, holds a file. A `data:` URI or base64 is
 * decoded; any other text is the file's content itself, as UTF-8. Nothing is ever opened: a path or
 * URL given as a file is sent as the text that it is.
 */

import { sniff } from "./sniff.js";

export interface FileContent {
  readonly bytes: Uint8Array;
  /** What a `data:` URI says that it holds. */
  readonly mediaType?: string;
}

/** What is wrong with an input that `fileContent` cannot read. */
export const MALFORMED_FILE = "is a data: URI whose base64 is malformed";

/**
 * RFC 2397. The media type ends up in a header, so nothing passes for one that could end that
 * header.
 */
const BASE64_DATA_URI = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?((?:;[\w.-]+=[\w.+-]+)*);base64,/i;

/**
 * The content that `text` stands for; `undefined` when it is a `data:` URI with malformed base64.
 */
export function fileContent(text: string): FileContent | undefined {
  const dataUri = BASE64_DATA_URI.exec(text);
  if (dataUri === null) return { bytes: decodeBase64(text) ?? new TextEncoder().encode(text) };
  const bytes = decodeBase64(text.slice(dataUri[0].length));
  const [, mediaType, parameters = ""] = dataUri;
  return (
    bytes && (mediaType === undefined ? { bytes } : { bytes, mediaType: mediaType + parameters })
  );
}

/** What a file is: by its `data:` URI, else by its first bytes. */
export function mediaTypeOfFile(text: string): string | undefined {
  const file = fileContent(text);
  return file && (file.mediaType ?? sniff(file.bytes));
}

/**
 * Decodes base64 (RFC 4648, section 4) that is complete and canonical, so that other text is hardly
 * ever taken for it. Lines of 64 or 76 characters, as `base64` and PEM tools write them, are joined
 * first.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const isWrapped = /^(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})\r?\n/.test(text);
  const joined = isWrapped ? text.replace(/\r?\n/g, "") : text;
  if (!isCanonicalBase64(joined)) return undefined;
  const binary = atob(joined);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))) return false;
  // The bits that the padding leaves over are zero in canonical base64.
  const tail = text.slice(-4);
  return btoa(atob(tail)) === tail;
}
