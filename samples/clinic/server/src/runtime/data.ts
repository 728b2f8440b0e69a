// data: files of the runtime of mcp-gen as one module, each after those that it uses.

// ---- data/bytes.ts ----
// Bytes: UTF-8, base64, binary strings, and comparison.

/**
 * Concatenates chunks.
 * @param size number of bytes of all chunks
 */
export function concatBytes(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Encodes text as UTF-8. */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Maximum number of arguments of one call of `String.fromCharCode`. */
const maxArguments = 8192;

/** Converts bytes to a binary string: one character per byte, as `btoa` takes it. */
export function toBinaryString(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes);
  if (buffer) return buffer.toString("latin1");
  let text = "";
  for (let start = 0; start < bytes.length; start += maxArguments)
    text += String.fromCharCode(...bytes.subarray(start, start + maxArguments));
  return text;
}

/** Encodes bytes, or a text in UTF-8, as base64. RFC 4648, section 4. */
export function base64(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? utf8Bytes(content) : content;
  return asBuffer(bytes)?.toString("base64") ?? btoa(toBinaryString(bytes));
}

/** The same bytes as a `Buffer`, whose conversions are 20 times as fast; undefined in workers. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer | undefined {
  if (typeof Buffer === "undefined") return undefined;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Decodes base64.
 * @throws DOMException for text that is not base64
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** SHA-256 of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", utf8Bytes(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares two texts in a time that does not depend on where they differ. */
export function timingSafeEqual(presented: string, secret: string): boolean {
  const [a, b] = [utf8Bytes(presented), utf8Bytes(secret)];
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= (a[i % Math.max(1, a.length)] ?? 0) ^ b[i]!;
  return difference === 0;
}

// ---- left-out.ts ----
// The sentence about a feature of the runtime that the project was generated without.

/**
 * @param subject noun phrase for the user: `the tool search`
 * @param feature name of the feature in `--features`
 */
export function leftOut(subject: string, feature: string): string {
  return (
    `This server was generated without ${subject}. Generate it again with --features ${feature}, ` +
    `or with features: [${feature}] in mcp-gen.yaml.`
  );
}

// ---- data/media-types.ts ----
// Media types of requests and responses. RFC 9110, section 8.3. Structured suffixes: RFC 6838,
// section 4.2.8.

/** Removes parameters: `Application/JSON; charset=utf-8` → `application/json`. */
export function essence(mediaType: string): string {
  const [type = ""] = mediaType.split(";", 1);
  return type.trim().toLowerCase();
}

/** True for `application/json`, `application/problem+json`, `text/json`. */
export function isJson(mediaType: string): boolean {
  return /^[^/]+\/(?:json|.+\+json)$/.test(essence(mediaType));
}

/** True if a media type has one JSON text per line. */
export function isJsonLines(mediaType: string): boolean {
  return /^[^/]+\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/.test(essence(mediaType));
}

/** True if a media type has JSON texts with record separators. RFC 7464. */
export function isJsonSequence(mediaType: string): boolean {
  return /^[^/]+\/(?:json-seq|.+\+json-seq)$/.test(essence(mediaType));
}

/** True for server-sent events. WHATWG HTML, section 9.2. */
export function isEventStream(mediaType: string): boolean {
  return essence(mediaType) === "text/event-stream";
}

/** True for `application/xml`, `application/problem+xml`, `text/xml`. RFC 7303. */
export function isXml(mediaType: string): boolean {
  return /^[^/]+\/(?:xml|.+\+xml)$/.test(essence(mediaType));
}

/** True for a form whose fields are encoded as in a URL. */
export function isForm(mediaType: string): boolean {
  return essence(mediaType) === "application/x-www-form-urlencoded";
}

/** True for `multipart/*`. */
export function isMultipart(mediaType: string): boolean {
  return essence(mediaType).startsWith("multipart/");
}

/** True for `text/*`. */
export function isText(mediaType: string): boolean {
  return essence(mediaType).startsWith("text/");
}

/** True if a string of a media type represents bytes. */
export function isBinary(mediaType: string): boolean {
  const kinds = [isJson, isJsonLines, isJsonSequence, isXml, isForm, isText];
  return !kinds.some((isKind) => isKind(mediaType));
}

/**
 * Chooses the media type to send, from what the API accepts (`image/png, image/*`) and the type of
 * the value. `undefined` when the API accepts a range and the type of the value is unknown.
 */
