import { nearestNames as nearestOf } from "../runtime/nearest-names.js";

/**
 * Characters that must never reach a terminal or a generated text: controls other than tab and line
 * feed (an escape sequence could rewrite the screen), bidirectional controls (text that reads
 * differently from what it is), and what has no width and no use in the text of a document:
 * fillers, invisible operators, tags and the 240 further variation selectors (text that only a
 * model sees). Those that have a use, alone or in pairs, spell a hidden text in a row. Unicode:
 * Bidi_Control, Default_Ignorable_Code_Point.
 */
const unsafeCharacters =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\udb40-\udb43][\udc00-\udfff]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]/g;

/**
 * Anything but printable ASCII, tabs and line feeds: most texts have nothing else, and to see that
 * is much cheaper.
 */
const uncommonCharacters = /[^\t\n -~]/;

/**
 * Removes control, bidirectional and invisible characters from text of a document.
 * Line feeds and tabs stay; a carriage return before a line feed goes.
 */
export function sanitizeText(text: string): string {
  return uncommonCharacters.test(text) ? text.replace(unsafeCharacters, "") : text;
}

/**
 * Text with every character that nobody would see as a JSON escape (`\u200b`), for messages about
 * exactly that text.
 */
export function escapeInvisible(text: string): string {
  return text.replace(unsafeCharacters, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Cleans text and puts it on one line, so that it cannot imitate a line of ours. */
export function toSingleLine(text: string): string {
  return sanitizeText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trim();
}

/**
 * Text of a document inside a sentence of ours: in double quotes, on one line, cut to `max`
 * characters. `quoteText('a"b')` is `"a\"b"`.
 */
export function quoteText(text: string, max = 120): string {
  const characters = [...toSingleLine(text.slice(0, max * 4))];
  const cut = characters.length > max || text.length > max * 4;
  return `"${characters.slice(0, max).join("").replace(/["\\]/g, "\\$&")}${cut ? "…" : ""}"`;
}

/** The candidate that a mistaken word most likely means; undefined when none is near. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  return nearestOf(word, candidates, 1)[0];
}

/** `; did you mean x?`, or nothing. */
export function suggestionFor(word: string, candidates: Iterable<string>): string {
  const best = closestMatch(word, candidates);
  return best === undefined ? "" : `; did you mean ${best}?`;
}
