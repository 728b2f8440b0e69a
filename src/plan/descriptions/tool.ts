import { isConnective, isPlural, pluralize, singularize } from "../names/grammar.js";
import { toSentenceCase } from "../names/titles.js";
import { joinWithAnd, toSentence, truncateText } from "../text/sentences.js";
import { restatesName, writeOpening } from "./opening.js";
import { cleanProse } from "./prose.js";

/** Hosts cut descriptions at 1,024 characters; ours end before. */
export const MAX_DESCRIPTION_LENGTH = 1000;

/** What a description is written from. */
export interface ToolDescriptionSource {
  readonly name: string;
  readonly method: string;
  /** It changes nothing. */
  readonly isReadOnly: boolean;
  /** Flattened already: the title is made of it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** `Returns …`, when there is something to say. */
  readonly returns?: string | undefined;
  readonly deprecated: boolean;
  /** The things above it in its path, for documents that say nothing: `channel`. */
  readonly parents?: readonly string[];
}

/**
 * What a model reads about a tool: what it does, what else the document says, what comes back, what
 * it changes. The document's language is kept. The middle gives way when there is too much.
 */
export function describeTool(source: ToolDescriptionSource): string {
  const description = cleanProse(source.description ?? "");
  const summary = restatesName(source.summary, source.name) ? "" : source.summary;
  const { first, rest } =
    summary === "" && (description === "" || restatesName(description, source.name))
      ? { first: describeFromName(source), rest: "" }
      : writeOpening(source.name, summary, description);
  const tail = [source.returns, sideEffect(source), source.deprecated ? "Deprecated." : undefined]
    .filter((part) => part !== undefined)
    .join(" ");
  const room = MAX_DESCRIPTION_LENGTH - first.length - tail.length - 2;
  const middle = rest === "" ? "" : truncateText(toSentence(rest), room);
  return [first, middle, tail].filter((part) => part !== "").join(" ");
}

/**
 * From names alone: `create_message` of `/channels/{id}/messages` → Create a message of the given
 * channel.
 */
function describeFromName({ name, parents: within = [] }: ToolDescriptionSource): string {
  const [verb = "", ...noun] = name.split("_");
  const last = noun.at(-1) ?? "";
  const single =
    SINGLE_OBJECT_VERBS.has(verb) &&
    noun.length > 0 &&
    !isPlural(last) &&
    pluralize(last) !== last &&
    !noun.some((word) => isConnective(word) || NO_ARTICLE.has(word));
  const article = /^[aeiou]/.test(noun[0] ?? "") ? "an" : "a";
  const phrase = toSentenceCase(single ? [verb, article, ...noun] : [verb, ...noun]);
  const said = new Set(noun.map(singularize));
  const owners = within.filter((word) => !said.has(singularize(word)));
  return `${phrase}${owners.length > 0 ? ` of the given ${joinWithAnd(owners)}` : ""}.`;
}

const SINGLE_OBJECT_VERBS = new Set([
  "get",
  "create",
  "update",
  "delete",
  "replace",
  "add",
  "remove",
  "fetch",
  "edit",
  "check",
  "send",
]);
const NO_ARTICLE = new Set([
  "my",
  "me",
  "current",
  "own",
  "self",
  "original",
  "all",
  "default",
  "each",
  "info",
  "information",
  "status",
]);

/**
 * What is deleted, nothing brings back; but to unfollow or unlock something deletes no data. A
 * replacement loses what it leaves out.
 */
function sideEffect({
  method,
  isReadOnly: reads,
  name,
}: ToolDescriptionSource): string | undefined {
  if (
    method === "DELETE"
      ? /(^|_)(delete|remove|destroy|purge|erase)(_|$)/.test(name)
      : !reads && /^(delete|destroy|purge|erase|prune|wipe)_/.test(name)
  )
    return "Deletes data; cannot be undone.";
  return method === "PUT" && name.startsWith("replace_")
    ? "Replaces all of it; what is not given is lost."
    : undefined;
}