export function chooseMediaType(
  acceptedTypes: string | undefined,
  offeredType?: string,
): string | undefined {
  const ranges = (acceptedTypes ?? "*/*").split(",").map((range) => range.trim());
  if (offeredType !== undefined && ranges.some((range) => matchesRange(range, offeredType)))
    return offeredType;
  return ranges.find((range) => !range.includes("*"));
}

function matchesRange(range: string, mediaType: string): boolean {
  const rangeEssence = essence(range);
  if (!rangeEssence.endsWith("*")) return rangeEssence === essence(mediaType);
  return rangeEssence === "*/*" || essence(mediaType).startsWith(rangeEssence.slice(0, -1));
}

/** Essence and charset of a `Content-Type`, in lower case. RFC 9110, section 8.3. */
interface ContentType {
  /** `type/subtype`; empty when there is none. */
  readonly essence: string;
  readonly charset?: string;
}

/** Parsed headers. An API uses few media types. */
export const contentTypes = new Map<string, ContentType>();

const MAX_CACHED = 100;

/** Parses a `Content-Type` header. Of several in one header, the first counts. */
export function parseContentType(header: string | null): ContentType {
  const text = header ?? "";
  let mediaType = contentTypes.get(text);
  if (mediaType) return mediaType;
  mediaType = parseUncached(text);
  if (contentTypes.size < MAX_CACHED) contentTypes.set(text, mediaType);
  return mediaType;
}

/** Maximum length of a type and a subtype, which are shown. RFC 6838, section 4.2. */
const MAX_ESSENCE = 129;

/** Tokens, because a sentence instead of a type is not shown. RFC 9110, section 5.6.2. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~0-9a-z/-]*$/;

function parseUncached(header: string): ContentType {
  const [type = "", ...parameters] = header.split(",", 1)[0]!.split(";");
  const essence = type.trim().toLowerCase();
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find(Boolean);
  return {
    essence: MEDIA_TYPE.test(essence) ? essence.slice(0, MAX_ESSENCE) : "",
    charset: charset?.toLowerCase(),
  };
}

const TEXT_TYPES: ReadonlySet<string> = new Set(
  (
    "application/xml application/yaml application/x-yaml application/javascript " +
    "application/graphql application/toml application/sql application/x-www-form-urlencoded"
  ).split(" "),
);

/** True for text that is shown as it is: `text/*`, and textual types of `application/*`. */
export function isReadableText(essence: string): boolean {
  return (
    essence.startsWith("text/") ||
    essence.endsWith("+xml") ||
    essence.endsWith("+yaml") ||
    TEXT_TYPES.has(essence) ||
    isSequence(essence)
  );
}

/** True if a media type is a sequence of values. OpenAPI 3.2, "Sequential Media Types". */
export function isSequence(mediaType: string): boolean {
  return isEventStream(mediaType) || isJsonLines(mediaType) || isJsonSequence(mediaType);
}

/** Media types of common files, by file name extension. */
const byExtension: ReadonlyMap<string, string> = new Map([
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["svg", "image/svg+xml"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["json", "application/json"],
  ["xml", "application/xml"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
  ["mp4", "video/mp4"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
]);

/** The media type of a file, by its name. Undefined for an unknown extension. */
export function mediaTypeOfFile(name: string): string | undefined {
  return byExtension.get(/\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "");
}

/** The file name extension of a media type: `.pdf`; `.bin` for an unknown type. */
export function extensionFor(mimeType: string): string {
  const known = [...byExtension].find(([, type]) => type === mimeType);
  return `.${known?.[0] ?? "bin"}`;
}

// ---- data/steps.ts ----
// Long work in steps, between which the server does other work.

/** Work that returns a result after some steps, each of a few milliseconds at most. */
export type Steps<Result> = Generator<void, Result, void>;

/** Time after which the work pauses, in milliseconds. */
const MAX_BLOCKING_MS = 20;

/** Does work without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does work with pauses, so that other calls go on. */
export async function runWithPauses<Result>(steps: Steps<Result>): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - start < MAX_BLOCKING_MS) continue;
    await pause();
    start = performance.now();
  }
}

