/** Decoding of response bodies: JSON, text, and binary content. */
import { beginningOf } from "../data/values.js";
import { parseJsonText } from "../data/json-text.js";
import type { ApiResponse, Body, BodyCut } from "../request/types.js";
import { isJson, isReadableText, isSequence, parseContentType } from "../data/media-types.js";
import { framedText, textInBytes } from "../data/framed-text.js";
import { MAX_PROPERTIES, MAX_VALUES, type ValueLimit } from "../data/limit-values.js";
import { runAtOnce, type Steps } from "../data/steps.js";
import { parseLimited, type ParsedResponse, parseSequence, parseValuesInRow } from "./sequences.js";
import { MAX_DEPTH, mapStringsInSteps } from "./shape.js";

/** Content of a success response. `note` describes what decoding changed, and what is missing. */
export type DecodedContent =
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly note?: string;
      readonly isPlainAscii: boolean;
      /** True if the value is a list of the values that the body has in a row. */
      readonly isSequence?: true;
    }
  | { readonly kind: "text"; readonly text: string; readonly note?: string }
  | {
      readonly kind: "binary";
      readonly mimeType: string;
      readonly bytes: Uint8Array;
      /** The text that the bytes hold. */
      readonly text?: string;
      readonly note?: string;
    }
  /** `event` is a sentence instead of one about an empty response. */
  | { readonly kind: "empty"; readonly event?: string; readonly note?: string }
  /** A page for a browser instead of the declared JSON. */
  | { readonly kind: "malformed"; readonly reason: string; readonly excerpt?: string };

/** Declared content of a body: JSON, a text that is not JSON, or any other. */
export type ExpectedContent = "json" | "text" | "any";

const LIMIT_NOTES: Readonly<Record<ValueLimit, string>> = {
  values: `The API's response has more than ${MAX_VALUES} values. Only the first ${MAX_VALUES} were read.`,
  properties:
    `The API's response has an object of more than ${MAX_PROPERTIES} properties. ` +
    `Only the first ${MAX_PROPERTIES}, and what is before them, were read.`,
};
const INEXACT_NUMBER_NOTE =
  "Numbers beyond the precision of JSON numbers are strings with all their digits.";
const INVALID_JSON_NOTE = "The response is not valid JSON, although its media type is JSON.";

/**
 * Decodes the body of a success response by its media type. Never throws.
 * @param expected what the tool promises. Where it promises JSON, any body that parses as JSON
 *   counts as JSON
 */
export function decodeResponse(
  response: ApiResponse,
  expected: ExpectedContent,
  method: string,
): DecodedContent {
  return runAtOnce(decodeInSteps(response, expected, method));
}

/** `decodeResponse` in steps, for large bodies. */
export function* decodeInSteps(
  response: ApiResponse,
  expected: ExpectedContent,
  method: string,
): Steps<DecodedContent> {
  const content = yield* decodeBody(response, expected, method);
  return response.cut ? withCutNote(content, response.cut, response.size) : content;
}

function* decodeBody(
  response: ApiResponse,
  expected: ExpectedContent,
  method: string,
): Steps<DecodedContent> {
  const { status, headers, body, size } = response;
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (status === 204 || status === 205) return { kind: "empty" };
  const isSequential = expected === "json" && isSequence(essence) && method !== "HEAD";
  if (size === 0 && !isSequential) return { kind: "empty" };
  const isTextual = typeof body === "string" || essence === "" || isReadableText(essence);
  const framed = typeof body === "string" || essence !== "" ? undefined : framedText(body);
  if (framed !== undefined) return { kind: "text", text: framed };
  if (expected === "text" && (isJson(essence) || isTextual))
    return yield* decodeString(response, charset, essence);
  if (isJson(essence))
    return (
      (yield* decodeJson(response, charset)) ?? undeclaredText(response, charset, essence, expected)
    );
  if (isSequential)
    return (
      (yield* decodeSequence(response, charset, essence)) ??
      undeclaredText(response, charset, essence, expected)
    );
  if (isTextual) return yield* decodeTextContent(response, charset, essence, expected);
  const asJson = expected === "json" ? yield* decodeJson(response, charset) : undefined;
  return asJson?.kind === "json" ? asJson : binaryContent(body, shownType(essence));
}

