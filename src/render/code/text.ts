import { sanitizeText } from "../../diagnostics/text.js";

/**
 * Invisible characters and line breaks of old parsers: controls, soft hyphens, bidirectional and
 * zero-width characters, U+2028/2029, tags. String literals escape them; other text omits them.
 */
const invisible =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffc\ufffe\uffff]|[\udb40-\udb43][\udc00-\udfff]/g;

/** Characters other than printable ASCII, tabs and line feeds. */
const unusualCharacter = /[^\t\n -~]/;

/** Removes invisible characters except tabs and line feeds, and replaces lone surrogates. */
export function toVisibleText(text: string): string {
  if (!unusualCharacter.test(text)) return text;
  const lines = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  return sanitizeText(lines)
    .replace(invisible, "")
    .replace(/\p{Cs}/gu, "\ufffd");
}

/** Removes invisible characters and collapses white space to single spaces. */
export function sanitizeLine(text: string): string {
  return toVisibleText(text).replace(/\s+/g, " ").trim();
}

/**
 * Escapes invisible characters of JSON or of a string literal, where they occur only inside
 * strings.
 */
export function escapeInvisible(json: string): string {
  // The first test is much cheaper, and most texts are ASCII.
  return !unusualCharacter.test(json) || json.search(invisible) < 0
    ? json
    : json.replace(invisible, escapeUnits);
}

function escapeUnits(found: string): string {
  let escaped = "";
  for (let i = 0; i < found.length; i++)
    escaped += "\\u" + found.charCodeAt(i).toString(16).padStart(4, "0");
  return escaped;
}
