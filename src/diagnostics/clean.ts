/**
 * Characters that must never reach a terminal or a generated text: controls other than tab and line feed (an
 * escape sequence could rewrite the screen), bidirectional overrides (text that reads differently from what it
 * is), zero-width characters and the invisible "tag" block (text that only a model sees).
 */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g;

/**
 * Removes control, bidirectional and invisible characters from text of a document.
 * Line feeds and tabs stay; a carriage return before a line feed goes.
 */
export function cleanText(text: string): string {
  return text.replace(unsafe, "");
}

/** Text with every character that nobody would see as a JSON escape (`\u200b`), for messages about exactly that text. */
export function visible(text: string): string {
  return text.replace(unsafe, (found) => found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** Cleans text and puts it on one line, so that it cannot imitate a line of ours. */
export function oneLine(text: string): string {
  return cleanText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trim();
}

/**
 * Text of a document inside a sentence of ours: in double quotes, on one line, cut to `max` characters.
 * `quoteText('a"b')` is `"a\"b"`.
 */
export function quoteText(text: string, max = 120): string {
  const characters = [...oneLine(text.slice(0, max * 4))];
  const cut = characters.length > max || text.length > max * 4;
  return `"${characters.slice(0, max).join("").replace(/["\\]/g, "\\$&")}${cut ? "…" : ""}"`;
}
