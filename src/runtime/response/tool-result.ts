/** Results of tools: text, structured content, media, and facts for the agent. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { base64 } from "../data/bytes.js";
import { isWholeText } from "../data/framed-text.js";
import { runAtOnce, type Steps } from "../data/steps.js";
import { isObject, omitUndefined } from "../data/values.js";
import type { ResponseHeaders } from "../request/types.js";
import type { JsonSchema, ResponseMapping, ToolDefinition } from "../types.js";
import { coerceOutput } from "../schema/coerce-output.js";
import type { DecodedContent } from "./decode.js";
import { headerFacts, headerLines, headerNotes } from "./headers.js";
import {
  coercionFacts,
  describeDifferences,
  type NarrowingOptions,
  nextPageNote,
  truncationNote,
  unexpectedPart,
} from "./notes.js";
import { addFacts, type NotedResult, type ResultFacts } from "./result-facts.js";
import { examplePaths } from "./pick-fields.js";
import { missingListNote, project } from "./project.js";
import { mapStringsInSteps, sanitize } from "./shape.js";
import { stepPath } from "./step-paths.js";
import { truncate } from "./truncate.js";
import { valueCountsNote } from "./value-counts.js";
import type { FullResult } from "./redact.js";

/** Maximum length of base64 of an image or audio: about the size that hosts show. */
const MAX_MEDIA = 5_000_000;

/**
 * A tool's result, with the full result when it shows only a part. When the response cannot be made
 * to satisfy the output schema, the reason and the content of the response.
 */
export type ToolResult =
  | ({ readonly ok: true; readonly fullResult?: FullResult } & NotedResult)
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
  /** Facts that are known before the result is. */
  readonly facts?: ResultFacts | undefined;
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
  return runAtOnce(createToolResultInSteps(content, options));
}

/** `createToolResult` in steps, for large content. */
export function* createToolResultInSteps(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  options: ToolResultOptions,
): Steps<ToolResult> {
  switch (content.kind) {
    case "json":
      return yield* jsonResult(content, options);
    case "text":
      return unstructuredResult(options, textBlocks(content.text, content.note, options));
    case "binary":
      return unstructuredResult(options, fileBlocks(content, options));
    case "empty":
      return emptyResult(options, content);
  }
}

