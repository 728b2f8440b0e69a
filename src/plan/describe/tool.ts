import { opening, repeatsName } from "./opening.js";
import { prose } from "./prose.js";
import { isPlural, plural, singular } from "../name/inflect.js";
import { sentenceCase } from "../name/title.js";
import { isLink } from "../name/function-words.js";
import { ended, fit, listed } from "./sentences.js";

/** Hosts cut descriptions at 1,024 characters; ours end before. */
export const MAX_DESCRIPTION = 1000;

/** What a description is written from. */
export interface DescriptionSource {
  readonly name: string;
  readonly method: string;
  /** It changes nothing. */
  readonly reads: boolean;
  /** Flattened already: the title is made of it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** `Returns …`, when there is something to say. */
  readonly returns?: string | undefined;
  readonly deprecated: boolean;
  /** The things above it in its path, for documents that say nothing: `channel`. */
  readonly within?: readonly string[];
}

/**
 * What a model reads about a tool: what it does, what else the document says, what comes back, what
 * it changes. The document's language is kept. The middle gives way when there is too much.
 */
export function describeTool(source: DescriptionSource): string {
  const description = prose(source.description ?? "");
  const summary = repeatsName(source.summary, source.name) ? "" : source.summary;
  const { first, rest } =
    summary === "" && (description === "" || repeatsName(description, source.name))
      ? { first: unsaid(source), rest: "" }
      : opening(source.name, summary, description);
  const tail = [source.returns, sideEffect(source), source.deprecated ? "Deprecated." : undefined]
    .filter((part) => part !== undefined)
    .join(" ");
  const room = MAX_DESCRIPTION - first.length - tail.length - 2;
  const middle = rest === "" ? "" : fit(ended(rest), room);
  return [first, middle, tail].filter((part) => part !== "").join(" ");
}

/**
 * From names alone: `create_message` of `/channels/{id}/messages` → Create a message of the given
 * channel.
 */
function unsaid({ name, within = [] }: DescriptionSource): string {
  const [verb = "", ...noun] = name.split("_");
  const last = noun.at(-1) ?? "";
  const single =
    ONE_OF.has(verb) &&
    noun.length > 0 &&
    !isPlural(last) &&
    plural(last) !== last &&
    !noun.some((word) => isLink(word) || NO_ARTICLE.has(word));
  const article = /^[aeiou]/.test(noun[0] ?? "") ? "an" : "a";
  const phrase = sentenceCase(single ? [verb, article, ...noun] : [verb, ...noun]);
  const said = new Set(noun.map(singular));
  const owners = within.filter((word) => !said.has(singular(word)));
  return `${phrase}${owners.length > 0 ? ` of the given ${listed(owners)}` : ""}.`;
}

const ONE_OF = new Set([
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
function sideEffect({ method, reads, name }: DescriptionSource): string | undefined {
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
