// response: files of the runtime of mcp-gen as one module, each after those that it uses.

import type { CallToolResult, ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import {
  base64, beginningOf, capitalize, decodeBase64, type FieldPath, framedText, isJson, isObject,
  isReadableText, isSequence, isWholeText, joinFirst, limitValuesInSteps, MAX_PROPERTIES,
  MAX_VALUES, omitUndefined, ownProperty, parseContentType, type ParsedJson, parseJsonInSteps,
  parseJsonText, parsePointer, pickFields, runAtOnce, runWithPauses, sha256, singularize,
  splitJsonSequence, type Steps, type Store, textInBytes, toBinaryString, unlessUnavailable,
  utf8Bytes, valueAt, type ValueLimit,
} from "./data.js";
import {
  type ApiResponse, type Body, type BodyCut, type Env, fileName, type Folder, headerValue,
  mayHoldCredential, type ResponseHeaders,
} from "./request.js";
import {
  coerceOutput, describeConversion, describeProblem, formatPath, listFields, type OutputDifferences,
  type PathSegment, type Problem, propertiesOf, propertySchema, targetOf,
} from "./schema.js";
import {
  type ApiDefinition, basicSecrets, type JsonSchema, type ResponseMapping, rulesOf,
  type ToolAnnotations, type ToolDefinition, type ToolInput,
} from "./types.js";

// ---- response/secret-forms.ts ----
// Forms of secrets in texts: encodings that are searched for, and escapes that are decoded.

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

// ---- response/shape.ts ----
// Texts and depth of results: removes invisible text, cuts deep parts.

/**
 * Characters that a reader does not see but a model or a terminal interprets: controls except tab
 * and line breaks, bidirectional controls, characters without width and use in data (fillers,
 * invisible operators, tags, supplementary variation selectors), and rows of joiners or variation
 * selectors, which can spell a hidden text. Unicode: Bidi_Control, Default_Ignorable_Code_Point.
 */
const INVISIBLE =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\r(?!\n)/gu;

/** Colors and cursor movements of terminals (ECMA-48, 5.4), whole: `ESC[32m`. */
const TERMINAL_SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/**
 * Removes invisible characters and terminal sequences. Unpaired surrogates become U+FFFD, so that
 * the result is valid JSON.
 */
export function sanitize(text: string): string {
  return text
    .replace(TERMINAL_SEQUENCE, "")
    .replace(INVISIBLE, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Maximum nesting of values. No agent reads deeper ones, and they would exhaust the stack. */
export const MAX_DEPTH = 100;

const DEPTH_MARKER = "[nested too deeply to show]";

/**
 * Maps every string of a JSON value, names of properties included, and cuts deeply nested parts. An
 * unchanged part is not copied.
 */
export function mapStrings(
  value: unknown,
  edit: (text: string) => string,
  depth = 0,
  editNumber: (number: number) => number = (number) => number,
): unknown {
  if (typeof value === "string") return edit(value);
  if (typeof value === "number") return editNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return DEPTH_MARKER;
  const editMember = (member: unknown): unknown => mapStrings(member, edit, depth + 1, editNumber);
  return Array.isArray(value)
    ? mapList(value, editMember)
    : mapObject(value as Record<string, unknown>, edit, editMember);
}

/** Levels of a value whose members are steps of their own. */
const STEPPED_LEVELS = 3;

/** Number of members that one step maps. */
const STEP_MEMBERS = 1_000;

/** Length of a text above which its edit has steps of its own, if the edit has steps. */
export const LONG_TEXT = 100_000;

/** Edits a text; a long one in steps. */
interface TextEdit {
  (text: string): string;
  readonly inSteps?: (text: string) => Steps<string>;
}

/** `mapStrings` in steps, for large values. */
export function* mapStringsInSteps(
  value: unknown,
  edit: TextEdit,
  depth = 0,
  editNumber?: (number: number) => number,
): Steps<unknown> {
  if (typeof value === "string" && value.length > LONG_TEXT && edit.inSteps)
    return yield* edit.inSteps(value);
  if (typeof value !== "object" || value === null || depth >= STEPPED_LEVELS)
    return mapStrings(value, edit, depth, editNumber);
  const editMember = (member: unknown): Steps<unknown> =>
    mapStringsInSteps(member, edit, depth + 1, editNumber);
  return Array.isArray(value)
    ? yield* mapListInSteps(value, editMember)
    : yield* mapObjectInSteps(value, edit, editMember);
}

type EditMember = (member: unknown) => Steps<unknown>;

function* mapListInSteps(list: readonly unknown[], editMember: EditMember): Steps<unknown> {
  const copy: unknown[] = [];
  let changed = false;
  for (const item of list) {
    if (copy.length % STEP_MEMBERS === STEP_MEMBERS - 1) yield;
    const edited = yield* editMember(item);
    if (edited !== item) changed = true;
    copy.push(edited);
  }
  return changed ? copy : list;
}

function* mapObjectInSteps(object: object, edit: TextEdit, editMember: EditMember): Steps<unknown> {
  const copy: (readonly [string, unknown])[] = [];
  let changed = false;
  for (const [key, value] of Object.entries(object)) {
    if (copy.length % STEP_MEMBERS === STEP_MEMBERS - 1) yield;
    const entry = [edit(key), yield* editMember(value)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    copy.push(entry);
  }
  return changed ? Object.fromEntries(copy) : object;
}

function mapList(
  list: readonly unknown[],
  editMember: (member: unknown) => unknown,
): readonly unknown[] {
  let changed = false;
  const copy = list.map((item) => {
    const edited = editMember(item);
    if (edited !== item) changed = true;
    return edited;
  });
  return changed ? copy : list;
}

function mapObject(
  object: Readonly<Record<string, unknown>>,
  edit: (text: string) => string,
  editMember: (member: unknown) => unknown,
): object {
  let changed = false;
  const copy = Object.entries(object).map(([key, value]) => {
    const entry = [edit(key), editMember(value)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    return entry;
  });
  // fromEntries defines properties, so that __proto__ is a key like any other.
  return changed ? Object.fromEntries(copy) : object;
}

// ---- response/redact.ts ----
// Redaction of secrets in results, files and log lines.

/** A full result, of which only a part is shown. */
export type FullResult =
  | {
      readonly mimeType: string;
      readonly text: string;
      /** Paths of fields in it, as examples of `pick`. */
      readonly paths?: readonly string[];
    }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** Replaces secrets in a text. */
export interface Redact {
  (text: string): string;
  /** Words that are replaced, the longest first. */
  readonly words?: readonly string[];
  /** Replaces them in steps, for long texts. */
  readonly inSteps?: (text: string) => Steps<string>;
}

/** Replacement of a secret. */
export const REDACTED = "[redacted]";

/** Mark of a truncated text, and minimum length of a secret's prefix before it. */
const ELLIPSIS = "…";
const MIN_PREFIX = 4;

/** Words in binary data are longer, because short ones occur by chance. */
const MIN_BINARY = 8;

/** Binary data above this size, in bytes, is searched without decoding escapes. */
const MAX_DECODED_BYTES = 1024 * 1024;

/**
 * Creates a redactor of secrets, literally and with any escapes. Before a truncation mark, it also
 * replaces prefixes of secrets. Longer secrets are replaced first, because they may contain shorter
 * ones.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= 4)
      .flatMap((secret) => [...decodedForms(secret), JSON.stringify(secret).slice(1, -1)])
      .filter((word) => word.length >= 4),
  );
  const byLength = (a: string, b: string) => b.length - a.length || (a < b ? -1 : 1);
  const words = [...forms].sort(byLength);
  // Truncation may be within an escape of a URL, so prefixes are compared with encoded secrets,
  // too.
  const written = [...new Set(words.flatMap(urlForms))].sort(byLength);
  const inSteps = function* (text: string): Steps<string> {
    if (words.length === 0) return text;
    const safe = replaceRanges(text, yield* findEscaped(text, words), () => REDACTED);
    return safe.includes(ELLIPSIS) ? redactPrefixes(safe, written) : safe;
  };
  return Object.assign((text: string) => runAtOnce(inSteps(text)), { words, inSteps });
}

/** A secret literally, and as encoded in URLs and forms. */
function urlForms(word: string): readonly string[] {
  const wellFormed = word.replace(/[\ud800-\udfff]/gu, "\ufffd");
  const encoded = encodeURIComponent(wellFormed);
  return [word, encoded, encodeURI(wellFormed), encoded.replaceAll("%20", "+")];
}

function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replacement: (length: number) => string,
): string {
  if (ranges.length === 0) return text;
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), replacement(end - start));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

function redactPrefixes(text: string, secrets: readonly string[]): string {
  const ends = new Set(
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - MIN_PREFIX + 1 }, (_, i) =>
        secret.slice(i, i + MIN_PREFIX),
      ),
    ),
  );
  const pieces = text.split(ELLIPSIS);
  const last = pieces.pop() ?? "";
  return [
    ...pieces.map((piece) =>
      ends.has(piece.slice(-MIN_PREFIX)) ? redactPrefix(piece, secrets) : piece,
    ),
    last,
  ].join(ELLIPSIS);
}

/**
 * Replaces the prefix of a secret at the end of a text. A caller may choose where a response is
 * truncated.
 */
function redactPrefix(text: string, secrets: readonly string[]): string {
  const end = text.slice(-MIN_PREFIX);
  for (const secret of secrets) {
    for (
      let at = secret.lastIndexOf(end);
      at >= 0;
      at = at === 0 ? -1 : secret.lastIndexOf(end, at - 1)
    ) {
      const beginning = secret.slice(0, at + MIN_PREFIX);
      if (text.endsWith(beginning)) return `${text.slice(0, -beginning.length)}${REDACTED}`;
    }
  }
  return text;
}

/**
 * Lists the credentials in the environment and those that the configuration fixes, in every form in
 * which they may come back.
 */
export function configuredSecrets(api: ApiDefinition, env: Env): readonly string[] {
  const variables = Object.values(api.securitySchemes).flatMap((scheme) =>
    rulesOf(scheme).secrets(scheme),
  );
  const inbound = (env[`${api.envPrefix}_HTTP_TOKEN`] ?? "")
    .split(",")
    .map((token) => token.trim());
  const ownClients = ["TOKEN_EXCHANGE", "HTTP_SIGN_IN"].map(
    (client) => `${api.envPrefix}_${client}_CLIENT_SECRET`,
  );
  const ownStore = [`${api.envPrefix}_STORE`, `${api.envPrefix}_STORE_KEY`];
  const names = [...variables, ...(api.secretParameters ?? []), ...ownClients, ...ownStore];
  const values = names.map((name) => env[name ?? ""] ?? "");
  const constants = [...(api.secretConstants ?? []), ...constantHeaders(api)];
  const secrets = [...values, ...constants].map((value) => value.trim());
  return [...secrets, ...inbound].flatMap(withoutScheme).flatMap(secretForms);
}

/** The constant headers of the configuration that are credentials. */
function constantHeaders(api: ApiDefinition): readonly string[] {
  const headers = Object.entries(api.headers ?? {});
  const secret = headers.filter((header) => mayHoldCredential(header, api));
  return secret.flatMap(([, source]) => headerValue(source, {}) ?? []);
}

/** A secret, and the credentials in it after the name of an HTTP authentication scheme. */
function withoutScheme(secret: string): readonly string[] {
  const [, scheme = "", credentials] =
    /^(basic|bearer|token|apikey|api-key|key) +(\S+)$/i.exec(secret) ?? [];
  if (credentials === undefined) return [secret];
  return [secret, credentials, ...(/^basic$/i.test(scheme) ? basicSecrets(credentials) : [])];
}

/**
 * Redacts every part of a result: texts, addresses, names and types, contents of files, and the
 * names and values of structured content. Most results have no secrets and are returned unchanged.
 */
export function redactResult(result: CallToolResult, redact: Redact): Promise<CallToolResult> {
  return runWithPauses(redactInSteps(result, redact));
}

function* redactInSteps(result: CallToolResult, redact: Redact): Steps<CallToolResult> {
  const { content, ...rest } = result;
  const blocks: ContentBlock[] = [];
  for (const block of content) blocks.push(yield* redactBlock(block, redact));
  const others = yield* redactValue(rest, redact);
  if (others === rest && blocks.every((block, i) => block === content[i])) return result;
  return { ...others, content: blocks };
}

