import type { ApiResponse } from "../send/index.js";
import { parseJson } from "./json.js";
import { isJson, isText, parseMediaType } from "./media-type.js";
import { isSequence, parseSequence } from "./sequence.js";
import { decodeText } from "./text.js";

/** What a successful response holds. `note` says what was changed in reading. */
export type Content =
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly note?: string;
      readonly plain: boolean;
    }
  | { readonly kind: "text"; readonly text: string; readonly note?: string }
  | { readonly kind: "binary"; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly kind: "empty" }
  /** The body is not what the API says it is. */
  | { readonly kind: "broken"; readonly why: string; readonly excerpt?: string };

const bigIntegers =
  "Integers too large for a JSON number are given as text, with all their digits.";

/**
 * Reads the body of a successful response by its media type. Never throws.
 * @param expectsJson the tool promises JSON: then text that is JSON counts as such whatever it is
 *   called, and anything else is broken
 */
export function read(response: ApiResponse, expectsJson: boolean, method: string): Content {
  const { status, headers, body, size } = response;
  const { essence, charset } = parseMediaType(headers.get("content-type"));
  if (status === 204 || status === 205) return { kind: "empty" };
  const asList = expectsJson && isSequence(essence) && method !== "HEAD";
  if (size === 0 && !asList)
    return expectsJson && method !== "HEAD"
      ? { kind: "broken", why: "with an empty body where JSON was declared" }
      : { kind: "empty" };
  if (isJson(essence)) return readJson(response, charset);
  if (asList) return readSequence(response, charset, essence);
  if (typeof body === "string" || essence === "" || isText(essence))
    return readText(response, charset, essence, expectsJson);
  return { kind: "binary", mimeType: essence, bytes: body };
}

function readJson({ body, size }: ApiResponse, charset: string | undefined): Content {
  const { text, note } = decodeText(body, charset);
  try {
    const { value, exact } = parseJson(text);
    return {
      kind: "json",
      value,
      note: notes(note, exact ? bigIntegers : undefined),
      plain: isPlain(text, size),
    };
  } catch {
    return { kind: "broken", why: "with invalid JSON in its body", excerpt: startOf(text) };
  }
}

function readSequence(
  { body }: ApiResponse,
  charset: string | undefined,
  essence: string,
): Content {
  const { text, note } = decodeText(body, charset);
  try {
    const { value, exact } = parseSequence(text, essence);
    return {
      kind: "json",
      value,
      note: notes(note, exact ? bigIntegers : undefined),
      plain: false,
    };
  } catch {
    return {
      kind: "broken",
      why: "with a record that is not JSON in its body",
      excerpt: startOf(text),
    };
  }
}

/**
 * Text in which nothing can hide: ASCII, and no escapes that stand for anything else. Most JSON is,
 * and need not be cleaned.
 */
function isPlain(text: string, size: number): boolean {
  return text.length === size && !text.includes("\\u") && !text.includes("\u007f");
}

function readText(
  response: ApiResponse,
  charset: string | undefined,
  essence: string,
  expectsJson: boolean,
): Content {
  const asJson = expectsJson || essence === "" ? readJson(response, charset) : undefined;
  if (asJson?.kind === "json") return asJson;
  const { body } = response;
  const { text, note } = decodeText(body, charset);
  if (typeof body !== "string" && essence === "" && text.includes("\ufffd"))
    return { kind: "binary", mimeType: "application/octet-stream", bytes: body };
  if (expectsJson)
    return {
      kind: "broken",
      why: `with ${essence || "text"} where application/json was expected`,
      excerpt: text.slice(0, 64 * 1024),
    };
  return { kind: "text", text, note };
}

function startOf(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function notes(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter(Boolean).join(" ") || undefined;
}
