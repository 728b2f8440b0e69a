import { canParseUrl } from "../../runtime/data/urls.js";
import { isUtf8 } from "node:buffer";
import type { SourceLocation } from "../../diagnostics/index.js";
import { failure, type Outcome, success } from "../types.js";
import { lineFeed, type TextPosition } from "./position.js";

/**
 * Validates that bytes are text, and removes a byte order mark. UTF-16, which shells of Windows
 * write, is converted.
 * @returns UTF-8 to parse, or one problem: empty, compressed, an image, a web page, not UTF-8
 */
export function validateText(bytes: Uint8Array, file: string): Outcome<Uint8Array> {
  const location: SourceLocation = { file, pointer: "#" };
  const body = decodeUtf16(bytes) ?? withoutMark(bytes);
  if (isBlank(body))
    return failure(
      "load-empty",
      "The file is empty",
      location,
      "Pass an OpenAPI document in JSON or YAML.",
    );
  const kind = detectForeignContent(body, file);
  if (kind)
    return failure("load-not-text", `This is ${kind.what}, not JSON or YAML`, location, kind.hint);
  if (!isUtf8(body)) {
    return failure(
      "load-not-utf8",
      "The text is not UTF-8",
      { ...location, ...positionOfBadByte(body) },
      "Save the file with the encoding UTF-8.",
    );
  }
  return success(body);
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Converts UTF-16 to UTF-8; undefined for other bytes and for invalid UTF-16. */
function decodeUtf16(bytes: Uint8Array): Uint8Array | undefined {
  const encoding = utf16Encoding(bytes);
  if (encoding === undefined) return undefined;
  try {
    return new TextEncoder().encode(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Recognizes UTF-16 by its byte order mark, or by zeros around the first two characters. */
function utf16Encoding([a, b, c, d]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if ((a === 0xff && b === 0xfe) || (a && !b && c && d === 0)) return "utf-16le";
  return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? "utf-16be" : undefined;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

interface ForeignContent {
  readonly what: string;
  readonly hint: string;
}

function detectForeignContent(bytes: Uint8Array, file: string): ForeignContent | undefined {
  const [a, b] = bytes;
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b))
    return { what: "a compressed file", hint: "Unpack it first." };
  if (bytes.includes(0)) return { what: "binary data", hint: "Pass the OpenAPI document itself." };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512))
    .toString("latin1")
    .trimStart()
    .toLowerCase();
  const code = head.replace(COMMENTS, "");
  if (head.startsWith("<!doctype html") || head.startsWith("<html")) {
    const url = displayedDocument(bytes, file);
    return {
      what: "a web page (HTML)",
      hint: url
        ? `Pass the document that it displays: ${url}.`
        : "Pass the URL of the document itself, not of a page that displays it.",
    };
  }
  const [what] = FORMATS.find(([, start]) => start.test(head) || start.test(code)) ?? [];
  return what === undefined
    ? undefined
    : { what, hint: "Pass an OpenAPI document in JSON or YAML." };
}

/** Maximum number of bytes of a web page that are searched. */
const PAGE_BYTES = 200_000;

/** Finds the URL of the document in a page of Swagger UI, Redoc, Scalar or Stoplight Elements. */
function displayedDocument(page: Uint8Array, file: string): string | undefined {
  const text = Buffer.from(page.subarray(0, PAGE_BYTES)).toString("utf8");
  const [, url] =
    /(?:\burl|apiDescriptionUrl)["']?\s*[:=]\s*["']([^"'\s<>]{1,300})["']/i.exec(text) ?? [];
  if (url === undefined || !canParseUrl(url, file)) return undefined;
  const { protocol, href } = new URL(url, file);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

/** Comments and descriptions before the first statement. Each matches in one way only. */
const COMMENTS = /^(?:(?:#|\/\/)[^\n]*\n\s*|"""(?:(?!""")[^])*"""\s*)*/;

/** Formats by the start of their text, in lower case. */
const FORMATS: readonly (readonly [name: string, start: RegExp])[] = [
  ["XML or HTML", /^</],
  ["a PDF", /^%pdf/],
  ["a RAML document", /^#%raml/],
  ["an API Blueprint", /^format: *1a/],
  ["a Protocol Buffers file", /^(?:syntax|edition) *= *["']/],
  ["a GraphQL schema", /^(?:schema\s*\{|scalar \w|union \w+ *=|directive @)/],
  ["a GraphQL schema", /^(?:type|interface|input|enum)\s[^:]*\{/],
];

/** Position of the first invalid byte. */
function positionOfBadByte(bytes: Uint8Array): TextPosition {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, start);
    const text = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (!isUtf8(text))
      return { line, column: new TextDecoder().decode(text).indexOf("\ufffd") + 1 };
    if (end === -1) break;
    start = end + 1;
  }
  return { line, column: 1 };
}
