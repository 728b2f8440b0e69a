import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { base64 } from "../bytes.js";
import type { ResponseHeaders } from "../client/index.js";
import { isObject } from "../json.js";
import type { JsonSchema, ResponseMapping, ToolDefinition } from "../types.js";
import { coerceOutput, type CoercionResult } from "./coerce-output.js";
import type { DecodedContent } from "./decode.js";
import { coercionNote, describeDifferences, nextPageNote, truncationNote } from "./notes.js";
import { project } from "./project.js";
import type { FullResult } from "./result-store/result-store.js";
import { exceedsMaxDepth, mapStrings, sanitize } from "./sanitize.js";
import { truncate, type Truncated } from "./truncate.js";

export { sanitize } from "./sanitize.js";
export { mapStrings } from "./sanitize.js";

/**
 * The tool's result, and all of it when that shows only a part; or, when the answer cannot be made
 * to satisfy the output schema, what is wrong with it, and what it was.
 */
export type ToolResult =
  | { readonly ok: true; readonly result: CallToolResult; readonly fullResult?: FullResult }
  | { readonly ok: false; readonly reason: string; readonly content: readonly ContentBlock[] };

export interface ToolResultOptions {
  readonly tool: Pick<ToolDefinition, "name" | "inputSchema" | "outputSchema">;
  readonly mapping: ResponseMapping;
  /**
   * What belongs under `next` in the result, when that is not for the answer alone to say; `null`:
   * nothing.
   */
  readonly next?: Readonly<Record<string, unknown>> | null | undefined;
  /** Most characters of JSON or text in the result. */
  readonly maxCharacters: number;
  /** Where a file came from; without credentials. */
  readonly url: string;
  readonly status: number;
  readonly headers?: Pick<ResponseHeaders, "get">;
  /** What the tool was called with. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Files are saved instead of shown, but for pictures and sound. */
  readonly saveFiles?: boolean;
}

/**
 * Turns what was read into the tool's result: projected, cleaned, cut to size and made to satisfy
 * the output schema. Every change is told in a note to the agent.
 */
export function createToolResult(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  options: ToolResultOptions,
): ToolResult {
  switch (content.kind) {
    case "json":
      return jsonResult(content.value, content.isPlainAscii, content.note, options);
    case "text":
      return unstructuredResult(options, textBlocks(content.text, content.note, options));
    case "binary":
      return unstructuredResult(options, fileBlocks(content.bytes, content.mimeType, options));
    case "empty":
      return emptyResult(options);
  }
}

function jsonResult(
  answer: unknown,
  plain: boolean,
  note: string | undefined,
  options: ToolResultOptions,
): ToolResult {
  const { tool, maxCharacters } = options;
  const { value, text, omissions, fullText } = fitToSize(
    project(answer, options.mapping, options.next),
    plain,
    maxCharacters,
  );
  const notes = [
    note,
    omissions.length > 0 ? truncationNote(omissions, tool, options.input) : undefined,
    nextPageNote(value, tool),
  ];
  const whole =
    fullText === undefined
      ? undefined
      : { fullResult: { mimeType: "application/json", text: fullText } };
  if (!tool.outputSchema)
    return {
      ok: true,
      result: {
        content: textAndNotes(text, notes),
        ...(isObject(value) && { structuredContent: value }),
      },
      ...whole,
    };
  const conformed = coerceToObject(value, tool.outputSchema);
  if (!conformed.ok)
    return {
      ok: false,
      reason: describeDifferences(conformed.differences),
      content: textAndNotes(text, []),
    };
  if (conformed.differences.length > 0) notes.push(coercionNote(conformed.differences));
  return {
    ok: true,
    result: { content: textAndNotes(text, notes), structuredContent: conformed.value },
    ...whole,
  };
}

/**
 * An answer that is something else altogether leaves the structured result empty, where that is
 * allowed; the text has it.
 */
function coerceToObject(
  value: unknown,
  schema: JsonSchema,
): CoercionResult & { readonly value?: Record<string, unknown> } {
  const conformed = coerceOutput(value, schema);
  if (conformed.ok && isObject(conformed.value)) return { ...conformed, value: conformed.value };
  const empty: Record<string, unknown> = {};
  return { ok: coerceOutput(empty, schema).ok, value: empty, differences: conformed.differences };
}

interface SizedJson extends Truncated {
  readonly text: string;
  /** All of it, when that is more. */
  readonly fullText?: string;
}