/** Redacts a full result, which is stored or saved. Other calls go on meanwhile. */
export async function redactFullResult(
  fullResult: FullResult,
  redact: Redact,
): Promise<FullResult> {
  const mimeType = redactType(fullResult.mimeType, redact);
  if ("bytes" in fullResult)
    return { mimeType, bytes: await runWithPauses(redactBytes(fullResult.bytes, redact)) };
  const { text, ...others } = fullResult;
  return {
    ...others,
    mimeType,
    text: redact.inSteps ? await runWithPauses(redact.inSteps(text)) : redact(text),
  };
}

function* redactBlock(block: ContentBlock, redact: Redact): Steps<ContentBlock> {
  switch (block.type) {
    case "image":
    case "audio": {
      const { data, mimeType, ...rest } = block;
      const contents = yield* redactEncoded(data, redact);
      const type = redactType(mimeType, redact);
      const others = yield* redactValue(rest, redact);
      if (contents === data && type === mimeType && others === rest) return block;
      return { ...others, data: contents, mimeType: type };
    }
    case "resource": {
      const { resource, ...rest } = block;
      const contents = yield* redactContents(resource, redact);
      const others = yield* redactValue(rest, redact);
      return contents === resource && others === rest ? block : { ...others, resource: contents };
    }
    default: {
      const { type, ...rest } = block;
      const others = yield* redactValue(rest, redact);
      return others === rest ? block : ({ type, ...others } as ContentBlock);
    }
  }
}

type ResourceContents = Extract<ContentBlock, { type: "resource" }>["resource"];

function* redactContents(resource: ResourceContents, redact: Redact): Steps<ResourceContents> {
  const blob = "blob" in resource ? resource.blob : undefined;
  const { mimeType } = resource;
  const rest = yield* redactValue({ ...resource, blob: undefined, mimeType: undefined }, redact);
  const safe = {
    ...rest,
    ...(blob !== undefined && { blob: yield* redactEncoded(blob, redact) }),
    ...(mimeType !== undefined && { mimeType: redactType(mimeType, redact) }),
  } as ResourceContents;
  return JSON.stringify(safe) === JSON.stringify(resource) ? resource : safe;
}

/** Redacts the strings of a value, and numbers whose digits are a secret. */
function* redactValue<Value>(value: Value, redact: Redact): Steps<Value> {
  const numbers = redact.words?.filter((word) => /^\d+$/.test(word)) ?? [];
  if (numbers.length === 0) return (yield* mapStringsInSteps(value, redact)) as Value;
  const redactNumber = (number: number): number => (numbers.includes(String(number)) ? 0 : number);
  return (yield* mapStringsInSteps(value, redact, 0, redactNumber)) as Value;
}

/** A media type with a secret is not used to decide about the contents. */
function redactType(mimeType: string, redact: Redact): string {
  return redact(mimeType) === mimeType ? mimeType : "application/octet-stream";
}

function* redactEncoded(data: string, redact: Redact): Steps<string> {
  const bytes = decodeBase64(data);
  const safe = yield* redactBytes(bytes, redact);
  return safe === bytes ? data : base64(safe);
}

/** Overwrites secrets in binary contents, in UTF-8 and UTF-16. All other bytes are unchanged. */
function* redactBytes(bytes: Uint8Array, { words = [] }: Redact): Steps<Uint8Array> {
  const long = words.filter((word) => word.length >= MIN_BINARY);
  if (long.length === 0) return bytes;
  const depth = bytes.byteLength > MAX_DECODED_BYTES ? 0 : undefined;
  // Escapes are decoded to characters, other text is one character for each byte of UTF-8.
  const narrowWords = [...new Set([...long, ...long.map(toBinaryUtf8)])];
  const narrow = yield* findEscaped(toBinaryString(bytes), narrowWords, depth);
  // Text in UTF-16 starts at an even or at an odd offset. Big-endian ASCII is found at the other.
  const wide: Range[] = [];
  for (const offset of [0, 1])
    for (const { start, end } of yield* findEscaped(
      utf16.decode(bytes.subarray(offset)),
      long,
      depth,
    ))
      wide.push({ start: 2 * start + offset, end: 2 * end + offset });
  const ranges = [...narrow, ...wide];
  if (ranges.length === 0) return bytes;
  const copy = bytes.slice();
  for (const { start, end } of ranges) copy.fill(0x2a, start, end);
  return copy;
}

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** The bytes of a text in UTF-8, one character for each. */
function toBinaryUtf8(text: string): string {
  return toBinaryString(utf8Bytes(text));
}

// ---- response/call-reference.ts ----
// URIs of results. The query of a URI states the call of a tool that only reads, so that the full
// result can be read without a store, and after it has expired: the call is repeated.
// result://find_pets/0b9f…?status=sold&limit=100#3f2a9c01
// The last part of the path is that of a stored result, and the fragment is the start of the digest
// of the result.

/** Maximum length of a URI that states a call. Models copy them. */
const MAX_URI = 600;

/** Number of characters of a digest. */
const DIGEST_LENGTH = 8;

/** A call whose result can be read again. */
interface CallReference {
  readonly tool: string;
  readonly input: ToolInput;
  /** Start of the digest of the result. */
  readonly digest: string;
}

const uriPattern = /^result:\/\/([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/;

/**
 * Adds a call to the URI of its result; `undefined` if the URI would be too long.
 * @param uri `result://TOOL`, or the URI of a stored result
 */
export function withCall(uri: string, input: ToolInput, digest: string): string | undefined {
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]) => [name, valueText(value)] as [string, string]),
  );
  const whole = `${uri}?${query.toString()}#${digest}`;
  return whole.length <= MAX_URI ? whole : undefined;
}

/** Reads the call of a URI; `undefined` if it states none. */
export function readCall(uri: string): CallReference | undefined {
  const [, tool, , query, digest = ""] = uriPattern.exec(uri) ?? [];
  if (tool === undefined || query === undefined) return undefined;
  const pairs = [...new URLSearchParams(query)].map(([name, text]) => [name, valueOf(text)]);
  return { tool, input: Object.fromEntries(pairs) as ToolInput, digest };
}

/** The part of a URI that identifies a stored result. */
export function withoutCall(uri: string): string {
  return uri.split(/[?#]/, 1)[0]!;
}

/** The start of the digest of a result. */
export async function digestOf(text: string): Promise<string> {
  return (await sha256(text)).slice(0, DIGEST_LENGTH);
}

/** A text as it is, unless it reads like another value; any other value as JSON. */
function valueText(value: unknown): string {
  return typeof value === "string" && valueOf(value) === value ? value : JSON.stringify(value);
}

function valueOf(text: string): unknown {
  const value = parseJsonText(text);
  // `1e3` and `0.10` are texts: their numbers are written differently.
  const isExact = typeof value === "string" || isObject(value) || Array.isArray(value);
  return isExact || (value !== undefined && String(value) === text) ? value : text;
}

// ---- response/result-facts.ts ----
// Facts about a result beside its data: notes, and values such as the inputs of the next page.
// Hosts show a model the text or the structured content, so that both have all of them.

/** Facts about a result. */
export interface ResultFacts {
  /** Sentences. */
  readonly notes?: readonly (string | undefined)[];
  /** Sentences that the text has already, apart from notes. */
  readonly textNotes?: readonly string[];
  /** Values of the structured result, by key. The notes state those that the data lacks. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Further content, such as links. */
  readonly blocks?: readonly ContentBlock[];
}

/** All facts of both, if there are any. */
export function mergeFacts(
  one: ResultFacts | undefined,
  other: ResultFacts | undefined,
): ResultFacts | undefined {
  if (!one || !other) return one ?? other;
  return {
    notes: [...(one.notes ?? []), ...(other.notes ?? [])],
    textNotes: [...(one.textNotes ?? []), ...(other.textNotes ?? [])],
    values: { ...one.values, ...other.values },
    blocks: [...(one.blocks ?? []), ...(other.blocks ?? [])],
  };
}

/** A result, with the key of the notes in its structured content. */
export interface NotedResult {
  readonly result: CallToolResult;
  /** Absent without notes. */
  readonly notesKey?: string;
}

/**
 * Adds facts to the text of a result, and to its structured content if there is any. A key that the
 * data or the output schema has is not used: `notes` becomes `resultNotes`.
 */
export function addFacts(
  { result, notesKey }: NotedResult,
  facts: ResultFacts,
  outputSchema: JsonSchema | undefined,
): NotedResult {
  const notes = (facts.notes ?? []).filter((note) => note !== undefined).map(sanitize);
  const lines = notes.map((note) => ({ type: "text" as const, text: `Note: ${note}` }));
  const content = [...result.content, ...lines, ...(facts.blocks ?? [])];
  const structured = result.structuredContent;
  if (!isObject(structured)) return { result: { ...result, content } };
  const withValues = addValues(structured, facts.values ?? {}, outputSchema);
  const sentences = [...(facts.textNotes ?? []), ...notes];
  const earlier = notesKey === undefined ? undefined : structured[notesKey];
  const hasEarlier = notesKey !== undefined && Array.isArray(earlier);
  const chosen = new KeyChoice(structured, outputSchema).choose("notes");
  const key = hasEarlier ? notesKey : sentences.length > 0 ? chosen : undefined;
  if (key === undefined) return { result: { ...result, content, structuredContent: withValues } };
  const all = [...(hasEarlier ? (earlier as readonly string[]) : []), ...sentences];
  const structuredContent = { ...withValues, [key]: all };
  return { result: { ...result, content, structuredContent }, notesKey: key };
}

/** Adds a note to a result, unless it is an error. */
export function addResultNote<Result extends NotedResult>(
  outcome: Result,
  note: string,
  outputSchema: JsonSchema | undefined,
): Result {
  if (outcome.result.isError) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes: [note] }, outputSchema) };
}

/** Adds values to structured content, under keys that neither it nor its schema has. */
export function addValues(
  structured: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
  outputSchema: JsonSchema | undefined,
): Record<string, unknown> {
  const keys = new KeyChoice(structured, outputSchema);
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const key = value === undefined ? undefined : keys.choose(name);
    return key === undefined ? [] : [[key, mapStrings(value, sanitize)] as const];
  });
  return entries.length === 0 ? structured : { ...structured, ...Object.fromEntries(entries) };
}

/** Keywords of a root that may refuse further properties. */
const CLOSING = (
  "additionalProperties unevaluatedProperties propertyNames patternProperties " +
  "maxProperties allOf anyOf oneOf not $ref"
).split(" ");

/** A root that is a reference, replaced by its target. */
function withoutRef(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const target = targetOf($ref, schema);
  return target ? { ...target, ...rest } : schema;
}

/** Chooses keys for facts that neither the data nor the output schema has. */
class KeyChoice {
  private readonly declared: object;
  private readonly isOpen: boolean;

  constructor(
    private readonly data: object,
    schema: JsonSchema = {},
  ) {
    const root = withoutRef(schema);
    this.declared = propertiesOf(root);
    this.isOpen = CLOSING.every((keyword) => [undefined, true].includes(root[keyword] as true));
  }

  /** The key of a fact; `undefined` if the output schema allows no further properties. */
  choose(name: string): string | undefined {
    if (!this.isOpen) return undefined;
    const isTaken = (key: string): boolean =>
      Object.hasOwn(this.data, key) || Object.hasOwn(this.declared, key);
    if (!isTaken(name)) return name;
    let key = `result${name[0]!.toUpperCase()}${name.slice(1)}`;
    while (isTaken(key)) key += "_";
    return key;
  }
}

// ---- response/save-file.ts ----
// Files in results, which are saved in the folder for files.

/** The response that a file comes from. */
export interface FileSource {
  readonly url: string;
  readonly headers?: Pick<ResponseHeaders, "get"> | undefined;
}

interface SaveOptions {
  readonly tool: { readonly name: string };
  readonly files?: Folder | undefined;
  readonly source?: FileSource | undefined;
  readonly redact: Redact;
}

/**
 * Saves the bytes of a result, if there is a folder for files.
 * @param store stores the result as well, for clients that cannot read the folder
 */
export async function saveFile(
  fullResult: FullResult,
  options: SaveOptions,
  store: () => Promise<ResultFacts | undefined>,
): Promise<ResultFacts | undefined> {
  const { files } = options;
  if ("text" in fullResult || !files) return undefined;
  const { mimeType, bytes } = fullResult;
  const path = await files.save(nameOf(mimeType, options), bytes);
  if (path === undefined) return undefined;
  const [name = path] = path.split(/[/\\]/).slice(-1);
  if (files.isRemote) {
    const { notes = [], ...stored } = (await store()) ?? {};
    return { ...stored, notes: [`Saved as ${shownName(`file:${name}`)} on the server.`, ...notes] };
  }
  const uri = fileUri(path);
  return {
    notes: [`Saved as ${shownName(path)}.`],
    values: { resource: uri },
    blocks: [{ type: "resource_link", uri, name, mimeType, size: bytes.byteLength }],
  };
}

