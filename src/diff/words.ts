import { oneLine } from "../diagnostics/clean.js";

/** Longest text of a document in a sentence. */
const LONGEST = 80;
/** More values of a list are counted. */
const MOST = 6;

/** Text of a document between backticks: on one line, and without what would end them. */
export function code(text: string): string {
  const line = oneLine(text.slice(0, 4 * LONGEST)).replaceAll("`", "'");
  const characters = [...line];
  const shown = characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : line;
  return `\`${shown === "" ? " " : shown}\``;
}

/** A JSON value. */
export function shown(value: unknown): string {
  return code(JSON.stringify(value) ?? "null");
}

/** Several JSON values. */
export function list(values: readonly unknown[]): string {
  const some = values.slice(0, MOST).map(shown).join(", ");
  return values.length > MOST ? `${some} and ${values.length - MOST} more` : some;
}
