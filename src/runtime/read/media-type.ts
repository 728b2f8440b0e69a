import { isSequence } from "./sequence.js";

/** A `Content-Type` in its parts, lower case. RFC 9110, section 8.3. */
export interface MediaType {
  /** `type/subtype`; empty when there is none. */
  readonly essence: string;
  readonly charset?: string;
}

/** An API uses few media types, and says them with every answer. */
const known = new Map<string, MediaType>();
const mostKnown = 100;

/** Reads a `Content-Type` header. Of several that were put together into one, the first counts. */
export function parseMediaType(header: string | null): MediaType {
  const text = header ?? "";
  let mediaType = known.get(text);
  if (mediaType) return mediaType;
  mediaType = parse(text);
  if (known.size < mostKnown) known.set(text, mediaType);
  return mediaType;
}

function parse(header: string): MediaType {
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

const textual: ReadonlySet<string> = new Set([
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
export function isText(essence: string): boolean {
  return (
    essence.startsWith("text/") ||
    essence.endsWith("+xml") ||
    essence.endsWith("+yaml") ||
    textual.has(essence) ||
    isSequence(essence)
  );
}
