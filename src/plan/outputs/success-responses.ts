import { isObject, type JsonSchema } from "../../json.js";
import type { Content, Response } from "../../model/types.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";

/**
 * Success responses: `200`…`299`, else `2XX`, else `default` when no other response means success.
 */
export function successResponses(responses: readonly Response[]): readonly Response[] {
  const numbered = responses.filter((response) => response.status.startsWith("2"));
  // `2XX` sorts after every number.
  if (numbered.length > 0) return numbered.length === 1 ? numbered : numbered.sort(compareStatus);
  return responses.filter((response) => response.status === "default");
}

function compareStatus(a: Response, b: Response): number {
  if (a.status === b.status) return 0;
  return a.status < b.status ? -1 : 1;
}

/**
 * True for `application/json`, `application/problem+json` and `text/json`, and for wildcards,
 * because nearly every API means JSON by them.
 */
export function isJsonMediaType(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return (
    /^(application|text)\/json\b/.test(mediaType) ||
    /^[^;]*\+json\b/.test(mediaType) ||
    /^(\*|application)\/\*/.test(mediaType)
  );
}

const SEQUENTIAL_TYPES = [
  /^text\/event-stream\b/,
  /^[^/;]+\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)\b/,
  /^[^;]*[/+]json-seq\b/,
];

/**
 * True for a sequence of JSON values: lines, records or events (OpenAPI 3.2, "Sequential Media
 * Types").
 */
function isSequentialMediaType(mediaType: string): boolean {
  return SEQUENTIAL_TYPES.some((pattern) => pattern.test(mediaType));
}

/**
 * JSON contents of success responses, one per response. Plain JSON goes before JSON dialects and
 * sequences.
 */
export function successJsonContents(
  success: readonly Response[],
  schemas: Schemas,
): readonly Content[] {
  return success.flatMap(({ contents }) => {
    const json = contents.find(({ mediaType }) => mediaType === "application/json");
    if (json || contents.length === 0) return json ?? [];
    const complete = contents.filter(
      (content) => isJsonMediaType(content.mediaType) && !isSequentialMediaType(content.mediaType),
    );
    if (complete[0]) return complete[0];
    return contents.flatMap((content) => sequenceAsList(content, schemas) ?? [])[0] ?? [];
  });
}

/**
 * A sequence as the list that the runtime reads. Up to OpenAPI 3.1, documents describe either one
 * line or the list. Schemas of events mostly describe only their data, which is not enough to read
 * them.
 */
function sequenceAsList(content: Content, schemas: Schemas): Content | undefined {
  if (!content.schema || !isSequentialMediaType(content.mediaType)) return undefined;
  const schema = resolveSchema(schemas, content.schema);
  const types = typesOf(schema);
  // A string is the text of all lines, not of each one.
  const line = types.length === 1 && types[0] === "string" ? {} : content.schema;
  const list = types.includes("array") ? content.schema : { type: "array", items: line };
  const items = resolveSchema(schemas, list).items;
  if (!content.mediaType.startsWith("text/")) return { ...content, schema: list };
  const event = isObject(items) ? resolveSchema(schemas, items as JsonSchema) : {};
  return event.properties && Object.hasOwn(event.properties, "data") && list === content.schema
    ? content
    : undefined;
}
