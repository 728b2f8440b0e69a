import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { base64, type Whole } from "../kept/index.js";
import type { Content } from "../read/index.js";
import type { ResponseHeaders } from "../send/index.js";
import type { JsonSchema, ReadBinding, ToolDefinition } from "../types.js";
import { clean } from "./clean.js";
import { conform, type Conformed } from "./conform.js";
import { fit, type Fitted } from "./fit.js";
import { differenceNote, differences, nextNote, omissionNote } from "./notes.js";
import { project } from "./project.js";
import { isTooDeep, rewrite } from "./rewrite.js";
import { isObject } from "../object.js";

export { clean } from "./clean.js";
export { rewrite } from "./rewrite.js";

/**
 * The tool's result, and all of it when that shows only a part; or, when the answer cannot be made
 * to satisfy the output schema, what is wrong with it, and what it was.
 */
export type Shaped =
  | { readonly ok: true; readonly result: CallToolResult; readonly whole?: Whole }
  | { readonly ok: false; readonly why: string; readonly content: readonly ContentBlock[] };

export interface ShapeOptions {
  readonly tool: Pick<ToolDefinition, "name" | "inputSchema" | "outputSchema">;
  readonly read: ReadBinding;
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
  readonly given?: Readonly<Record<string, unknown>>;
  /** Files are saved instead of shown, but for pictures and sound. */
  readonly savesFiles?: boolean;
}

/**
 * Turns what was read into the tool's result: projected, cleaned, cut to size and made to satisfy
 * the output schema. Every change is told in a note to the agent.
 */
export function shape(
  content: Exclude<Content, { kind: "broken" }>,
  options: ShapeOptions,
): Shaped {
  switch (content.kind) {
    case "json":
      return shapeJson(content.value, content.plain, content.note, options);
    case "text":
      return unstructured(options, shapeText(content.text, content.note, options));
    case "binary":
      return unstructured(options, file(content.bytes, content.mimeType, options));
    case "empty":
      return shapeEmpty(options);
  }
}

function shapeJson(
  answer: unknown,
  plain: boolean,
  note: string | undefined,
  options: ShapeOptions,
): Shaped {
  const { tool, maxCharacters } = options;
  const { value, text, omissions, all } = inJson(
    project(answer, options.read, options.next),
    plain,
    maxCharacters,
  );
  const notes = [
    note,
    omissions.length > 0 ? omissionNote(omissions, tool, options.given) : undefined,
    nextNote(value, tool),
  ];
  const whole =
    all === undefined ? undefined : { whole: { mimeType: "application/json", text: all } };
  if (!tool.outputSchema)
    return {
      ok: true,
      result: { content: texts(text, notes), ...(isObject(value) && { structuredContent: value }) },
      ...whole,
    };
  const conformed = conformedObject(value, tool.outputSchema);
  if (!conformed.ok)
    return { ok: false, why: differences(conformed.differences), content: texts(text, []) };
  if (conformed.differences.length > 0) notes.push(differenceNote(conformed.differences));
  return {
    ok: true,
    result: { content: texts(text, notes), structuredContent: conformed.value },
    ...whole,
  };
}

/**
 * An answer that is something else altogether leaves the structured result empty, where that is
 * allowed; the text has it.
 */
function conformedObject(
  value: unknown,
  schema: JsonSchema,
): Conformed & { readonly value?: Record<string, unknown> } {
  const conformed = conform(value, schema);
  if (conformed.ok && isObject(conformed.value)) return { ...conformed, value: conformed.value };
  const empty: Record<string, unknown> = {};
  return { ok: conform(empty, schema).ok, value: empty, differences: conformed.differences };
}

interface InJson extends Fitted {
  readonly text: string;
  /** All of it, when that is more. */
  readonly all?: string;
}

/** The value as it is shown: clean, not too large, and as JSON. */
function inJson(value: unknown, plain: boolean, maxCharacters: number): InJson {
  const safe = plain && !isTooDeep(value) ? value : rewrite(value, clean);
  const text = JSON.stringify(safe ?? null);
  if (text.length <= maxCharacters) return { value: safe, text, omissions: [] };
  const fitted = fit(safe, maxCharacters);
  return { ...fitted, text: JSON.stringify(fitted.value ?? null), all: text };
}

/** A result without JSON; a tool that promises JSON cannot give it. */
function unstructured({ tool }: ShapeOptions, content: Unstructured): Shaped {
  if (!tool.outputSchema)
    return {
      ok: true,
      result: { content: content.blocks },
      ...(content.whole && { whole: content.whole }),
    };
  return {
    ok: false,
    why: "the answer is not JSON, although the API's description says so",
    content: content.blocks,
  };
}

interface Unstructured {
  readonly blocks: ContentBlock[];
  readonly whole?: Whole;
}

function shapeText(
  text: string,
  note: string | undefined,
  { tool, maxCharacters, given }: ShapeOptions,
): Unstructured {
  const all = clean(text);
  const { value, omissions } = fit(all, maxCharacters);
  if (omissions.length === 0) return { blocks: texts(all, [note]) };
  return {
    blocks: texts(value as string, [note, omissionNote(omissions, tool, given)]),
    whole: { mimeType: "text/plain", text: all },
  };
}

/** An empty answer is a success. A tool that promises an object gives an empty one. */
function shapeEmpty({ tool, read, status, headers }: ShapeOptions): Shaped {
  const done =
    status === 204 || status === 205
      ? "Done: no content (204)."
      : `Done: empty answer (${status}).`;
  const text = [done, ...headerLines(read.headers ?? [], status, headers)].join("\n");
  if (!tool.outputSchema) return { ok: true, result: { content: texts(text, []) } };
  const conformed = conform(project(read.wrap === undefined ? {} : null, read), tool.outputSchema);
  if (!conformed.ok)
    return {
      ok: false,
      why: "with nothing in its body, although the API's description promises data",
      content: [],
    };
  return {
    ok: true,
    result: {
      content: texts(text, []),
      structuredContent: conformed.value as Record<string, unknown>,
    },
  };
}

const longestHeader = 2000;

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
    return value === "" ? [] : [`${name}: ${startOf(clean(value))}`];
  });
}

function startOf(header: string): string {
  return header.length > longestHeader ? `${header.slice(0, longestHeader)}…` : header;
}

/** Hosts show pictures and sound up to about this size, whatever a text may cost. */
const mostMedia = 5_000_000;

function file(
  bytes: Uint8Array,
  mimeType: string,
  { url, maxCharacters, savesFiles = false }: ShapeOptions,
): Unstructured {
  const characters = Math.ceil(bytes.byteLength / 3) * 4;
  const kind = /^(image|audio)\//.exec(mimeType)?.[1] as "image" | "audio" | undefined;
  const told = `A file of ${bytes.byteLength} bytes (${mimeType}).`;
  const most = kind ? mostMedia : savesFiles ? 0 : maxCharacters;
  if (characters > most) return { blocks: texts(told, []), whole: { mimeType, bytes } };
  const data = base64(bytes);
  if (kind) return { blocks: [{ type: kind, data, mimeType }] };
  return {
    blocks: [
      { type: "resource", resource: { uri: url, mimeType, blob: data } },
      ...texts(told, []),
    ],
  };
}

function texts(text: string, notes: readonly (string | undefined)[]): ContentBlock[] {
  return [text, ...notes.filter((note) => note !== undefined).map((note) => `Note: ${note}`)].map(
    (block) => ({ type: "text", text: block }),
  );
}