/** Content of a result without JSON. */
interface UnstructuredContent {
  readonly blocks: ContentBlock[];
  readonly notes?: readonly (string | undefined)[];
  /** Values of the structured result, if a schema requires one. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly fullResult?: FullResult;
}

function* jsonResult(
  { value: body, isPlainAscii, note }: Extract<DecodedContent, { kind: "json" }>,
  options: ToolResultOptions,
): Steps<ToolResult> {
  const { tool, mapping, next, mayBeLast, maxCharacters, input = {}, facts } = options;
  const projected = withItems(project(body, mapping, next), tool);
  // The inputs of the next page may come from a header.
  const isClean = isPlainAscii && !next;
  const fullValue = isClean ? projected : yield* mapStringsInSteps(projected, sanitize);
  yield;
  const fullText = JSON.stringify(fullValue ?? null);
  const isTruncated = fullText.length > maxCharacters;
  yield;
  const { value, omissions: omitted } = isTruncated
    ? truncate(fullValue, maxCharacters)
    : { value: fullValue, omissions: [] };
  const omissions = omitted.map((one) => ({ ...one, ...stepPath(one.path, fullValue) }));
  const text = isTruncated ? JSON.stringify(value ?? null) : fullText;
  const truncation = omissions.length > 0 ? truncationNote(omissions, tool, options) : undefined;
  const notes = [
    note,
    missingListNote(body, mapping),
    truncation,
    valueCountsNote(fullValue, omitted),
    nextPageNote(value, tool, input, mayBeLast),
    ...headerNotes(options, fullText),
  ];
  const paths = examplePaths(fullValue, omitted);
  const fullResult = isTruncated
    ? { mimeType: "application/json", text: fullText, ...(paths.length > 0 && { paths }) }
    : undefined;
  yield;
  const structured = structuredResult(value, tool.outputSchema);
  if (!structured.ok) return { ...structured, content: [textBlock(text)] };
  // The text of a list that coercion has moved into `items` has it there, too.
  const isMoved = Array.isArray(value) && structured.value?.["items"] === value;
  const result = omitUndefined({
    content: [textBlock(isMoved ? `{"items":${text}}` : text)],
    structuredContent: structured.value,
  });
  const all = {
    notes: [...notes, ...(structured.notes ?? []), ...(facts?.notes ?? [])],
    values: { ...structured.values, ...headerFacts(options, fullText), ...facts?.values },
    blocks: facts?.blocks ?? [],
  };
  return omitUndefined({ ok: true as const, ...finish(result, all, tool), fullResult });
}

/** A list without an output schema stands in `items`, as all lists do, beside notes and `next`. */
function withItems(value: unknown, { outputSchema }: ToolResultOptions["tool"]): unknown {
  return !outputSchema && Array.isArray(value) ? { items: value } : value;
}

/** Adds facts to a result, if there are any. */
function finish(
  result: CallToolResult,
  facts: ResultFacts,
  { outputSchema }: ToolResultOptions["tool"],
): NotedResult {
  const { notes = [], textNotes = [], values = {}, blocks = [] } = facts;
  const hasFacts =
    textNotes.length > 0 ||
    blocks.length > 0 ||
    notes.some((note) => note !== undefined) ||
    Object.keys(values).length > 0;
  return hasFacts ? addFacts({ result }, facts, outputSchema) : { result };
}

type StructuredResult =
  | ({ readonly ok: true; readonly value?: Record<string, unknown> } & ResultFacts)
  | { readonly ok: false; readonly reason: string };

/** The structured result for a value, with the parts that its schema does not allow as facts. */
function structuredResult(value: unknown, schema: JsonSchema | undefined): StructuredResult {
  if (!schema) return isObject(value) ? { ok: true, value } : { ok: true };
  const coerced = coerceOutput(value, schema);
  if (!coerced.ok) return { ok: false, reason: describeDifferences(coerced.problems) };
  const fields = coerced.value as Record<string, unknown>;
  return { ok: true, value: fields, ...coercionFacts(coerced) };
}

function unstructuredResult(
  options: ToolResultOptions,
  { blocks, notes = [], data, fullResult }: UnstructuredContent,
): ToolResult {
  const { tool, facts } = options;
  const all = {
    notes: [...notes, ...headerNotes(options), ...(facts?.notes ?? [])],
    blocks: facts?.blocks ?? [],
  };
  if (!tool.outputSchema)
    return omitUndefined({
      ok: true as const,
      ...finish({ content: blocks }, all, tool),
      fullResult,
    });
  const empty = coerceOutput({}, tool.outputSchema);
  const reason = "the response is not JSON, although the API's description declares JSON";
  if (!empty.ok) return { ok: false, reason, content: blocks };
  const structuredContent = empty.value as Record<string, unknown>;
  const values = { ...data, ...headerFacts(options), ...facts?.values };
  const event = `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
  const result = { content: blocks, structuredContent };
  const noted = finish(result, { ...all, notes: [event, ...all.notes], values }, tool);
  return omitUndefined({ ok: true as const, ...noted, fullResult });
}

function textBlocks(
  text: string,
  note: string | undefined,
  options: ToolResultOptions,
): UnstructuredContent {
  const fullValue = sanitize(text);
  const { value, omissions } = truncate(fullValue, options.maxCharacters);
  const blocks = [textBlock(value as string)];
  const data = { unexpected: [unexpectedPart([], value)] };
  if (omissions.length === 0) return { blocks, notes: [note], data };
  const notes = [note, truncationNote(omissions, options.tool, options)];
  return { blocks, notes, data, fullResult: { mimeType: "text/plain", text: fullValue } };
}

/**
 * Reports the success of an empty response. The structured result has the status, the declared
 * headers and the location. Only a schema with required fields makes that impossible.
 */
function emptyResult(
  options: ToolResultOptions,
  { event: statedEvent, note: contentNote }: Extract<DecodedContent, { kind: "empty" }>,
): ToolResult {
  const { tool, mapping, status, isWrite, facts } = options;
  const lines = headerLines(options);
  const summary = statedEvent ?? emptyText(status, isWrite === true);
  const coerced = coerceOutput(emptyBody(mapping), tool.outputSchema ?? {});
  if (!coerced.ok) {
    const reason = "with an empty body, although the API's description declares data";
    return { ok: false, reason, content: [] };
  }
  const isStated = status === 204 || status === 205 || statedEvent !== undefined;
  const isExpected = !tool.outputSchema || isStated;
  const event = "The API reported success without the data that its description declares";
  const note = isExpected
    ? undefined
    : `${event}${isWrite === false ? "; there may be none" : ""}.`;
  const structuredContent = tool.outputSchema ? (coerced.value as Record<string, unknown>) : {};
  const content = [textBlock([summary, ...lines].join("\n"))];
  const all = {
    textNotes: [summary],
    notes: [note, contentNote, ...(facts?.notes ?? [])],
    values: { httpStatus: status, ...headerFacts(options), ...facts?.values },
    blocks: facts?.blocks ?? [],
  };
  return { ok: true, ...finish({ content, structuredContent }, all, tool) };
}

/**
 * First line of the text of an empty response. 202 means that the API may complete the work later.
 * RFC 9110, section 15.3.3.
 */
function emptyText(status: number, isWrite: boolean): string {
  if (status === 202) return "Accepted: empty response (202). The API may complete it later.";
  const content = status === 204 || status === 205 ? "no content" : "empty response";
  return isWrite ? `The API accepted it: ${content} (${status}).` : `Done: ${content} (${status}).`;
}

/** The structured result of an empty response. */
function emptyBody({ item, ...mapping }: ResponseMapping): unknown {
  if (item !== undefined) return { items: [] };
  return project(mapping.wrap === undefined ? {} : null, mapping);
}

/** The file, behind the text that it holds. A file that is only text is not shown twice. */
function fileBlocks(
  content: Extract<DecodedContent, { kind: "binary" }>,
  options: ToolResultOptions,
): UnstructuredContent {
  const { text, note, bytes, mimeType } = content;
  const file = bytesBlocks(bytes, mimeType, options);
  const shown = text === undefined ? undefined : textBlocks(text, undefined, options);
  const notes = [...(shown?.notes ?? []), note];
  const data = { ...shown?.data, ...file.data };
  const isWhole = shown !== undefined && shown.fullResult === undefined;
  if (isWhole && !options.saveFiles && isWholeText(bytes, text!) && sanitize(text!) === text)
    return { blocks: [...shown.blocks, fileSummary(bytes, mimeType)], notes, data };
  return { ...file, blocks: [...(shown?.blocks ?? []), ...file.blocks], notes, data };
}

const fileSummary = (bytes: Uint8Array, mimeType: string): ContentBlock =>
  textBlock(`A file of ${bytes.byteLength} bytes (${mimeType}).`);

function bytesBlocks(
  bytes: Uint8Array,
  mimeType: string,
  { url, maxCharacters, saveFiles = false }: ToolResultOptions,
): UnstructuredContent {
  const characters = Math.ceil(bytes.byteLength / 3) * 4;
  const kind = /^(image|audio)\//.exec(mimeType)?.[1] as "image" | "audio" | undefined;
  const summary = [fileSummary(bytes, mimeType)];
  const data = { media: [{ mimeType, bytes: bytes.byteLength }] };
  const maxFile = saveFiles ? 0 : maxCharacters;
  if (characters > (kind ? MAX_MEDIA : maxFile))
    return { blocks: summary, data, fullResult: { mimeType, bytes } };
  const encoded = base64(bytes);
  if (kind) return { blocks: [{ type: kind, data: encoded, mimeType }], data };
  const resource = { uri: url, mimeType, blob: encoded };
  return { blocks: [{ type: "resource", resource }, ...summary], data };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
