/** Results of tools: text, structured content, media, and notes for the agent. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { base64 } from "../data/bytes.js";
import { isObject, omitUndefined } from "../data/values.js";
import type { ResponseHeaders } from "../request/types.js";
import type { JsonSchema, ResponseMapping, ToolDefinition } from "../types.js";
import { coerceOutput, type CoercionResult } from "../schema/coerce.js";
import type { DecodedContent } from "./decode.js";
import {
  coercionNote,
  describeDifferences,
  type NarrowingOptions,
  nextPageNote,
  truncationNote,
} from "./notes.js";
import { mapStrings, project, sanitize, truncate } from "./shape.js";
import type { FullResult } from "./redact.js";

/** Maximum length of a header's value in a result. */
const MAX_HEADER = 2000;

/** Maximum length of base64 of an image or audio: about the size that hosts show. */
const MAX_MEDIA = 5_000_000;

/**
 * A tool's result, with the full result when it shows only a part. When the response cannot be made
 * to satisfy the output schema, the reason and the content of the response.
 */
export type ToolResult =
  | { readonly ok: true; readonly result: CallToolResult; readonly fullResult?: FullResult }
  | { readonly ok: false; readonly reason: string; readonly content: readonly ContentBlock[] };

/** Options by which a response becomes a tool's result. */
export interface ToolResultOptions extends NarrowingOptions {
  readonly tool: Pick<ToolDefinition, "name" | "inputSchema" | "outputSchema">;
  readonly mapping: ResponseMapping;
  /** Value of `next` in the result; `null` for none, absent where the response decides. */
  readonly next?: Readonly<Record<string, unknown>> | null | undefined;
  /** True if the response does not tell whether there is a next page. */
  readonly mayBeLast?: boolean | undefined;
  /** Maximum number of characters of JSON or text. */
  readonly maxCharacters: number;
  /** URL of a file, without credentials. */
  readonly url: string;
  readonly status: number;
  readonly headers?: Pick<ResponseHeaders, "get">;
  /** False if the call only reads. */
  readonly isWrite?: boolean;
  /** True if files are saved instead of shown. Images and audio are always shown. */
  readonly saveFiles?: boolean;
}

/**
 * Turns decoded content into the tool's result. JSON is projected, sanitized, truncated and coerced
 * to the output schema. A note tells the agent about every change.
 */
export function createToolResult(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  options: ToolResultOptions,
): ToolResult {
  switch (content.kind) {
    case "json":
      return jsonResult(content, options);
    case "text":
      return unstructuredResult(options, textBlocks(content.text, content.note, options));
    case "binary":
      return unstructuredResult(options, fileBlocks(content, options));
    case "empty":
      return emptyResult(options, content);
  }
}

function jsonResult(
  { value: body, isPlainAscii, note }: Extract<DecodedContent, { kind: "json" }>,
  { tool, mapping, next, mayBeLast, maxCharacters, ...narrowing }: ToolResultOptions,
): ToolResult {
  const projected = project(body, mapping, next);
  // The inputs of the next page may come from a header.
  const isClean = isPlainAscii && !next;
  const fullValue = isClean ? projected : mapStrings(projected, sanitize);
  const fullText = JSON.stringify(fullValue ?? null);
  const isTruncated = fullText.length > maxCharacters;
  const { value, omissions } = isTruncated
    ? truncate(fullValue, maxCharacters)
    : { value: fullValue, omissions: [] };
  const text = isTruncated ? JSON.stringify(value ?? null) : fullText;
  const truncation = omissions.length > 0 ? truncationNote(omissions, tool, narrowing) : undefined;
  const notes = [note, truncation, nextPageNote(value, tool, narrowing.input ?? {}, mayBeLast)];
  const fullResult = isTruncated ? { mimeType: "application/json", text: fullText } : undefined;
  if (!tool.outputSchema) {
    const structuredContent = isObject(value) ? value : undefined;
    const result = omitUndefined({ content: textAndNotes(text, notes), structuredContent });
    return omitUndefined({ ok: true as const, result, fullResult });
  }
  const coerced = coerceToObject(value, tool.outputSchema);
  const { differences, value: structuredContent } = coerced;
  if (!coerced.ok)
    return {
      ok: false,
      reason: describeDifferences(differences),
      content: textAndNotes(text, []),
    };
  if (differences.length > 0) notes.push(coercionNote(differences));
  const result = omitUndefined({ content: textAndNotes(text, notes), structuredContent });
  return omitUndefined({ ok: true as const, result, fullResult });
}

/**
 * Coerces a value to an object of the output schema. For a response of another type, the structured
 * result is empty if the schema allows it.
 */
function coerceToObject(
  value: unknown,
  schema: JsonSchema,
): CoercionResult & { readonly value?: Record<string, unknown> } {
  const coerced = coerceOutput(value, schema);
  if (coerced.ok && isObject(coerced.value)) return { ...coerced, value: coerced.value };
  const emptyValue: Record<string, unknown> = {};
  return {
    ok: coerceOutput(emptyValue, schema).ok,
    value: emptyValue,
    differences: coerced.differences,
  };
}

/** Content of a result without JSON. */
interface UnstructuredContent {
  readonly blocks: ContentBlock[];
  readonly fullResult?: FullResult;
}