/** The value as it is shown: clean, not too large, and as JSON. */
function fitToSize(value: unknown, plain: boolean, maxCharacters: number): SizedJson {
  const safe = plain && !exceedsMaxDepth(value) ? value : mapStrings(value, sanitize);
  const text = JSON.stringify(safe ?? null);
  if (text.length <= maxCharacters) return { value: safe, text, omissions: [] };
  const fitted = truncate(safe, maxCharacters);
  return { ...fitted, text: JSON.stringify(fitted.value ?? null), fullText: text };
}

/** A result without JSON; a tool that promises JSON cannot give it. */
function unstructuredResult({ tool }: ToolResultOptions, content: Unstructured): ToolResult {
  if (!tool.outputSchema)
    return {
      ok: true,
      result: { content: content.blocks },
      ...(content.fullResult && { fullResult: content.fullResult }),
    };
  return {
    ok: false,
    reason: "the answer is not JSON, although the API's description says so",
    content: content.blocks,
  };
}

interface Unstructured {
  readonly blocks: ContentBlock[];
  readonly fullResult?: FullResult;
}

function textBlocks(
  text: string,
  note: string | undefined,
  { tool, maxCharacters, input }: ToolResultOptions,
): Unstructured {
  const all = sanitize(text);
  const { value, omissions } = truncate(all, maxCharacters);
  if (omissions.length === 0) return { blocks: textAndNotes(all, [note]) };
  return {
    blocks: textAndNotes(value as string, [note, truncationNote(omissions, tool, input)]),
    fullResult: { mimeType: "text/plain", text: all },
  };
}

/** An empty answer is a success. A tool that promises an object gives an empty one. */
function emptyResult({ tool, mapping, status, headers }: ToolResultOptions): ToolResult {
  const done =
    status === 204 || status === 205
      ? "Done: no content (204)."
      : `Done: empty answer (${status}).`;
  const text = [done, ...headerLines(mapping.headers ?? [], status, headers)].join("\n");
  if (!tool.outputSchema) return { ok: true, result: { content: textAndNotes(text, []) } };
  const conformed = coerceOutput(
    project(mapping.wrap === undefined ? {} : null, mapping),
    tool.outputSchema,
  );
  if (!conformed.ok)
    return {
      ok: false,
      reason: "with nothing in its body, although the API's description promises data",
      content: [],
    };
  return {
    ok: true,
    result: {
      content: textAndNotes(text, []),
      structuredContent: conformed.value as Record<string, unknown>,
    },
  };
}

const MAX_HEADER = 2000;

/**
 * What the document says that headers tell, and where the thing is that was made (RFC 9110, section
 * 15.3.2).
 */
function headerLines(
  declared: readonly string[],
  status: number,
  headers?: Pick<ResponseHeaders, "get">,
): readonly string[] {
  const names =
    status === 201 && !declared.some((name) => name.toLowerCase() === "location")
      ? [...declared, "Location"]
      : declared;
  return names.flatMap((name) => {
    const value = headers?.get(name) ?? "";
    return value === "" ? [] : [`${name}: ${shortenHeader(sanitize(value))}`];
  });
}

function shortenHeader(header: string): string {
  return header.length > MAX_HEADER ? `${header.slice(0, MAX_HEADER)}…` : header;
}

/** Hosts show pictures and sound up to about this size, whatever a text may cost. */
const MAX_MEDIA = 5_000_000;

function fileBlocks(
  bytes: Uint8Array,
  mimeType: string,
  { url, maxCharacters, saveFiles = false }: ToolResultOptions,
): Unstructured {
  const characters = Math.ceil(bytes.byteLength / 3) * 4;
  const kind = /^(image|audio)\//.exec(mimeType)?.[1] as "image" | "audio" | undefined;
  const told = `A file of ${bytes.byteLength} bytes (${mimeType}).`;
  const most = kind ? MAX_MEDIA : saveFiles ? 0 : maxCharacters;
  if (characters > most) return { blocks: textAndNotes(told, []), fullResult: { mimeType, bytes } };
  const data = base64(bytes);
  if (kind) return { blocks: [{ type: kind, data, mimeType }] };
  return {
    blocks: [
      { type: "resource", resource: { uri: url, mimeType, blob: data } },
      ...textAndNotes(told, []),
    ],
  };
}

function textAndNotes(text: string, notes: readonly (string | undefined)[]): ContentBlock[] {
  return [text, ...notes.filter((note) => note !== undefined).map((note) => `Note: ${note}`)].map(
    (block) => ({ type: "text", text: block }),
  );
}
