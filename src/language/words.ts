/** Words of identifiers and phrases. */
import { isConnective, isPlural, pluralizeLast, singularize, singularizeLast } from "./grammar.js";
import { memoize } from "./patterns.js";
import { LETTER_SPELLINGS } from "./spelling.js";

/** Words whose inner capitals are not word boundaries. */
const BRANDS = new RegExp(
  "OAuth|(?<![a-z])oAuth|OpenAPI|OpenApi|OpenAI|CodeQL|ActivityPub|webHook|TimeZone|timeZone|" +
    "GitHub|GitLab|GraphQL|JavaScript|TypeScript|WebSocket|WebHook|YouTube|" +
    "LinkedIn|PayPal|WhatsApp|(?:MySQL|PostgreSQL|NoSQL|SignalR|IoT|iOS)(?![a-z])|WiFi|" +
    "(?:IdP|MySql|PostgreSql|NoSql)(?![a-z])|IPv(?=\\d)|[A-Z]{2,64}s(?![a-z])",
  "g",
);

/** Removes diacritics from Latin letters; other scripts stay. */
export function toAscii(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\0-\x7f]/g, (c) => LETTER_SPELLINGS[c] ?? c);
}

/** Lower-case ASCII letters and digits of a text: `pet_ID` → petid. */
export const lettersOf = memoize((text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, ""));

/** True for identifiers with letters that have no ASCII spelling here. */
export function hasForeignLetters(text: string): boolean {
  return /[^\0-\x7f]/.test(text) && /\p{L}/u.test(toAscii(text).replace(/[\0-\x7f]+/g, ""));
}

/**
 * Words of an identifier or phrase, in lower-case ASCII letters and digits. `listAPIKeys` → list,
 * api, keys; `get-OAuth2_token` → get, oauth2, token. Other scripts give no words.
 */
export const splitWords: (text: string) => readonly string[] = memoize((text) => {
  const spaced = removeGeneratedKeys(toAscii(text.length > 400 ? text.slice(0, 400) : text))
    .replace(/['’](?:s\b)?/g, "")
    .replace(BRANDS, (brand) => brand[0] + brand.slice(1).toLowerCase())
    .replace(/(?<![A-Za-z\d])[a-z](?=[A-Z]{2})/g, (letter) => letter.toUpperCase())
    .replace(/([a-z]|[A-Za-z]\d+)(?=[A-Z])/g, "$1 ")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return spaced.toLowerCase().match(/[a-z0-9]+/g) ?? [];
});

/** `securityClassification-6VMVochwUWo` → securityClassification: a generated key is not a word. */
function removeGeneratedKeys(text: string): string {
  if (text.length < 8 || !/\d/.test(text)) return text;
  return text.replace(/[A-Za-z0-9]{8,}/g, (run) =>
    run.length < text.length && isOpaqueRun(run) ? " " : run,
  );
}

/**
 * True for a whole identifier that is a generated key: a UUID, a long run of hexadecimal digits, or
 * the name that Laravel generates for a route without one.
 */
export const isGeneratedKey = (text: string): boolean =>
  /^generated::|^(?=.*\d)[0-9a-f-]{16,64}$/i.test(text);

/**
 * True for runs that change between digits and letters of both cases every few characters, and for
 * long runs of hexadecimal digits.
 */
function isOpaqueRun(run: string): boolean {
  if (!/\d/.test(run)) return false;
  if (/^[0-9a-f]{16,}$/i.test(run)) return true;
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  const parts = run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return parts.length > 3 && run.length / parts.length < 3.5;
}

/** `v1`, `v2beta1`, `2010-04-01`: names the version of an API. */
export function isVersion(word: string): boolean {
  if (!/^v?\d/.test(word)) return false;
  return (
    /^v\d+(p\d+)?((alpha|beta|rc)\d*)?$/.test(word) ||
    /^\d{4}(-?\d\d){2}$/.test(word) ||
    /^\d+\.\d+(\.\d+)?$/.test(word) ||
    /^v\d+\.\d+(\.\d+)?$/.test(word)
  );
}

/**
 * Splits a word where a tag separates it: `downloadclients` with the tag `DownloadClient` →
 * download, clients; `statushistory` with `Token Status History`. Undefined for other words.
 */
export function splitCompound(
  word: string,
  tags: readonly string[],
): readonly string[] | undefined {
  if (word.length < 6) return undefined;
  const stem = singularize(word);
  for (const tag of tags) {
    if (tag.length < word.length - 3 || !lettersOf(tag).includes(stem)) continue;
    const words = runOf(splitWords(tag), stem);
    if (words && words.every(isPlainWord) && words.at(-1) !== "list")
      return isPlural(word) ? pluralizeLast(words) : singularizeLast(words);
  }
  return undefined;
}

/** Two or more adjacent words that are written as one. */
function runOf(words: readonly string[], stem: string): readonly string[] | undefined {
  for (let start = 0; start < words.length - 1; start++)
    for (let end = start + 2; end <= words.length; end++) {
      const run = words.slice(start, end);
      if (singularize(run.join("")) === stem) return run;
    }
  return undefined;
}

const isPlainWord = (word: string): boolean => /^[a-z]{2,}$/.test(word) && !isConnective(word);
