import type { Operation } from "../../model/types.js";
import type { OperationEffects } from "../effects/index.js";
import { IRREVERSIBLE, REPLACES_ALL } from "../effects/phrases.js";
import type { InputCandidate } from "../inputs/candidates.js";
import { isConnective, isPlural, pluralize, singularize } from "../names/grammar.js";
import { toSentenceCase } from "../names/titles.js";
import { joinWithAnd, toSentence, truncateText } from "../text/sentences.js";
import { restatesName, writeOpening } from "./opening.js";
import { cleanProse } from "./prose.js";

/** Maximum length. Hosts truncate descriptions at 1,024 characters. */
export const MAX_DESCRIPTION_LENGTH = 1000;

const REPLACES_ALL_SENTENCE = "Replaces all of it; what is not given is lost.";
const IRREVERSIBLE_SENTENCE = "Cannot be undone.";

/** Sentences at the end of a description that a configured description keeps. */
export const KEPT_SENTENCES = new RegExp(
  `(?:${REPLACES_ALL_SENTENCE})?(?: ?${IRREVERSIBLE_SENTENCE})?(?: ?Deprecated\\.)?$`,
);

/** Facts from which a tool is described. */
interface ToolDescriptionSource {
  readonly name: string;
  /** Side effects that the document states. */
  readonly effects?: Pick<OperationEffects, "isIrreversible" | "replacesAll"> | undefined;
  /** Plain text. The title is made from it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** `Returns …`, when the output has a schema. */
  readonly returns?: string | undefined;
  readonly deprecated: boolean;
  /** Resources above it in its path, used when the document has no text: `channel`. */
  readonly parents?: readonly string[];
}

/**
 * Describes a tool: its purpose, the rest of the document's text, the result, and side effects. The
 * document's language is kept. The middle part is shortened first.
 */
export function describeTool(source: ToolDescriptionSource): string {
  const description = cleanProse(source.description ?? "");
  const summary = restatesName(source.summary, source.name) ? "" : source.summary;
  const { first, rest } =
    summary === "" && (description === "" || restatesName(description, source.name))
      ? { first: describeFromName(source), rest: "" }
      : writeOpening(source.name, summary, description);
  const tail = [
    source.returns,
    sideEffects(source, `${first} ${rest}`),
    source.deprecated ? "Deprecated." : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
  const available = MAX_DESCRIPTION_LENGTH - first.length - tail.length - 2;
  const middle = rest === "" ? "" : truncateText(toSentence(rest), available);
  return [first, middle, tail].filter((part) => part !== "").join(" ");
}

/**
 * Description from names alone: `create_message` of `/channels/{id}/messages` → Create a message of
 * the given channel.
 */
function describeFromName({ name, parents = [] }: ToolDescriptionSource): string {
  const [verb = "", ...noun] = name.split("_");
  const last = noun.at(-1) ?? "";
  const isSingular =
    SINGLE_OBJECT_VERBS.has(verb) &&
    noun.length > 0 &&
    !isPlural(last) &&
    pluralize(last) !== last &&
    !noun.some((word) => isConnective(word) || NO_ARTICLE.has(word));
  const article = /^[aeiou]/.test(noun[0] ?? "") ? "an" : "a";
  const phrase = toSentenceCase(isSingular ? [verb, article, ...noun] : [verb, ...noun]);
  const nameStems = new Set(noun.map(singularize));
  const parentWords = parents.filter((word) => !nameStems.has(singularize(word)));
  return `${phrase}${parentWords.length > 0 ? ` of the given ${joinWithAnd(parentWords)}` : ""}.`;
}

const SINGLE_OBJECT_VERBS = new Set(
  "get create update delete replace add remove fetch edit check send".split(" "),
);
const NO_ARTICLE = new Set(
  "my me current own self original all default each info information status".split(" "),
);

/** Side effects that the document states, unless the description shows them already. */
function sideEffects({ effects }: ToolDescriptionSource, shown: string): string | undefined {
  const text = shown.slice(0, MAX_SHOWN_LENGTH).toLowerCase();
  const sentences = [
    effects?.replacesAll === true && !REPLACES_ALL.test(text) ? REPLACES_ALL_SENTENCE : "",
    effects?.isIrreversible === true && !IRREVERSIBLE.test(text) ? IRREVERSIBLE_SENTENCE : "",
  ].filter((sentence) => sentence !== "");
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** Text after it may be shortened. */
const MAX_SHOWN_LENGTH = 600;

/** Sentence about a call that cannot do what its name says, as far as the document tells. */
export function callLimitSentence(
  name: string,
  {
    method,
    requiresUnsendableBody,
    description = "",
  }: Pick<Operation, "method" | "requiresUnsendableBody" | "description">,
  sent: readonly InputCandidate[],
): string | undefined {
  if (requiresUnsendableBody)
    return `The API requires a request body, which a ${method} request cannot carry.`;
  const isUpdate = /^(?:PUT|PATCH)$/.test(method) && /^(?:update|edit|modify)_/.test(name);
  const chosen = sent.filter(({ in: location }) => location !== "path" && location !== "header");
  if (isUpdate && chosen.length === 0) return "The API's documentation names no fields to update.";
  return chosen.length < demandedParameters(description)
    ? "The API's documentation does not declare the parameters that it demands."
    : undefined;
}

const NUMBERS = ["", "one", "two", "three", "four"];

/** Number of parameters that a text demands: 2 for `exactly two of these parameters`. */
function demandedParameters(text: string): number {
  const [, number = ""] =
    /\b(?:exactly|at least) (one|two|three|four|[1-4]) of (?:these|the following|the) (?:query |optional )?(?:parameters|fields|filters)\b/i.exec(
      text,
    ) ?? [];
  return Number(number) || Math.max(0, NUMBERS.indexOf(number.toLowerCase()));
}