function unstructuredResult(
  { tool }: ToolResultOptions,
  { blocks, fullResult }: UnstructuredContent,
): ToolResult {
  if (!tool.outputSchema)
    return omitUndefined({ ok: true as const, result: { content: blocks }, fullResult });
  const reason = "the response is not JSON, although the API's description declares JSON";
  return { ok: false, reason, content: blocks };
}

function textBlocks(
  text: string,
  note: string | undefined,
  { tool, maxCharacters, ...narrowing }: ToolResultOptions,
): UnstructuredContent {
  const fullValue = sanitize(text);
  const { value, omissions } = truncate(fullValue, maxCharacters);
  if (omissions.length === 0) return { blocks: textAndNotes(fullValue, [note]) };
  return {
    blocks: textAndNotes(value as string, [note, truncationNote(omissions, tool, narrowing)]),
    fullResult: { mimeType: "text/plain", text: fullValue },
  };
}

/**
 * Reports the success of an empty response. A tool with an output schema returns an empty object or
 * list. Only a schema with required fields makes that impossible.
 */
function emptyResult(
  { tool, mapping, status, headers, isWrite }: ToolResultOptions,
  { event: statedEvent, note: contentNote }: Extract<DecodedContent, { kind: "empty" }>,
): ToolResult {
  const isWithoutContent = status === 204 || status === 205 || statedEvent !== undefined;
  const text = [
    statedEvent ?? emptyText(status),
    ...headerLines(mapping.headers ?? [], status, headers),
  ].join("\n");
  if (!tool.outputSchema)
    return { ok: true, result: { content: textAndNotes(text, [contentNote]) } };
  const coerced = coerceOutput(emptyBody(mapping), tool.outputSchema);
  if (!coerced.ok) {
    const reason = "with an empty body, although the API's description declares data";
    return { ok: false, reason, content: [] };
  }
  const structuredContent = coerced.value as Record<string, unknown>;
  const event = "The API reported success without the data that its description declares";
  const note = isWithoutContent ? undefined : `${event}.`;
  if (isWrite !== false || isWithoutContent)
    return {
      ok: true,
      result: { content: textAndNotes(text, [note, contentNote]), structuredContent },
    };
  const notes = [`${event}; there may be none.`, contentNote];
  const content = textAndNotes(JSON.stringify(structuredContent), notes);
  return { ok: true, result: { content, structuredContent } };
}

/**
 * First line of the text of an empty response. 202 means that the API may complete the work later.
 * RFC 9110, section 15.3.3.
 */
function emptyText(status: number): string {
  if (status === 202) return "Accepted: empty response (202). The API may complete it later.";
  return status === 204 || status === 205
    ? `Done: no content (${status}).`
    : `Done: empty response (${status}).`;
}

/** The structured result of an empty response. */
function emptyBody({ item, ...mapping }: ResponseMapping): unknown {
  if (item !== undefined) return { items: [] };
  return project(mapping.wrap === undefined ? {} : null, mapping);
}

/** Lists the declared headers and the location of a created resource. RFC 9110, section 15.3.2. */
function headerLines(
  declaredHeaders: readonly string[],
  status: number,
  headers?: Pick<ResponseHeaders, "get">,
): readonly string[] {
  const hasLocation = declaredHeaders.some((name) => name.toLowerCase() === "location");
  const names = status === 201 && !hasLocation ? [...declaredHeaders, "Location"] : declaredHeaders;
  return names.flatMap((name) => {
    const value = headers?.get(name) ?? "";
    return value === "" ? [] : [`The API's header ${name}: ${shortenHeader(sanitize(value))}`];
  });
}

function shortenHeader(header: string): string {
  return header.length > MAX_HEADER ? `${header.slice(0, MAX_HEADER)}…` : header;
}

/** The file, behind the text that it holds. */
function fileBlocks(
  content: Extract<DecodedContent, { kind: "binary" }>,
  options: ToolResultOptions,
): UnstructuredContent {
  const { text, note, bytes, mimeType } = content;
  const file = bytesBlocks(bytes, mimeType, options);
  const shown = text === undefined ? undefined : textBlocks(text, undefined, options);
  const blocks = [...(shown?.blocks ?? []), ...file.blocks, ...noteBlocks([note])];
  return { ...file, blocks };
}

function bytesBlocks(
  bytes: Uint8Array,
  mimeType: string,
  { url, maxCharacters, saveFiles = false }: ToolResultOptions,
): UnstructuredContent {
  const characters = Math.ceil(bytes.byteLength / 3) * 4;
  const kind = /^(image|audio)\//.exec(mimeType)?.[1] as "image" | "audio" | undefined;
  const summary = textAndNotes(`A file of ${bytes.byteLength} bytes (${mimeType}).`, []);
  const maxFile = saveFiles ? 0 : maxCharacters;
  if (characters > (kind ? MAX_MEDIA : maxFile))
    return { blocks: summary, fullResult: { mimeType, bytes } };
  const data = base64(bytes);
  if (kind) return { blocks: [{ type: kind, data, mimeType }] };
  const resource = { uri: url, mimeType, blob: data };
  return { blocks: [{ type: "resource", resource }, ...summary] };
}

function textAndNotes(text: string, notes: readonly (string | undefined)[]): ContentBlock[] {
  return [{ type: "text", text }, ...noteBlocks(notes)];
}

function noteBlocks(notes: readonly (string | undefined)[]): ContentBlock[] {
  return notes
    .filter((note) => note !== undefined)
    .map((note) => ({ type: "text", text: sanitize(`Note: ${note}`) }));
}
