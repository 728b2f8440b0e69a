import { toSingleLine } from "../diagnostics/text.js";

/** Maximum length of quoted text. */
const MAX_LENGTH = 80;
/** Maximum number of values listed; further values are counted. */
const MAX_VALUES = 6;

/** Formats document text as Markdown inline code: on one line, without backticks. */
export function inlineCode(text: string): string {
  const line = toSingleLine(text.slice(0, 4 * MAX_LENGTH)).replaceAll("`", "'");
  const characters = [...line];
  const shown =
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : line;
  return `\`${shown === "" ? " " : shown}\``;
}

/** Formats a JSON value as inline code. */
export function inlineJson(value: unknown): string {
  return inlineCode(JSON.stringify(value) ?? "null");
}

/** Formats JSON values as a list of inline code. */
export function inlineJsonList(values: readonly unknown[]): string {
  const some = values.slice(0, MAX_VALUES).map(inlineJson).join(", ");
  return values.length > MAX_VALUES ? `${some} and ${values.length - MAX_VALUES} more` : some;
}