function nameOf(mimeType: string, { source, redact, tool }: SaveOptions): string {
  if (!source) return tool.name;
  const headers = { get: (name: string) => redact(source.headers?.get(name) ?? "") };
  return fileName({ headers, url: redact(source.url), mimeType, tool: tool.name });
}

/** A name with spaces, which may be words of an API, is quoted. */
function shownName(name: string): string {
  return /\s/.test(name) ? JSON.stringify(name) : name;
}

/** Writes a path as a `file:` URL. RFC 8089. */
function fileUri(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .map((part, i) => (i === 0 && /^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)));
  return `file://${path.startsWith("/") ? "" : "/"}${parts.join("/")}`;
}

// ---- response/result-store.ts ----
// Full results of which an agent got a part: stored as resources, or saved as files.

/** Content that `resources/read` returns. */
export type StoredContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Store of results that were too large to be shown; see `createResultStore`. */
export interface ResultStore {
  /** Lifetime of a result, as a phrase. */
  readonly lifetimeText: string;
  /** True if all processes of the server read the same results. */
  readonly isShared?: true;
  /**
   * Stores a result of a tool; `undefined` when it exceeds the capacity of the store.
   * @throws StoreUnavailable if the store cannot be reached
   */
  store(tool: string, fullResult: FullResult): Awaitable<ResourceLink | undefined>;
  /**
   * Reads a result; `undefined` when the URI is unknown or expired.
   * @throws StoreUnavailable if the store cannot be reached
   */
  read(uri: string): Awaitable<StoredContents | undefined>;
  /** Returns the store of one caller, who cannot read results of others. */
  forCaller(caller: string): ResultStore;
}

type Awaitable<Value> = Value | Promise<Value>;

interface MemoryResultStore extends ResultStore {
  store(tool: string, fullResult: FullResult): ResourceLink | undefined;
  read(uri: string): StoredContents | undefined;
  forCaller(caller: string): MemoryResultStore;
}

const LIFETIME_MS = 600_000;
const LIFETIME_TEXT = `${LIFETIME_MS / 60_000} minutes`;

interface Entry {
  readonly result: FullResult;
  readonly caller: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Creates a store in memory. Results expire after ten minutes, and new ones replace the oldest.
 * There are no timers: expired results are removed when another one is stored or read.
 *
 * The last part of a URI is random, URIs are not listed, and a result belongs to the caller who got
 * it, so that a leaked link is useless. MCP, Security Best Practices, "State Handle Hijacking".
 */
export function createResultStore(
  maxBytes: number,
  now: () => number = () => performance.now(),
): MemoryResultStore {
  return new MemoryStore(maxBytes, now).forCaller("");
}

class MemoryStore {
  /** Entries in the order of insertion, which is the order of expiry. */
  readonly #entries = new Map<string, Entry>();
  #total = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly now: () => number,
  ) {}

  forCaller(caller: string): MemoryResultStore {
    return {
      lifetimeText: LIFETIME_TEXT,
      forCaller: (other) => this.forCaller(other),
      store: (tool, fullResult) => this.#store(tool, fullResult, caller),
      read: (uri) => this.#read(uri, caller),
    };
  }

  #store(tool: string, fullResult: FullResult, caller: string): ResourceLink | undefined {
    const bytes = "text" in fullResult ? 2 * fullResult.text.length : fullResult.bytes.byteLength;
    if (bytes > this.maxBytes) return undefined;
    this.#makeRoom(bytes);
    const link = linkTo(tool, fullResult);
    const expiresAt = this.now() + LIFETIME_MS;
    this.#entries.set(link.uri, { result: fullResult, caller, bytes, expiresAt });
    this.#total += bytes;
    return link;
  }

  #read(uri: string, caller: string): StoredContents | undefined {
    const key = withoutCall(uri);
    const entry = this.#entries.get(key);
    if (entry?.caller !== caller) return undefined;
    if (entry.expiresAt <= this.now()) return void this.#drop(key, entry);
    return contentsOf(uri, entry.result);
  }

  #drop(uri: string, { bytes }: Entry): void {
    this.#entries.delete(uri);
    this.#total -= bytes;
  }

  #makeRoom(bytes: number): void {
    for (const [uri, entry] of this.#entries) {
      if (entry.expiresAt > this.now() && this.#total + bytes <= this.maxBytes) return;
      this.#drop(uri, entry);
    }
  }
}

/** The content of a result, as `resources/read` returns it. */
export function contentsOf(uri: string, result: FullResult): StoredContents {
  const { mimeType } = result;
  return "text" in result
    ? { uri, mimeType, text: result.text }
    : { uri, mimeType, blob: base64(result.bytes) };
}

function linkTo(tool: string, fullResult: FullResult): ResourceLink {
  return {
    type: "resource_link",
    uri: `result://${tool}/${crypto.randomUUID()}`,
    name: `${tool} result`,
    mimeType: fullResult.mimeType,
    size: byteLengthOf(fullResult),
  };
}

/** First part of the keys of results in a store. */
const KEY_KIND = "result";

/**
 * Creates a store whose results all processes can read. The caller is part of the key.
 * @param maxBytes maximum size of one result
 */
export function createSharedResultStore(
  store: Store,
  maxBytes: number,
  caller: string = "",
): ResultStore {
  const keyOf = (uri: string): string => JSON.stringify([KEY_KIND, caller, uri]);
  return {
    lifetimeText: LIFETIME_TEXT,
    isShared: true,
    forCaller: (other) => createSharedResultStore(store, maxBytes, other),
    async store(tool, fullResult) {
      const link = linkTo(tool, fullResult);
      if ((link.size ?? 0) > maxBytes) return undefined;
      const contents = JSON.stringify(contentsOf(link.uri, fullResult));
      await store.set(keyOf(link.uri), contents, LIFETIME_MS);
      return link;
    },
    async read(uri) {
      const contents = await store.get(keyOf(withoutCall(uri)));
      return contents === undefined
        ? undefined
        : { ...(JSON.parse(contents) as StoredContents), uri };
    },
  };
}

function byteLengthOf(fullResult: FullResult): number {
  const bytes = "text" in fullResult ? utf8Bytes(fullResult.text) : fullResult.bytes;
  return bytes.byteLength;
}

interface LinkOptions {
  readonly tool: {
    readonly name: string;
    readonly outputSchema?: JsonSchema | undefined;
  };
  readonly call: {
    readonly tool: { readonly annotations: Pick<ToolAnnotations, "readOnlyHint"> };
    readonly input: ToolInput;
  };
  /** True if its request may have changed something. */
  readonly isWrite: boolean;
  /** Absent: results are not stored. */
  readonly resultStore?: ResultStore;
  /** Tool that reads stored results. */
  readonly resultReader?: string | undefined;
  /** Absent: files are not saved. */
  readonly files?: Folder;
  readonly redact: Redact;
  /** The response whose file is saved. Absent: a file is named after the tool. */
  readonly source?: FileSource;
}

/**
 * Adds a link to the full result: to a saved file when there is a folder for files, otherwise to a
 * stored result, or to one that is read by repeating the call.
 */
export async function linkFullResult<Result extends NotedResult>(
  noted: Result,
  received: FullResult,
  options: LinkOptions,
): Promise<Result> {
  const fullResult = await redactFullResult(received, options.redact);
  const store = (): Promise<ResultFacts | undefined> => storeResult(fullResult, options);
  const facts = (await saveFile(fullResult, options, store)) ?? (await store());
  const { notes = [], ...others } = facts ?? { notes: [tooLargeNote(fullResult)] };
  const hidden = isHiddenLater(noted.result, received, fullResult) ? [HIDDEN_NOTE] : [];
  const added = { ...others, notes: [...notes, ...hidden] };
  return { ...noted, ...addFacts(noted, added, options.tool.outputSchema) };
}

const HIDDEN_NOTE = `Hidden by this server in the full result: its credentials. They are shown as ${REDACTED}.`;

/** True if redaction has changed the full result, but not the part of it that is shown. */
function isHiddenLater(
  shown: NotedResult["result"],
  received: FullResult,
  safe: FullResult,
): boolean {
  if (!("text" in received && "text" in safe) || received.text === safe.text) return false;
  return !JSON.stringify(shown).includes(REDACTED);
}

async function storeResult(
  fullResult: FullResult,
  options: LinkOptions,
): Promise<ResultFacts | undefined> {
  const { resultStore, tool } = options;
  const stored = resultStore?.store(tool.name, fullResult);
  const link = await Promise.resolve(stored).catch(unlessUnavailable(NOT_STORED));
  if (link !== NOT_STORED && link) {
    const uri = (await callUri(link.uri, fullResult, options)) ?? link.uri;
    const period = `for ${resultStore?.lifetimeText} `;
    return linkFacts({ ...link, uri }, fullResult, { period }, options);
  }
  const facts = await repeatableFacts(fullResult, options);
  if (link !== NOT_STORED) return facts;
  return { ...facts, notes: [NOT_STORED, ...(facts?.notes ?? [])] };
}

/**
 * The link to a full result.
 * @param period how long it can be read
 * @param condition what reading it does
 */
function linkFacts(
  link: ResourceLink,
  fullResult: FullResult,
  { period = "", condition = "" },
  { resultReader }: LinkOptions,
): ResultFacts {
  const isText = "text" in fullResult;
  const reading =
    isText && resultReader !== undefined ? ` ${readingText(resultReader, fullResult)}` : "";
  const place = `${period}as the resource ${link.uri}${condition}`;
  return {
    notes: [`The full result (${link.size} bytes) is available ${place}.${reading}`],
    values: { resource: link.uri },
    blocks: [link],
  };
}

function readingText(
  reader: string,
  { paths = [] }: Extract<FullResult, { text: string }>,
): string {
  const picked =
    paths.length > 0 ? `, or some fields of it with pick ${JSON.stringify(paths)}` : "";
  return `${reader} reads it in parts${picked}.`;
}

/** The link to a result that is read by repeating its call. A write is not repeated. */
async function repeatableFacts(
  fullResult: FullResult,
  options: LinkOptions,
): Promise<ResultFacts | undefined> {
  const { tool, resultReader, isWrite } = options;
  if (resultReader === undefined) return undefined;
  if (isWrite) return { notes: [tooLargeNote(fullResult), notRepeatedNote(tool.name)] };
  const uri = await callUri(`result://${tool.name}`, fullResult, options);
  if (uri === undefined) return undefined;
  const link = { ...linkTo(tool.name, fullResult), uri };
  const condition = `, for which ${tool.name} is called again`;
  return linkFacts(link, fullResult, { condition }, options);
}

function notRepeatedNote(tool: string): string {
  return `The full result is not stored. Do not call ${tool} again to see it: that would send it again.`;
}

function tooLargeNote(fullResult: FullResult): string | undefined {
  return "bytes" in fullResult ? "It is too large to be shown." : undefined;
}

/** Adds the call to the URI of its result, if the call only reads and has no secret. */
async function callUri(
  uri: string,
  fullResult: FullResult,
  { call: { tool, input }, redact }: LinkOptions,
): Promise<string | undefined> {
  if (!tool.annotations.readOnlyHint) return undefined;
  const digest = "text" in fullResult ? await digestOf(fullResult.text) : "";
  const whole = withCall(uri, input, digest);
  const values = JSON.stringify(input);
  return redact(values) === values ? whole : undefined;
}

const NOT_STORED =
  "The full result could not be stored, because the store of this server cannot be reached.";

// ---- response/sequences.ts ----
// JSON of responses with a limited number of values, and sequences of it.

export function parseSequence(text: string, _: string): Steps<ParsedSequence> {
  return parseValuesInRow(text);
}

/** A parsed response. */
export interface ParsedResponse extends ParsedJson {
  /** The limit that it exceeds, so that only a part was read. */
  readonly exceeded?: ValueLimit;
  /** Nesting of its lists and objects. */
  readonly depth: number;
}

/** Parses the first values of JSON text. */
export function* parseLimited(text: string): Steps<ParsedResponse> {
  const { text: kept, count: _, ...limits } = yield* limitValuesInSteps(text);
  yield;
  return { ...(yield* parseJsonInSteps(kept)), ...limits };
}

