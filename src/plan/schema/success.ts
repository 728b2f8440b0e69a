import type { Content, Response } from "../../model/types.js";

/** Responses that mean success: `200`…`299`, else `2XX`, else `default` when nothing else is declared to succeed. */
export function successResponses(responses: readonly Response[]): readonly Response[] {
  const exact = responses.filter((r) => /^2\d\d$/.test(r.status)).sort((a, b) => (a.status < b.status ? -1 : a.status > b.status ? 1 : 0));
  const ranged = responses.filter((r) => r.status.toUpperCase() === "2XX");
  if (exact.length + ranged.length > 0) return [...exact, ...ranged];
  return responses.filter((r) => r.status === "default");
}

/** `application/json`, `application/problem+json`, `text/json`; the wildcard counts, because nearly every API means JSON by it. */
export function isJson(mediaType: string): boolean {
  return /^(application|text)\/json\b/.test(mediaType) || /^[^;]*\+json\b/.test(mediaType) || /^(\*|application)\/\*/.test(mediaType);
}

/** A stream of JSON values: one document per line or record. */
export function isJsonSequence(mediaType: string): boolean {
  return /^application\/(jsonl|x-jsonl|ndjson|x-ndjson|json-seq|jsonlines|x-jsonlines)\b/.test(mediaType);
}

/** The JSON contents of the success responses, plain JSON before its dialects, one per response. */
export function successJson(responses: readonly Response[]): readonly Content[] {
  return successResponses(responses).flatMap((response) => {
    const exact = response.contents.find((c) => /^application\/json\b/.test(c.mediaType));
    const content = exact ?? response.contents.find((c) => isJson(c.mediaType));
    return content ? [content] : [];
  });
}
