import { isUtf8 } from "node:buffer";
import type { SourceLocation } from "../../diagnostics/index.js";
import { failure, type Outcome, success } from "../types.js";
import { lineFeed, type TextPosition } from "./position.js";

/**
 * Validates that bytes are UTF-8 text and removes a byte order mark.
 * @returns the bytes to parse, or one problem: empty, compressed, an image, a web page, not UTF-8
 */
export function validateText(bytes: Uint8Array, file: string): Outcome<Uint8Array> {
  const location: SourceLocation = { file, pointer: "#" };
  const body =
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  if (isBlank(body))
    return failure(
      "load-empty",
      "The file is empty",
      location,
      "Pass an OpenAPI document in JSON or YAML.",
    );
  const kind = detectForeignContent(body);
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

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

interface ForeignContent {
  readonly what: string;
  readonly hint: string;
}

function detectForeignContent(bytes: Uint8Array): ForeignContent | undefined {
  const [a, b] = bytes;
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b))
    return { what: "a compressed file", hint: "Unpack it first." };
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return { what: "UTF-16 text", hint: "Save the file with the encoding UTF-8." };
  if (bytes.includes(0)) return { what: "binary data", hint: "Pass the OpenAPI document itself." };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512))
    .toString("latin1")
    .trimStart()
    .toLowerCase();
  if (head.startsWith("<!doctype html") || head.startsWith("<html")) {
    return {
      what: "a web page (HTML)",
      hint: "Pass the URL of the document itself, not of a page that displays it.",
    };
  }
  if (head.startsWith("<"))
    return { what: "XML or HTML", hint: "Pass an OpenAPI document in JSON or YAML." };
  return undefined;
}

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
