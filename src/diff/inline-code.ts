import { joinFirst } from "../diagnostics/index.js";
import { toSingleLine } from "../diagnostics/text.js";

/** Maximum length of quoted text. */
const MAX_LENGTH = 80;
/** Text shown before the first difference of two long texts. */
const CONTEXT_LENGTH = 30;
/** Maximum number of values listed; further values are counted. */
const MAX_VALUES = 6;

/** Formats document text as Markdown inline code: on one line, without backticks. */
export function inlineCode(text: string): string {
  return inlineLongCode(text, MAX_LENGTH);
}

/** Formats text as inline code like `inlineCode`, with another maximum length. */
export function inlineLongCode(text: string, maxLength: number): string {
  const line = toSingleLine(text.slice(0, 4 * maxLength)).replaceAll("`", "'");
  const characters = [...line];
  const visible =
    characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line;
  return `\`${visible === "" ? " " : visible}\``;
}

/**
 * Formats two versions of a text as `from … to …`. Long texts start shortly before their first
 * difference.
 */
export function inlineChange(was: string, now: string): string {
  const isLong = Math.max(was.length, now.length) > MAX_LENGTH;
  const start = isLong ? Math.max(0, firstDifference(was, now) - CONTEXT_LENGTH) : 0;
  const excerpt = (text: string): string =>
    inlineCode(start === 0 ? text : `…${text.slice(start).trimStart()}`);
  return `from ${excerpt(was)} to ${excerpt(now)}`;
}

function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return index;
}

/** Formats a JSON value as inline code. */
export function inlineJson(value: unknown): string {
  return inlineCode(JSON.stringify(value) ?? "null");
}

/** Formats JSON values as a list of inline code. */
export function inlineJsonList(values: readonly unknown[]): string {
  return joinFirst(values.map(inlineJson), MAX_VALUES);
}
