/** Response bodies in other formats than JSON. */
import { smallestFile } from "./media-types.js";
import { encodeUri } from "./pairs.js";
import { asText, toEvents, toJsonLines } from "./response-sequences.js";
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
