import { toImperative, isAmbiguousVerb, canStartImperative } from "../names/grammar.js";
import { isNonEnglish } from "../text/language.js";
import { anyOfPatterns } from "../text/patterns.js";

/** Phrases before the verb that carry no meaning: `This endpoint returns …`, `Allows you to …`. */
const NOUN = /(?:endpoint|operation|method|call|api|request|resource|function|service|route)/
  .source;
const AUXILIARY = anyOfPatterns(
  /is used to\s+/,
  /can be used to\s+/,
  /will\s+/,
  /allows (?:you|users?|one)(?: to)?\s+/,
  /lets you\s+/,
  /enables (?:you|users?) to\s+/,
);
const PREAMBLE_START = anyOfPatterns(
  new RegExp(`(?:this|the)\\s+(?:api\\s+)?${NOUN}\\s+(?:${AUXILIARY})?`),
  /an? (?:api )?(?:endpoint|operation|method|call) (?:that|which) (?:(?:allows|lets|enables) \w+(?: to)?\s+)?/,
  /(?:use|call) (?:this|the) (?:endpoint|operation|method|api|call|request|function) to\s+/,
  /(?:allows|lets|enables) (?:you|users?|one)(?: to)?\s+/,
  /used to\s+/,
  /you can use this (?:endpoint|operation|method|api) to\s+/,
);
const PREAMBLE = new RegExp(`^(?:${PREAMBLE_START})(?=\\S)`, "i");

/** Removes such a phrase from the start of a sentence. */
export const stripPreamble = (text: string): string =>
  text.replace(PREAMBLE, "").replace(/^responds with(?= )/i, "Returns");

/**
 * Puts a sentence into the imperative: `Returns pets` → `Return pets`. Undefined for English
 * sentences that do not start with a known verb; sentences in other languages are returned
 * unchanged.
 */
export function toImperativeSentence(text: string): string | undefined {
  const sentence = stripPreamble(text).replace(
    /^(?:(an?|the) )?list of (?=\S)/i,
    (_, article?: string) => `Return ${article?.toLowerCase() ?? "a"} list of `,
  );
  const adverb = /^[a-z]{3,12}ly (?=([a-z]+) )/i.exec(sentence);
  if (adverb && canStartImperative((adverb[1] as string).toLowerCase()))
    return capitalize(sentence);
  const [, prefix = "", first = "", object] = FIRST_WORD.exec(sentence) ?? [];
  const word = first.toLowerCase();
  const verb = word === "" ? undefined : imperativeOfWord(word, object !== undefined);
  // A known verb at the start proves that the text is English.
  if ((verb === undefined || !isKnownVerb(word)) && isNonEnglish(text)) return text;
  if (verb === undefined) return undefined;
  const rest = sentence.slice(prefix.length + first.length);
  const hasSecondVerb = / (?:or|and|then) /.test(rest);
  return (
    capitalize(prefix.toLowerCase() + verb) +
    (hasSecondVerb ? rest.replace(SECOND_VERB, secondVerbToImperative) : rest)
  );
}

/** First word, with its prefix, and an article or a second verb after it. */
const FIRST_WORD = new RegExp(
  String.raw`^((?:Re|Un|De|Pre)-)?([A-Za-z]+)(?![\w'’-])` +
    "( (?:an?|the|all|your|one|new|(?<=searches )for|(?:or|and|then) [a-z]+s) )?",
  "i",
);

const isKnownVerb = (word: string): boolean =>
  canStartImperative(word) || toImperative(word) !== undefined;
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Uploads or creates a file`: the second verb of a pair. */
const SECOND_VERB =
  /^( or| and|(?:[^.;:]{1,60}? (?:or|and|then))) ([a-z]+s)(?= (?:an?|the|all|its|your|it|their)\b)/;

function secondVerbToImperative(match: string, before: string, word: string): string {
  const verb = toImperative(word);
  return verb === undefined || isAmbiguousVerb(verb) ? match : `${before} ${verb}`;
}

/** Imperative of a known verb, or of any word before an article: `Presents a payment method`. */
function imperativeOfWord(word: string, hasObject: boolean): string | undefined {
  if (canStartImperative(word)) return word;
  const verb = toImperative(word) ?? (hasObject ? imperativeOfPastTense(word) : undefined);
  // `Reports a bug` starts with a verb, `Users with access may` does not.
  if (verb !== undefined && (hasObject || word === "returns" || !isAmbiguousVerb(verb)))
    return verb;
  if (!hasObject || NON_VERB_STARTS.has(word) || word.endsWith("ing")) return undefined;
  if (!/[^s]s$/.test(word)) return word;
  if (/(ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** `Marked a user` → mark. */
function imperativeOfPastTense(word: string): string | undefined {
  return word.endsWith("ed")
    ? [word.slice(0, -2), word.slice(0, -1)].find(canStartImperative)
    : undefined;
}

const NON_VERB_STARTS = new Set(
  (
    "all both in for with if when while this these those the a an on by to as at of from " +
    "and or not only also please note once after before since because is are was has have " +
    "can may must will should"
  ).split(" "),
);