/** Values of a sequence. */
export interface ParsedSequence extends ParsedResponse {
  readonly value: readonly unknown[];
  /** Incomplete record at the end; empty if there is none. */
  readonly rest: string;
}

/**
 * Parses JSON values that follow each other without a separator.
 * @throws SyntaxError when there is other text between them
 */
export function parseValuesInRow(text: string): Steps<ParsedSequence> {
  return collect(splitJsonSequence(text));
}

/** Number of records or lines that one step reads. */
const STEP_RECORDS = 1_000;

function* collect(records: Iterable<string>): Steps<ParsedSequence> {
  const value: unknown[] = [];
  let hasInexactNumbers = false;
  let exceeded: ValueLimit | undefined;
  let [remaining, depth] = [MAX_VALUES, 1];
  let [rest, count] = ["", 0];
  for (const record of records) {
    if (++count % STEP_RECORDS === 0) yield;
    if (record.trim() === "") continue;
    if (rest !== "") throw new SyntaxError("A record is not JSON.");
    exceeded = remaining < 1 ? "values" : undefined;
    if (exceeded) break;
    const limited = yield* limitValuesInSteps(record, remaining);
    const parsed = yield* tryParse(limited.text);
    if (!parsed) {
      rest = record;
      continue;
    }
    value.push(parsed.value);
    hasInexactNumbers ||= parsed.hasInexactNumbers;
    depth = Math.max(depth, limited.depth + 1);
    remaining -= limited.count;
    exceeded = limited.exceeded;
    if (exceeded) break;
  }
  if (rest !== "" && value.length === 0) throw new SyntaxError("The only record is not JSON.");
  return { value, hasInexactNumbers, ...(exceeded && { exceeded }), depth, rest };
}

function* tryParse(text: string): Steps<ParsedJson | undefined> {
  try {
    return yield* parseJsonInSteps(text);
  } catch {
    return undefined;
  }
}

// ---- response/decode.ts ----
// Decoding of response bodies: JSON, text, and binary content.

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

// ---- response/truncate.ts ----
// Truncates values to a number of characters of JSON.

/** A part that was omitted to make a value fit. */
export interface Omission {
  readonly path: readonly PathSegment[];
  readonly kind: "items" | "fields" | "characters";
  readonly omitted: number;
  readonly total: number;
  /** Number of the step of a run whose result the path is in, counted from 1. */
  readonly step?: number;
}

interface Truncated {
  readonly value: unknown;
  readonly omissions: readonly Omission[];
}

/** Minimum number of characters of a truncated text. */
const MIN_TEXT = 40;

/** Part of a truncated text that is its end, and the maximum number of its characters. */
const END_SHARE = 0.1;
const MAX_END = 500;

/** Number of characters up to which a value is hardly truncated. */
const MIN_VALUE = 2 * MIN_TEXT;

/** Maximum number of items of a list whose large items are truncated so that no item is omitted. */
const MAX_SHARING = 20;

/** Minimum number of characters of an item that is truncated for that. */
const MIN_ITEM = 200;

/**
 * Truncates a value to about `budget` characters of JSON. Lists are truncated at their end, short
 * ones inside their few large items or the last one that fits in part, long texts before their end,
 * and objects with very many properties lose the last ones. Small parts are kept. Large parts share
 * the remaining budget.
 */
export function truncate(value: unknown, budget: number): Truncated {
  const truncation: Truncation = { omissions: [], sizes: new JsonSizes() };
  return {
    value: truncateValue(value, budget, [], truncation),
    omissions: truncation.omissions,
  };
}

interface Truncation {
  readonly omissions: Omission[];
  readonly sizes: JsonSizes;
}

/** Lengths of the JSON of values. Those of objects and lists are computed once, on every level. */
class JsonSizes {
  readonly #known = new Map<object, number>();

  of(value: unknown): number {
    if (typeof value === "string" && value.length > LONG_TEXT) return value.length + 2;
    if (typeof value !== "object" || value === null || "toJSON" in value)
      return JSON.stringify(value)?.length ?? 0;
    const known = this.#known.get(value) ?? this.#measure(value);
    this.#known.set(value, known);
    return known;
  }

  #measure(value: object): number {
    let size = 1;
    if (Array.isArray(value)) for (const item of value) size += this.of(item) + 1;
    else
      for (const [key, member] of Object.entries(value)) size += key.length + 4 + this.of(member);
    return Math.max(size, 2);
  }
}

function truncateValue(
  value: unknown,
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): unknown {
  if (truncation.sizes.of(value) <= budget) return value;
  if (typeof value === "string") return truncateText(value, budget, path, truncation);
  if (Array.isArray(value)) return truncateList(value, budget, path, truncation);
  if (typeof value !== "object" || value === null) return value;
  return truncateObject(value, budget, path, truncation);
}

function truncateText(
  text: string,
  budget: number,
  path: readonly PathSegment[],
  { omissions }: Truncation,
): string {
  const room = Math.max(MIN_TEXT, budget - MIN_TEXT);
  const end = text.slice(text.length - endLength(room)).replace(/^[\udc00-\udfff]/, "");
  const kept = text.slice(0, room - end.length).replace(/[\ud800-\udbff]$/, "");
  const omitted = text.length - kept.length - end.length;
  if (omitted <= MIN_TEXT) return text;
  omissions.push({ path, kind: "characters", omitted, total: text.length });
  return `${kept}… [${omitted} more characters]${end === "" ? "" : ` …${end}`}`;
}

/** Characters of the end of a text that is truncated; 0 where they would say nothing. */
function endLength(room: number): number {
  const length = Math.min(MAX_END, Math.floor(room * END_SHARE));
  return length < MIN_TEXT ? 0 : length;
}

function truncateList(
  list: readonly unknown[],
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): readonly unknown[] {
  const shares = sharesOfItems(list, budget - 2, truncation);
  if (shares)
    return list.map((item, i) => truncateValue(item, shares[i]! - 1, [...path, i], truncation));
  const kept: unknown[] = [];
  let remaining = budget - 2;
  for (const item of list) {
    const size = truncation.sizes.of(item) + 1;
    const least = list.length > MAX_SHARING ? Infinity : MIN_ITEM;
    if (size > remaining && kept.length > 0 && remaining < least) break;
    kept.push(
      size > remaining ? truncateValue(item, remaining, [...path, kept.length], truncation) : item,
    );
    remaining -= size;
    if (remaining <= 0) break;
  }
  const omitted = list.length - kept.length;
  if (omitted > 0) truncation.omissions.push({ path, kind: "items", omitted, total: list.length });
  return kept;
}

/**
 * Shares of the items of a short list, of which few are larger than theirs. Undefined for others:
 * there the first items are kept whole.
 */
function sharesOfItems(
  list: readonly unknown[],
  budget: number,
  { sizes }: Truncation,
): readonly number[] | undefined {
  if (list.length > MAX_SHARING) return undefined;
  const wanted = list.map((item) => sizes.of(item) + 1);
  const shares = allocate(wanted, budget);
  const cut = shares.filter((share, i) => share < wanted[i]!);
  return cut.length * 2 <= list.length && cut.every((share) => share >= MIN_ITEM)
    ? shares
    : undefined;
}

function truncateObject(
  object: object,
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): object {
  const keys = Object.keys(object);
  const members = object as Readonly<Record<string, unknown>>;
  const kept = fittingMembers(members, keys, budget - 2, truncation.sizes);
  const shares = allocate(
    kept.map(({ size }) => size),
    budget - 2,
  );
  const truncated = kept.map(({ key, value }, i) => {
    const share = shares[i]! - key.length - 4;
    return [key, truncateValue(value, share, [...path, key], truncation)] as const;
  });
  const omitted = keys.length - kept.length;
  if (omitted > 0) truncation.omissions.push({ path, kind: "fields", omitted, total: keys.length });
  return Object.fromEntries(truncated);
}

/** A member of an object, and the length of its JSON. */
interface SizedMember {
  readonly key: string;
  readonly value: unknown;
  readonly size: number;
}

/** The first members that fit into a budget, if their values are truncated. */
function fittingMembers(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  budget: number,
  sizes: JsonSizes,
): readonly SizedMember[] {
  const members: SizedMember[] = [];
  let total = 0;
  for (const key of keys) {
    const value = object[key];
    const size = sizes.of(value) + key.length + 4;
    total += Math.min(size, key.length + 4 + MIN_VALUE);
    if (total > budget) break;
    members.push({ key, value, size });
  }
  return members;
}

/** Shares the budget among parts. The smallest go first; the rest is left to the larger ones. */
function allocate(sizes: readonly number[], budget: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes
    .map((size, i) => ({ size, i }))
    .sort((a, b) => a.size - b.size || a.i - b.i);
  let remaining = budget;
  smallestFirst.forEach(({ size, i }, served) => {
    const share = Math.min(size, Math.floor(remaining / (sizes.length - served)));
    shares[i] = share;
    remaining -= share;
  });
  return shares;
}

// ---- response/notes.ts ----
// Notes to the agent about truncated, paged and coerced results.

/** Maximum number of omissions or differences that a note lists. */
const MAX_LISTED = 3;

/** Maximum number of parts that a note names as omitted. A part that it does not name looks whole. */
const MAX_OMISSIONS = 8;

/** Maximum number of inputs that a note suggests. */
const MAX_SUGGESTED = 6;

/** Maximum length of an input's value in a note. */
const MAX_VALUE = 500;

/** Names of inputs that set the number of items. */
export const ITEM_COUNT = new RegExp(
  "^(?:limit|per_?page|page_?size|size|count|top|max_?(?:results|items|per_?page)|first|" +
    "num(?:ber)?_?(?:of_?)?(?:results|items)?)$",
  "i",
);

/** Names of inputs that limit or select the content of a result. */
const SIZING = /limit|size|per_?page|count|top|fields|select|max/i;

const POSITION_NAMES = [
  "page(?:_?(?:number|no|num|index|token|offset))?",
  "(?:next_?|page_?)?(?:cursor|token)",
  "offset|skip|marker",
  "start(?:_?(?:at|index|from|after))?",
  "(?:starting_?)?after|(?:ending_?)?before",
  "since_?id|last_?id",
];
/** Names of inputs that select a page. */
export const POSITION = new RegExp(`^(?:${POSITION_NAMES.join("|")})$`, "i");

/** Names of inputs that identify the thing itself, or one state of it. */
const IDENTITY = /^(?:id|uuid|(?:.*_)?rev(?:ision)?(?:_?(?:id|number|no))?)$/i;

/** Flags that select items or leave some out, by name or text. Other flags often extend a result. */
const SELECTING_FLAG = /\bonly\b|\bfilter|\bexclud|\bomit|\bhide\b|\bwithout\b/i;

/** Names of inputs that order, shape or extend a result and do not narrow it. */
const NOT_NARROWING =
  /sort|order|direction|expand|include|embed|populate|with_|locale|lang|format|pretty|callback|version|time_?zone/i;

type NamedTool = Pick<ToolDefinition, "name" | "inputSchema">;
/** Input of a call, as far as another call can narrow its result. */
export interface NarrowingOptions {
  /** Input of the call. Inputs that it has already are not suggested. */
  readonly input?: ToolInput | undefined;
  /** Inputs that select the result of the operation. Absent: none is known. */
  readonly narrowing?: readonly string[] | undefined;
}

/**
 * Lists the parts that were omitted for size, and advises how to request less or the rest.
 */
export function truncationNote(
  omissions: readonly Omission[],
  tool: NamedTool,
  { input = {}, narrowing = [] }: NarrowingOptions = {},
): string {
  const isPaged = narrowing.some((name) => POSITION.test(name));
  const hasItems = omissions.some(({ kind }) => kind === "items");
  const paging = hasItems && isPaged ? " They do not appear on later pages." : "";
  const advice = narrowingAdvice(omissions, tool, input, narrowing);
  const hint = advice === "" ? "" : ` To see them, ${advice}.`;
  return `The result was too large. Omitted: ${describeOmissions(omissions)}.${paging}${hint}`;
}

/** Lists omissions, the outermost first. */
export function describeOmissions(omissions: readonly Omission[]): string {
  const outermostFirst = omissions.toSorted((a, b) => a.path.length - b.path.length);
  return joinFirst(outermostFirst.map(describeOmission), MAX_OMISSIONS, "; ");
}