/** Lets everything run that waits for the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

// ---- data/values.ts ----
// JSON values, members of objects, percent-encoded text, and names that resemble another.

/** True if a value is a JSON object: not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits a JSON pointer into its keys. RFC 6901. */
export function parsePointer(pointer: string): readonly string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Reads the value at a JSON pointer; `undefined` when there is none. The steps of an array are its
 * indices, so `length` is not a step. Its type comes from the API description and is not checked
 * here. RFC 6901.
 */
export function valueAt<Value = unknown>(root: unknown, pointer = ""): Value | undefined {
  let value = root;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value as Value | undefined;
}

/** Result of parsing JSON without loss. */
export interface ParsedJson {
  readonly value: unknown;
  /** True if it contains strings for numbers that a double cannot represent. */
  readonly hasInexactNumbers: boolean;
}

/**
 * Parses JSON without rounding. An integer beyond 2^53 becomes text with exactly its digits,
 * because IDs are often such integers, and so does a number beyond the range of a double (`1e400`).
 * @throws SyntaxError when the text is not JSON
 */
export function* parseJsonInSteps(text: string): Steps<ParsedJson> {
  const value: unknown = JSON.parse(text);
  yield;
  if (!/\d{16}|[eE][+-]?\d{3}/.test(text)) return { value, hasInexactNumbers: false };
  const quoted = yield* quoteInexactNumbers(text);
  if (quoted === text) return { value, hasInexactNumbers: false };
  yield;
  return { value: JSON.parse(quoted), hasInexactNumbers: true };
}

/** Strings, whose digits are skipped, or numbers with any fraction and exponent. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Number of strings and numbers that one step reads. */
const STEP_TOKENS = 10_000;

function* quoteInexactNumbers(json: string): Steps<string> {
  const parts: string[] = [];
  let [end, count] = [0, 0];
  for (const { 0: token, index } of json.matchAll(STRING_OR_NUMBER)) {
    if (++count % STEP_TOKENS === 0) yield;
    if (!isInexact(token)) continue;
    parts.push(json.slice(end, index), `"${token}"`);
    end = index + token.length;
  }
  return parts.join("") + json.slice(end);
}

/** True for integers beyond 2^53, and for numbers that become infinite or zero. */
function isInexact(token: string): boolean {
  if (token.startsWith('"')) return false;
  const number = Number(token);
  if (/^-?\d{16,}$/.test(token)) return !Number.isSafeInteger(number);
  return !Number.isFinite(number) || (number === 0 && /^-?[\d.]*[1-9]/.test(token));
}

/** True if a member may be undefined. A member of unknown type counts as required. */
type IsOptional<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

