/** JSON in a text of an error response, as gateways pass on the error of another server. */
import { parseLimitedJson } from "../../data/limit-values.js";

/** Maximum number of characters that are read as JSON. */
const MAX_TEXT = 20_000;

/** Maximum number of values of the JSON. */
const MAX_TEXT_VALUES = 1_000;

/** Parses a text that is a JSON object, list or string as a whole; undefined for any other text. */
export function jsonInText(text: string): unknown {
  const trimmed = text.length <= MAX_TEXT ? text.trim() : "";
  const ends = `${trimmed[0] ?? ""}${trimmed.at(-1) ?? ""}`;
  if (trimmed.length < 2 || !["{}", "[]", '""'].includes(ends)) return undefined;
  return parseLimitedJson(trimmed, MAX_TEXT_VALUES);
}
