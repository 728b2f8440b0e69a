/** Forms of secrets in texts: encodings that are searched for, and escapes that are decoded. */
import { base64 } from "../data/bytes.js";
import { runAtOnce, type Steps } from "../data/steps.js";

/** Minimum length of a part of a secret in base64. Shorter ones occur in other data. */
const MIN_ENCODED = 8;

/**
 * The words by which a secret is recognized: plain, in base64 (alone, or inside of larger data at
 * any offset, in both alphabets) and in hexadecimal, also of the secret as a URL or JSON has it.
 * Escapes are left to the search. Secrets of less than four characters have none, because redacting
 * them would ruin every response.
 */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  const encoded = [...new Set(sentForms(secret))].flatMap(encodedForms);
  return [...new Set([secret, secret.replaceAll(" ", "+"), ...encoded])];
}

/** A secret literally, and as encoded in URLs and JSON. */
function sentForms(secret: string): readonly string[] {
  const wellFormed = secret.replace(/[\ud800-\udfff]/gu, "\ufffd");
  const url = encodeURIComponent(wellFormed);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, url, url.replaceAll("%20", "+"), json, json.replaceAll("/", "\\/")];
}

function encodedForms(text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const encoded = [
    base64(text),
    base64(text).replace(/(?<!=)=+$/, ""),
    ...[0, 1, 2].map((offset) => base64Inside(bytes, offset)),
    hex,
    hex.toUpperCase(),
  ].filter((form, i) => i < 2 || form.length >= MIN_ENCODED);
  const urlSafe = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...encoded, ...urlSafe];
}

/** The characters of base64 that do not depend on the bytes before and after. */
function base64Inside(bytes: Uint8Array, offset: number): string {
  const shifted = new Uint8Array(offset + bytes.length);
  shifted.set(bytes, offset);
  const text = base64(shifted).replace(/(?<!=)=+$/, "");
  const dependsOnNext = shifted.length % 3 !== 0;
  return text.slice(Math.ceil((offset * 8) / 6), dependsOnNext ? -1 : undefined);
}

/** Part of a text, as offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Decoded escapes: for each, its start and end in the decoded text, then those in the original
 * text. A text may have millions of them, so they are not objects.
 */
type Layer = readonly number[];
const LAYER_FIELDS = 4;

/** Number of escapes that are decoded in one step, and of characters that are searched. */
const STEP_ESCAPES = 2_000;
const STEP_CHARACTERS = 1_000_000;

/** Maximum number of times that escapes are decoded. */
const MAX_LAYERS = 5;