/** An object whose members that may be undefined are optional. */
type DefinedMembers<T> = {
  [Key in keyof T as IsOptional<T[Key]> extends true ? never : Key]: T[Key];
} & {
  [Key in keyof T as IsOptional<T[Key]> extends true ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Copies an object without its undefined members. */
export function omitUndefined<T extends object>(object: T): DefinedMembers<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as DefinedMembers<T>;
}

/** Reads a member of its own from a record. Names such as `constructor` occur in documents. */
export function ownProperty<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Decodes a percent-encoded text. Malformed text stays. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The beginning of a text that is longer than a maximum. */
export function beginningOf(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Writes the first letter of a text in upper case. */
export function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** True for no value, an empty text, and an empty list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Joins the first `max` items and counts the others: `a, b and 3 more`, `a; b; and 3 more`. */
export function joinFirst(items: readonly string[], max: number, separator = ", "): string {
  const shown = items.slice(0, max).join(separator);
  const omitted = items.length - max;
  if (omitted <= 0) return shown;
  return `${shown}${separator === ", " ? "" : separator.trimEnd()} and ${omitted} more`;
}

/**
 * Finds up to three known names that a mistaken name most likely means, nearest first. Case, `-`
 * and `_` are ignored. Of equally near names, those of the same length are first.
 */
export function nearestNames(
  name: string,
  knownNames: Iterable<string>,
  max = 3,
): readonly string[] {
  if (name.length > 100) return [];
  const normalized = normalize(name);
  const limit = Math.max(1, Math.floor(normalized.length / 3));
  const lengthDifference = (candidate: string): number => Math.abs(candidate.length - name.length);
  return [...knownNames]
    .map((candidate) => ({
      candidate,
      edits: editDistance(normalized, normalize(candidate), limit),
    }))
    .filter(({ edits }) => edits <= limit && edits < normalized.length)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        lengthDifference(a.candidate) - lengthDifference(b.candidate) ||
        (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/**
 * True if a name is probably another spelling of a known name, so that a call with it is a mistake:
 * another case or separator, one edit, or two in a long name. Names that differ in their numbers
 * (`line_1`, `line_2`) are two names.
 */
export function isNearMiss(name: string, known: string): boolean {
  const [one, other] = [normalize(name), normalize(known)];
  if (one === other) return true;
  if (one.replace(/\D/g, "") !== other.replace(/\D/g, "")) return false;
  const [shorter = 0, longer = 0] = [one.length, other.length].sort((a, b) => a - b);
  if (shorter >= 8) return editDistance(one, other, 2) <= 2;
  const isPlural = one === `${other}s` || other === `${one}s`;
  return isPlural || (longer >= 4 && editDistance(one, other, 1) <= 1);
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[-_\s.]/g, "");
}

/** Counts the edits (insert, delete, replace, swap neighbors) between two texts, up to `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity;
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? above[j - 2]! + 1
          : Infinity;
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, swapped));
    }
    [above, row] = [row, next];
  }
  return row[to.length]!;
}

/** Adds an entry as the newest one. The oldest makes room above the maximum. */
export function addNewest(entries: Set<string>, entry: string, max: number): void {
  entries.delete(entry);
  entries.add(entry);
  const [oldest = ""] = entries;
  if (entries.size > max) entries.delete(oldest);
}

// ---- data/field-paths.ts ----
// Fields inside JSON values, by path. A list stands for each of its items.

/** A field of an object: its name, or the names on the way to it. */
export type FieldPath = string | readonly string[];

/** Fields by name; `true` for a whole field. */
type FieldTree = ReadonlyMap<string, FieldTree | true>;

const trees = new WeakMap<readonly FieldPath[], FieldTree>();

function treeOf(paths: readonly FieldPath[]): FieldTree {
  const known = trees.get(paths);
  if (known) return known;
  const tree = new Map<string, Map<string, never> | true>();
  for (const path of paths) addPath(tree, typeof path === "string" ? [path] : path);
  trees.set(paths, tree);
  return tree;
}

/** Adds a path. A whole field contains all paths inside it. */
function addPath(tree: Map<string, FieldTree | true>, [name, ...rest]: readonly string[]): void {
  const known = name === undefined ? true : tree.get(name);
  if (name === undefined || known === true) return;
  if (rest.length === 0) return void tree.set(name, true);
  const inner = (known ?? new Map()) as Map<string, FieldTree | true>;
  addPath(inner, rest);
  tree.set(name, inner);
}

/** Keeps the fields of an object, or of each object of a list. Other values stay as they are. */
export function pickFields(value: unknown, paths: readonly FieldPath[]): unknown {
  return pickTree(value, treeOf(paths));
}

function pickTree(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item) => pickTree(item, tree));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = tree.get(name);
      if (inner === undefined) return [];
      return [[name, inner === true ? member : pickTree(member, inner)]];
    }),
  );
}

// ---- data/urls.ts ----
// URLs: whether they can be parsed, and whether they may receive credentials.

/**
 * True if a text is a URL, relative to a base if there is one. WHATWG URL, `URL.canParse`, which is
 * not used: in Node 20 it returns false for every text outside of ASCII once it is optimized.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return Boolean(new URL(text, base).href);
  } catch {
    return false;
  }
}

/**
 * Parses a URL that may receive credentials: https, or http on this machine; undefined for any
 * other. A user name or password in it would be sent along.
 * @param base base of a relative URL
 */
export function parseSecureUrl(text: string, base?: string): URL | undefined {
  if (!canParseUrl(text, base)) return undefined;
  const url = new URL(text, base);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
  return isSecure && url.username === "" && url.password === "" ? url : undefined;
}

/**
 * True if a URL is https or on this machine, so that it may be asked for keys, receive credentials
 * and be named to clients.
 */
export function isLocalOrHttps(text: string): boolean {
  return parseSecureUrl(text) !== undefined;
}

// ---- store/types.ts ----
// State that the processes of a server share.