function describeOmission({ path, kind, omitted, total, step }: Omission): string {
  const name = formatPath(path);
  const owner = path.length > 0 && name !== kind ? ` of ${name}` : "";
  const place = step === undefined ? "" : ` in step ${step}`;
  return `${omitted} of ${total} ${kind}${owner}${place}`;
}

function narrowingAdvice(
  omissions: readonly Omission[],
  tool: NamedTool,
  input: ToolInput,
  narrowing: readonly string[],
): string {
  const smaller = smallerPage(omissions, tool, narrowing);
  const lists = omissions.filter(({ kind }) => kind === "items").map(({ path }) => path);
  const inputs = narrowingInputs(tool, narrowing).filter(
    (name) =>
      name !== smaller?.input &&
      input[name] === undefined &&
      lists.some((path) => canNarrow(name, path, tool)),
  );
  const narrower = inputs.length > 0 ? `narrow the call with ${inputs.join(", ")}` : undefined;
  return [smaller?.advice, narrower].filter(Boolean).join(", or ");
}

/**
 * True if an input may select items of a list. Inputs select items of the outermost list, those of
 * a list inside of an item only if their text names it.
 */
function canNarrow(input: string, list: Omission["path"], { inputSchema }: NamedTool): boolean {
  if (list.every((segment) => typeof segment === "string")) return true;
  const noun = String(list.findLast((segment) => typeof segment === "string")).toLowerCase();
  const text = `${input} ${String(propertySchema(inputSchema, input)["description"] ?? "")}`;
  return [noun, singularize(noun)].some((one) => text.toLowerCase().includes(one));
}

/** Advises a page of the size that fits, when an input sets the number of items. */
function smallerPage(
  omissions: readonly Omission[],
  { name, inputSchema }: NamedTool,
  narrowing: readonly string[],
): { readonly input: string; readonly advice: string } | undefined {
  const list = omissions.find(({ kind, path }) => kind === "items" && path.length <= 1);
  if (!list || !narrowing.some((input) => POSITION.test(input))) return undefined;
  const count = list.total - list.omitted;
  const input = Object.keys(propertiesOf(inputSchema)).find(
    (key) => narrowing.includes(key) && isItemCount(key, propertySchema(inputSchema, key), count),
  );
  if (input === undefined) return undefined;
  return { input, advice: `call ${name} with ${input} ${count} and then page by page` };
}

function isItemCount(name: string, schema: JsonSchema, count: number): boolean {
  const isNumber = schema["type"] === "integer" || schema["type"] === "number";
  const minimum = Math.max(1, Number(schema["minimum"] ?? 1));
  return isNumber && count >= minimum && ITEM_COUNT.test(name);
}

/**
 * Describes the call of the next page; `undefined` when the result does not have its inputs. An API
 * that ignores the page names the same one as the next.
 * @param input input of the call
 * @param mayBeLast whether the response does not tell if there is a next page
 */
export function nextPageNote(
  result: unknown,
  { name, inputSchema }: NamedTool,
  input: Readonly<Record<string, unknown>>,
  mayBeLast = false,
  maxValue = MAX_VALUE,
): string | undefined {
  const next =
    typeof result === "object" && result !== null && "next" in result ? result.next : undefined;
  if (typeof next !== "object" || next === null) return undefined;
  const properties = propertiesOf(inputSchema);
  const isUsable = ([key, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(properties, key) &&
    (typeof value === "string" || typeof value === "number") &&
    String(value).length <= maxValue;
  const usable = Object.entries(next).filter(isUsable);
  if (usable.length === 0) return undefined;
  const inputs = usable.map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  if (isSameInput(Object.fromEntries(usable), input))
    return `The API names this page (${inputs.join(", ")}) as the next one: do not call ${name} for it again.`;
  const call = `call ${name} again with ${inputs.join(" and ")}, and otherwise the same input`;
  return `There ${mayBeLast ? "may be" : "are"} more results: ${call}.`;
}

/**
 * Facts about the next page, for a result whose data does not have its inputs.
 * @param next inputs of the next page
 */
export function nextPageFacts(
  next: ToolInput,
  tool: NamedTool,
  input: ToolInput,
  mayBeLast?: boolean,
): ResultFacts {
  const note = nextPageNote({ next }, tool, input, mayBeLast, Infinity);
  return { notes: [note], values: isSameInput(next, input) ? {} : { next } };
}

function isSameInput(next: ToolInput, input: ToolInput): boolean {
  return Object.entries(next).every(([key, value]) => String(input[key]) === String(value));
}

/**
 * Lists optional inputs that may narrow a result. Those with a descriptive name are first. Flags
 * are left out unless they select items.
 * @param usable inputs that select the result of the operation
 */
export function narrowingInputs(
  { inputSchema }: NamedTool,
  usable: readonly string[],
): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const properties = propertiesOf(inputSchema);
  const narrows = (name: string): boolean =>
    !required.has(name) &&
    !POSITION.test(name) &&
    !NOT_NARROWING.test(name) &&
    !IDENTITY.test(name) &&
    (properties[name]?.["type"] !== "boolean" || isSelectingFlag(name, properties[name]));
  const optional = Object.keys(properties).filter((name) => usable.includes(name) && narrows(name));
  const sizing = optional.filter((name) => SIZING.test(name));
  const others = optional.filter((name) => !sizing.includes(name));
  return [...sizing, ...others].slice(0, MAX_SUGGESTED);
}

const isSelectingFlag = (name: string, { description }: JsonSchema = {}): boolean =>
  SELECTING_FLAG.test(
    `${name.replaceAll("_", " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ")}. ${String(description ?? "")}`,
  );

/** Notes and values about the parts of a response that its output schema does not allow. */
export function coercionFacts({
  moved,
  converted,
  unexpected,
  nullFields,
}: OutputDifferences): ResultFacts {
  if (unexpected.length + converted.length + nullFields.length === 0) return {};
  const notes = [movedNote(moved, unexpected), conversionNote(converted)];
  return {
    notes,
    values: omitUndefined({
      unexpected:
        unexpected.length > 0
          ? unexpected.map(({ path, value }) => unexpectedPart(path, value))
          : undefined,
      nullFields: nullFields.length > 0 ? nullFields : undefined,
    }),
  };
}

/** An item that a list lacks changes the places of those after it. */
function movedNote(
  moved: OutputDifferences["moved"],
  unexpected: OutputDifferences["unexpected"],
): string | undefined {
  if (moved.length === 0) return undefined;
  const hasItem = unexpected.some(({ path }) => typeof path.at(-1) === "number");
  const places = hasItem ? "; items after them have moved up" : "";
  return `${capitalize(describeDifferences(moved))}. The structured result has these parts in \`unexpected\`${places}.`;
}

/** Only a whole response that is a list is converted at the root. */
function conversionNote(converted: readonly Problem[]): string | undefined {
  if (converted.length === 0) return undefined;
  return converted.some(({ path }) => path.length === 0)
    ? "The API sent a list, and its description declares an object. The list is in `items`."
    : `Converted to the types of the API's description: ${listProblems(converted, describeConversion)}.`;
}

/** Entry of `unexpected` in a structured result. The path `$` is the whole response. */
export function unexpectedPart(path: Problem["path"], value: unknown): object {
  return { path: formatPath(path) || "$", value };
}

/** Describes differences between the response and the output schema, as a clause. */
export function describeDifferences(problems: readonly Problem[]): string {
  return `the response differs from the API's description (${listProblems(problems)})`;
}

function listProblems(problems: readonly Problem[], describe = describeProblem): string {
  const descriptions = problems.map(
    (problem) => `${formatPath(problem.path) || "the response"}: ${describe(problem)}`,
  );
  return joinFirst(descriptions, MAX_LISTED, "; ");
}

// ---- response/projection.ts ----
// Stands in for the choice of fields of results, which no tool of this project makes.

export function projectFields(result: unknown, _: unknown): unknown {
  return result;
}

// ---- response/project.ts ----
// Results of tools from bodies of responses: the list or the object, and the next page.

type NextInputs = Readonly<Record<string, unknown>>;

/**
 * Projects a response body to the tool's result: the list or the object that the mapping points to,
 * under the name that the tool promises.
 * @param next value of `next` in the result; `null` for none, absent where the body decides
 */
export function project(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = assembleResult(body, mappingOf(body, mapping), next);
  return [mapping.projection, mapping.selected].reduce<unknown>(
    (current, projection) => (projection ? projectFields(current, projection) : current),
    result,
  );
}

/**
 * The mapping of a list that the API returns inside of an object against its description, which has
 * the list alone: `{"total": 2, "data": […]}`.
 */
function mappingOf(body: unknown, { wrap, ...mapping }: ResponseMapping): ResponseMapping {
  const fields = wrap === "items" && isObject(body) ? Object.entries(body) : [];
  const lists = fields.filter(([, value]) => Array.isArray(value));
  const isEnvelope = fields.every(([name, value]) => Array.isArray(value) || ABOUT_LIST.test(name));
  const [name] = lists[0] ?? [];
  return name !== undefined && lists.length === 1 && fields.length > 1 && isEnvelope
    ? { ...mapping, items: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` }
    : { ...mapping, ...(wrap && { wrap }) };
}

/** Names of fields about a whole list. */
const ABOUT_LIST =
  /^(?:total\w*|\w*_?count|page\w*|per_?page|limit|offset|size|(?:next|prev|previous|first|last)\w*|\w*cursor|has_?(?:more|next)|truncated|links?|_links|meta\w*|pagination|paging)$/i;

function assembleResult(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = selectContent(body, mapping);
  const { next: pointers, extraFields } = mapping;
  const inputs = next === undefined ? pointers && nextPage(body, pointers) : next;
  const others = fieldsBesideList(body, mapping);
  const isWhole = !inputs && !extraFields && Object.keys(others).length === 0;
  if (isWhole || typeof result !== "object" || result === null) return result;
  const known = {
    ...result,
    ...(inputs && { next: inputs }),
    ...(extraFields && fieldsAt(body, extraFields)),
  };
  // Known fields come first, and keep their values.
  return { ...known, ...others, ...known };
}

/**
 * Fields next to the list that no pointer of the mapping leads to: those that the API's description
 * lacks, and the list itself under another name.
 */
function fieldsBesideList(
  body: unknown,
  { items, item, next = {}, extraFields = {} }: ResponseMapping,
): Readonly<Record<string, unknown>> {
  const list = items ?? item;
  if (!list || !isObject(body)) return {};
  if (items === undefined && valueAt(body, list) === undefined) return {};
  const pointers = [list, ...Object.values(next), ...Object.values(extraFields)];
  return withoutPaths(body, pointers.map(parsePointer));
}

/** URL or type of the list itself, which does not describe its items. */
const SELF_REFERENCE = /^(?:url|uri|self|href|object|kind)$/;

function withoutPaths(
  object: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (typeof value === "string" && SELF_REFERENCE.test(name)) return [];
      const inside = paths.filter(([step]) => step === name).map((path) => path.slice(1));
      if (inside.length === 0) return [[name, value]];
      if (!isObject(value) || inside.some((path) => path.length === 0)) return [];
      const others = withoutPaths(value, inside);
      return Object.keys(others).length === 0 ? [] : [[name, others]];
    }),
  );
}

/** Note about a response whose list is not where the API's description has it. */
export function missingListNote(body: unknown, mapping: ResponseMapping): string | undefined {
  const { items } = mapping;
  if (!items || !isObject(body) || valueAt(body, items) !== undefined) return undefined;
  return Object.keys(fieldsBesideList(body, mapping)).length === 0
    ? undefined
    : `The response has no list at ${items}, where the API's description has it. Read its other fields.`;
}

/** Reads fields next to the list. A missing field is omitted. */
function fieldsAt(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, pointer]) =>
      valueAt(body, pointer) === undefined ? [] : [[name, valueAt(body, pointer)]],
    ),
  );
}

function selectContent(body: unknown, { wrap, items, item }: ResponseMapping): unknown {
  if (wrap === "items") return { items: body ?? [] };
  if (wrap === "value") return { value: body };
  // Servers send a bare list or item although their description has an object around it.
  if (items !== undefined)
    return { items: Array.isArray(body) ? body : (valueAt(body, items) ?? []) };
  if (item !== undefined) return { items: [itemAt(body, item)] };
  return body;
}

function itemAt(body: unknown, pointer: string): unknown {
  const item = valueAt(body, pointer);
  return item === undefined ? body : item;
}

