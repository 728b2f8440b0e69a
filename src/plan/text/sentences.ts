import { memoize } from "../../language/patterns.js";

/** Mark of a description without room for the rest. */
export const TRUNCATION_MARK = "…[truncated]";

/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|nos|fig|ca|st|dr|mr|mrs|min|max|inc|ltd|u\.s)|\b[A-Za-z])\.$/i;

/** Splits off the first sentence of a text. Chinese and Japanese full stops count. */
export function splitSentence(text: string): readonly [first: string, rest: string] {
  const ends = /[.!?](?=["')\]]?\s)|[。！？]/g;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    const dot = match.index + 1;
    if (match[0] === "." && ABBREVIATION.test(text.slice(Math.max(0, dot - 8), dot))) continue;
    const end = /["')\]]/.test(text.charAt(dot)) ? dot + 1 : dot;
    return [text.slice(0, end), text.slice(end).trimStart()];
  }
  return [text, ""];
}

/** The sentences of a text. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (let rest = text; rest !== "";) {
    const [sentence, after] = splitSentence(rest);
    sentences.push(sentence);
    rest = after;
  }
  return sentences;
}

/**
 * Truncates text to `max` characters: after a whole sentence when that keeps most of the text, else
 * after a word. Appends `TRUNCATION_MARK` when `mark` is set.
 */
export function truncateText(text: string, max: number, mark = true): string {
  if (text.length <= max) return text;
  const limit = max - (mark ? TRUNCATION_MARK.length + 1 : 1);
  const head = text.slice(0, limit + 1);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("。"));
  const word = head.lastIndexOf(" ");
  const wordEnd = word > limit * 0.6 ? word : limit;
  const end = sentence > limit * 0.6 ? sentence + 1 : wordEnd;
  const truncated = removeHalfSurrogate(text.slice(0, end)).trimEnd();
  if (mark) return `${truncated} ${TRUNCATION_MARK}`;
  return /[.!?。]$/.test(truncated) ? truncated : `${truncated.replace(/[,;:]$/, "")}…`;
}

/** Removes half of a surrogate pair at the end. */
function removeHalfSurrogate(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** Ends a text with a full stop unless it ends like a sentence. */
export function toSentence(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed === "" || endsLikeSentence(trimmed)) return trimmed;
  const stop = /[\u3040-\u30ff\u3400-\u9fff]$/.test(trimmed) ? "。" : ".";
  return trimmed.replace(/[,;:，、；：]$/, "") + stop;
}

/** True for `(Only for owners.)`, and false for `(cats, dogs etc.)`. */
const endsLikeSentence = (text: string): boolean =>
  /[.!?。！？…]$/.test(text) ||
  (/[.!?。！？…][")'\]」』）]$/.test(text) && !ABBREVIATION.test(text.slice(0, -1)));

/** Appends sentences to a text, which may be empty. */
export function appendSentences(text: string, ...sentences: readonly string[]): string {
  return sentences.length === 0
    ? text
    : [toSentence(text), ...sentences].filter((part) => part !== "").join(" ");
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return joinItems(items, "and");
}

/** `a, b or c`. */
export function joinWithOr(items: readonly string[]): string {
  return joinItems(items, "or");
}

function joinItems(items: readonly string[], conjunction: "and" | "or"): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1)}`;
}

/** Letters outside English, apart from its quotation marks and dashes. */
const FOREIGN_LETTERS = /[^\0-\x7f\u00a0-\u00bf\u2000-\u206f]/;

/** Frequent words of other languages that are not English words. */
const FOREIGN_WORDS = new Set(
  (
    "der das dem den ein eine einem einen einer und von mit zum zur alle auf nach oder " +
    "wird werden nicht ist sind " +
    "le les des du une et pour avec sur dans vous est ou aux cette ce " +
    "el los las una del con para por como que su " +
    "il della di gli lo dei delle " +
    "os uma dos das pelo pela ao um na em " +
    "het een met voor naar deze niet bij wordt worden"
  ).split(" "),
);
const ENGLISH_WORDS = new Set(
  "the a of to for and with are this that by from into its your you".split(" "),
);

/**
 * True for text in another language than English. Its words are kept, because the rules here are
 * for English.
 */
export const isNonEnglish: (text: string) => boolean = memoize((text) => {
  const script = FOREIGN_LETTERS.test(text) ? text.search(/[^\0-\u024f\u2000-\u206f]/) : -1;
  const words =
    text
      .slice(0, script < 0 ? 200 : Math.min(script, 200))
      .toLowerCase()
      .match(/[a-z\u00c0-\u024f]+/g) ?? [];
  // The same text in another script can follow an English one.
  if (script >= 0) return words.filter((word) => ENGLISH_WORDS.has(word)).length < 2;
  let [foreign, english] = [0, 0];
  for (const word of words) {
    if (ENGLISH_WORDS.has(word)) english += 1;
    else if (FOREIGN_WORDS.has(word)) foreign += 1;
  }
  return foreign > 0 ? foreign >= english : english === 0 && FOREIGN_LETTERS.test(text);
});
