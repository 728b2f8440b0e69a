import { isAscii } from "node:buffer";
import type { Place } from "../../diagnostics/index.js";
import { limits } from "../limits.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { jsonMistake } from "./json-error.js";
import { type JsonScan, scanJson } from "./json-scan.js";
import { positionOfByte } from "./position.js";

export interface ParsedJson {
  readonly root: unknown;
  readonly scan: JsonScan;
}

/**
 * Parses JSON text (RFC 8259) within the limits.
 * @param bytes UTF-8 without byte order mark
 */
export function parseJson(bytes: Uint8Array, file: string): Outcome<ParsedJson> {
  const scan = scanJson(bytes);
  const at = (offset: number): Place => ({ file, pointer: "#", ...positionOfByte(bytes, offset) });
  if (scan.tooDeepAt !== undefined)
    return failed(
      "load-too-deep",
      `Nesting too deep: more than ${limits.depth} levels`,
      at(scan.tooDeepAt),
      "Flatten this part of the document.",
    );
  if (scan.tooManyAt !== undefined)
    return failed(
      "load-too-large",
      `The document has more than ${limits.containers} objects and arrays`,
      at(scan.tooManyAt),
      "Split the document or leave parts out.",
    );
  try {
    return ok({ root: JSON.parse(jsonText(bytes)) as unknown, scan });
  } catch {
    const { offset, what } = jsonMistake(bytes);
    return failed(
      "load-syntax",
      `This is not valid JSON: ${what}`,
      at(offset),
      "Correct the text here.",
    );
  }
}

const chunk = 16 * 1024;

/**
 * Decodes JSON text to a string of one byte per character by escaping what is not ASCII: for a
 * large document with a few such characters that is much faster, in half of the memory. Escapes
 * mean the same inside JSON strings, and outside of strings both are a mistake.
 */
export function jsonText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  let plain = 0; // where the ASCII text that is not decoded yet begins
  let wide = 0;
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = from + chunk;
    while (to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80) to++; // never inside a character
    if (isAscii(buffer.subarray(from, to))) continue;
    if ((wide += chunk) * 4 > bytes.length) return buffer.toString("utf8"); // not a few
    parts.push(
      buffer.toString("latin1", plain, from),
      escapeWide(buffer.toString("utf8", from, to)),
    );
    plain = to;
  }
  parts.push(buffer.toString("latin1", plain));
  return parts.join("");
}

function escapeWide(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
