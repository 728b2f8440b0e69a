import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Content } from "../read/index.js";
import type { JsonSchema, ReadBinding, ToolDefinition } from "../types.js";
import { clean } from "./clean.js";
import { conform, type Conformed } from "./conform.js";
import { fit, type Fitted } from "./fit.js";
import { differenceNote, differences, omissionNote } from "./notes.js";
import { project } from "./project.js";
import { rewrite } from "./rewrite.js";

export { clean } from "./clean.js";
export { rewrite } from "./rewrite.js";

/** The tool's result; or, when the answer cannot be made to satisfy the output schema, what is wrong with it, and what it was. */
export type Shaped = { readonly ok: true; readonly result: CallToolResult } | { readonly ok: false; readonly why: string; readonly content: readonly ContentBlock[] };

export interface ShapeOptions {
  readonly tool: Pick<ToolDefinition, "inputSchema" | "outputSchema">;
  readonly read: ReadBinding;
  /** Most characters of JSON or text in the result. */
  readonly maxCharacters: number;
  /** Where a file came from; without credentials. */
  readonly url: string;
  readonly status: number;
}

/**
 * Turns what was read into the tool's result: projected, cleaned, cut to size and made to satisfy the output schema. Every change
 * is told in a note to the agent.
 */
export function shape(content: Exclude<Content, { kind: "broken" }>, options: ShapeOptions): Shaped {
  switch (content.kind) {
    case "json":
      return shapeJson(content.value, content.plain, content.note, options);
    case "text":
      return unstructured(options, () => shapeText(content.text, content.note, options));
    case "binary":
      return unstructured(options, () => file(content.bytes, content.mimeType, options.url));
    case "empty":
      return shapeEmpty(options);
  }
}

function shapeJson(answer: unknown, plain: boolean, note: string | undefined, options: ShapeOptions): Shaped {
  const { tool, maxCharacters } = options;
  const { value, text, omissions } = inJson(project(answer, options.read), plain, maxCharacters);
  const notes = [note, omissions.length > 0 ? omissionNote(omissions, tool) : undefined];
  if (!tool.outputSchema) return { ok: true, result: { content: texts(text, notes), ...(isObject(value) && { structuredContent: value }) } };
  const conformed = conformedObject(value, tool.outputSchema);
  if (!conformed.ok) return { ok: false, why: differences(conformed.differences), content: texts(text, []) };
  if (conformed.differences.length > 0) notes.push(differenceNote(conformed.differences));
  return { ok: true, result: { content: texts(text, notes), structuredContent: conformed.value } };
}

/** An answer that is something else altogether leaves the structured result empty, where that is allowed; the text has it. */
function conformedObject(value: unknown, schema: JsonSchema): Conformed & { readonly value?: Record<string, unknown> } {
  const conformed = conform(value, schema);
  if (conformed.ok && isObject(conformed.value)) return { ...conformed, value: conformed.value };
  const empty: Record<string, unknown> = {};
  return { ok: conform(empty, schema).ok, value: empty, differences: conformed.differences };
}

interface InJson extends Fitted {
  readonly text: string;
}

/** The value as it is shown: clean, not too large, and as JSON. */
function inJson(value: unknown, plain: boolean, maxCharacters: number): InJson {
  const safe = plain ? value : rewrite(value, clean);
  const text = jsonOf(safe);
  if (text === undefined) return inJson(value, false, maxCharacters);
  if (text.length <= maxCharacters) return { value: safe, text, omissions: [] };
  const fitted = fit(safe, maxCharacters);
  return { ...fitted, text: jsonOf(fitted.value) ?? "null" };
}

/** JSON.parse takes any depth, JSON.stringify does not: `undefined` when the value is too deep. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}

/** A result without JSON; a tool that promises JSON cannot give it. */
function unstructured({ tool }: ShapeOptions, content: () => ContentBlock[]): Shaped {
  if (!tool.outputSchema) return { ok: true, result: { content: content() } };
  return { ok: false, why: "the answer is not JSON, although the API's description says so", content: content() };
}

function shapeText(text: string, note: string | undefined, { tool, maxCharacters }: ShapeOptions): ContentBlock[] {
  const { value, omissions } = fit(clean(text), maxCharacters);
  return texts(value as string, [note, omissions.length > 0 ? omissionNote(omissions, tool) : undefined]);
}

/** An empty answer is a success. A tool that promises an object gives an empty one. */
function shapeEmpty({ tool, read, status }: ShapeOptions): Shaped {
  const text = status === 204 || status === 205 ? "Done: no content (204)." : `Done: empty answer (${status}).`;
  if (!tool.outputSchema) return { ok: true, result: { content: texts(text, []) } };
  const conformed = conform(project(read.wrap === undefined ? {} : null, read), tool.outputSchema);
  if (!conformed.ok) return { ok: false, why: "with nothing in its body, although the API's description promises data", content: [] };
  return { ok: true, result: { content: texts(text, []), structuredContent: conformed.value as Record<string, unknown> } };
}

function file(bytes: Uint8Array, mimeType: string, uri: string): ContentBlock[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  if (mimeType.startsWith("image/")) return [{ type: "image", data, mimeType }];
  if (mimeType.startsWith("audio/")) return [{ type: "audio", data, mimeType }];
  return [{ type: "resource", resource: { uri, mimeType, blob: data } }, ...texts(`A file of ${bytes.byteLength} bytes (${mimeType}).`, [])];
}

function texts(text: string, notes: readonly (string | undefined)[]): ContentBlock[] {
  return [text, ...notes.filter((note) => note !== undefined).map((note) => `Note: ${note}`)].map((block) => ({ type: "text", text: block }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
