import { isObject, type JsonSchema } from "../../json.js";
import type { Content, Response } from "../../model/types.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";

/**
 * Responses that mean success: `200`…`299`, else `2XX`, else `default` when nothing else is
 * declared to succeed.
 */
export function successResponses(responses: readonly Response[]): readonly Response[] {
  const found = responses.filter((response) => response.status.startsWith("2"));
  // `2XX` sorts behind every number.
  if (found.length > 0)
    return found.length === 1
      ? found
      : found.sort((a, b) => (a.status < b.status ? -1 : a.status > b.status ? 1 : 0));
  return responses.filter((response) => response.status === "default");
}

/**
 * `application/json`, `application/problem+json`, `text/json`; the wildcard counts, because nearly
 * every API means JSON by it.
 */
export function isJsonMediaType(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return (
    /^(application|text)\/json\b/.test(mediaType) ||
    /^[^;]*\+json\b/.test(mediaType) ||
    /^(\*|application)\/\*/.test(mediaType)
  );
}

/**
 * One JSON value after the other: a line or record each, or an event. OpenAPI 3.2, "Sequential
 * Media Types".
 */
export function isSequentialMediaType(mediaType: string): boolean {
  return /^text\/event-stream\b|^[^/;]+\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)\b|^[^;]*[/+]json-seq\b/.test(
    mediaType,
  );
}

/**
 * The JSON contents of success responses, plain JSON before its dialects and sequences, one per
 * response.
 */
export function successJsonContents(
  success: readonly Response[],
  schemas: Schemas,
): readonly Content[] {
  return success.flatMap(({ contents }) => {
    const plain = contents.find(({ mediaType }) => mediaType === "application/json");
    if (plain || contents.length === 0) return plain ?? [];
    const whole = contents.filter(
      (content) => isJsonMediaType(content.mediaType) && !isSequentialMediaType(content.mediaType),
    );
    return (
      whole[0] ?? contents.flatMap((content) => sequenceAsList(content, schemas) ?? [])[0] ?? []
    );
  });
}

/**
 * A sequence as the list that it is read as. Up to 3.1 documents say what a line is, or what the
 * list is; of events they mostly say what their data are, which nothing can be read by.
 */
function sequenceAsList(content: Content, schemas: Schemas): Content | undefined {
  if (!content.schema || !isSequentialMediaType(content.mediaType)) return undefined;
  const schema = resolveSchema(schemas, content.schema);
  const types = typesOf(schema);
  // A text is all of the lines, not what each of them holds.
  const line = types.length === 1 && types[0] === "string" ? {} : content.schema;
  const list = types.includes("array") ? content.schema : { type: "array", items: line };
  const items = resolveSchema(schemas, list).items;
  if (!content.mediaType.startsWith("text/")) return { ...content, schema: list };
  const event = isObject(items) ? resolveSchema(schemas, items as JsonSchema) : {};
  return event.properties && Object.hasOwn(event.properties, "data") && list === content.schema
    ? content
    : undefined;
}