/**
 * A store of texts by key. Values expire; a value that has expired is absent.
 * @throws StoreUnavailable if the store cannot be reached
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Removes a value. Returns true if there was one, for one of several concurrent calls only. */
  delete(key: string): Promise<boolean>;
  /**
   * Replaces a value if it is the expected one, or adds one if none is expected.
   * @returns false if there was another value
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean>;
  /**
   * Adds one to a counter, which expires after the time of its first use.
   * @returns the new count
   */
  increment(key: string, ttlMs: number): Promise<number>;
  /** True if its values are in the memory of a process of this server. */
  readonly isMemory?: true;
  /** The value of a counter; 0 if there is none. */
  count(key: string): Promise<number>;
  close(): Promise<void>;
}

/** The store cannot be reached. Its message has no address and no credentials. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** True for a StoreUnavailable, also of another copy of this module. */
export function isStoreUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof Error && error.name === "StoreUnavailable";
}

/**
 * A handler of rejections that returns another value if the store cannot be reached.
 * @throws every other error
 */
export function unlessUnavailable<const Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isStoreUnavailable(error)) return value;
    throw error;
  };
}

// ---- data/json-text.ts ----
// Values of texts that may be JSON.

/** The value of a JSON text; undefined for any other text. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The list or object that a value is as JSON text; undefined for any other value. */
export function parseContainerText(value: unknown): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? parseJsonText(value) : undefined;
}

// ---- data/abort.ts ----
// Waiting that an aborted signal ends.

/** Waits for a promise, or rejects with the reason of an aborted signal. */
export async function raceWithAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  // Nobody handles a rejection after the signal.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

// ---- data/limit-values.ts ----
// Limits the number of values of JSON text before it is parsed.

/**
 * Maximum number of values of a request or a response. The cost of parsing and checking grows with
 * the number of values, not of bytes: 10 MB may be one file or five million zeros.
 */
export const MAX_VALUES = 250_000;

/**
 * Maximum number of properties of one object. Names that no other object has are slow to parse, and
 * every use of the object lists all of them.
 */
export const MAX_PROPERTIES = 50_000;

/** A limit by which values are left out: of all values, or of the properties of one object. */
export type ValueLimit = "values" | "properties";

/** JSON text of a limited number of values. */
export interface LimitedText {
  readonly text: string;
  readonly count: number;
  /** The limit behind which values were left out; absent if there are all. */
  readonly exceeded?: ValueLimit;
  /** Nesting of the lists and objects that were read. */
  readonly depth: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Keeps the first values of JSON text. Of an object at its root, the texts, numbers and booleans
 * after a cut part stay, because they have the position of the next page. Text that is not JSON
 * stays so, unless the error is in the part that is left out.
 */
export function limitValues(text: string, max = MAX_VALUES): LimitedText {
  return runAtOnce(limitValuesInSteps(text, max));
}

/** Parses the first values of JSON text; undefined for text that is not JSON. */
export function parseLimitedJson(text: string, max: number): unknown {
  return parseJsonText(limitValues(text, max).text);
}

/** Number of characters that one step reads. */
const STEP_CHARACTERS = 500_000;

/** `limitValues` in steps. */
export function* limitValuesInSteps(text: string, max = MAX_VALUES): Steps<LimitedText> {
  const counter = new ValueCounter();
  let nextStep = STEP_CHARACTERS;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else counter.read(char);
    const exceeded = counter.exceeded(max);
    if (exceeded) {
      const end = char === comma ? i : i + 1;
      const kept = yield* cutAt(text, end, counter.closers);
      return { text: kept, count: counter.count, depth: counter.depth, exceeded };
    }
    if (i < nextStep) continue;
    yield;
    nextStep = i + STEP_CHARACTERS;
  }
  return { text, count: counter.count, depth: counter.depth };
}

/** Counts values by the characters between strings. */
class ValueCounter {
  count = 1;
  depth = 0;
  /** Closing brackets of the open lists and objects. */
  readonly closers: string[] = [];
  /** Number of commas in each of them. */
  readonly #commas: number[] = [];

  read(char: number): void {
    if (char === comma) {
      this.count++;
      this.#commas[this.#commas.length - 1]!++;
    } else if (char === openList || char === openObject) {
      this.count++;
      this.closers.push(char === openList ? "]" : "}");
      this.#commas.push(0);
      this.depth = Math.max(this.depth, this.closers.length);
    } else if (char === closeList || char === closeObject) {
      this.closers.pop();
      this.#commas.pop();
    }
  }

