/** Decoding of response bodies: JSON, text, and binary content. */
import type { ApiResponse, Body } from "../request/types.js";
import { limitValues, MAX_VALUES } from "../data/limit-values.js";
import { type ParsedJson, parseJson } from "../data/values.js";
import { isJson, isReadableText, isSequence, parseContentType } from "../data/media-types.js";
import { MAX_DEPTH, mapStrings } from "./shape.js";

/** Content of a success response. `note` describes what decoding changed. */
export type DecodedContent =
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly note?: string;
      readonly isPlainAscii: boolean;
    }
  | { readonly kind: "text"; readonly text: string; readonly note?: string }
  | { readonly kind: "binary"; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly kind: "empty" }
  /** A body that differs from its media type or from the tool's declaration. */
  | { readonly kind: "malformed"; readonly reason: string; readonly excerpt?: string };

const TOO_MANY_VALUES_NOTE = `The API's response has more than ${MAX_VALUES} values. Only the first ${MAX_VALUES} were read.`;
const INEXACT_NUMBER_NOTE =
  "Numbers beyond the precision of JSON numbers are strings with all their digits.";

/**
 * Decodes the body of a success response by its media type. Never throws.
 * @param expectsJson whether the tool promises JSON. Then any body that parses as JSON counts as
 *   JSON, and any other text is malformed
 */
export function decodeResponse(
  response: ApiResponse,
  expectsJson: boolean,
  method: string,
): DecodedContent {
  const { status, headers, body, size } = response;
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (status === 204 || status === 205) return { kind: "empty" };
  const isSequential = expectsJson && isSequence(essence) && method !== "HEAD";
  if (size === 0 && !isSequential) return { kind: "empty" };
  if (isJson(essence)) return decodeJson(response, charset);
  if (isSequential) return decodeSequence(response, charset, essence);
  if (typeof body === "string" || essence === "" || isReadableText(essence))
    return decodeTextContent(response, charset, essence, expectsJson);
  const asJson = expectsJson ? decodeJson(response, charset) : undefined;
  if (asJson?.kind === "json") return asJson;
  return { kind: "binary", mimeType: shownType(essence), bytes: body };
}

/** A type that is well-formed and short, because it is shown. RFC 6838, section 4.2. */
function shownType(essence: string): string {
  const isTypical = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/.test(essence);
  return isTypical ? essence : "application/octet-stream";
}

function decodeJson({ body, size }: ApiResponse, charset: string | undefined): DecodedContent {
  const { text, note } = decodeText(body, charset);
  if (text.trim() === "") return { kind: "empty" };
  try {
    return jsonContent(parseLimited(text), note, isPlainAscii(text, size));
  } catch {
    return { kind: "malformed", reason: "with invalid JSON in its body", excerpt: excerptOf(text) };
  }
}

function decodeSequence(
  { body }: ApiResponse,
  charset: string | undefined,
  essence: string,
): DecodedContent {
  const { text, note } = decodeText(body, charset);
  try {
    return jsonContent(parseSequence(text, essence), note, false);
  } catch {
    return {
      kind: "malformed",
      reason: "with a record that is not JSON in its body",
      excerpt: excerptOf(text),
    };
  }
}

/** A parsed response. */
interface ParsedResponse extends ParsedJson {
  /** True if it has more values than are read. */
  readonly isCut: boolean;
  /** Nesting of its lists and objects. */
  readonly depth: number;
}

/** Parses the first values of JSON text. */
function parseLimited(text: string): ParsedResponse {
  const { text: kept, isCut, depth } = limitValues(text);
  return { ...parseJson(kept), isCut, depth };
}

