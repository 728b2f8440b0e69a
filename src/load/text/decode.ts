import { isUtf8 } from "node:buffer";
import type { Place } from "../../diagnostics/index.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { lineFeed, type Position } from "./position.js";

/**
 * Checks that bytes are UTF-8 text of a document, and takes a byte order mark off.
 * @returns the bytes to parse, or one problem: empty, compressed, an image, a web page, not UTF-8
 */
export function checkText(bytes: Uint8Array, file: string): Outcome<Uint8Array> {
  const place: Place = { file, pointer: "#" };
  const body =
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  if (isBlank(body))
    return failed(
      "load-empty",
      "The file is empty",
      place,
      "Pass an OpenAPI document in JSON or YAML.",
    );
  const kind = foreignKind(body);
  if (kind)
    return failed("load-not-text", `This is ${kind.what}, not JSON or YAML`, place, kind.hint);
  if (!isUtf8(body)) {
    return failed(
      "load-not-utf8",
      "The text is not UTF-8",
      { ...place, ...positionOfBadByte(body) },
      "Save the file with the encoding UTF-8.",
    );
  }
  return ok(body);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

interface Kind {
  readonly what: string;
  readonly hint: string;
}

function foreignKind(bytes: Uint8Array): Kind | undefined {
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
      hint: "Pass the address of the document itself, not of a page that shows it.",
    };
  }
  if (head.startsWith("<"))
    return { what: "XML or HTML", hint: "Pass an OpenAPI document in JSON or YAML." };
  return undefined;
}

/** The first line that is not UTF-8, and the column of the first byte in it that is not. */
function positionOfBadByte(bytes: Uint8Array): Position {
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
