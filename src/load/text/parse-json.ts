import { isAscii } from "node:buffer";
import type { SourceLocation } from "../../diagnostics/index.js";
import { limits } from "../limits.js";
import { failure, type Outcome, success } from "../types.js";
import { positionOfByte } from "./position.js";
import { endOfString, type JsonScan, scanJson, skipSpace } from "./scan-json.js";

interface ParsedJson {
  readonly root: unknown;
  readonly scan: JsonScan;
}

/**
 * Parses JSON text (RFC 8259) within the limits.
 * @param bytes UTF-8 without byte order mark
 */
export function parseJson(bytes: Uint8Array, file: string): Outcome<ParsedJson> {
  const scan = scanJson(bytes);
  const locationAt = (offset: number): SourceLocation => ({
    file,
    pointer: "#",
    ...positionOfByte(bytes, offset),
  });
  if (scan.tooDeepAt !== undefined)
    return failure(
      "load-too-deep",
      `Nesting too deep: more than ${limits.depth} levels`,
      locationAt(scan.tooDeepAt),
      "Flatten this part of the document.",
    );
  if (scan.tooManyAt !== undefined)
    return failure(
      "load-too-large",
      `The document has more than ${limits.containers} objects and arrays`,
      locationAt(scan.tooManyAt),
      "Split the document, or remove parts of it.",
    );
  try {
    return success({ root: JSON.parse(decodeJsonText(bytes)) as unknown, scan });
  } catch {
    const { offset, what } = findJsonError(bytes);
    return failure(
      "load-syntax",
      `This is not valid JSON: ${what}`,
      locationAt(offset),
      "Correct the text here.",
    );
  }
}

const CHUNK_BYTES = 16 * 1024;

/**
 * Decodes JSON text and escapes non-ASCII characters, so that V8 stores one byte per character. For
 * a large document with few such characters this is much faster and takes half of the memory.
 * Escapes are equivalent inside JSON strings; outside of strings both forms are errors.
 */
export function decodeJsonText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  let asciiStart = 0; // start of the ASCII text that is not decoded yet
  let escapedBytes = 0;
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = from + CHUNK_BYTES;
    while (to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80) to++; // never inside a character
    if (isAscii(buffer.subarray(from, to))) continue;
    escapedBytes += CHUNK_BYTES;
    // Escaping pays off only for few characters.
    if (escapedBytes * 4 > bytes.length) return buffer.toString("utf8");
    parts.push(
      buffer.toString("latin1", asciiStart, from),
      escapeNonAscii(buffer.toString("utf8", from, to)),
    );
    asciiStart = to;
  }
  parts.push(buffer.toString("latin1", asciiStart));
  return parts.join("");
}

function escapeNonAscii(text: string): string {
  const escaped = text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // Replacing keeps two bytes per character, and one such part gives the joined text as many.
  return Buffer.from(escaped, "latin1").toString("latin1");
}

/** First error in invalid JSON: byte offset and description as a clause. */
interface JsonError {
  readonly offset: number;
  readonly what: string;
}

/**
 * Finds the first error in JSON text (RFC 8259). JSON.parse reports positions inconsistently
 * between Node releases, so failed texts are parsed again here.
 */
export function findJsonError(bytes: Uint8Array): JsonError {
  const open: number[] = [];
  let i = skipSpace(bytes, 0);
  for (;;) {
    // A value is expected at i.
    const byte = bytes[i];
    if (byte === 0x7b || byte === 0x5b) {
      i = skipSpace(bytes, i + 1);
      if (bytes[i] !== (byte === 0x7b ? 0x7d : 0x5d)) {
        open.push(byte);
        if (byte === 0x5b) continue;
        const key = afterKey(bytes, i);
        if (typeof key !== "number") return key;
        i = key;
        continue;
      }
      i++;
    } else {
      const end = afterScalar(bytes, i);
      if (typeof end !== "number") return end;
      i = end;
    }
    // A value has ended at i: commas, closing brackets, or the end.
    const next = afterValue(bytes, i, open);
    if (typeof next !== "number") return next;
    i = next;
  }
}

/** Reads from the end of a value to the start of the next. */
function afterValue(bytes: Uint8Array, from: number, open: number[]): number | JsonError {
  let i = skipSpace(bytes, from);
  for (;;) {
    const inside = open.at(-1);
    if (inside === undefined)
      return errorAt(
        bytes,
        i,
        "there is text after the end of the document",
        "the document ends too early",
      );
    if (bytes[i] === 0x2c) {
      i = skipSpace(bytes, i + 1);
      if (bytes[i] === 0x7d || bytes[i] === 0x5d)
        return { offset: i, what: "trailing comma before a closing bracket" };
      return inside === 0x7b ? afterKey(bytes, i) : i;
    }
    if (bytes[i] !== (inside === 0x7b ? 0x7d : 0x5d))
      return errorAt(bytes, i, `"," or "${inside === 0x7b ? "}" : "]"}" is missing`);
    open.pop();
    i = skipSpace(bytes, i + 1);
  }
}

function afterKey(bytes: Uint8Array, i: number): number | JsonError {
  if (bytes[i] !== 0x22) return errorAt(bytes, i, "a key in double quotes is missing");
  const end = afterScalar(bytes, i);
  if (typeof end !== "number") return end;
  const colon = skipSpace(bytes, end);
  if (bytes[colon] !== 0x3a) return errorAt(bytes, colon, '":" is missing after the key');
  return skipSpace(bytes, colon + 1);
}

function afterScalar(bytes: Uint8Array, i: number): number | JsonError {
  if (bytes[i] === 0x22) return afterString(bytes, i);
  const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/.exec(
    ascii(bytes, i, i + 400),
  );
  return word
    ? i + word[0].length
    : errorAt(bytes, i, "a value is missing or not in double quotes");
}

function afterString(bytes: Uint8Array, start: number): number | JsonError {
  const end = endOfString(bytes, start);
  if (end >= bytes.length) return { offset: start, what: "a string has no closing quote" };
  for (let i = start + 1; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20)
      return { offset: i, what: "a string contains a line break or another control character" };
    if (byte !== 0x5c) continue;
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(ascii(bytes, i, i + 6)))
      return { offset: i, what: "a string contains an unknown escape sequence" };
    i++;
  }
  return end + 1;
}

function errorAt(
  bytes: Uint8Array,
  offset: number,
  what: string,
  atEnd = "the document ends too early",
): JsonError {
  return { offset, what: offset >= bytes.length ? atEnd : what };
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset + from,
    Math.max(0, Math.min(to, bytes.length) - from),
  ).toString("latin1");
}
