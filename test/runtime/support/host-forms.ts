/** The forms in which hosts show a result to a model. docs/hosts.md has the hosts of each. */
import type { CallToolResult } from "@modelcontextprotocol/server";

/** Structured content in place of the content, if there is any; the content of an error. */
export function structureForm(result: CallToolResult): string {
  if (result.isError || result.structuredContent === undefined) return contentForm(result);
  return JSON.stringify(result.structuredContent);
}

/** The content alone, with its media and links. */
export function contentForm({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === "text" ? block.text : JSON.stringify(block)))
    .join("\n");
}

/** Notes of the content without their mark. */
export function notesOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) =>
    block.type === "text" && block.text.startsWith("Note: ") ? [block.text.slice(6)] : [],
  );
}

/**
 * Facts that one form has and the other lacks: notes, and values of the structured content that the
 * output schema does not declare.
 */
export function lostFacts(
  result: CallToolResult,
  outputSchema: { readonly [keyword: string]: unknown } = {},
): readonly string[] {
  const structured = result.structuredContent as Record<string, unknown> | undefined;
  if (result.isError || !structured) return [];
  const [structure, text] = [structureForm(result), contentForm(result)];
  const declared = (outputSchema["properties"] ?? {}) as object;
  const added = [
    "notes",
    "resultNotes",
    "next",
    "location",
    "resource",
    "nextUrl",
    "headers",
    "total",
  ];
  const values = added
    .filter((key) => !Object.hasOwn(declared, key))
    .flatMap((key) => leavesOf(structured[key]));
  return [
    ...notesOf(result).filter((note) => !structure.includes(JSON.stringify(note))),
    ...values.filter((value) => !text.includes(value) && !text.includes(quoted(value))),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** All scalars of a JSON value as text, without null. */
export function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null)
    return Object.values(value).flatMap((part) => leavesOf(part));
  return value === undefined || value === null ? [] : [String(value)];
}