/** A row of percent-encoded bytes ends with a whole character of UTF-8. */
const ESCAPES =
  /\\+(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^\w\s])|%u[0-9a-f]{4}|(?:%[0-9a-f]{2}){1,1000}(?:%[89ab][0-9a-f]){0,3}|&(?:#0{0,9}\d{1,7}|#x0{0,9}[0-9a-f]{1,6}|[a-z]{2,6});?/gi;

/** Names of HTML for ASCII characters, each before its character. */
const NAMED = (
  "amp & apos ' ast * bsol \\ colon : comma , commat @ dollar $ equals = excl ! gt > hat ^ " +
  "lbrace { lbrack [ lcub { lowbar _ lpar ( lsqb [ lt < num # percnt % period . plus + " +
  'quest ? quot " rbrace } rbrack ] rcub } rpar ) rsqb ] semi ; sol / verbar |'
).split(" ");
const ENTITIES = new Map(
  NAMED.flatMap((name, i) => (i % 2 === 0 ? [[name, NAMED[i + 1]!] as const] : [])),
);

/**
 * Finds words in a text, whether or not they are escaped: as in JSON (also JSON inside of JSON), in
 * URLs and in HTML, in any order and number.
 * @param depth number of times that escapes are decoded
 * @returns their places in the text, in order and without overlaps
 */
export function* findEscaped(
  text: string,
  words: readonly string[],
  depth = MAX_LAYERS,
): Steps<readonly Range[]> {
  const found: Range[] = [];
  const layers: Layer[] = [];
  for (let current = text; ;) {
    for (const word of words) {
      for (let at = current.indexOf(word); at >= 0; at = current.indexOf(word, at + word.length))
        found.push(toOuter({ start: at, end: at + word.length }, layers));
      if (current.length > STEP_CHARACTERS) yield;
    }
    const layer = layers.length < depth ? yield* decode(current) : undefined;
    if (!layer || layer.text === current) return withoutOverlaps(found);
    layers.push(layer.escapes);
    current = layer.text;
  }
}

/**
 * The forms that a word takes while escapes around it are decoded: itself, and what its own
 * characters decode to, `%41` for example.
 */
export function decodedForms(word: string): readonly string[] {
  const forms = [word];
  for (let i = 0; i < MAX_LAYERS; i++) {
    const { text } = runAtOnce(decode(forms.at(-1) as string));
    if (text === forms.at(-1)) break;
    forms.push(text);
  }
  return forms;
}

/** Decodes each escape once. A row of backslashes counts as one, as in JSON inside of JSON. */
function* decode(text: string): Steps<{ readonly text: string; readonly escapes: Layer }> {
  const escapes: number[] = [];
  const parts: string[] = [];
  let [end, length, count] = [0, 0, 0];
  for (const { 0: escape, index } of text.matchAll(ESCAPES)) {
    if (++count % STEP_ESCAPES === 0) yield;
    const plain = decodeEscape(escape);
    if (plain === escape) continue;
    const start = length + index - end;
    parts.push(text.slice(end, index), plain);
    length = start + plain.length;
    end = index + escape.length;
    escapes.push(start, length, index, end);
  }
  return { text: parts.join("") + text.slice(end), escapes };
}

function decodeEscape(escape: string): string {
  if (escape.startsWith("&")) return decodeEntity(escape);
  const [, hex] = /^(?:%u|\\+[ux]\{?)([0-9a-f]+)\}?$/i.exec(escape) ?? [];
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16)) ?? escape;
  return escape.startsWith("%") ? decodePercent(escape) : escape.slice(-1);
}

const textDecoder = new TextDecoder();

function decodePercent(escape: string): string {
  const bytes = escape.slice(1).split("%");
  return textDecoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

function decodeEntity(escape: string): string {
  const [, hex, decimal, name = ""] = /^&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?$/i.exec(escape) ?? [];
  const code = Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16);
  if (Number.isNaN(code)) return ENTITIES.get(name.toLowerCase()) ?? escape;
  return fromCode(code) ?? escape;
}

function fromCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Place in the text around all layers. An escape that is touched belongs to it completely. */
function toOuter(range: Range, layers: readonly Layer[]): Range {
  return layers.reduceRight<Range>(
    ({ start, end }, layer) => ({
      start: outerOffset(start, layer, false),
      end: outerOffset(end - 1, layer, true),
    }),
    range,
  );
}

/** Offset of a character in the text around a layer: of its start, or of its end. */
function outerOffset(offset: number, layer: Layer, ofEnd: boolean): number {
  let low = 0;
  let high = layer.length / LAYER_FIELDS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((layer[middle * LAYER_FIELDS] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return ofEnd ? offset + 1 : offset;
  const at = (low - 1) * LAYER_FIELDS;
  const [, end = 0, outerStart = 0, outerEnd = 0] = layer.slice(at, at + LAYER_FIELDS);
  if (offset < end) return ofEnd ? outerEnd : outerStart;
  const outer = offset - end + outerEnd;
  return ofEnd ? outer + 1 : outer;
}

function withoutOverlaps(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || range.start >= last.end) merged.push(range);
    else if (range.end > last.end) merged[merged.length - 1] = { ...last, end: range.end };
  }
  return merged;
}
