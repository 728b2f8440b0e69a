/** The picked fields of the result of a called tool. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { parseContainerText } from "../data/json-text.js";
import { isObject, omitUndefined } from "../data/values.js";
import { pickPaths } from "../response/pick-fields.js";
import { addFacts, type NotedResult } from "../response/result-facts.js";
import { linkFullResult } from "../response/result-store.js";
import { createToolResult } from "../response/tool-result.js";
import { truncate } from "../response/truncate.js";
import type { AnyTool, ResultServer } from "../tools/definitions.js";
import { textOfResult } from "../tools/tool-error.js";

/** Shows only the picked fields of a result of a tool. */
export const showOnly =
  (tool: AnyTool, pick: readonly string[]) =>
  (result: CallToolResult, server: ResultServer): Promise<CallToolResult> =>
    showPicked(tool, pick, result, server);

async function showPicked(
  tool: AnyTool,
  pick: readonly string[],
  whole: CallToolResult,
  server: ResultServer,
): Promise<CallToolResult> {
  const { maxResultCharacters: max } = server.settings;
  if (whole.isError) return { ...whole, content: whole.content.map((one) => shorten(one, max)) };
  if (!Array.isArray(whole.content)) return whole;
  const { structuredContent, content } = whole;
  const text = textOfResult(whole);
  if (structuredContent === undefined && text.length <= max) return withNotes(whole, [NO_FIELDS]);
  const { value, notes } =
    structuredContent === undefined
      ? { value: text, notes: [NO_FIELDS] }
      : pickPaths(structuredContent, pick);
  const rest = structuredContent ? content.filter((one) => !isData(one)) : content.filter(isFile);
  const shown = await fitResult(tool, value, server);
  return withNotes({ ...whole, ...shown, content: [...shown.content, ...rest] }, notes);
}

const NO_FIELDS = "pick has no effect: the result is not JSON.";

/** True for a text of JSON, which the structured result has, too. */
const isData = (block: ContentBlock): boolean =>
  block.type === "text" && parseContainerText(block.text) !== undefined;

const isFile = ({ type }: ContentBlock): boolean => type !== "text";

const withNotes = (result: CallToolResult, notes: readonly string[]): CallToolResult =>
  notes.length === 0 ? result : addFacts(notedResult(result), { notes }, undefined).result;

/** The result with the key of its notes. */
function notedResult(result: CallToolResult): NotedResult {
  const { structuredContent } = result;
  const structured = isObject(structuredContent) ? structuredContent : {};
  const notesKey = ["resultNotes", "notes"].find((key) => Object.hasOwn(structured, key));
  return { result, ...(notesKey !== undefined && { notesKey }) };
}

function shorten(block: ContentBlock, max: number): ContentBlock {
  if (block.type !== "text") return block;
  return { ...block, text: truncate(block.text, max).value as string };
}

/** Truncates a value that is too large still, and links all of it. */
async function fitResult(
  { name, annotations }: AnyTool,
  value: unknown,
  server: ResultServer,
): Promise<CallToolResult> {
  const tool = { name, inputSchema: {} };
  const content =
    typeof value === "string"
      ? ({ kind: "text", text: value } as const)
      : ({ kind: "json", value, isPlainAscii: true } as const);
  const { maxResultCharacters: maxCharacters } = server.settings;
  const made = createToolResult(content, { ...SHOWN, tool, maxCharacters });
  if (!made.ok) throw new Error(made.reason);
  const { ok: _, fullResult, ...noted } = made;
  if (!fullResult) return noted.result;
  const { resultStore, resultReader, files, redact } = server;
  const linked = await linkFullResult(noted, fullResult, {
    tool,
    // The call would have other fields: its result is not read by repeating it.
    call: { tool: { annotations: { readOnlyHint: false } }, input: {} },
    isWrite: !annotations.readOnlyHint,
    ...omitUndefined({ resultStore, resultReader, files }),
    redact,
  });
  return linked.result;
}

/** A value that is shown has no response of its own. */
const SHOWN = { mapping: {}, url: "", status: 200 } as const;
