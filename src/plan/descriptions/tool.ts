import type { OperationEffects } from "../effects/index.js";
import { isConnective, isPlural, pluralize, singularize } from "../names/grammar.js";
import { toSentenceCase } from "../names/titles.js";
import { joinWithAnd, toSentence, truncateText } from "../text/sentences.js";
import { restatesName, writeOpening } from "./opening.js";
import { cleanProse } from "./prose.js";

/** Maximum length. Hosts truncate descriptions at 1,024 characters. */
export const MAX_DESCRIPTION_LENGTH = 1000;

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
  const tail = [source.returns, sideEffects(source), source.deprecated ? "Deprecated." : undefined]
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

/** Side effects that the document states and that its text, shortened, may no longer show. */
function sideEffects({ effects, summary, description }: ToolDescriptionSource): string | undefined {
  const text = `${summary} ${description ?? ""}`.slice(0, MAX_SIDE_EFFECT_POSITION);
  const sentences = [
    effects?.replacesAll === true && !/\bnot (?:given|provided|included)\b/i.test(text)
      ? "Replaces all of it; what is not given is lost."
      : "",
    effects?.isIrreversible === true && !/\bundone\b|\birreversibl/i.test(text)
      ? "Cannot be undone."
      : "",
  ].filter((sentence) => sentence !== "");
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** Text after it may be shortened. */
const MAX_SIDE_EFFECT_POSITION = 600;