  exceeded(max: number): ValueLimit | undefined {
    if (this.closers.length === 0) return undefined;
    if (this.count > max) return "values";
    const isWide = this.#commas.at(-1)! >= MAX_PROPERTIES && this.closers.at(-1) === "}";
    return isWide ? "properties" : undefined;
  }
}

/** Offset of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

function* cutAt(text: string, end: number, closers: readonly string[]): Steps<string> {
  const [root, ...inner] = closers;
  const kept = text.slice(0, end) + inner.toReversed().join("");
  const members = root === "}" ? yield* scalarMembers(text, end, closers.length) : [];
  return `${kept}${members.join("")}${root}`;
}

/** Maximum number of members of the root that are kept after the limit. */
const MAX_MEMBERS = 100;

/** A member of an object that is not a list or an object, before the next one or the end. */
const SCALAR_MEMBER =
  /,\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*:\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+)(?=\s*[,}])/y;

/** Scalar members of the root after an offset, each with the comma before it. */
function* scalarMembers(text: string, start: number, startDepth: number): Steps<readonly string[]> {
  const members: string[] = [];
  let depth = startDepth;
  let nextStep = start + STEP_CHARACTERS;
  for (let i = start; i < text.length && members.length < MAX_MEMBERS; i++) {
    if (i > nextStep) {
      yield;
      nextStep = i + STEP_CHARACTERS;
    }
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else if (char === openList || char === openObject) depth++;
    else if (char === closeList || char === closeObject) depth--;
    else if (char === comma && depth === 1) {
      SCALAR_MEMBER.lastIndex = i;
      const [member] = SCALAR_MEMBER.exec(text) ?? [];
      if (member === undefined) continue;
      members.push(member);
      i += member.length - 1;
    }
  }
  return members;
}

// ---- data/framed-text.ts ----
// Text in binary contents: logs behind the headers of frames, and text without a type of its own.

/** Maximum size in bytes of a file that is also shown as text. */
const MAX_SIZE = 256 * 1024;

/**
 * Types that have their own form, also where they look like text. A readable video is none: servers
 * send TypeScript as `video/mp2t`, by its suffix.
 */
const OPAQUE = /^(?:image|audio|font|model)\/|\b(?:pdf|zip|gzip|tar|zstd|protobuf)\b/;

/** Sizes of the headers of frames, whose last four bytes are the length of the frame. */
const HEADER_SIZES = [8, 5];

/** The text of a small binary content; `undefined` for any other. */
export function textInBytes(bytes: Uint8Array, mimeType: string): string | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength > MAX_SIZE || OPAQUE.test(mimeType))
    return undefined;
  return framedText(bytes) ?? readableText(bytes);
}

