/** Texts that only repeat the name of their tool, or that frameworks write for every operation. */
import type { Response } from "../../model/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { singularize } from "../../language/grammar.js";
import { anyOfPatterns } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";
import { isJsonMediaType } from "../outputs/payload.js";
import { splitSentence } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { isFunctionWord, synonymsOf } from "./content-words.js";
import { toImperativeSentence } from "./opening.js";
import { printPurpose, printText } from "./print.js";

/**
 * True when a summary only repeats the words of the tool's name: `Countries Get`,
 * `getActionsByIdAction()`. Sentences that start with a verb are better than the name and do not
 * count.
 */
export function restatesName(summary: string, name: string): boolean {
  if (isTemplateText(summary)) return true;
  if (summary.length > 100 || toImperativeSentence(summary) !== undefined) return false;
  const words = splitWords(summary);
  return (
    words.length > 0 &&
    areWordsOfName(
      words.filter((word) => !isGenerated(word)),
      name,
    )
  );
}

/** Words that generators of identifiers add to those of the name. */
const isGenerated = (word: string): boolean => GENERATED_WORDS.has(word) || /^v\d+$/.test(word);
const GENERATED_WORDS = new Set(["post", "put", "patch", "list", "id", ...synonymsOf("get")]);

/**
 * True when all words are words of the name, synonyms of its verb, or function words. Names have
 * `list` where a text gets several items.
 */
function areWordsOfName(words: readonly string[], name: string): boolean {
  const nameWords = name.split("_");
  const [verb = ""] = nameWords;
  const synonyms = synonymsOf(verb === "list" ? "get" : verb);
  const stems = new Set([...synonyms, ...nameWords].map(singularize));
  return words.every((word) => isFunctionWord(word) || stems.has(singularize(word)));
}

/** `Display a listing of the resource.`: a framework writes it for every resource. */
function isTemplateText(text: string): boolean {
  const words = text.length < 80 ? splitWords(text).map(singularize) : [];
  return words.includes("resource") && words.every((word) => TEMPLATE_WORDS.has(word));
}

const TEMPLATE_WORDS = new Set(
  (
    "a all an create created creating delete destroy display editing existing for form from get in " +
    "list listing new newly of remove resource retrieve show specified storage store the update"
  ).split(" "),
);

/**
 * `Success`, `No description available.`: a text about the response, or about the document, in
 * place of one about the operation.
 */
export const withoutOutcome = (text: string): string => (NO_PURPOSE.test(text) ? "" : text);

const NO_PURPOSE = new RegExp(
  `^(?:${anyOfPatterns(
    /success(?:ful(?:ly)?)?(?: (?:operation|response|request))?/,
    /ok|okay|no content|default response/,
    /(?:no|missing) (?:description|documentation|summary)(?: (?:available|found|given|provided|yet))*/,
    /(?:description|documentation|summary)|to ?do|tbd|n\/a|none/,
  )})[.!]?$`,
  "i",
);

/**
 * True for summaries that a generator derived from an identifier: `Countries Get`, `getBatch()`.
 */
export const isGeneratedSummary = (summary: string, name: string): boolean =>
  isTemplateText(summary) ||
  (/\(\)$|^[a-z]{2}\w*$|\b(?:get|post|put|patch|delete)(?: v\d+)?$/i.test(summary) &&
    restatesName(summary, name));

/**
 * Removes the sentences after the purpose that only repeat the tool's name (`Start a container.
 * Starts the container.`). The purpose stays: hosts show models the name, the description and the
 * inputs, and often nothing else. A text of the purpose alone names the type of a file.
 */
export function dropRepeatedName(
  tool: PlannedTool,
  { successResponses }: ClassifiedOperation,
): PlannedTool {
  const { definition, text } = tool;
  const isRepeated = repeatsName(printPurpose(text.purpose), definition.name);
  const [first, ...others] = text.details;
  const remaining = first && isRepeated ? withoutRepeats(first.text, definition.name) : first?.text;
  const details = remaining ? [{ ...first, text: remaining }, ...others] : others;
  const shortened = { ...text, details };
  const isAlone = printText(shortened) === printPurpose(text.purpose);
  const file = isAlone ? fileType(successResponses) : "";
  return { ...tool, text: file === "" ? shortened : { ...shortened, result: [file] } };
}

function withoutRepeats(text: string, name: string): string {
  let remaining = text;
  while (remaining !== "") {
    const [first, rest] = splitSentence(remaining);
    if (!repeatsName(first, name)) return remaining;
    remaining = rest;
  }
  return remaining;
}

/**
 * True for `Get all pets.` of `list_pets`. An `all` matters where something is lost. `Return …` and
 * `Returns …` are about the result.
 */
function repeatsName(sentence: string, name: string): boolean {
  if (/^Returns? /.test(sentence)) return false;
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isLossy = /^(?:destroys|removes)$/.test(effectOfVerb(name.split("_")[0] ?? "") ?? "");
  return areWordsOfName(isLossy ? words : words.filter((word) => word !== "all"), name);
}

/** `text/csv`; empty if the success response is JSON or is not described. */
function fileType(responses: readonly Response[]): string {
  const types = responses.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType));
  // The server requests JSON where it can.
  if (types.some(isJsonMediaType)) return "";
  return types.find((mediaType) => MEDIA_TYPE.test(mediaType)) ?? "";
}

const MEDIA_TYPE = /^[\w.-]+\/[\w.+-]+$/;