/** Content of parsed JSON. Parts that are nested too deeply would exhaust the stack, and are cut. */
function jsonContent(
  { value, hasInexactNumbers, isCut, depth }: ParsedResponse,
  note: string | undefined,
  isPlainAscii: boolean,
): DecodedContent {
  return {
    kind: "json",
    value: depth > MAX_DEPTH ? mapStrings(value, (text) => text) : value,
    note: joinNotes(
      note,
      isCut ? TOO_MANY_VALUES_NOTE : undefined,
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

function decodeTextContent(
  response: ApiResponse,
  charset: string | undefined,
  essence: string,
  expectsJson: boolean,
): DecodedContent {
  const asJson = expectsJson || essence === "" ? decodeJson(response, charset) : undefined;
  if (asJson?.kind === "json") return asJson;
  const { body } = response;
  const { text, note } = decodeText(body, charset);
  if (typeof body !== "string" && essence === "" && text.includes("\ufffd"))
    return { kind: "binary", mimeType: "application/octet-stream", bytes: body };
  if (expectsJson)
    return {
      kind: "malformed",
      reason: `with ${essence || "text"} where application/json was expected`,
      excerpt: text.slice(0, 64 * 1024),
    };
  return { kind: "text", text, note };
}

function excerptOf(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function joinNotes(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter(Boolean).join(" ") || undefined;
}

/**
 * Parses a sequence as a list of its values.
 * @throws SyntaxError when a record is not JSON
 */
function parseSequence(text: string, essence: string): ParsedResponse {
  if (essence === "text/event-stream")
    return { ...parseEvents(text), hasInexactNumbers: false, depth: 2 };
  const separator = essence.endsWith("json-seq") ? /\u001e/g : /\n/g;
  const value: unknown[] = [];
  let hasInexactNumbers = false;
  let [remaining, depth] = [MAX_VALUES, 1];
  for (const record of partsOf(text, separator)) {
    if (record.trim() === "") continue;
    if (remaining < 1) return { value, hasInexactNumbers, isCut: true, depth };
    const limited = limitValues(record, remaining);
    const parsed = parseJson(limited.text);
    value.push(parsed.value);
    hasInexactNumbers ||= parsed.hasInexactNumbers;
    depth = Math.max(depth, limited.depth + 1);
    if (limited.isCut) return { value, hasInexactNumbers, isCut: true, depth };
    remaining -= limited.count;
  }
  return { value, hasInexactNumbers, isCut: false, depth };
}

/** Parts of a text, one at a time, so that the parts after a limit are not created. */
function* partsOf(text: string, separator: RegExp): Generator<string> {
  let start = 0;
  for (const { index, 0: found } of text.matchAll(separator)) {
    yield text.slice(start, index);
    start = index + found.length;
  }
  yield text.slice(start);
}

interface Event {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

/**
 * Parses an event stream. An event without a final empty line is ignored. WHATWG HTML, section
 * 9.2.6.
 */
function parseEvents(text: string): Pick<ParsedResponse, "value" | "isCut"> {
  const events: Event[] = [];
  let fields: Field[] = [];
  let remaining = MAX_VALUES;
  for (const line of partsOf(text.replace(/^\ufeff/, ""), /\r\n|\n|\r/g)) {
    if (line === "") {
      const event = toEvent(fields);
      if (event && remaining < 1) return { value: events, isCut: true };
      if (event) events.push(event);
      if (event) remaining -= 1 + Object.keys(event).length;
      fields = [];
    } else if (!line.startsWith(":")) fields.push(fieldOf(line));
  }
  return { value: events, isCut: false };
}

type Field = readonly [name: string, value: string];

/** Splits a line at its colon. One space after it is not part of the value. */
function fieldOf(line: string): Field {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + (line[colon + 1] === " " ? 2 : 1))];
}

function toEvent(fields: readonly Field[]): Event | undefined {
  const data = fields.filter(([name]) => name === "data");
  if (data.length === 0) return undefined;
  const event: Event = { data: data.map(([, value]) => value).join("\n") };
  for (const [name, value] of fields) {
    if (name === "event" || name === "id") event[name] = value;
    if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
  }
  return event;
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