/** The text in frames that fill the bytes, such as a log of two streams. */
export function framedText(bytes: Uint8Array): string | undefined {
  for (const size of HEADER_SIZES) {
    const text = readableText(withoutFrames(bytes, size)?.payload);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** True if bytes hold nothing but a text: its UTF-8, or frames of one stream. */
export function isWholeText(bytes: Uint8Array, text: string): boolean {
  const encoded = new TextEncoder().encode(text);
  const isSame = (part: Uint8Array): boolean =>
    part.byteLength === encoded.byteLength && part.every((byte, i) => byte === encoded[i]);
  const ofOneStream = HEADER_SIZES.map((size) => withoutFrames(bytes, size)).filter(
    (frames) => frames?.streams.size === 1,
  );
  return isSame(bytes) || ofOneStream.some((frames) => frames && isSame(frames.payload));
}

/** Payload of frames, and the first bytes of their headers. */
interface Frames {
  readonly payload: Uint8Array;
  readonly streams: ReadonlySet<number>;
}

/**
 * Payload of frames that fill the bytes; the last of several may be cut. The first byte of a header
 * is a small number, such as that of a stream, and those before the length are zero.
 */
function withoutFrames(bytes: Uint8Array, headerSize: number): Frames | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const payload = new Uint8Array(bytes.byteLength);
  const streams = new Set<number>();
  let size = 0;
  let start = 0;
  while (start < bytes.byteLength) {
    if (start + headerSize > bytes.byteLength) break;
    const header = bytes.subarray(start + 1, start + headerSize - 4);
    if (bytes[start]! > 8 || header.some((byte) => byte !== 0)) return undefined;
    streams.add(bytes[start]!);
    const end = start + headerSize + view.getUint32(start + headerSize - 4);
    if (start === 0 && end > bytes.byteLength) return undefined;
    payload.set(bytes.subarray(start + headerSize, end), size);
    size += Math.min(end, bytes.byteLength) - start - headerSize;
    start = end;
  }
  return size === 0 ? undefined : { payload: payload.subarray(0, size), streams };
}

/** UTF-8 text with hardly any other characters. A zero byte is a sign of other content. */
function readableText(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined;
  const text = new TextDecoder().decode(bytes);
  const others = text.match(/[^\P{C}\t\n\r\u001b]|\ufffd/gu)?.length ?? 0;
  return others * 20 <= text.length ? text : undefined;
}

// ---- data/json-sequence.ts ----
// JSON values in a row, as streams of events and build logs send them under `application/json`.

/**
 * Splits a text into objects and arrays that follow each other, with or without white space and
 * record separators between them. The last part may be incomplete. Takes linear time.
 * @throws SyntaxError at any other text
 */
export function* splitJsonSequence(text: string): Generator<string> {
  for (let start = nextValue(text, 0); start < text.length;) {
    if (text[start] !== "{" && text[start] !== "[") throw new SyntaxError("Not a JSON value.");
    const end = endOfValue(text, start) ?? text.length;
    yield text.slice(start, end);
    start = nextValue(text, end);
  }
}

/** Counts the complete values at the beginning of a text. */
export function countJsonValues(text: string, max: number): number {
  let count = 0;
  for (let start = nextValue(text, 0); count < max; count++) {
    const isValue = text[start] === "{" || text[start] === "[";
    const end = isValue ? endOfValue(text, start) : undefined;
    if (end === undefined) break;
    start = nextValue(text, end);
  }
  return count;
}

/** Index of the next character other than white space and separators of records. RFC 7464. */
function nextValue(text: string, from: number): number {
  const separator = /[\s\u001e\ufeff]*/y;
  separator.lastIndex = from;
  separator.exec(text);
  return separator.lastIndex;
}

/** Index after the bracket that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  const token = /["[\]{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [character] = match;
    if (character === '"') {
      const end = endOfJsonString(text, match.index);
      if (end === undefined) return undefined;
      token.lastIndex = end;
    } else {
      depth += character === "{" || character === "[" ? 1 : -1;
      if (depth === 0) return match.index + 1;
    }
  }
  return undefined;
}

/** Index after the quote that closes the one at `start`. */
function endOfJsonString(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return undefined;
}

// ---- language/inflection.ts ----
// Inflection of English words: singular and plural of nouns, base forms of verbs. The one source
// for the generator (through `src/language`) and for generated servers, to which this file is
// copied.

const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.join(" ").split(" "));

/**
 * Irregular plurals, and regular ones that the rules would get wrong. Of two plurals, the first is
 * used.
 */
const IRREGULAR_NOUNS: readonly (readonly [singular: string, plural: string])[] = [
  ["person", "people"],
  ["child", "children"],
  ["man", "men"],
  ["woman", "women"],
  ["index", "indices"],
  ["index", "indexes"],
  ["matrix", "matrices"],
  ["vertex", "vertices"],
  ["analysis", "analyses"],
  ["basis", "bases"],
  ["crisis", "crises"],
  ["hypothesis", "hypotheses"],
  ["movie", "movies"],
  ["cookie", "cookies"],
  ["selfie", "selfies"],
  ["tie", "ties"],
  ["pie", "pies"],
  ["cache", "caches"],
  ["shoe", "shoes"],
  ["axis", "axes"],
  ["quiz", "quizzes"],
  ["life", "lives"],
  ["shelf", "shelves"],
  ["menu", "menus"],
  ["sku", "skus"],
  ["cpu", "cpus"],
  ["gpu", "gpus"],
  ["criterion", "criteria"],
  ["foot", "feet"],
  ["tooth", "teeth"],
  ["mouse", "mice"],
  ["leaf", "leaves"],
  ["half", "halves"],
];

/** Words with the same singular and plural, and singulars that look like plurals. */
const UNINFLECTED_NOUNS = wordSet(
  "advice analytics as audio auth aws baggage bandwidth btrfs cash cephfs cifs compliance connectivity content",
  "correspondence css data debris dns economics energy equipment evidence feedback firmware fish health",
  "forecast freight furniture gas glusterfs gps gtfs hardware has hdfs history hls https info information inventory ios iris",
  "is js knowledge kubernetes logistics luggage machinery mail mathematics media merchandise",
  "metadata mms money music news nfs ntfs os ownership physics pictures postgres progress redis research rss",
  "sales series sms sns software species sqs ssl staff statistics stats stock storage stuff telemetry",
  "telephony",
  "tennis this tls traffic tv us vfs video vps was wealth weather xfs zfs",
);

