import { memoize } from "../memoize.js";
import { singularize, toImperative } from "../names/grammar.js";
import { toSentenceCase } from "../names/titles.js";
import { splitWords } from "../names/words.js";
import { isNonEnglish } from "../text/language.js";
import { splitSentence, toSentence } from "../text/sentences.js";
import { stripPreamble, toImperativeSentence } from "./imperative.js";

const MAX_OPENING_LENGTH = 120;

/** The first sentence of a description, and the text after it. */
interface Opening {
  /**
   * One sentence of at most 120 characters that says what the tool does, in the imperative for
   * English.
   */
  readonly first: string;
  /** Remaining text. */
  readonly rest: string;
}

/** Writes the first sentence of a description from a summary and a description in plain text. */
export function writeOpening(name: string, summary: string, description: string): Opening {
  const { lead, after } = chooseLead(summary, description);
  const fallback = toSentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const sentence = toImperativeSentence(lead);
  const fromName = { first: `${fallback}.`, rest: `${toSentence(lead)} ${after}`.trim() };
  if (sentence === undefined && NOTE_OR_QUESTION.test(lead)) return fromName;
  const first = toSentence(sentence ?? `${fallback}: ${lead}`);
  if (first.length <= MAX_OPENING_LENGTH) return { first, rest: after };
  return sentence === undefined ? fromName : shortenLead(sentence, after, fallback);
}

/** Questions and notes, which do not say what the tool does. */
const NOTE_OR_QUESTION = /^(?:note|notice|warning|important|deprecated|beta|caution|tip)\b|\?$/i;

/**
 * Chooses the sentence to start with. The first sentence of the description replaces the summary
 * when it repeats the summary or is more exact.
 */
function chooseLead(
  summary: string,
  description: string,
): { readonly lead: string; readonly after: string } {
  const [first, rest] = splitSentence(description);
  if (summary === "") return { lead: first, after: rest };
  const remainder = description.slice(summary.length);
  const sentenceEnd = /[.!?]$/.test(summary) ? /^(?:\s|$)/ : /^(?:[.!?](?:\s|$)|$)/;
  const isRepeated =
    description.slice(0, summary.length).toLowerCase() === summary.toLowerCase() &&
    sentenceEnd.test(remainder);
  if (isRepeated) return { lead: summary, after: remainder.replace(/^[.!?]?\s*/, "") };
  const statement = stripPreamble(first);
  const isStatement =
    statement.length <= MAX_OPENING_LENGTH && toImperativeSentence(first) !== undefined;
  // A title such as `Ingredients widget` says less than a sentence with a verb.
  if (isStatement && !isNonEnglish(first) && isTitle(summary)) {
    const title = containsContentWords(statement, summary) ? "" : `${toSentence(summary)} `;
    return { lead: first, after: `${title}${rest}`.trim() };
  }
  const containsSummary = containsStatement(statement, summary);
  if (containsSummary && isStatement) return { lead: first, after: rest };
  const isRedundant =
    containsStatement(summary, statement) && (containsSummary || statement !== first);
  return { lead: summary, after: isRedundant ? rest : description };
}

/** True for a summary that does not say what the tool does. */
function isTitle(summary: string): boolean {
  return toImperativeSentence(summary) === undefined && !NOTE_OR_QUESTION.test(summary);
}

/**
 * Shortens a first sentence that is too long. Splits it at its own sentences; in English it follows
 * the name, in other languages it is split at a clause.
 */
function shortenLead(sentence: string, after: string, fallback: string): Opening {
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING_LENGTH && tail !== "")
    return { first: head, rest: `${toSentence(tail)} ${after}`.trim() };
  const shortLead = isNonEnglish(sentence) ? leadingClause(sentence) : undefined;
  if (shortLead === undefined)
    return { first: `${fallback}.`, rest: `${toSentence(sentence)} ${after}`.trim() };
  const remainder = sentence.slice(shortLead.length).replace(/^[\s,;:，、；：]+/, "");
  return { first: toSentence(shortLead), rest: `${toSentence(remainder)} ${after}`.trim() };
}

/**
 * Part of a long sentence before the last comma or bracket within the limit. Undefined when it is
 * too short. Ends before a bracket that it would leave open.
 */
function leadingClause(sentence: string): string | undefined {
  const head = sentence.slice(0, MAX_OPENING_LENGTH);
  const end = head.search(/(?:,| \(|;|:| - | – |[，、；：（])[^,(;，、；：（]*$/);
  const cut = head.slice(0, end < 0 ? 0 : end);
  const openBracket = Math.max(cut.lastIndexOf("("), cut.lastIndexOf("（"));
  const closeBracket = Math.max(cut.lastIndexOf(")"), cut.lastIndexOf("）"));
  const balanced = openBracket > closeBracket ? cut.slice(0, openBracket).trimEnd() : cut;
  const minLength = /[\u3040-\u9fff\uac00-\ud7af]/.test(balanced) ? 10 : 30;
  return balanced.length > minLength ? balanced : undefined;
}

/**
 * True when a summary only repeats the words of the tool's name: `Countries Get`,
 * `getActionsByIdAction()`. Sentences that start with a verb are better than the name and do not
 * count.
 */
export function restatesName(summary: string, name: string): boolean {
  if (summary.length > 100 || toImperativeSentence(summary) !== undefined) return false;
  const nameStems = new Set(name.split("_").map(singularize));
  const words = splitWords(summary);
  return (
    words.length > 0 &&
    !isNonEnglish(summary) &&
    words.every((word) => nameStems.has(singularize(word)) || FILLERS.test(word))
  );
}

/**
 * True for summaries that a generator derived from an identifier: `Countries Get`, `getBatch()`.
 */
export const isGeneratedSummary = (summary: string, name: string): boolean =>
  /\(\)$|^[a-z]+[A-Z]\w*$|\b(?:get|post|put|patch|delete)(?: v\d+)?$/i.test(summary) &&
  restatesName(summary, name);

const FILLERS = /^(?:get|post|put|patch|list|read|fetch|retrieve|by|id|an?|the|of|for|in|to|v\d+)$/;

/**
 * True when a sentence has the verb and every content word of another: `Deletes a pet by ID.`
 * contains `Delete pet`.
 */
function containsStatement(sentence: string, other: string): boolean {
  return firstStem(sentence) === firstStem(other) && containsContentWords(sentence, other);
}

function containsContentWords(sentence: string, other: string): boolean {
  const words = new Set(contentWords(sentence));
  return contentWords(other).every((word) => words.has(word));
}

/** Stem of the first word. Different first verbs rule out most pairs cheaply. */
function firstStem(text: string): string {
  const [first = ""] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  return stemOf(first.toLowerCase());
}

function contentWords(text: string): string[] {
  const words =
    text.toLowerCase().match(/[^\0-\x7f]/.test(text) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return words.filter((word) => !ARTICLES.has(word)).map(stemOf);
}

const stemOf = memoize((word) => {
  const verb = toImperative(word) ?? word;
  if (Object.hasOwn(VERB_SYNONYMS, verb)) return VERB_SYNONYMS[verb] as string;
  return verb === word ? singularize(word) : verb;
});

const ARTICLES = new Set(["a", "an", "the", "this", "your", "s"]);
/** Verbs that summaries and descriptions use as synonyms. */
const VERB_SYNONYMS: Readonly<Record<string, string>> = {
  get: "read",
  fetch: "read",
  retrieve: "read",
  return: "read",
  show: "read",
  delete: "delete",
  remove: "delete",
};
