/**
 * Media types of requests and responses. RFC 9110, section 8.3. Structured suffixes: RFC 6838,
 * section 4.2.8.
 */

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
