import {
  canStartImperative,
  isAmbiguousVerb,
  isPhrasalVerb,
  singularize,
  toImperative,
} from "../../language/grammar.js";
import { isIdentifier, toSentenceCase } from "../names/format-name.js";
import { containsStatement, containsContentWords } from "./content-words.js";
import { appendSentences, isNonEnglish, splitSentence, toSentence } from "../text/sentences.js";
import { foreignVerbOf } from "../../language/foreign-verbs.js";
import { memoize } from "../../language/patterns.js";
import { stripPreamble } from "../../language/preamble.js";
import { effectOfVerb } from "../../language/verb-effects.js";

const MAX_OPENING_LENGTH = 120;
/** Maximum length of one that has every word of the name. */
const MAX_LONG_OPENING = 240;

/** The first sentence of a description, and the text after it. */
interface Opening {
  /**
   * One sentence about the action of the tool, in the imperative for English: of at most 120
   * characters, or 240 if it has every word of the name.
   */
  readonly first: string;
  /** Remaining text. */
  readonly rest: string;
}

/** Writes the first sentence of a description from a summary and a description in plain text. */
export function writeOpening(name: string, summary: string, description: string): Opening {
  const [label = "", ownLabel = ""] = [summary, description].map((text) => LABEL.exec(text)?.[0]);
  const opening = writeUnlabelled(
    name,
    summary.slice(label.length),
    description.slice(ownLabel.length),
  );
  const labels = [label, ownLabel].filter((text) => !text.includes(":"));
  const told = [...new Set(labels.map((text) => toSentence(text.replace(/ *[-–]? *$/, ""))))];
  return { ...opening, rest: appendSentences(opening.rest, ...told) };
}

/**
 * `[2 credits] Infer …`, `FILES - Move a file`, `Country endpoint: Returns …`: what stands before
 * the first sentence does not open a description. An endpoint's name is left out, because the tool
 * has its own.
 */
const LABEL =
  /^(?:\[[^\]]{1,60}\] *|[A-Z]{2,20}(?: [A-Z]{2,20}){0,2} +[-–] +|[A-Za-z]\w{1,40} (?:api|endpoint|method|operation): +)(?=[A-Z][a-z])/;

function writeUnlabelled(name: string, summary: string, description: string): Opening {
  const { lead: stated, after } = chooseLead(name, summary, description);
  const lead = PLAIN_READ.test(name.split("_")[0] ?? "") ? readingOf(stated) : stated;
  const fallback = toSentenceCase(name.split("_"));
  if (lead === "") return { first: `${fallback}.`, rest: after };
  const fromName = { first: `${fallback}.`, rest: `${toSentence(lead)} ${after}`.trim() };
  // `Return a transfer` of `return_transfer` sends it back.
  if (/^return /i.test(lead) && name.startsWith("return_"))
    return { first: toSentence(capitalize(lead)), rest: after };
  if (RETURN.test(lead) && !(isReadingName(name) && RETURNS.test(lead))) return fromName;
  const sentence = startsWithNounOf(name, lead)
    ? undefined
    : (toImperativeSentence(lead) ?? startingWithVerbOf(name, lead));
  if (sentence === undefined && (NOTE_OR_QUESTION.test(lead) || OWN_SENTENCE.test(lead)))
    return fromName;
  // The other text shows the language of `Kontaktide nimekiri`.
  const isForeign = lead.includes(" ") && isNonEnglish(`${summary} ${description}`);
  const read = isForeign ? lead : readOf(name, lead);
  const first = toSentence(sentence ?? read ?? `${fallback}: ${lead}`);
  if (first.length <= MAX_OPENING_LENGTH) return { first, rest: after };
  return sentence === undefined ? fromName : shortenLead(sentence, after, name);
}

/**
 * `Jettison cargo from a ship` of `jettison_cargo`, `Imports kiosks` of `import_kiosks`: the name
 * proves that the first word is a verb.
 */
