import { toSingleLine } from "../diagnostics/text.js";

/** Longest text of a document in a sentence. */
const MAX_LENGTH = 80;
/** More values of a list are counted. */
const MAX_VALUES = 6;

/** Text of a document between backticks: on one line, and without what would end them. */
export function inlineCode(text: string): string {
  const line = toSingleLine(text.slice(0, 4 * MAX_LENGTH)).replaceAll("`", "'");
  const characters = [...line];
  const shown =
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : line;
  return `\`${shown === "" ? " " : shown}\``;
}

/** A JSON value. */
export function inlineJson(value: unknown): string {
  return inlineCode(JSON.stringify(value) ?? "null");
}

/** Several JSON values. */
export function inlineJsonList(values: readonly unknown[]): string {
  const some = values.slice(0, MAX_VALUES).map(inlineJson).join(", ");
  return values.length > MAX_VALUES ? `${some} and ${values.length - MAX_VALUES} more` : some;
}
