/** The purpose of a read without a text of its own, from the text about its response. */
import type { Response } from "../../model/types.js";
import { splitSentence, toSentence } from "../text/sentences.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { toImperativeSentence } from "./opening.js";
import { cleanProse } from "./prose.js";
import { withoutOutcome } from "./repetition.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";

const MAX_LENGTH = 160;
const MIN_WORDS = 4;

/**
 * `The exported data of a receipt as PDF` of the response → Get the exported data of a receipt as
 * PDF. Undefined for texts about the outcome of the call, and for those that say less than the
 * name.
 * @param fallback sentence made of the name, which precedes a text without a noun of the name
 */
export function purposeOfResponse(
  name: string,
  [response]: readonly Response[],
  fallback: string,
): string | undefined {
  const [verb = "", ...nouns] = name.split("_");
  const [text, rest] = splitSentence(cleanProse(response?.description ?? ""));
  const words = splitWords(text).length;
  if (!PLAIN_READ.test(verb) || withoutOutcome(text) === "" || OUTCOME.test(text)) return undefined;
  if (rest !== "" || words < MIN_WORDS || text.length > MAX_LENGTH) return undefined;
  const isThing = THING.test(text);
  const phrase = isThing ? readingOf(text) : toImperativeSentence(text);
  const [opening = ""] = phrase?.split(" ") ?? [];
  if (phrase === undefined || effectOfVerb(opening.toLowerCase()) !== "reads") return undefined;
  // `Get the cards of the set`: a sentence about the operation, which the name would contradict.
  if (!isThing) return toSentence(phrase);
  const saysNouns = nouns.every((noun) => includesWord(text, noun));
  return toSentence(saysNouns ? phrase : `${fallback.replace(/\.$/, "")}: ${text}`);
}

/** `A report of all visits`, with or without a participle: `The requested reports`. */
const THING =
  /^(?:an?|all|the) (?!.*\b(?:are|be|been|can|has|have|is|may|must|should|was|were|will)\b)/i;

const PLAIN_READ = /^(?:find|get|list|read)$/;

/** Words about the call itself. */
const OUTCOME =
  /\b(?:accepted|api|body|call|code|completed|endpoint|errors?|expected|failed|json|object|ok|operation|payload|request(?!ed)|response|result|returned|schema|succe\w+|successful\w*|valid)\b|\b[1-5]\d\d\b/i;

const readingOf = (text: string): string => `Get ${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const includesWord = (text: string, word: string): boolean =>
  splitWords(text).some((one) => singularize(one) === singularize(word));
