/**
 * Content of a body, or of a part of it, by its media type: files, XML and other values.
 *
 * A file in a tool's input, which is JSON, is a `data:` URI, base64, or text that is the content
 * itself, as UTF-8. No file is opened: a path or a URL is sent as text.
 */
import { decodeBase64 } from "../../data/bytes.js";
import { isBinary, isXml } from "../../data/media-types.js";
import { decodeOrKeep, omitUndefined } from "../../data/values.js";
import type { XmlNode } from "../../types.js";
import type { ParameterValue } from "../parameter-source.js";
import { serialize } from "../serialize-content.js";
import { xmlDocument } from "./xml.js";

interface FileContent {
  readonly bytes: Uint8Array;
  /** Media type of a `data:` URI. */
  readonly mediaType?: string;
  /** File name of a `data:` URI. */
  readonly name?: string;
}

/** Problem of an input that `decodeFileInput` cannot decode. */
export const MALFORMED_FILE = "is a data: URI whose base64 is malformed";

/**
 * A `data:` URI. RFC 2397. Its media type becomes a header, so the pattern excludes line breaks.
 * Its parameter `name` is a percent-encoded file name.
 */
const BASE64_DATA_URI = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?((?:;[\w.-]+=[\w.+%~-]+)*);base64,/i;

/** Decodes a file input; `undefined` for a `data:` URI with malformed base64. */
export function decodeFileInput(text: string): FileContent | undefined {
  const dataUri = BASE64_DATA_URI.exec(text);
  if (dataUri === null)
    return { bytes: decodeCanonicalBase64(text) ?? new TextEncoder().encode(text) };
  const bytes = decodeCanonicalBase64(text.slice(dataUri[0].length));
  const [, type, parameters = ""] = dataUri;
  const [nameParameter = "", encodedName] = /;name=([^;]*)/i.exec(parameters) ?? [];
  const mediaType = type && type + parameters.replace(nameParameter, "");
  const name = encodedName && decodeOrKeep(encodedName);
  return bytes && omitUndefined({ bytes, mediaType, name });
}

/** Detects the media type of a file input: by its `data:` URI, otherwise by its first bytes. */
export function detectFileInputType(text: string): string | undefined {
  const file = decodeFileInput(text);
  return file && (file.mediaType ?? detectMediaType(file.bytes));
}

/**
 * Decodes complete, canonical base64 (RFC 4648, section 4), so that other text is hardly ever
 * mistaken for it. Lines of 64 or 76 characters, as of `base64` and PEM, are joined first.
 */
function decodeCanonicalBase64(text: string): Uint8Array | undefined {
  const isWrapped = /^(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})\r?\n/.test(text);
  const base64 = isWrapped ? text.replace(/\r?\n/g, "") : text;
  return isCanonicalBase64(base64) ? decodeBase64(base64) : undefined;
}

/** Number of padding characters, at most 2. */
function paddingLength(text: string): number {
  if (text.endsWith("==")) return 2;
  return text.endsWith("=") ? 1 : 0;
}

function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  if (/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingLength(text)))) return false;
  // In canonical base64, the bits before the padding are zero.
  const tail = text.slice(-4);
  return btoa(atob(tail)) === tail;
}

/** First bytes of file types, for APIs that accept several. */
const SIGNATURES: readonly (readonly [mediaType: string, bytes: string, offset?: number])[] = [
  ["image/png", "89504e470d0a1a0a"],
  ["image/jpeg", "ffd8ff"],
  ["image/gif", "47494638"],
  ["image/webp", "57454250", 8],
  ["image/bmp", "424d"],
  ["image/tiff", "49492a00"],
  ["image/tiff", "4d4d002a"],
  ["application/pdf", "25504446"],
  ["application/zip", "504b0304"],
  ["application/gzip", "1f8b"],
  ["audio/mpeg", "494433"],
  ["audio/wav", "57415645", 8],
  ["audio/ogg", "4f676753"],
  ["video/mp4", "66747970", 4],
];

/** Detects a media type by the first bytes; `undefined` when they are unknown. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return SIGNATURES.find(([, signature, offset = 0]) => hex.startsWith(signature, offset * 2))?.[0];
}

/**
 * Serializes a value as the bytes or text of a media type. Strings of binary types are files. XML
 * follows `xml`; a string without it is XML already.
 */
export function serializeContent(
  item: ParameterValue,
  mediaType: string,
  xml?: XmlNode,
): string | Uint8Array {
  const { value } = item;
  if (isXml(mediaType) && (xml !== undefined || typeof value !== "string"))
    return xmlDocument(item, xml ?? {});
  if (typeof value !== "string" || !isBinary(mediaType)) return serialize(item, mediaType);
  const file = decodeFileInput(value);
  if (file === undefined) item.reportProblem(MALFORMED_FILE);
  return file?.bytes ?? "";
}