function binaryContent(body: Body, mimeType: string): DecodedContent {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const text = textInBytes(bytes, mimeType);
  return { kind: "binary", mimeType, bytes, ...(text !== undefined && { text }) };
}

/** States that the body may go on. */
function withCutNote(content: DecodedContent, cut: BodyCut, size: number): DecodedContent {
  if (content.kind === "malformed") return content;
  if (content.kind === "empty") return { ...content, event: cutNote(cut, size) };
  return { ...content, ...noteField(joinNotes(content.note, cutNote(cut, size))) };
}

function cutNote(cut: BodyCut, size: number): string {
  if (cut.kind === "size")
    return `The response is longer than ${cut.limit} bytes. This is its beginning.`;
  const time = `${Math.round(cut.afterMs / 100) / 10} s`;
  return size === 0
    ? `No event arrived within ${time}. The stream was still open.`
    : `The stream was still open after ${time}. This is what had arrived.`;
}

/** A type that is well-formed and short, because it is shown. RFC 6838, section 4.2. */
function shownType(essence: string): string {
  const isTypical = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/.test(essence);
  return isTypical ? essence : "application/octet-stream";
}

/** Decodes JSON, or several values in a row. `undefined` for any other text. */
function* decodeJson(
  { body, size }: ApiResponse,
  charset: string | undefined,
): Steps<DecodedContent | undefined> {
  const { text, note } = decodeText(body, charset);
  yield;
  if (text.trim() === "") return { kind: "empty" };
  try {
    return yield* jsonContent(yield* parseLimited(text), note, isPlainAscii(text, size));
  } catch {
    return yield* decodeValues(text, note);
  }
}

/** Decodes JSON values in a row. A single value that others were to follow is not a list. */
function* decodeValues(text: string, note: string | undefined): Steps<DecodedContent | undefined> {
  try {
    const { value, rest, ...parsed } = yield* parseValuesInRow(text);
    const notes = joinNotes(note, incompleteNote(rest));
    if (value.length === 1) return yield* jsonContent({ ...parsed, value: value[0] }, notes, false);
    return { ...(yield* jsonContent({ ...parsed, value }, notes, false)), isSequence: true };
  } catch {
    return undefined;
  }
}

function* decodeSequence(
  { body }: ApiResponse,
  charset: string | undefined,
  essence: string,
): Steps<DecodedContent | undefined> {
  const { text, note } = decodeText(body, charset);
  yield;
  try {
    const { rest, ...parsed } = yield* parseSequence(text, essence);
    const content = yield* jsonContent(parsed, joinNotes(note, incompleteNote(rest)), false);
    return { ...content, isSequence: true };
  } catch {
    return undefined;
  }
}

function incompleteNote(rest: string): string | undefined {
  if (rest === "") return undefined;
  return `The last value is incomplete and left out: ${JSON.stringify(beginningOf(rest, 200))}.`;
}

/** The value of JSON content; undefined for any other. */
export const jsonOf = (content: DecodedContent): unknown =>
  content.kind === "json" ? content.value : undefined;

/** Content of text that is not JSON, although the document or the media type promises JSON. */
function undeclaredText(
  { body }: ApiResponse,
  charset: string | undefined,
  essence: string,
  expected: ExpectedContent,
): DecodedContent {
  const { text, note } = decodeText(body, charset);
  if (expected === "json" && isPage(text, essence)) {
    const reason = `with ${isJson(essence) ? "a page" : essence || "a page"} where application/json was expected`;
    return { kind: "malformed", reason, excerpt: text.slice(0, 64 * 1024) };
  }
  // The result of a tool that promises JSON has such a note already.
  const reason = expected === "any" && isJson(essence) ? INVALID_JSON_NOTE : undefined;
  return { kind: "text", text, ...noteField(joinNotes(reason, note)) };
}

/** True for a page of a sign-in, a proxy or another web server. */
function isPage(text: string, essence: string): boolean {
  const start = text.slice(0, 1000);
  const isMarkup = essence === "text/html" && /<[a-z!/]/i.test(start);
  return isMarkup || /^\s*<(?:!doctype html|html)\b/i.test(start);
}

/**
 * Decodes a declared string: of JSON if the body is a JSON string, otherwise the body itself. An
 * object or a list stays one, if the media type is JSON: as text, its quotes would be escaped
 * twice.
 */