/**
 * Reads the inputs of the next page; `undefined` on the last page, where APIs omit them or write
 * null, false or "".
 */
export function nextPage(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const inputs = Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(body, pointer);
    return value === undefined || value === null || value === "" || value === false
      ? []
      : [[name, value] as const];
  });
  return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
}

// ---- response/redaction-note.ts ----
// A note about what redaction has hidden, so that `[redacted]` is not taken for the API's word.

/** Maximum number of fields in a note. */
const MAX_LISTED_FIELDS = 3;

/** Redacts a result. A note names what was hidden, except in errors. */
export async function redactWithNote<Result extends NotedResult>(
  noted: Result,
  redact: Redact,
  outputSchema: JsonSchema | undefined,
): Promise<Result> {
  const result = await redactResult(noted.result, redact);
  const redacted = { ...noted, result };
  if (result === noted.result || result.isError) return redacted;
  const notes = [redactionNote(noted.result, result)];
  return { ...redacted, ...addFacts(redacted, { notes }, outputSchema) };
}

function redactionNote(given: CallToolResult, safe: CallToolResult): string {
  const { structuredContent } = safe;
  const values = changedValues(given.structuredContent, structuredContent);
  const texts = countMarks(safe.content) - countMarks(given.content);
  if (values.length > 0) return valuesNote(values, structuredContent);
  if (texts > 0)
    return (
      `Hidden by this server: its credentials, in ${texts} ${texts === 1 ? "place" : "places"}. ` +
      `They are shown as ${REDACTED}.`
    );
  return "Hidden by this server: its credentials in the contents of a file.";
}

function valuesNote(values: readonly ChangedValue[], root: unknown): string {
  const paths = values.map(({ path }) => path);
  const fields = joinFirst(listFields(root, paths), MAX_LISTED_FIELDS);
  const count = values.length === 1 ? "1 value" : `${values.length} values`;
  const numbers = values.some(({ isNumber }) => isNumber) ? ", a number as 0" : "";
  const shown = values.length === 1 ? "It is" : "They are";
  return `Hidden by this server: ${count} with its credentials (${fields}). ${shown} shown as ${REDACTED}${numbers}.`;
}

/** A string or number that redaction has changed, or a property whose name it has changed. */
interface ChangedValue {
  readonly path: readonly PathSegment[];
  readonly isNumber: boolean;
}

