import { sentenceCase } from "../name/title.js";
import { memoize } from "../memo.js";
import { singular } from "../name/inflect.js";
import { imperativeOf } from "../name/verbs.js";
import { wordsOf } from "../name/words.js";
import { imperative, withoutPreamble } from "./imperative.js";
import { isForeign } from "./language.js";
import { ended, splitSentence } from "./sentences.js";

const MAX_OPENING = 120;

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
export function opening(name: string, summary: string, description: string): Opening {
  const { lead, after } = leadOf(summary, description);
  const fallback = sentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const sentence = imperative(lead);
  if (sentence === undefined && ASIDE.test(lead))
    return { first: `${fallback}.`, rest: `${ended(lead)} ${after}`.trim() };
  const whole = sentence ?? `${fallback}: ${lead}`;
  if (ended(whole).length <= MAX_OPENING) return { first: ended(whole), rest: after };
  return sentence === undefined
    ? { first: `${fallback}.`, rest: `${ended(lead)} ${after}`.trim() }
    : shortened(sentence, after, fallback);
}

/** A question or a note in front says nothing about what is done. */
const ASIDE = /^(?:note|notice|warning|important|deprecated|beta|caution|tip)\b|\?$/i;

/**
 * The sentence to start with. A description that starts by saying the summary again, or more
 * exactly, takes its place.
 */
function leadOf(
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
  const spoken = withoutPreamble(first);
  const speaks = spoken.length <= MAX_OPENING && imperative(first) !== undefined;
  // A title in front (`Ingredients widget`) says less than a sentence about what is done.
  if (speaks && !isForeign(first) && imperative(summary) === undefined && !ASIDE.test(summary))
    return {
      lead: first,
      after: `${saysTelling(spoken, summary) ? "" : `${ended(summary)} `}${rest}`.trim(),
    };
  if (!saysAllOf(spoken, summary))
    return {
      lead: summary,
      after: spoken === first || !saysAllOf(summary, spoken) ? description : rest,
    };
  return speaks
    ? { lead: first, after: rest }
    : { lead: summary, after: saysAllOf(summary, spoken) ? rest : description };
}

/**
 * A first sentence that is too long: cut at its own parts, else said in full behind the name; in
 * another language, cut in two.
 */
function shortened(sentence: string, after: string, fallback: string): Opening {
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING && tail !== "")
    return { first: head, rest: `${ended(tail)} ${after}`.trim() };
  const short = isForeign(sentence) ? clause(sentence) : undefined;
  if (short === undefined)
    return { first: `${fallback}.`, rest: `${ended(sentence)} ${after}`.trim() };
  return {
    first: ended(short),
    rest: `${ended(sentence.slice(short.length).replace(/^[\s,;:，、；：]+/, ""))} ${after}`.trim(),
  };
}

/**
 * The part of a long sentence before its last comma or bracket that fits, when it says enough. No
 * bracket is left open.
 */
function clause(sentence: string): string | undefined {
  const head = sentence.slice(0, MAX_OPENING);
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
export function repeatsName(summary: string, name: string): boolean {
  if (summary.length > 100 || imperative(summary) !== undefined) return false;
  const known = new Set(name.split("_").map(singular));
  const words = wordsOf(summary);
  return (
    words.length > 0 &&
    !isForeign(summary) &&
    words.every((word) => known.has(singular(word)) || FILLERS.test(word))
  );
}

/**
 * A summary that a generator made of an identifier: `Countries Get`, `getBatch()`. Those of people
 * make better titles than names do.
 */
export const isGenerated = (summary: string, name: string): boolean =>
  /\(\)$|^[a-z]+[A-Z]\w*$|\b(?:get|post|put|patch|delete)(?: v\d+)?$/i.test(summary) &&
  repeatsName(summary, name);

const FILLERS = /^(?:get|post|put|patch|list|read|fetch|retrieve|by|id|an?|the|of|for|in|to|v\d+)$/;

/**
 * Whether a sentence has every telling word of another: `Deletes a pet by ID.` says all of `Delete
 * pet`.
 */
function saysAllOf(sentence: string, other: string): boolean {
  return firstStem(sentence) === firstStem(other) && saysTelling(sentence, other);
}

function saysTelling(sentence: string, other: string): boolean {
  const words = new Set(tellingWords(sentence));
  return tellingWords(other).every((word) => words.has(word));
}

/** They start with the same verb, else they say different things; most are done with here. */
function firstStem(text: string): string {
  const [first = ""] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  return stemOf(first.toLowerCase());
}

function tellingWords(text: string): string[] {
  const found =
    text.toLowerCase().match(/[^\0-\x7f]/.test(text) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return found.filter((word) => !ARTICLES.has(word)).map(stemOf);
}

const stemOf = memoize((word) => {
  const verb = imperativeOf(word) ?? word;
  return Object.hasOwn(SAME_VERB, verb)
    ? (SAME_VERB[verb] as string)
    : verb === word
      ? singular(word)
      : verb;
});

const ARTICLES = new Set(["a", "an", "the", "this", "your", "s"]);
/** Verbs that summaries and descriptions use for one another. */
const SAME_VERB: Readonly<Record<string, string>> = {
  get: "read",
  fetch: "read",
  retrieve: "read",
  return: "read",
  show: "read",
  delete: "delete",
  remove: "delete",
};
