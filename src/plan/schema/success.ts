import type { Content, Response } from "../../model/types.js";

/** Responses that mean success: `200`…`299`, else `2XX`, else `default` when nothing else is declared to succeed. */
export function successResponses(responses: readonly Response[]): readonly Response[] {
  const found = responses.filter((response) => response.status.startsWith("2"));
  // `2XX` sorts behind every number.
  if (found.length > 0) return found.length === 1 ? found : found.sort((a, b) => (a.status < b.status ? -1 : a.status > b.status ? 1 : 0));
  return responses.filter((response) => response.status === "default");
}

/** `application/json`, `application/problem+json`, `text/json`; the wildcard counts, because nearly every API means JSON by it. */
export function isJson(mediaType: string): boolean {
  if (mediaType === "application/json") return true;
  return /^(application|text)\/json\b/.test(mediaType) || /^[^;]*\+json\b/.test(mediaType) || /^(\*|application)\/\*/.test(mediaType);
}

/** A stream of JSON values: one document per line or record. */
export function isJsonSequence(mediaType: string): boolean {
  return /^application\/(jsonl|x-jsonl|ndjson|x-ndjson|json-seq|jsonlines|x-jsonlines)\b/.test(mediaType);
}

/** The JSON contents of success responses, plain JSON before its dialects, one per response. */
export function successJson(success: readonly Response[]): readonly Content[] {
  return success.flatMap(({ contents }) => contents.find((c) => c.mediaType.startsWith("application/json")) ?? contents.find((c) => isJson(c.mediaType)) ?? []);
}