function startingWithVerbOf(name: string, lead: string): string | undefined {
  const [verb = "", object] = name.split("_");
  const [first = ""] = /^[a-z]+(?= )/i.exec(lead) ?? [];
  const word = first.toLowerCase();
  if (object === undefined || verb.endsWith("ing")) return undefined;
  if (word === verb) return lead;
  return toImperative(word) === verb ? capitalize(verb) + lead.slice(first.length) : undefined;
}

/**
 * `Addresses affected in a specific block` of `list_block_addresses` → List addresses affected in a
 * specific block: a title that names what a tool reads is the object of its verb.
 */
function readOf(name: string, title: string): string | undefined {
  const [verb = ""] = name.split("_");
  const words = title.replace(/\.$/, "").split(/\s+/);
  const isPhrase =
    words.length > 1 &&
    words.length <= MAX_TITLE_WORDS &&
    /^[A-Za-z][\w'’/() -]*$/.test(words.join(" ")) &&
    !NO_TITLE.test(title) &&
    !UNKNOWN_VERB.test(title) &&
    !/^[a-z]+ed\b|ed\.?$/i.test(title);
  if (!/^(?:get|list)$/.test(verb) || !isPhrase) return undefined;
  const [first = "", ...rest] = words;
  const isCapitalized = /^[A-Z][a-z]*$/.test(first) && !/^[A-Z]/.test(rest[0] ?? "");
  return [capitalize(verb), isCapitalized ? first.toLowerCase() : first, ...rest].join(" ");
}

const MAX_TITLE_WORDS = 12;
/** `Polls factors`: a word that may be the verb of a sentence, unlike `Votes of a pool`. */
const UNKNOWN_VERB =
  /^[A-Za-z]+[^s\W]s (?!(?:of|for|in|on|by|from|with|and|or|to|at|within|per)\b|\w+ed\b)/;
/** Signs of a sentence, of a label in front of one, and of phrases that are no object. */
const NO_TITLE = new RegExp(
  "^(?:for|in|on|by|from|to|with|when|if|as|at|only|not|no|how|used|api|v\\d+)\\b|" +
    "\\b(?:is|are|was|were|be|been|has|have|will|can|may|must|should|does|do|returns?|that|which|who|" +
    "endpoints?|apis?|get|post|put|patch|delete|list|create|update|fetch|retrieve|search|query)\\b",
  "i",
);

/** Questions and notes, which do not describe the action of the tool. */
const NOTE_OR_QUESTION = /^(?:note|notice|warning|important|deprecated|beta|caution|tip)\b|\?$/i;

/** A sentence with a subject of its own: `This is an internal endpoint`. */
const OWN_SENTENCE =
  /^(?:this|these|that|it|there|you|we|if|when|while|only|given|contains|includes|represents)\b/i;

/** `Returns the state of …` of an update is about its result, and so is `Returns true if …`. */
const RETURN = /^returns? /i;
const isReadingName = (name: string): boolean => {
  const effect = effectOfVerb(name.split("_")[0] ?? "");
  return effect === undefined || effect === "reads";
};

/**
 * Chooses the sentence to start with. The first sentence of the description replaces the summary
 * when it repeats the summary or is more exact.
 */
function chooseLead(
  name: string,
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
  if (continues(first, summary)) return { lead: first, after: rest };
  const statement = stripPreamble(first);
  const sentence = toImperativeSentence(first);
  // The name says what the summary adds: `Get user info` and `Gets information about the user`.
  const known = `${statement} ${name.replaceAll("_", " ")}`;
  const containsSummary = containsStatement(known, summary);
  const isShort =
    statement.length <= MAX_OPENING_LENGTH ||
    (sentence !== undefined &&
      (isOwnOpening(sentence, name) || (containsSummary && isLongOpening(sentence, name))));
  const isStatement =
    isShort && !(RETURN.test(statement) && !RETURNS.test(statement)) && sentence !== undefined;
  // A title such as `Ingredients widget` is less informative than a sentence with a verb.
  const canLead = !isNonEnglish(first) || foreignVerbOf(first) !== undefined;
  if (isStatement && canLead && isTitle(name, summary)) {
    const subject = summary.replace(GENERIC_NOUN, "").replace(NOUN_OF_API, "");
    const isKnown = isIdentifier(summary) || containsContentWords(known, subject);
    const title = isKnown ? "" : `${toSentence(summary)} `;
    return { lead: first, after: `${title}${rest}`.trim() };
  }
  if (containsSummary && isStatement) return { lead: first, after: rest };
  // A noun phrase such as `Client username` states no other action.
  const isKnown =
    containsStatement(summary, statement) ||
    (sentence === undefined && containsContentWords(summary, statement));
  return { lead: summary, after: isKnown ? rest : description };
}

/**
 * True when a sentence of moderate length has a summary at its start and says more: `Delete a
 * caption` and `Delete a caption in a specific language`.
 */
function continues(sentence: string, summary: string): boolean {
  const start = summary.replace(/\.$/, "").toLowerCase();
  return (
    sentence.length <= MAX_LONG_OPENING &&
    sentence.toLowerCase().startsWith(start) &&
    CONTINUATION.test(sentence.slice(start.length))
  );
}

const CONTINUATION =
  /^(?:,| [-–(]| (?:and|as|at|based|by|for|from|in|including|of|on|or|such|that|to|under|using|via|which|with|within)\b)/;

/** True for a summary that does not describe the action of the tool. */
function isTitle(name: string, summary: string): boolean {
  const isSentence =
    toImperativeSentence(summary) !== undefined &&
    !startsWithNounOf(name, summary) &&
    !TITLE_OF_API.test(summary);
  return !isSentence;
}

/** `Search API for photos`, which searches photos. */
const TITLE_OF_API =
  /^[a-z]+ (?:api|endpoint|method|operation|service)(?: (?:for|to|that|which)\b|\.?$)/i;
const NOUN_OF_API = / (?:api|endpoint|method|operation|service)(?= for\b|\.?$)/i;

/** Last words of titles that say nothing about the thing: `Feature detail`. */
const GENERIC_NOUN = / (?:collection|data|details?|info|information|list)\.?$/i;

/** `Request users`, `This endpoint provides users` of `list_users` → Get users. */
function readingOf(sentence: string): string {
  const stripped = stripPreamble(sentence);
  return REQUEST.test(stripped) ? stripped.replace(REQUEST, "Get ") : sentence;
}

const REQUEST = /^(?:requests?(?: the retrieval of)?|provides?(?! you\b)) (?=[a-z])/i;

/** `Feature collection` of `list_features`: the first word is the noun of the name, not a verb. */
function startsWithNounOf(name: string, text: string): boolean {
  const [verb = "", ...nouns] = name.split("_");
  const [, first = "", isTransitive] = /^([a-z]+)(?= )( (?:an?|the|all|your)\b)?/i.exec(text) ?? [];
  const word = first.toLowerCase();
  const end = nouns.indexOf("by");
  const own = (end < 0 ? nouns : nouns.slice(0, end)).map(singularize);
  const isHead = own.at(-1) === singularize(word);
  if (isTransitive !== undefined || word === verb) return false;
  // `Triggers in an app` of `list_triggers`, `Comment by ID` of `get_comment`
  if (isHead && PLAIN_READ.test(verb) && NOUN_PHRASE.test(text)) return true;
  const isTitleOfThing = GENERIC_NOUN.test(text) && text.split(" ").length <= MAX_THING_WORDS;
  const isNamed = (isHead && /^\w+ [A-Z]/.test(text)) || (own.includes(word) && isTitleOfThing);
  const isTitleOfWrite = /^\w+ \w+\.?$/.test(text) && isWriteInReadName(verb, own, word);
  return (isAmbiguousVerb(word) && isNamed) || isTitleOfWrite;
}

/** `Send analytics` of `get_send_analytics`: the name of a read has the word as part of its noun. */
const isWriteInReadName = (verb: string, [first]: readonly string[], word: string): boolean =>
  PLAIN_READ.test(verb) && first === singularize(word) && effectOfVerb(word) !== "reads";

/** A word that is a noun, because a preposition follows it. */
const NOUN_PHRASE = /^[a-z]+ (?:by|for|from|in|of|on|per|within)\b/i;

const MAX_THING_WORDS = 4;

/** Shortens a first sentence that is too long: at its own sentences, else it follows the name. */
function shortenLead(sentence: string, after: string, name: string): Opening {
  const fallback = toSentenceCase(name.split("_"));
  const [head, tail] = splitSentence(sentence);
  if (head.length <= MAX_OPENING_LENGTH && tail !== "")
    return { first: head, rest: `${toSentence(tail)} ${after}`.trim() };
  // The name would only repeat it.
  if (isLongOpening(sentence, name) || isOwnOpening(sentence, name))
    return { first: toSentence(sentence), rest: after };
  return { first: `${fallback}.`, rest: `${toSentence(sentence)} ${after}`.trim() };
}

/** True for a long sentence that has every word of the name. */
const isLongOpening = (sentence: string, name: string): boolean =>
  sentence.length <= MAX_LONG_OPENING && saysName(sentence, name);

/**
 * True for a long sentence with the verb of the name, to which the name would add nothing. After a
 * colon, the sentence may continue in a list.
 */
const isOwnOpening = (sentence: string, name: string): boolean =>
  sentence.length <= MAX_LONG_OPENING &&
  !sentence.includes(": ") &&
  sentence.toLowerCase().startsWith(`${name.split("_")[0]} `);

/** `Search for articles by brand` says `get_articles`. */
function saysName(sentence: string, name: string): boolean {
  const [verb = "", ...nouns] = name.split("_");
  const [first = ""] = sentence.toLowerCase().split(" ");
  const isRead = PLAIN_READ.test(verb) && effectOfVerb(first) === "reads";
  return isRead
    ? containsContentWords(sentence, nouns.join(" "))
    : containsStatement(sentence, toSentenceCase(name.split("_")));
}

const PLAIN_READ = /^(?:find|get|list)$/;

/**
 * Puts a sentence into the imperative: `Returns pets` → `Return pets`. Undefined for English
 * sentences that do not start with a known verb; sentences in other languages are returned
 * unchanged.
 */
export const toImperativeSentence: (text: string) => string | undefined = memoize((text) => {
  const sentence = stripPreamble(text)
    .replace(
      /^(?:(an?|the) )?((?:paginated )?(?:array|collection|list|listing|page|set)) of (?=[a-z])/i,
      (_, article = "a", list: string) => `Get ${article.toLowerCase()} ${list.toLowerCase()} of `,
    )
    .replace(RETURNS, (_, whether) => (whether === undefined ? "Get " : "Check whether "));
  const [manner, adverb = "", adverbVerb = ""] = ADVERB_AND_VERB.exec(sentence) ?? [];
  const modified = adverbVerb.toLowerCase();
  const modifiedVerb = canStartImperative(modified) ? modified : toImperative(modified);
  // `Apply filters` has no adverb.
  const isAdverbial = manner !== undefined && !canStartImperative(adverb.toLowerCase());
  if (isAdverbial && modifiedVerb !== undefined)
    return `${capitalize(adverb)} ${modifiedVerb}${conjunctsToImperative(sentence.slice(manner.length))}`;
  const [, prefix = "", first = "", object] = FIRST_WORD.exec(sentence) ?? [];
  const word = first.toLowerCase();
  const [particle = ""] = sentence.slice(prefix.length + first.length).match(/[a-z]+/i) ?? [];
  const isPhrasal = isPhrasalVerb(toImperative(word), particle.toLowerCase());
  const verb = word === "" ? undefined : imperativeOfWord(word, object !== undefined || isPhrasal);
  // A known verb at the start proves that the text is English.
  const isForeign = isNonEnglish(text) || foreignVerbOf(text) !== undefined;
  if ((verb === undefined || !isKnownVerb(word)) && isForeign) return text;
  if (verb === undefined) return undefined;
  const rest = alternativesToImperative(sentence.slice(prefix.length + first.length));
  return capitalize(prefix.toLowerCase() + verb) + conjunctsToImperative(rest);
});

/** `Permanently delete a pet`, `Bulk delete pets`; not `Bulk download of pets`. */
const ADVERB_AND_VERB = /^([a-z]{3,12}ly|(?:batch|bulk|mass)(?= [a-z]+ (?!of\b))) ([a-z]+)(?= )/i;

/** ` an update and recalculates its time` → and recalculate. */
const conjunctsToImperative = (rest: string): string =>
  / (?:or|and|then) /.test(rest) ? rest.replace(SECOND_VERB, secondVerbToImperative) : rest;

/**
 * `Returns the pet` describes the result; the tool gets it. `Returns true if …` and `Returns 204`
 * state no purpose.
 */
const RETURNS =
  /^returns? (?:(whether|if) |(?=(?!true|false|an? (?:`?\d{3}\b|boolean|empty|error|http)|`?\d{3}\b|http|empty|no|nothing|null|ok|or|and)(?:\d{1,2} )?[a-z]))/i;

/** First word, with its prefix, and an article or a second verb after it. */
const FIRST_WORD = new RegExp(
  String.raw`^((?:Re|Un|De|Pre)-)?([A-Za-z]+)(?![\w'’-])` +
    "( (?:an?|the|all|your|one|new|if|whether|(?:out|up) the|(?<=searches )for|(?:or|and|then) [a-z]+s) )?",
  "i",
);

const isKnownVerb = (word: string): boolean =>
  canStartImperative(word) || toImperative(word) !== undefined;
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * `/modifies/deletes` of `Creates/modifies/deletes records`, and `, deactivates, and queries` of
 * `Activates, deactivates, and queries alarms`.
 */
const alternativesToImperative = (rest: string): string =>
  rest.replace(/^(?:(?:\/[a-z]+s)+|(?:, [a-z]+s)+,? (?:and|or) [a-z]+s)(?= )/, (verbs) =>
    verbs.replace(/[a-z]+s\b/g, (word) => toImperative(word) ?? word),
  );

/** `Uploads or creates a file`: the second verb of a pair. */
const SECOND_VERB =
  /^( or| and|(?:[^.;:]{1,60}? (?:or|and|then))) ((?:returns|provides|(?<=then )[a-z]+s)(?= (?!for|from|in|of|to)[a-z])|[a-z]+s(?= (?:an?|the|all|its|your|it|their|them)\b))/;

function secondVerbToImperative(match: string, before: string, word: string): string {
  const verb = toImperative(word);
  return verb === undefined ? match : `${before} ${verb}`;
}

/** Imperative of a known verb, or of any word before an article: `Presents a payment method`. */
function imperativeOfWord(word: string, hasObject: boolean): string | undefined {
  if (canStartImperative(word)) return word;
  const verb = toImperative(word) ?? (hasObject ? imperativeOfPastTense(word) : undefined);
  // `Reports a bug` starts with a verb, `Users with access may` does not.
  if (verb !== undefined && (hasObject || word === "returns" || !isAmbiguousVerb(verb)))
    return verb;
  if (!hasObject || NON_VERB_STARTS.has(word) || /(?:ing|ous)$/.test(word)) return undefined;
  if (!/[^s]s$/.test(word)) return word;
  return word.slice(0, /(ss|sh|ch|x|zz)es$/.test(word) ? -2 : -1);
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
    "can may must will should given based contains includes represents"
  ).split(" "),
);
