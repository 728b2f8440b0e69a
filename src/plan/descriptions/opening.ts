import { memoize } from "../memoize.js";
import { singularize, toImperative } from "../names/grammar.js";
import { toSentenceCase } from "../names/titles.js";
import { splitWords } from "../names/words.js";
import { isNonEnglish } from "../text/language.js";
import { splitSentence, toSentence } from "../text/sentences.js";
import { stripPreamble, toImperativeSentence } from "./imperative.js";

const MAX_OPENING_LENGTH = 120;

export interface Opening {
  /**
   * One sentence of at most 120 characters: what the tool does, in the imperative where the
   * language is known.
   */
  readonly first: string;
  /** What is left of the text. */
  readonly rest: string;
}

/** Opens a description from a summary and a description that are already flattened. */
export function writeOpening(name: string, summary: string, description: string): Opening {
  const { lead, after } = chooseLead(summary, description);
  const fallback = toSentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const sentence = toImperativeSentence(lead);
  if (sentence === undefined && NOTE_OR_QUESTION.test(lead))
    return { first: `${fallback}.`, rest: `${toSentence(lead)} ${after}`.trim() };
  const whole = sentence ?? `${fallback}: ${lead}`;
  if (toSentence(whole).length <= MAX_OPENING_LENGTH)
    return { first: toSentence(whole), rest: after };
  return sentence === undefined
    ? { first: `${fallback}.`, rest: `${toSentence(lead)} ${after}`.trim() }
    : shortenLead(sentence, after, fallback);
}

/** A question or a note in front says nothing about what is done. */
const NOTE_OR_QUESTION = /^(?:note|notice|warning|important|deprecated|beta|caution|tip)\b|\?$/i;

/**
 * The sentence to start with. A description that starts by saying the summary again, or more
 * exactly, takes its place.
 */
function chooseLead(
  summary: string,
  description: string,
): { readonly lead: string; readonly after: string } {
  const [first, rest] = splitSentence(description);
  if (summary === "") return { lead: first, after: rest };
  const more = description.slice(summary.length);
  const repeated =
    description.slice(0, summary.length).toLowerCase() === summary.toLowerCase() &&
    (/[.!?]$/.test(summary) ? /^(?:\s|$)/ : /^(?:[.!?](?:\s|$)|$)/).test(more);
  if (repeated) return { lead: summary, after: more.replace(/^[.!?]?\s*/, "") };
  const spoken = stripPreamble(first);
  const speaks = spoken.length <= MAX_OPENING_LENGTH && toImperativeSentence(first) !== undefined;
  // A title in front (`Ingredients widget`) says less than a sentence about what is done.
  if (
    speaks &&
    !isNonEnglish(first) &&
    toImperativeSentence(summary) === undefined &&
    !NOTE_OR_QUESTION.test(summary)
  )
    return {
      lead: first,
      after:
        `${containsContentWords(spoken, summary) ? "" : `${toSentence(summary)} `}${rest}`.trim(),
    };
  if (!containsStatement(spoken, summary))
    return {
      lead: summary,
      after: spoken === first || !containsStatement(summary, spoken) ? description : rest,
    };
  return speaks
    ? { lead: first, after: rest }
    : { lead: summary, after: containsStatement(summary, spoken) ? rest : description };
}

/**
 * A first sentence that is too long: cut at its own parts, else said in full behind the name; in
 * another language, cut in two.
 */
function shortenLead(sentence: string, after: string, fallback: string): Opening {
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING_LENGTH && tail !== "")
    return { first: head, rest: `${toSentence(tail)} ${after}`.trim() };
  const short = isNonEnglish(sentence) ? leadingClause(sentence) : undefined;
  if (short === undefined)
    return { first: `${fallback}.`, rest: `${toSentence(sentence)} ${after}`.trim() };
  return {
    first: toSentence(short),
    rest: `${toSentence(sentence.slice(short.length).replace(/^[\s,;:，、；：]+/, ""))} ${after}`.trim(),
  };
}

/**
 * The part of a long sentence before its last comma or bracket that fits, when it says enough. No
 * bracket is left open.
 */
function leadingClause(sentence: string): string | undefined {
  const head = sentence.slice(0, MAX_OPENING_LENGTH);
  const end = head.search(/(?:,| \(|;|:| - | – |[，、；：（])[^,(;，、；：（]*$/);
  const cut = head.slice(0, end < 0 ? 0 : end);
  const open = Math.max(cut.lastIndexOf("("), cut.lastIndexOf("（"));
  const closed =
    open > Math.max(cut.lastIndexOf(")"), cut.lastIndexOf("）"))
      ? cut.slice(0, open).trimEnd()
      : cut;
  return closed.length > (/[\u3040-\u9fff\uac00-\ud7af]/.test(closed) ? 10 : 30)
    ? closed
    : undefined;
}

/**
 * Whether a summary is no more than the tool's name in another order or spelling: `Countries Get`,
 * `getActionsByIdAction()`. A sentence that starts with its verb says the same better than the name
 * does.
 */
export function restatesName(summary: string, name: string): boolean {
  if (summary.length > 100 || toImperativeSentence(summary) !== undefined) return false;
  const known = new Set(name.split("_").map(singularize));
  const words = splitWords(summary);
  return (
    words.length > 0 &&
    !isNonEnglish(summary) &&
    words.every((word) => known.has(singularize(word)) || FILLERS.test(word))
  );
}

/**
 * A summary that a generator made of an identifier: `Countries Get`, `getBatch()`. Those of people
 * make better titles than names do.
 */
export const isGeneratedSummary = (summary: string, name: string): boolean =>
  /\(\)$|^[a-z]+[A-Z]\w*$|\b(?:get|post|put|patch|delete)(?: v\d+)?$/i.test(summary) &&
  restatesName(summary, name);

const FILLERS = /^(?:get|post|put|patch|list|read|fetch|retrieve|by|id|an?|the|of|for|in|to|v\d+)$/;

/**
 * Whether a sentence has every telling word of another: `Deletes a pet by ID.` says all of `Delete
 * pet`.
 */
function containsStatement(sentence: string, other: string): boolean {
  return firstStem(sentence) === firstStem(other) && containsContentWords(sentence, other);
}

function containsContentWords(sentence: string, other: string): boolean {
  const words = new Set(contentWords(sentence));
  return contentWords(other).every((word) => words.has(word));
}

/** They start with the same verb, else they say different things; most are done with here. */
function firstStem(text: string): string {
  const [first = ""] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  return stemOf(first.toLowerCase());
}

function contentWords(text: string): string[] {
  const found =
    text.toLowerCase().match(/[^\0-\x7f]/.test(text) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return found.filter((word) => !ARTICLES.has(word)).map(stemOf);
}

const stemOf = memoize((word) => {
  const verb = toImperative(word) ?? word;
  return Object.hasOwn(VERB_SYNONYMS, verb)
    ? (VERB_SYNONYMS[verb] as string)
    : verb === word
      ? singularize(word)
      : verb;
});

const ARTICLES = new Set(["a", "an", "the", "this", "your", "s"]);
/** Verbs that summaries and descriptions use for one another. */
const VERB_SYNONYMS: Readonly<Record<string, string>> = {
  get: "read",
  fetch: "read",
  retrieve: "read",
  return: "read",
  show: "read",
  delete: "delete",
  remove: "delete",
};