function* decodeString(
  response: ApiResponse,
  charset: string | undefined,
  essence: string,
): Steps<DecodedContent> {
  const { text, note } = decodeText(response.body, charset);
  if (isJson(essence) && /^\s*[[{]/.test(text.slice(0, 100))) {
    const content = yield* decodeJson(response, charset);
    if (content?.kind === "json" && !content.isSequence) return content;
  }
  const value = parseString(text) ?? text;
  return { kind: "json", value, ...noteField(note), isPlainAscii: false };
}

function parseString(text: string): string | undefined {
  if (!/^\s*"/.test(text.slice(0, 100))) return undefined;
  return parseJsonText(text) as string | undefined;
}

const noteField = (note: string | undefined): { readonly note?: string } =>
  note === undefined ? {} : { note };

/** Content of parsed JSON. Parts that are nested too deeply would exhaust the stack, and are cut. */
function* jsonContent(
  { value, hasInexactNumbers, exceeded, depth }: ParsedResponse,
  note: string | undefined,
  isPlainAscii: boolean,
): Steps<Extract<DecodedContent, { kind: "json" }>> {
  yield;
  return {
    kind: "json",
    value: depth > MAX_DEPTH ? yield* mapStringsInSteps(value, (text) => text) : value,
    note: joinNotes(
      note,
      exceeded && LIMIT_NOTES[exceeded],
      hasInexactNumbers ? INEXACT_NUMBER_NOTE : undefined,
    ),
    isPlainAscii,
  };
}

/**
 * True if a text is ASCII without escapes that could hide characters. Most JSON is, and needs no
 * sanitizing.
 */
function isPlainAscii(text: string, size: number): boolean {
  return text.length === size && !text.includes("\\u") && !text.includes("\u007f");
}

function* decodeTextContent(
  response: ApiResponse,
  charset: string | undefined,
  essence: string,
  expected: ExpectedContent,
): Steps<DecodedContent> {
  const mayBeJson = expected === "json" || essence === "";
  const asJson = mayBeJson ? yield* decodeJson(response, charset) : undefined;
  if (asJson?.kind === "json") return asJson;
  const { body } = response;
  if (
    typeof body !== "string" &&
    essence === "" &&
    decodeText(body, charset).text.includes("\ufffd")
  )
    return binaryContent(body, "application/octet-stream");
  return undeclaredText(response, charset, essence, expected);
}

function joinNotes(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter(Boolean).join(" ") || undefined;
}

/** Decoded text, with a note about characters that were lost. */
interface DecodedText {
  readonly text: string;
  readonly note?: string;
}

type Decoder = InstanceType<typeof TextDecoder>;

const utf8 = new TextDecoder();

/**
 * Decodes a body by its byte order mark, the charset, the XML declaration, or as UTF-8. Never
 * throws: invalid bytes become U+FFFD, and the note reports them.
 */
export function decodeText(body: Body, charset?: string): DecodedText {
  if (typeof body === "string") return withLossNote(body, utf8);
  const decoder = decoderFor(byteOrderMark(body) ?? charset ?? xmlEncoding(body));
  if (!decoder)
    return {
      text: utf8.decode(body),
      note: "The API uses an unknown character encoding; the text was decoded as UTF-8.",
    };
  const text = decoder.decode(body);
  return withLossNote(decoder.encoding === "windows-1252" ? fixControls(text) : text, decoder);
}

/**
 * Characters of windows-1252 at the code points of Latin-1's controls. Node 20 confuses the two.
 */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function fixControls(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]!);
}

function withLossNote(text: string, { encoding }: Decoder): DecodedText {
  return text.includes("\ufffd")
    ? {
        text,
        note: `Some bytes of the API's response are not valid ${encoding.toUpperCase()}; they are shown as \ufffd.`,
      }
    : { text };
}

/** Detects the byte order mark, which takes precedence. Encoding Standard, "decode". */
function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Reads the encoding of an XML declaration. RFC 7303, section 3.2. */
function xmlEncoding(body: Uint8Array): string {
  const start = String.fromCharCode(...body.subarray(0, 100));
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? "utf-8";
}

function decoderFor(charset: string): Decoder | undefined {
  if (charset === "utf-8") return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
