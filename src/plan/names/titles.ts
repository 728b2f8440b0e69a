import { isVerb } from "./grammar.js";
import { ACRONYMS, SPELLINGS } from "./lexicon.js";

/** Spelling of a word in titles and labels: `id` → `ID`. */
export function displayWord(word: string): string {
  return SPELLINGS[word] ?? (ACRONYMS.has(word) ? word.toUpperCase() : word);
}

/** Phrase in sentence case: `list api keys` → `List API keys`. */
export function toSentenceCase(words: readonly string[]): string {
  const phrase = words.map(displayWord).join(" ");
  return phrase.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

const MAX_TITLE_LENGTH = 60;

/** `Stop`, `Create one`: a verb without an object. */
function isVerbAlone(text: string): boolean {
  const [, word, count] = /^([A-Za-z]+)(?: (?:one|many|all))?( .*)?$/i.exec(text) ?? [];
  return word !== undefined && count === undefined && isVerb(word.toLowerCase());
}

/** `addToGroup`, `message-length`, `All`: one word, which the name says better. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text);
}

/** Title of a tool: the summary when it is short enough, else the name in words. */
export function toolTitle(name: string, summary: string): string {
  const text = summary.replace(/[.。!]+$/, "");
  if (
    text === "" ||
    text.length > MAX_TITLE_LENGTH ||
    /[.!?]\s|https?:/.test(text) ||
    (name.includes("_") && (isVerbAlone(text) || isIdentifier(text)))
  )
    return toSentenceCase(name.split("_"));
  return /^[a-z](?:[a-z]|\s)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
