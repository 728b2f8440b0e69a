/** A `Content-Type` in its parts, lower case. RFC 9110, section 8.3. */
export interface ContentType {
  /** `type/subtype`; empty when there is none. */
  readonly essence: string;
  readonly charset?: string;
}

/** An API uses few media types, and says them with every answer. */
const contentTypes = new Map<string, ContentType>();
const MAX_CACHED = 100;

/** Reads a `Content-Type` header. Of several that were put together into one, the first counts. */
export function parseContentType(header: string | null): ContentType {
  const text = header ?? "";
  let mediaType = contentTypes.get(text);
  if (mediaType) return mediaType;
  mediaType = parseUncached(text);
  if (contentTypes.size < MAX_CACHED) contentTypes.set(text, mediaType);
  return mediaType;
}

function parseUncached(header: string): ContentType {
  const [essence = "", ...parameters] = header.split(",", 1)[0]!.split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find(Boolean);
  return { essence: essence.trim().toLowerCase(), charset: charset?.toLowerCase() };
}

/** `application/json`, `application/problem+json`, `text/json`. */
export function isJson(essence: string): boolean {
  return essence.endsWith("/json") || essence.endsWith("+json");
}

/** `application/xml`, `application/problem+xml`, `text/xml`. RFC 7303. */
export function isXml(essence: string): boolean {
  return essence.endsWith("/xml") || essence.endsWith("+xml");
}

const TEXT_TYPES: ReadonlySet<string> = new Set([
  "application/xml",
  "application/yaml",
  "application/x-yaml",
  "application/javascript",
  "application/graphql",
  "application/toml",
  "application/sql",
  "application/x-www-form-urlencoded",
]);

/** Media types whose content a person could read. */
export function isReadableText(essence: string): boolean {
  return (
    essence.startsWith("text/") ||
    essence.endsWith("+xml") ||
    essence.endsWith("+yaml") ||
    TEXT_TYPES.has(essence) ||
    isSequence(essence)
  );
}

/** Media types of one value after the other. OpenAPI 3.2, "Sequential Media Types". */
export function isSequence(essence: string): boolean {
  return (
    essence === "text/event-stream" ||
    /\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$|[/+]json-seq$/.test(essence)
  );
}
