import { imperativeOf, isAmbiguousVerb, startsImperative } from "../name/verbs.js";
import { sentenceCase } from "../name/title.js";
import { memoize } from "../memo.js";
import { singular } from "../name/inflect.js";
import { ended, splitSentence } from "./sentences.js";

const MAX_OPENING = 120;

/** Phrases that say nothing before the verb: `This endpoint returns …`, `Allows you to …`. */
const PREAMBLE =
  /^(?:(?:this|the)\s+(?:api\s+)?(?:endpoint|operation|method|call|api|request|resource|function|service|route)\s+(?:is used to\s+|can be used to\s+|will\s+|allows (?:you|users?|one)(?: to)?\s+|lets you\s+|enables (?:you|users?) to\s+)?|use (?:this|the) (?:endpoint|operation|method|api|call|request) to\s+|(?:allows|lets|enables) (?:you|users?|one)(?: to)?\s+|used to\s+|you can use this (?:endpoint|operation|method|api) to\s+)(?=\S)/i;

export interface Opening {
  /** One sentence of at most 120 characters: what the tool does, in the imperative where the language is known. */
  readonly first: string;
  /** What is left of the text. */
  readonly rest: string;
}

/** Opens a description from a summary and a description that are already flattened. */
export function opening(name: string, summary: string, description: string): Opening {
  const { lead, after } = leadOf(summary, description);
  const fallback = sentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const sentence = imperative(lead) ?? `${fallback}: ${lead}`;
  if (sentence.length <= MAX_OPENING) return { first: ended(sentence), rest: after };
  return shortened(sentence, lead, after, fallback);
}

/** The sentence to start with. A description that starts by saying the summary again, or more exactly, takes its place. */
function leadOf(summary: string, description: string): { readonly lead: string; readonly after: string } {
  const [first, rest] = splitSentence(description);
  if (summary === "") return { lead: first, after: rest };
  if (!saysAllOf(first, summary)) return { lead: summary, after: description };
  return first.length <= MAX_OPENING && imperative(first) !== undefined ? { lead: first, after: rest } : { lead: summary, after: saysAllOf(summary, first) ? rest : description };
}

/** A first sentence that is too long: cut at its own parts, else replaced by the name and said in full behind. */
function shortened(sentence: string, lead: string, after: string, fallback: string): Opening {
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING && tail !== "") return { first: head, rest: `${ended(tail)} ${after}`.trim() };
  const short = clause(sentence);
  return { first: ended(short ?? fallback), rest: `${ended(lead)} ${after}`.trim() };
}

/** The part of a long sentence before its last comma or bracket that fits, when it says enough. */
function clause(sentence: string): string | undefined {
  const end = sentence.slice(0, MAX_OPENING).search(/(?:,| \(|;|:| - | – )[^,(;:]*$/);
  return end > 30 ? sentence.slice(0, end) : undefined;
}

/** Whether a sentence has every telling word of another: `Deletes a pet by ID.` says all of `Delete pet`. */
function saysAllOf(sentence: string, other: string): boolean {
  if (firstStem(sentence) !== firstStem(other)) return false;
  const words = new Set(tellingWords(sentence));
  return tellingWords(other).every((word) => words.has(word));
}

/** They start with the same verb, else they say different things; most are done with here. */
function firstStem(text: string): string {
  const [first = ""] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  return stemOf(first.toLowerCase());
}

function tellingWords(text: string): string[] {
  const found = text.toLowerCase().match(/[^\0-\x7f]/.test(text) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return found.filter((word) => !ARTICLES.has(word)).map(stemOf);
}

const stemOf = memoize((word) => {
  const verb = imperativeOf(word) ?? word;
  return Object.hasOwn(SAME_VERB, verb) ? (SAME_VERB[verb] as string) : verb === word ? singular(word) : verb;
});

const ARTICLES = new Set(["a", "an", "the", "this", "your", "s"]);
/** Verbs that summaries and descriptions use for one another. */
const SAME_VERB: Readonly<Record<string, string>> = { get: "read", fetch: "read", retrieve: "read", return: "read", show: "read", delete: "delete", remove: "delete" };

/** `Returns pets` → `Return pets`; undefined for English that starts with no known verb. Other scripts stay as they are. */
export function imperative(text: string): string | undefined {
  const bare = text.replace(PREAMBLE, "").replace(/^(?:(an?|the) )?list of (?=\S)/i, (_, article?: string) => `Return ${article?.toLowerCase() ?? "a"} list of `);
  const match = /^([A-Za-z]+)(?![\w'’-])( (?:an?|the|all|your|one|new) )?/.exec(bare);
  const verb = match ? verbOf((match[1] as string).toLowerCase(), match[2] !== undefined) : undefined;
  if (verb === undefined) return /[^\0-\x7f]/.test(text) ? text : undefined;
  return verb.charAt(0).toUpperCase() + verb.slice(1) + bare.slice((match?.[1] ?? "").length);
}

/** A known verb, or any word that an article follows: `Presents a payment method` can only be one. */
function verbOf(word: string, hasObject: boolean): string | undefined {
  if (startsImperative(word)) return word;
  const known = imperativeOf(word);
  // `Reports a bug` says what is done, `Users with access may` does not.
  if (known !== undefined && (hasObject || !isAmbiguousVerb(known))) return known;
  if (!hasObject || NO_VERB.has(word)) return undefined;
  if (!/[^s]s$/.test(word)) return word;
  return /(ss|sh|ch|x|z)es$/.test(word) ? word.slice(0, -2) : word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const NO_VERB = new Set("all both in for with if when while this these those the a an on by to as at of from and or not only also please note once after before since because is are was has have can may must will should".split(" "));
