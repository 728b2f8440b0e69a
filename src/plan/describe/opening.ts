import { imperativeOf, startsImperative } from "../name/verbs.js";
import { sentenceCase } from "../name/title.js";
import { ended, fit, splitSentence } from "./sentences.js";

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
  const [lead, after] = summary === "" ? splitSentence(description) : [summary, withoutRepetition(summary, description)];
  const fallback = sentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const sentence = imperative(lead) ?? `${fallback}: ${lead}`;
  if (sentence.length <= MAX_OPENING) return { first: ended(sentence), rest: after };
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING && tail !== "") return { first: head, rest: `${ended(tail)} ${after}`.trim() };
  const short = summary === "" ? clause(sentence) : undefined;
  if (short !== undefined) return { first: ended(short), rest: `${ended(lead)} ${after}`.trim() };
  if (summary === "") return { first: `${fallback}.`, rest: `${ended(lead)} ${after}`.trim() };
  return { first: fit(sentence, MAX_OPENING, false), rest: after === "" ? ended(lead) : after };
}

/** The part of a long sentence before its first comma or bracket, when it says enough. */
function clause(sentence: string): string | undefined {
  const end = sentence.slice(0, MAX_OPENING).search(/(?:,| \(|;|:| - | – )[^,(;:]*$/);
  return end > 30 ? sentence.slice(0, end) : undefined;
}

/** Descriptions like to start with the summary; saying it twice costs and tells nothing. */
function withoutRepetition(summary: string, description: string): string {
  const [first, rest] = splitSentence(description);
  return sameWords(first, summary) ? rest : description;
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s.,:;!?"'`]+/g, " ").trim();
  return plain(a) === plain(b);
}

/** `Returns pets` → `Return pets`; undefined for English that starts with no known verb. Other scripts stay as they are. */
function imperative(text: string): string | undefined {
  const bare = text.replace(PREAMBLE, "");
  const match = /^([A-Za-z]+)(?![\w'’-])/.exec(bare);
  if (!match) return /[^\0-\x7f]/.test(text) ? text : undefined;
  const word = (match[1] as string).toLowerCase();
  const verb = startsImperative(word) ? word : imperativeOf(word);
  if (verb === undefined) return /[^\0-\x7f]/.test(text) ? text : undefined;
  return verb.replace(/^[a-z]/, (c) => c.toUpperCase()) + bare.slice(word.length);
}