/** Singulars that end in one s; their plural adds `es`. */
const SINGULARS_IN_S = wordSet(
  "alias atlas bias bonus bus campus canvas census corpus focus gas iris lens menu status virus",
);

/** `schoolbus` and `substatus`, and not `abus` of abuses. */
const COMPOUND_IN_S = new RegExp(`^\\w{3,}(?:${[...SINGULARS_IN_S].join("|")})$`);

const TO_SINGULAR = new Map(
  IRREGULAR_NOUNS.map(([singular, plural]) => [plural, singular] as const),
);
const TO_PLURAL = new Map(
  [...IRREGULAR_NOUNS].reverse().map(([singular, plural]) => [singular, plural] as const),
);

/**
 * `pets` → `pet`, `categories` → `category`, `statuses` → `status`; singulars are returned
 * unchanged.
 */
export function singularize(word: string): string {
  const irregular = TO_SINGULAR.get(word);
  if (irregular) return irregular;
  if (
    word.length < 3 ||
    UNINFLECTED_NOUNS.has(word) ||
    SINGULARS_IN_S.has(word) ||
    !word.endsWith("s")
  )
    return word;
  if (/(ss|us|sis|xis)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return word.slice(0, -3) + "y";
  if (word.endsWith("es")) {
    const stem = word.slice(0, -2);
    if (
      SINGULARS_IN_S.has(stem) ||
      COMPOUND_IN_S.test(stem) ||
      /(ss|sh|x|zz|[^ae]ch|[^aeiou]o)$/.test(stem) ||
      /(ea|oa|e)ch$/.test(stem)
    )
      return stem;
  }
  return word.slice(0, -1);
}

/** `pet` → `pets`, `category` → `categories`; plurals are returned unchanged. */
export function pluralize(word: string): string {
  const irregular = TO_PLURAL.get(word);
  if (irregular) return irregular;
  if (UNINFLECTED_NOUNS.has(word) || isPlural(word) || isParticiple(word)) return word;
  return withEndingS(word);
}

/** `pet` → `pets`, `match` → `matches`, `category` → `categories`: also the third person of verbs. */
function withEndingS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.slice(0, -1) + "ies";
  return /(s|x|z|ch|sh)$/.test(word) ? word + "es" : word + "s";
}

/** True for words with the form of a plural. */
export function isPlural(word: string): boolean {
  return singularize(word) !== word;
}

/** True for participles such as `approved` and `denied`, which have no plural. */
export function isParticiple(word: string | undefined): boolean {
  return word !== undefined && word.length > 5 && word.endsWith("ed") && !word.endsWith("eed");
}

// ---- data/canonical-json.ts ----

/**
 * Serializes a value as canonical JSON: members sorted by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` formats numbers and strings as the RFC requires. Half of all objects in tool
 * schemas have only a type, or a type and a description, so small objects determine the speed.
 * @param value JSON. Members that JSON does not have, such as functions, are omitted
 */
export function canonicalJson(value: unknown): string {
  return serialize(value) ?? "null";
}

/** Returns undefined for values that JSON does not have. */
function serialize(value: unknown): string | undefined {
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let json = "";
  for (const name of sortNames(Object.keys(members))) {
    const member = serialize(members[name]);
    if (member !== undefined) json += `${json === "" ? "" : ","}${writeString(name)}:${member}`;
  }
  return `{${json}}`;
}

/** Printable ASCII without quotes and backslashes. Most strings match. */
const plain = /^[ !#-[\]-~]*$/;

function writeString(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Sorts in place by code unit. Insertion sort is fastest for the few members of most objects. */
function sortNames(names: string[]): string[] {
  if (names.length > 24) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}

// ---- data/fnv.ts ----

/**
 * FNV-1a of 32 bits: an unsigned number computed from the text alone, the same on all platforms.
 * For names and comparisons, not for security.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// ---- data/tokens.ts ----
// Stands in for the estimate of tokens: the sentence about toolsets is short.

export const estimateTokens = (_: string): number => 0;
