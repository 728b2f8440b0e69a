/** Response bodies in other formats than JSON. */
import { smallestFile } from "./media-types.js";
import { encodeUri } from "./pairs.js";
import type { SchemaSet } from "./schema-set.js";
import type { MockContent } from "./types.js";
import { toXml } from "./xml.js";

/** The content of a response, and its value. */
export interface ResponseContent {
  readonly content: MockContent;
  readonly value: () => unknown;
  readonly schemas: SchemaSet;
}

/** The body of a media type that is not JSON. */
export function serializeAs(type: string, response: ResponseContent): string | Uint8Array {
  const { content, value } = response;
  if (/[/+]xml$/u.test(type) && type !== "image/svg+xml") return xmlOf(response);
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return toJsonLines(value(), type.endsWith("json-seq") ? "\u001e" : "");
  if (type === "text/event-stream") return toEvents(value());
  if (type === "application/x-www-form-urlencoded") return toForm(value());
  // JSON is YAML.
  if (/^text\/|[/+](?:x-)?yaml$/u.test(type)) return asText(value());
  const example = content.examples?.find((one): one is string => typeof one === "string");
  const isFile = /^(image|audio|video)\//u.test(type) || type === "application/pdf";
  return example === undefined || isFile ? smallestFile(type) : example;
}

function xmlOf({ content, value, schemas }: ResponseContent): string {
  const written = content.examples?.find(
    (e): e is string => typeof e === "string" && e.trimStart().startsWith("<"),
  );
  return written ?? toXml(value(), content.schema, schemas);
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