/** The changed parts of a value. Redaction keeps the order of members. */
function changedValues(
  given: unknown,
  safe: unknown,
  path: readonly PathSegment[] = [],
): readonly ChangedValue[] {
  if (given === safe) return [];
  if (!isContainer(given) || !isContainer(safe))
    return [{ path, isNumber: typeof given === "number" }];
  const names = Object.keys(safe);
  return Object.entries(given).flatMap(([name, member], i) => {
    const safeName = names[i] ?? name;
    const step = Array.isArray(safe) ? i : safeName;
    if (safeName !== name) return [{ path: [...path, step], isNumber: false }];
    const safeMember = (safe as Readonly<Record<string, unknown>>)[safeName];
    return changedValues(member, safeMember, [...path, step]);
  });
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Number of marks in the texts of content. */
function countMarks(content: CallToolResult["content"]): number {
  return JSON.stringify(content.map((block) => ({ ...block, data: undefined }))).split(REDACTED)
    .length;
}

// ---- response/headers.ts ----
// Headers of a response that are facts of its result: the location, and those that are declared.

/** Maximum length of a header's value in a result. */
const MAX_HEADER = 2000;

interface HeaderOptions {
  readonly mapping: ResponseMapping;
  readonly status: number;
  readonly headers?: Pick<ResponseHeaders, "get">;
  /** True for a write, whose location is a fact unless the text has its last segment. */
  readonly isWrite?: boolean;
}

type HeaderEntry = readonly [name: string, value: string];

/** Lists the declared headers and the location in an empty response, one per line. */
export function headerLines(options: HeaderOptions): readonly string[] {
  return reportedHeaders(options).map(headerText);
}

const headerText = ([name, value]: HeaderEntry): string => `The API's header ${name}: ${value}`;

const otherHeaders = (options: HeaderOptions): readonly HeaderEntry[] =>
  reportedHeaders(options).filter(([name]) => !isLocation(name));

function othersAsValue(options: HeaderOptions): Readonly<Record<string, unknown>> {
  const others = otherHeaders(options);
  return others.length === 0 ? {} : { headers: Object.fromEntries(others) };
}

/**
 * The location of what a request created, or of its progress. RFC 9110, sections 15.3.2 and 15.3.3.
 * @param body text of the response, which may lack the ID in the location of a write
 */
export function locationOf(options: HeaderOptions, body?: string): { readonly location?: string } {
  const { mapping, status, headers, isWrite } = options;
  const location = readHeader("location", headers);
  if (location === undefined) return {};
  const isDeclared = mapping.headers?.some(isLocation) === true;
  const isNews = isWrite === true && body?.includes(lastSegment(location)) === false;
  return status === 201 || status === 202 || isDeclared || isNews ? { location } : {};
}

const lastSegment = (location: string): string =>
  location
    .replace(/[?#].*$/s, "")
    .split("/")
    .findLast(Boolean) ?? location;

/** Notes about the location and the declared headers, for a response with a body. */
export function headerNotes(options: HeaderOptions, body?: string): readonly string[] {
  const { location } = locationOf(options, body);
  const entries = location === undefined ? [] : [["Location", location] as const];
  return [...entries, ...otherHeaders(options)].map(headerText);
}

/** The same as values: `location`, and the others by their names. */
export function headerFacts(
  options: HeaderOptions,
  body?: string,
): Readonly<Record<string, unknown>> {
  return { ...locationOf(options, body), ...othersAsValue(options) };
}

function reportedHeaders(options: HeaderOptions): readonly HeaderEntry[] {
  const { mapping, headers } = options;
  const declared = mapping.headers ?? [];
  const isAdded = locationOf(options).location !== undefined && !declared.some(isLocation);
  const names = isAdded ? [...declared, "Location"] : declared;
  return names.flatMap((name): readonly HeaderEntry[] => {
    const value = readHeader(name, headers);
    return value === undefined ? [] : [[name, value]];
  });
}

function isLocation(name: string): boolean {
  return name.toLowerCase() === "location";
}

function readHeader(name: string, headers?: Pick<ResponseHeaders, "get">): string | undefined {
  const value = sanitize(headers?.get(name) ?? "");
  const omitted = value.length - MAX_HEADER;
  if (omitted > 0) return `${value.slice(0, MAX_HEADER)}… [${omitted} more characters]`;
  return value === "" ? undefined : value;
}

// ---- response/pick-fields.ts ----
// Fields of a result that an agent picks by dotted paths: `items.name`.

/** The picked fields of a result; the whole result if it has none of them. */
export interface PickedResult {
  readonly value: unknown;
  /** Sentences about paths that lead nowhere. */
  readonly notes: readonly string[];
  readonly isPicked: boolean;
}

type Names = readonly string[];

/** Limits of what a call picks: paths, and characters of each. */
const [MAX_PATHS, MAX_PATH] = [50, 500];

/** Limits of the places at which a path may start: their depth, and their number at a depth. */
const [MAX_INNER_DEPTH, MAX_INNER_PLACES] = [3, 5000];

/** Maximum numbers of paths and of names in notes. */
const [MAX_NOTED, MAX_NAMES] = [5, 12];

/** Facts about a result beside its data, which stay. */
const FACTS = ["notes", "next", "nextUrl", "total", "resource", "nullFields", "httpStatus"];

/** The schema of the input `pick`. */
export const pickSchema = {
  type: "array",
  maxItems: MAX_PATHS,
  items: { type: "string", maxLength: MAX_PATH },
  description: "Paths of the fields to show, such as items.name. Default: all.",
} as const satisfies JsonSchema;

/**
 * Keeps the fields of a result that paths lead to, in its shape. Lists are passed through. A path
 * that leads nowhere from the top starts at the inner objects from which it leads somewhere. Parts
 * in `unexpected` are picked by the place that they have in the response. In the result of a run,
 * paths lead from the result of each step.
 */
export function pickPaths(value: unknown, paths: readonly string[]): PickedResult {
  const outer = paths.map((path): PickedPath => ({ names: namesOf(path), isInner: false }));
  const { missing: unmatched } = pickAll(value, outer);
  const picks = outer.map((pick, i) => ({ ...pick, isInner: unmatched[i] !== undefined }));
  const picked = pickAll(value, picks);
  const missing = picked.missing.flatMap((place, i) =>
    place === undefined ? [] : [`pick ${JSON.stringify(paths[i])} matches nothing: ${place}`],
  );
  const isPicked = missing.length < paths.length;
  const outside = isPicked && picked.outside > 0 ? [outsideNote(picked.outside)] : [];
  const problems = missing.length > 0 ? [`${joinFirst(missing, MAX_NOTED, "; ")}.`] : [];
  if (isPicked) return { value: picked.value, notes: [...problems, ...outside], isPicked };
  const whole = paths.length > 0 ? ["The whole result is shown."] : [];
  return { value, notes: [[...problems, ...whole].join(" ")].filter(Boolean), isPicked };
}

const outsideNote = (count: number): string =>
  `Without ${count} of the parts in \`unexpected\`, which pick does not name.`;

/** `$.items[*].labels[].name` → items, labels, name. */
const namesOf = (path: string): Names =>
  path
    .trim()
    .replace(/^\$(?=[.[]|$)/, "")
    .replaceAll(/\[(?:\d*|\*)\]/g, "")
    .split(".")
    .filter(Boolean);

/** A path that a call picks. */
interface PickedPath {
  readonly names: Names;
  /** It may start at an inner object. */
  readonly isInner: boolean;
}

/** The parts of a value that paths lead to. */
interface Picked {
  readonly value: unknown;
  /** For each path that leads nowhere, the place and the names there, as a clause. */
  readonly missing: readonly (string | undefined)[];
  /** Number of unexpected parts that no path leads to. */
  readonly outside: number;
}

const pickAll = (value: unknown, picks: readonly PickedPath[]): Picked =>
  isRun(value) ? pickFromSteps(value, picks) : pickFromResult(value, picks);

function pickFromResult(value: unknown, picks: readonly PickedPath[]): Picked {
  const { unexpected, ...others } = isObject(value) ? value : {};
  const parts = unexpectedParts(unexpected);
  const searched = parts ? others : value;
  const found = picks.map((pick) => findPicked(searched, pick));
  const inParts = (parts ?? []).map((part) => picks.map(({ names }) => fieldsOfPart(part, names)));
  const missing = found.map(({ fields, place }, i) =>
    fields.length > 0 || inParts.some((fieldsOf) => fieldsOf[i]!.length > 0) ? undefined : place,
  );
  const data = keepFields(searched, [
    ...found.flatMap(({ fields }) => fields),
    ...factNames(searched).map((name) => [name]),
  ]);
  const kept = (parts ?? []).flatMap((part, i) => pickPart(part, inParts[i]!.flat()));
  const shown = kept.length > 0 ? { ...(data as object), unexpected: kept } : data;
  return { value: shown, missing, outside: (parts?.length ?? 0) - kept.length };
}

/** Keeps fields; the path without names is the whole value. */
const keepFields = (value: unknown, fields: readonly FieldPath[]): unknown =>
  fields.some(({ length }) => length === 0) ? value : pickFields(value, fields);

/** Marks of an API that its list has more items. */
const HAS_MORE = /^(?:(?:is_?|was_?)?truncated|incomplete(?:_?results)?|has_?more|partial)$/i;

/** Names of facts in a result. Where the data has the name, the fact has another one. */
function factNames(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  const facts = FACTS.flatMap((name) => {
    const other = `result${name[0]!.toUpperCase()}${name.slice(1)}`;
    return [other, name].find((one) => Object.hasOwn(value, one)) ?? [];
  });
  const marks = Object.keys(value).filter((name) => value[name] === true && HAS_MORE.test(name));
  return [...facts, ...marks];
}

/** A part of the response that the output schema does not allow. */
interface UnexpectedPart {
  readonly path: string;
  readonly value: unknown;
}

function unexpectedParts(value: unknown): readonly UnexpectedPart[] | undefined {
  const isPart = (one: unknown): boolean =>
    isObject(one) && typeof one["path"] === "string" && Object.hasOwn(one, "value");
  return Array.isArray(value) && value.every(isPart)
    ? (value as readonly UnexpectedPart[])
    : undefined;
}

/** Fields of a part that a path leads to, by its place or through `unexpected`. */
function fieldsOfPart({ path, value }: UnexpectedPart, names: Names): readonly Names[] {
  const [first, second, ...rest] = names;
  if (first === "unexpected")
    return second === undefined ? [[]] : second === "value" ? findFields(value, rest).fields : [];
  const place = namesOf(path);
  const lead = [names, ["items", ...names]].find((one) => startsAlike(one, place));
  if (!lead) return [];
  return lead.length <= place.length ? [[]] : findFields(value, lead.slice(place.length)).fields;
}

const startsAlike = (one: Names, other: Names): boolean =>
  one.slice(0, other.length).every((name, i) => name === other[i]);

const pickPart = (part: UnexpectedPart, fields: readonly Names[]): readonly UnexpectedPart[] =>
  fields.length === 0 ? [] : [{ ...part, value: keepFields(part.value, fields) }];

/** Fields that a path leads to; without any, the place where it ends, as a clause. */
interface FoundFields {
  readonly fields: readonly Names[];
  readonly place: string;
}

/** Finds fields from the top of a result, or from the items of its list. */
function findFields(value: unknown, names: Names): FoundFields {
  const isList = Array.isArray(value) && names[0] === "items";
  const hasItems = isObject(value) && Array.isArray(value["items"]);
  const other = isList ? names.slice(1) : hasItems ? ["items", ...names] : undefined;
  const searches = [names, ...(other ? [other] : [])].map((one) => searchFields(value, one));
  const found = searches.find(({ fields }) => fields.size > 0);
  // A list without items may have any fields.
  const { depth, open } = searches[0]!;
  const deepest = searches.toSorted((a, b) => b.depth - a.depth)[0]!;
  const fields = found ? [...found.fields.values()] : open && depth < 0 ? [open] : [];
  return { fields, place: placeText(deepest) };
}

function findPicked(value: unknown, { names, isInner }: PickedPath): FoundFields {
  const found = findFields(value, names);
  return isInner && found.fields.length === 0
    ? { ...found, fields: findInnerFields(value, names) }
    : found;
}

/** Objects at one place of a result, through lists. */
interface InnerObjects {
  readonly place: Names;
  readonly objects: readonly object[];
}

/**
 * Fields that a path leads to from the outermost inner objects from which it leads anywhere. Of
 * objects by their IDs, those without the field stay, empty.
 */
function findInnerFields(value: unknown, names: Names): readonly Names[] {
  let level: readonly InnerObjects[] = [{ place: [], objects: objectsIn(value) }];
  for (let depth = 0; depth < MAX_INNER_DEPTH; depth++) {
    level = level.flatMap(innerObjects);
    if (level.length > MAX_INNER_PLACES) return [];
    const found = level.map(({ objects }) => findFields(objects, names).fields);
    const matches = countBy(level.filter((_, i) => found[i]!.length > 0).map(parentOf));
    if (matches.size === 0) continue;
    return level.flatMap((one, i) => {
      const isOfMap = found[i]!.length === 0 && (matches.get(parentOf(one)) ?? 0) > 1;
      return (isOfMap ? [names] : found[i]!).map((field) => [...one.place, ...field]);
    });
  }
  return [];
}

const parentOf = ({ place }: InnerObjects): string => JSON.stringify(place.slice(0, -1));

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function innerObjects({ place, objects }: InnerObjects): readonly InnerObjects[] {
  const byName = new Map<string, object[]>();
  for (const [name, value] of objects.flatMap((object) => Object.entries(object))) {
    const inner = objectsIn(value);
    const known = byName.get(name);
    if (known) inner.forEach((one) => known.push(one));
    else if (inner.length > 0) byName.set(name, [...inner]);
  }
  return [...byName].map(([name, inner]) => ({ place: [...place, name], objects: inner }));
}

const objectsIn = (value: unknown): readonly object[] =>
  isObject(value) ? [value] : Array.isArray(value) ? value.flatMap(objectsIn) : [];

interface Search {
  /** Paths by their text. */
  readonly fields: Map<string, Names>;
  /** A path that ends at an empty list or null. */
  open?: Names;
  /** Number of names before the deepest place where the path ends; -1 for none. */
  depth: number;
  place: Names;
  readonly known: Set<string>;
}

function searchFields(value: unknown, names: Names): Search {
  const search: Search = { fields: new Map(), depth: -1, place: [], known: new Set() };
  follow(value, names, [], search);
  return search;
}

/** Follows a path. A name may have dots itself. */
function follow(value: unknown, names: Names, before: Names, search: Search): void {
  if (names.length === 0) return void search.fields.set(JSON.stringify(before), before);
  if (value === null || (Array.isArray(value) && value.length === 0))
    return void (search.open ??= [...before, ...names]);
  if (Array.isArray(value)) return value.forEach((item) => follow(item, names, before, search));
  const object = isObject(value) ? value : {};
  const ends = names.map((_, i) => i + 1);
  const known = ends.filter((end) => Object.hasOwn(object, names.slice(0, end).join(".")));
  if (known.length === 0) return followItems(object, names, before, search);
  for (const end of known) {
    const name = names.slice(0, end).join(".");
    follow(object[name], names.slice(end), [...before, name], search);
  }
}

/** Follows a path that leaves out an inner `items`. */
function followItems(
  object: Readonly<Record<string, unknown>>,
  names: Names,
  before: Names,
  search: Search,
): void {
  const items = ownProperty(object, "items");
  endAt(object, before, search);
  if (before.length > 0 && Array.isArray(items) && items.length > 0)
    follow(items, names, [...before, "items"], search);
}

function endAt(object: object, before: Names, search: Search): void {
  if (before.length < search.depth) return;
  if (before.length > search.depth) search.known.clear();
  search.depth = before.length;
  search.place = before;
  for (const name of Object.keys(object)) search.known.add(name);
}

const placeText = ({ place, known }: Search): string =>
  `${place.length === 0 ? "the result" : place.join(".")} has ` +
  (joinFirst([...known], MAX_NAMES) || "no fields");

/** The result of a run: `{"steps": [{"step": 1, "tool": …, "result": …}]}`. */
interface RunResult {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

const isRun = (value: unknown): value is RunResult =>
  isObject(value) && Array.isArray(value["steps"]) && value["steps"].every(isStep);

const isStep = (value: unknown): boolean =>
  isObject(value) && typeof value["step"] === "number" && typeof value["tool"] === "string";

/** Picks from the result of each step. Results without any of the fields are left out. */
function pickFromSteps(run: RunResult, given: readonly PickedPath[]): Picked {
  const picks = given.map(({ names, isInner }) => ({
    names: isOfSteps(names) ? names.slice(2) : names,
    isInner,
  }));
  const picked = run.steps.map((step) =>
    Object.hasOwn(step, "result") ? pickFromResult(step["result"], picks) : undefined,
  );
  const steps = run.steps.map(({ result: _, ...step }, i) => {
    const own = picked[i];
    return own?.missing.includes(undefined) ? { ...step, result: own.value } : step;
  });
  const results = picked.filter((one) => one !== undefined);
  const missing = picks.map((_, i) => {
    const places = results.map((one) => one.missing[i]);
    return places.includes(undefined) ? undefined : (places[0] ?? "no step has a result");
  });
  const outside = results.reduce((sum, one) => sum + one.outside, 0);
  return { value: { ...run, steps }, missing, outside };
}

const isOfSteps = ([first, second]: Names): boolean => first === "steps" && second === "result";

/** Two paths for `pick` in a result, from the list of which items were omitted. */
export function examplePaths(value: unknown, omissions: readonly Omission[]): readonly string[] {
  const sorted = omissions.toSorted((a, b) => a.path.length - b.path.length);
  const omission = sorted.find(({ kind }) => kind === "items") ?? sorted[0];
  if (!omission) return [];
  const { path, kind } = omission;
  const base = kind === "characters" ? path.slice(0, -1) : path;
  const names = base.filter((segment) => typeof segment === "string");
  return exampleNames(valueAtPath(value, base), path).map((name) => [...names, name].join("."));
}

const valueAtPath = (value: unknown, path: readonly PathSegment[]): unknown =>
  path.reduce<unknown>(
    (current, segment) => (current as Readonly<Record<PathSegment, unknown>>)[segment],
    value,
  );

/** Names that tell items apart come first, then those of other single values. */
function exampleNames(value: unknown, omitted: readonly PathSegment[]): readonly string[] {
  const item: unknown = Array.isArray(value) ? value.find(isObject) : value;
  if (!isObject(item)) return [];
  const names = Object.keys(item).filter(
    (name) => typeof item[name] !== "object" && name !== omitted.at(-1) && name.length <= 60,
  );
  const rankOf = (name: string): number =>
    /^(?:id|name|title)$/i.test(name) ? 0 : /(?:id|name)$/i.test(name) ? 1 : 2;
  return names.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 2);
}

// ---- response/step-paths.ts ----
// Paths into the results of steps, by the numbers with which `{{1.id}}` refers to steps.

/** A path inside of the result of a step. */
interface StepPath {
  /** Number of the step, counted from 1. */
  readonly step: number;
  readonly path: readonly PathSegment[];
}

/**
 * Splits a path into the result of a run at its step; undefined for a path elsewhere.
 * @param value the whole result: `{"steps": [{"step": 1, "result": …}]}`
 */
export function stepPath(path: readonly PathSegment[], value: unknown): StepPath | undefined {
  const [root, at, part = "result", ...rest] = path;
  if (root !== "steps" || typeof at !== "number" || part !== "result") return undefined;
  const steps = isObject(value) ? value["steps"] : undefined;
  const item: unknown = Array.isArray(steps) ? steps[at] : undefined;
  const step = isObject(item) ? item["step"] : undefined;
  return typeof step === "number" ? { step, path: rest } : undefined;
}

// ---- response/value-counts.ts ----
// Counts of the values in a long list, so that an agent need not count them, or request them again.

/** Number of items from which on a list is counted. */
const MIN_COUNTED_ITEMS = 30;
/** Longer lists would take a noticeable part of a call. */
const MAX_COUNTED_ITEMS = 20_000;
const MAX_COUNTED_FIELDS = 4;
const MAX_DISTINCT = 6;
const MAX_COUNTED_LENGTH = 40;
/** Levels below the root at which a list is looked for. */
const MAX_LIST_LEVELS = 3;

interface LongList {
  readonly path: readonly PathSegment[];
  readonly items: readonly Record<string, unknown>[];
}

/**
 * States how often each value of a field with few values occurs in the longest list of objects:
 * `Counted in these 301 items of rrsets: type (A 299, NS 1, SOA 1).` Fields are counted that are
 * true, false or a short text in every item.
 * @param value the whole result, before it is truncated
 */
export function valueCountsNote(
  value: unknown,
  omissions: readonly Omission[] = [],
): string | undefined {
  const list = longestList(value, []);
  if (!list) return undefined;
  const { path, items } = list;
  const counts = Object.keys(items[0] ?? {})
    .flatMap((field) => countsOf(items, field) ?? [])
    .slice(0, MAX_COUNTED_FIELDS);
  if (counts.length === 0) return undefined;
  const name = formatPath(path);
  const where = name === "" || name === "items" ? "" : ` of ${name}`;
  const isCut = omissions.some(({ path: at }) => formatPath(at) === name);
  const which = isCut
    ? `all ${items.length} items${where}, with the omitted ones`
    : `these ${items.length} items${where}`;
  return `Counted in ${which}: ${counts.join("; ")}.`;
}

/** `type (A 299, NS 1, SOA 1)`; undefined for a field of another kind, or with one value only. */
function countsOf(items: LongList["items"], field: string): string | undefined {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = Object.hasOwn(item, field) ? item[field] : undefined;
    if (!isCountable(value)) return undefined;
    const text = typeof value === "string" ? shownText(value) : String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (counts.size > MAX_DISTINCT) return undefined;
  }
  if (counts.size < 2) return undefined;
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a);
  return `${field} (${byCount.map(([text, count]) => `${text} ${count}`).join(", ")})`;
}

const isCountable = (value: unknown): boolean =>
  typeof value === "boolean" || (typeof value === "string" && value.length <= MAX_COUNTED_LENGTH);

/** Text that is more than a word is quoted. */
const shownText = (text: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.:/-]*$/u.test(text) ? text : JSON.stringify(text);

/** The longest list of objects in a value, itself or below a few objects and lists of one. */
function longestList(value: unknown, path: readonly PathSegment[]): LongList | undefined {
  if (Array.isArray(value) && value.length !== 1) return asLongList(value, path);
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  if (path.length >= MAX_LIST_LEVELS) return undefined;
  let longest: LongList | undefined;
  for (const [key, member] of Object.entries(value)) {
    const segment = Array.isArray(value) ? Number(key) : key;
    const found = longestList(member, [...path, segment]);
    if (found && found.items.length > (longest?.items.length ?? 0)) longest = found;
  }
  return longest;
}

function asLongList(list: readonly unknown[], path: LongList["path"]): LongList | undefined {
  const isLong = list.length >= MIN_COUNTED_ITEMS && list.length <= MAX_COUNTED_ITEMS;
  return isLong && list.every(isObject) ? { path, items: list } : undefined;
}

// ---- response/tool-result.ts ----
// Results of tools: text, structured content, media, and facts for the agent.

/** Maximum length of base64 of an image or audio: about the size that hosts show. */
const MAX_MEDIA = 5_000_000;

/**
 * A tool's result, with the full result when it shows only a part. When the response cannot be made
 * to satisfy the output schema, the reason and the content of the response.
 */
export type ToolResult =
  | ({ readonly ok: true; readonly fullResult?: FullResult } & NotedResult)
  | { readonly ok: false; readonly reason: string; readonly content: readonly ContentBlock[] };

/** Options by which a response becomes a tool's result. */
export interface ToolResultOptions extends NarrowingOptions {
  readonly tool: Pick<ToolDefinition, "name" | "inputSchema" | "outputSchema">;
  readonly mapping: ResponseMapping;
  /** Value of `next` in the result; `null` for none, absent where the response decides. */
  readonly next?: Readonly<Record<string, unknown>> | null | undefined;
  /** True if the response does not tell whether there is a next page. */
  readonly mayBeLast?: boolean | undefined;
  /** Maximum number of characters of JSON or text. */
  readonly maxCharacters: number;
  /** URL of a file, without credentials. */
  readonly url: string;
  readonly status: number;
  readonly headers?: Pick<ResponseHeaders, "get">;
  /** Facts that are known before the result is. */
  readonly facts?: ResultFacts | undefined;
  /** False if the call only reads. */
  readonly isWrite?: boolean;
  /** True if files are saved instead of shown. Images and audio are always shown. */
  readonly saveFiles?: boolean;
}

/** `createToolResult` in steps, for large content. */
export function* createToolResultInSteps(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  options: ToolResultOptions,
): Steps<ToolResult> {
  switch (content.kind) {
    case "json":
      return yield* jsonResult(content, options);
    case "text":
      return unstructuredResult(options, textBlocks(content.text, content.note, options));
    case "binary":
      return unstructuredResult(options, fileBlocks(content, options));
    case "empty":
      return emptyResult(options, content);
  }
}

/** Content of a result without JSON. */
interface UnstructuredContent {
  readonly blocks: ContentBlock[];
  readonly notes?: readonly (string | undefined)[];
  /** Values of the structured result, if a schema requires one. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly fullResult?: FullResult;
}

function* jsonResult(
  { value: body, isPlainAscii, note }: Extract<DecodedContent, { kind: "json" }>,
  options: ToolResultOptions,
): Steps<ToolResult> {
  const { tool, mapping, next, mayBeLast, maxCharacters, input = {}, facts } = options;
  const projected = withItems(project(body, mapping, next), tool);
  // The inputs of the next page may come from a header.
  const isClean = isPlainAscii && !next;
  const fullValue = isClean ? projected : yield* mapStringsInSteps(projected, sanitize);
  yield;
  const fullText = JSON.stringify(fullValue ?? null);
  const isTruncated = fullText.length > maxCharacters;
  yield;
  const { value, omissions: omitted } = isTruncated
    ? truncate(fullValue, maxCharacters)
    : { value: fullValue, omissions: [] };
  const omissions = omitted.map((one) => ({ ...one, ...stepPath(one.path, fullValue) }));
  const text = isTruncated ? JSON.stringify(value ?? null) : fullText;
  const truncation = omissions.length > 0 ? truncationNote(omissions, tool, options) : undefined;
  const notes = [
    note,
    missingListNote(body, mapping),
    truncation,
    valueCountsNote(fullValue, omitted),
    nextPageNote(value, tool, input, mayBeLast),
    ...headerNotes(options, fullText),
  ];
  const paths = examplePaths(fullValue, omitted);
  const fullResult = isTruncated
    ? { mimeType: "application/json", text: fullText, ...(paths.length > 0 && { paths }) }
    : undefined;
  yield;
  const structured = structuredResult(value, tool.outputSchema);
  if (!structured.ok) return { ...structured, content: [textBlock(text)] };
  // The text of a list that coercion has moved into `items` has it there, too.
  const isMoved = Array.isArray(value) && structured.value?.["items"] === value;
  const result = omitUndefined({
    content: [textBlock(isMoved ? `{"items":${text}}` : text)],
    structuredContent: structured.value,
  });
  const all = {
    notes: [...notes, ...(structured.notes ?? []), ...(facts?.notes ?? [])],
    values: { ...structured.values, ...headerFacts(options, fullText), ...facts?.values },
    blocks: facts?.blocks ?? [],
  };
  return omitUndefined({ ok: true as const, ...finish(result, all, tool), fullResult });
}

/** A list without an output schema stands in `items`, as all lists do, beside notes and `next`. */
function withItems(value: unknown, { outputSchema }: ToolResultOptions["tool"]): unknown {
  return !outputSchema && Array.isArray(value) ? { items: value } : value;
}

/** Adds facts to a result, if there are any. */
function finish(
  result: CallToolResult,
  facts: ResultFacts,
  { outputSchema }: ToolResultOptions["tool"],
): NotedResult {
  const { notes = [], textNotes = [], values = {}, blocks = [] } = facts;
  const hasFacts =
    textNotes.length > 0 ||
    blocks.length > 0 ||
    notes.some((note) => note !== undefined) ||
    Object.keys(values).length > 0;
  return hasFacts ? addFacts({ result }, facts, outputSchema) : { result };
}

type StructuredResult =
  | ({ readonly ok: true; readonly value?: Record<string, unknown> } & ResultFacts)
  | { readonly ok: false; readonly reason: string };

/** The structured result for a value, with the parts that its schema does not allow as facts. */
function structuredResult(value: unknown, schema: JsonSchema | undefined): StructuredResult {
  if (!schema) return isObject(value) ? { ok: true, value } : { ok: true };
  const coerced = coerceOutput(value, schema);
  if (!coerced.ok) return { ok: false, reason: describeDifferences(coerced.problems) };
  const fields = coerced.value as Record<string, unknown>;
  return { ok: true, value: fields, ...coercionFacts(coerced) };
}

function unstructuredResult(
  options: ToolResultOptions,
  { blocks, notes = [], data, fullResult }: UnstructuredContent,
): ToolResult {
  const { tool, facts } = options;
  const all = {
    notes: [...notes, ...headerNotes(options), ...(facts?.notes ?? [])],
    blocks: facts?.blocks ?? [],
  };
  if (!tool.outputSchema)
    return omitUndefined({
      ok: true as const,
      ...finish({ content: blocks }, all, tool),
      fullResult,
    });
  const empty = coerceOutput({}, tool.outputSchema);
  const reason = "the response is not JSON, although the API's description declares JSON";
  if (!empty.ok) return { ok: false, reason, content: blocks };
  const structuredContent = empty.value as Record<string, unknown>;
  const values = { ...data, ...headerFacts(options), ...facts?.values };
  const event = `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
  const result = { content: blocks, structuredContent };
  const noted = finish(result, { ...all, notes: [event, ...all.notes], values }, tool);
  return omitUndefined({ ok: true as const, ...noted, fullResult });
}

function textBlocks(
  text: string,
  note: string | undefined,
  options: ToolResultOptions,
): UnstructuredContent {
  const fullValue = sanitize(text);
  const { value, omissions } = truncate(fullValue, options.maxCharacters);
  const blocks = [textBlock(value as string)];
  const data = { unexpected: [unexpectedPart([], value)] };
  if (omissions.length === 0) return { blocks, notes: [note], data };
  const notes = [note, truncationNote(omissions, options.tool, options)];
  return { blocks, notes, data, fullResult: { mimeType: "text/plain", text: fullValue } };
}

/**
 * Reports the success of an empty response. The structured result has the status, the declared
 * headers and the location. Only a schema with required fields makes that impossible.
 */
function emptyResult(
  options: ToolResultOptions,
  { event: statedEvent, note: contentNote }: Extract<DecodedContent, { kind: "empty" }>,
): ToolResult {
  const { tool, mapping, status, isWrite, facts } = options;
  const lines = headerLines(options);
  const summary = statedEvent ?? emptyText(status, isWrite === true);
  const coerced = coerceOutput(emptyBody(mapping), tool.outputSchema ?? {});
  if (!coerced.ok) {
    const reason = "with an empty body, although the API's description declares data";
    return { ok: false, reason, content: [] };
  }
  const isStated = status === 204 || status === 205 || statedEvent !== undefined;
  const isExpected = !tool.outputSchema || isStated;
  const event = "The API reported success without the data that its description declares";
  const note = isExpected
    ? undefined
    : `${event}${isWrite === false ? "; there may be none" : ""}.`;
  const structuredContent = tool.outputSchema ? (coerced.value as Record<string, unknown>) : {};
  const content = [textBlock([summary, ...lines].join("\n"))];
  const all = {
    textNotes: [summary],
    notes: [note, contentNote, ...(facts?.notes ?? [])],
    values: { httpStatus: status, ...headerFacts(options), ...facts?.values },
    blocks: facts?.blocks ?? [],
  };
  return { ok: true, ...finish({ content, structuredContent }, all, tool) };
}

/**
 * First line of the text of an empty response. 202 means that the API may complete the work later.
 * RFC 9110, section 15.3.3.
 */
function emptyText(status: number, isWrite: boolean): string {
  if (status === 202) return "Accepted: empty response (202). The API may complete it later.";
  const content = status === 204 || status === 205 ? "no content" : "empty response";
  return isWrite ? `The API accepted it: ${content} (${status}).` : `Done: ${content} (${status}).`;
}

/** The structured result of an empty response. */
function emptyBody({ item, ...mapping }: ResponseMapping): unknown {
  if (item !== undefined) return { items: [] };
  return project(mapping.wrap === undefined ? {} : null, mapping);
}

/** The file, behind the text that it holds. A file that is only text is not shown twice. */
function fileBlocks(
  content: Extract<DecodedContent, { kind: "binary" }>,
  options: ToolResultOptions,
): UnstructuredContent {
  const { text, note, bytes, mimeType } = content;
  const file = bytesBlocks(bytes, mimeType, options);
  const shown = text === undefined ? undefined : textBlocks(text, undefined, options);
  const notes = [...(shown?.notes ?? []), note];
  const data = { ...shown?.data, ...file.data };
  const isWhole = shown !== undefined && shown.fullResult === undefined;
  if (isWhole && !options.saveFiles && isWholeText(bytes, text!) && sanitize(text!) === text)
    return { blocks: [...shown.blocks, fileSummary(bytes, mimeType)], notes, data };
  return { ...file, blocks: [...(shown?.blocks ?? []), ...file.blocks], notes, data };
}

const fileSummary = (bytes: Uint8Array, mimeType: string): ContentBlock =>
  textBlock(`A file of ${bytes.byteLength} bytes (${mimeType}).`);

function bytesBlocks(
  bytes: Uint8Array,
  mimeType: string,
  { url, maxCharacters, saveFiles = false }: ToolResultOptions,
): UnstructuredContent {
  const characters = Math.ceil(bytes.byteLength / 3) * 4;
  const kind = /^(image|audio)\//.exec(mimeType)?.[1] as "image" | "audio" | undefined;
  const summary = [fileSummary(bytes, mimeType)];
  const data = { media: [{ mimeType, bytes: bytes.byteLength }] };
  const maxFile = saveFiles ? 0 : maxCharacters;
  if (characters > (kind ? MAX_MEDIA : maxFile))
    return { blocks: summary, data, fullResult: { mimeType, bytes } };
  const encoded = base64(bytes);
  if (kind) return { blocks: [{ type: kind, data: encoded, mimeType }], data };
  const resource = { uri: url, mimeType, blob: encoded };
  return { blocks: [{ type: "resource", resource }, ...summary], data };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
