import { contentFor, mediaTypeOf, smallestFile } from "./media-types.js";
import { encodeUri } from "./pairs.js";
import { sample } from "./sample.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { DocumentedResponse, MockResponse, MockContent, MockOperation } from "./types.js";
import { toXml } from "./xml.js";

/**
 * The documented success: the first 2xx response, in a media type that the client accepts. The body
 * is the first valid example, otherwise a sample of the schema.
 */
export function documentedResponse(
  operation: MockOperation,
  accept: string | undefined,
  schemas: SchemaSet,
): MockResponse {
  const response = successOf(operation);
  if (!response) return { status: 204 };
  const status = /^\d{3}$/u.test(response.status) ? Number(response.status) : 200;
  const headers = sampleHeaders(response, schemas);
  if (response.contents.length === 0 || status === 204) return { status, headers };
  const content = chooseContent(response.contents, accept ?? "*/*");
  if (!content)
    return {
      status: 406,
      body: {
        title: "Not Acceptable",
        detail: `Offered: ${response.contents.map((c) => c.mediaType).join(", ")}.`,
      },
    };
  return {
    status,
    headers: { ...headers, "content-type": concreteMediaType(content.mediaType) },
    body: serialize(content, schemas),
  };
}

function successOf(operation: MockOperation): DocumentedResponse | undefined {
  const by = (test: RegExp): DocumentedResponse | undefined =>
    operation.responses.find((r) => test.test(r.status));
  return by(/^2\d\d$/u) ?? by(/^2XX$/iu) ?? by(/^default$/u);
}

/** Chooses by the order and the weights of `Accept` (RFC 9110, 12.5.1). */
function chooseContent(contents: readonly MockContent[], accept: string): MockContent | undefined {
  const ranges = accept.split(",").map((entry, index) => {
    const [range = "", ...parameters] = entry.split(";").map((s) => s.trim().toLowerCase());
    const weight = Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1);
    return { range, weight: Number.isNaN(weight) ? 1 : weight, index };
  });
  const accepted = ranges
    .filter((r) => r.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  for (const { range } of accepted) {
    const found =
      contents.find((c) => matchesRange(range, mediaTypeOf(c.mediaType))) ??
      contentFor(contents, range);
    if (found) return found;
  }
  return undefined;
}

function matchesRange(range: string, mediaType: string): boolean {
  return (
    range === "*/*" ||
    range === mediaType ||
    (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1)))
  );
}

/** A concrete media type for a range such as `image/*`. */
function concreteMediaType(mediaType: string): string {
  if (!mediaType.includes("*")) return mediaType;
  const concretes = new Map([
    ["image/*", "image/png"],
    ["audio/*", "audio/wav"],
    ["text/*", "text/plain"],
    ["*/*", "application/json"],
  ]);
  return concretes.get(mediaTypeOf(mediaType)) ?? "application/octet-stream";
}

/** The body in the format of its media type. */
function serialize(content: MockContent, schemas: SchemaSet): string | Uint8Array {
  const type = mediaTypeOf(concreteMediaType(content.mediaType));
  if (/[/+]json$/u.test(type)) return JSON.stringify(responseValue(content, schemas));
  if (/[/+]xml$/u.test(type) && type !== "image/svg+xml") return xmlOf(content, schemas);
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return toJsonLines(responseValue(content, schemas), type.endsWith("json-seq") ? "\u001e" : "");
  if (type === "text/event-stream") return toEvents(responseValue(content, schemas));
  if (type === "application/x-www-form-urlencoded") return toForm(responseValue(content, schemas));
  // JSON is YAML.
  if (/^text\/|[/+](?:x-)?yaml$/u.test(type)) return asText(responseValue(content, schemas));
  const example = content.examples?.find((value): value is string => typeof value === "string");
  const isFile = /^(image|audio|video)\//u.test(type) || type === "application/pdf";
  return example === undefined || isFile ? smallestFile(type) : example;
}

/** The first valid example, otherwise a sample. Many documents contain invalid examples. */
function responseValue(content: MockContent, schemas: SchemaSet): unknown {
  const example = content.examples?.find((e) => schemas.accepts(e, content.schema));
  return example !== undefined ? example : sample(content.schema, schemas);
}

function xmlOf(content: MockContent, schemas: SchemaSet): string {
  const written = content.examples?.find(
    (e): e is string => typeof e === "string" && e.trimStart().startsWith("<"),
  );
  return written ?? toXml(responseValue(content, schemas), content.schema, schemas);
}

function toForm(value: unknown): string {
  const pairs = Object.entries(Object(value) as Record<string, unknown>);
  return pairs.map(([name, item]) => `${encodeUri(name)}=${encodeUri(asText(item))}`).join("&");
}

/**
 * A string with JSON lines is an example of the whole body. Any other string is one of its values.
 */
function toJsonLines(value: unknown, before: string): string {
  if (typeof value === "string" && hasJsonLines(value)) return value;
  const lines = asArray(value).map((item) => `${before}${JSON.stringify(item)}\n`);
  return lines.join("");
}

function hasJsonLines(text: string): boolean {
  try {
    for (const line of text.split(/[\n\u001e]/u)) if (line.trim() !== "") JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Server-sent events: objects with event fields, other values as data. */
function toEvents(value: unknown): string {
  if (typeof value === "string") return value;
  const events = asArray(value).map((item) =>
    isEvent(item) ? eventFields(item) : `data: ${JSON.stringify(item)}\n`,
  );
  return events.map((event) => `${event}\n`).join("");
}

/** The lines of an event. A field with several lines is repeated. */
function eventFields(event: object): string {
  const fields = Object.entries(event).map(
    ([name, value]) => `${name}: ${asText(value).replaceAll("\n", `\n${name}: `)}\n`,
  );
  return fields.join("");
}

function isEvent(item: unknown): item is object {
  return (
    typeof item === "object" &&
    item !== null &&
    "data" in item &&
    Object.keys(item).every((key) => ["data", "event", "id", "retry"].includes(key))
  );
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const EXCLUDED_HEADERS = new Set([
  "content-type",
  "content-length",
  "transfer-encoding",
  "connection",
  "content-encoding",
  "set-cookie",
  "location",
  "link",
  "retry-after",
]);

/** Sampled response headers. Omits headers that would change the behavior of the client. */
function sampleHeaders(response: DocumentedResponse, schemas: SchemaSet): Record<string, string> {
  const out: [string, string][] = [];
  for (const { name, schema } of response.headers) {
    if (EXCLUDED_HEADERS.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) continue;
    const value: unknown = sample(schema as AnySchema | undefined, schemas);
    if (typeof value !== "object" && /^[\x20-\x7e]*$/u.test(String(value)))
      out.push([name.toLowerCase(), String(value)]);
  }
  return Object.fromEntries(out);
}
