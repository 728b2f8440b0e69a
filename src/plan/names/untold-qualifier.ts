/** Qualifiers of a name that no text of the operation has. */
import { isAdjective, isPlural, isUnambiguousVerb, singularize } from "../../language/grammar.js";
import { EDITING_VERBS, NOUNS_OF_FACTS, PLAIN_VERBS } from "../../language/lexicon.js";
import { endsInParameter, segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation, PathSegment } from "../operations/types.js";
import { PLAIN_READS } from "./infer-verb.js";
import { LIST_OF, objectWords } from "./stated-object.js";

/** Characters of a description that are searched for a qualifier. */
const MAX_DESCRIPTION = 400;

/** Words that say whose things they are. */
const AUDIENCES = new Set(
  (
    "admin authenticated current global guest internal me mine my own partner private public self " +
    "shared system user"
  ).split(" "),
);

/**
 * `send message poll` of "Send a poll" → send poll: the text says the same verb and the same
 * object, and nowhere the folder of the path or the group of the operationId. Undefined for other
 * names, for owners with an ID (`/issues/{id}/comments`), and for words that select or that name an
 * audience.
 */
export function withoutUntoldQualifier(
  words: readonly string[],
  { effects: { mainAction: action }, operation, pathParts }: ClassifiedOperation,
): readonly string[] | undefined {
  const [verb = "", ...object] = words;
  const stated = objectWords(action?.object.replace(LIST_OF, "") ?? "").map(singularize);
  const rest = object.slice(-stated.length);
  const qualifier = object.slice(0, object.length - rest.length);
  const isStated =
    action !== undefined &&
    (action.verb === verb || [action.verb, verb].every((one) => PLAIN_READS.test(one))) &&
    qualifier.length > 0 &&
    rest.map(singularize).join(" ") === stated.join(" ") &&
    !isAdjective(rest.at(-1));
  if (!isStated) return undefined;
  const segment = folderOf(qualifier, pathParts) ?? [];
  const { summary = "", description = "" } = operation;
  const told = splitWords(`${summary} ${description.slice(0, MAX_DESCRIPTION)}`).map(singularize);
  const isMeant = (word: string): boolean =>
    AUDIENCES.has(word) ||
    isAdjective(word) ||
    isUnambiguousVerb(word) ||
    told.includes(singularize(word));
  // `/products/reviews` has the reviews of products, `/billing/invoices` those of no billing.
  const isPlain = PLAIN_VERBS.has(verb) || EDITING_VERBS.has(verb);
  const isOwned = isPlain && isPlural(segment.at(-1) ?? "");
  const isPart = rest.length === 1 && (isOwned || NOUNS_OF_FACTS.has(rest[0] ?? ""));
  return segment.length === 0 || isPart || qualifier.some(isMeant) ? undefined : [verb, ...rest];
}

/**
 * `list tags by video id` of `/videos/{videoId}/tags` → list video tags: the path has the ID, and
 * its owner is known. Undefined for other keys, which select.
 */
export function withoutPathParameter(
  words: readonly string[],
  { pathParts }: ClassifiedOperation,
): readonly string[] | undefined {
  const by = words.lastIndexOf("by");
  const [verb = "", ...object] = words.slice(0, Math.max(by, 0));
  const key = words.slice(by + 1);
  const owner = key.slice(0, -1);
  const isId = object.length > 0 && isUniqueKey(key.at(-1));
  const isInPath = pathParts.some(
    (part) => part.kind === "param" && keyOf(splitWords(part.name)).endsWith(keyOf(key)),
  );
  // `/roles-by-id/{role-id}`
  const isCollection =
    verb !== "list" && endsInParameter(pathParts) && isPlural(object.at(-1) ?? "");
  if (!isId || !isInPath || isCollection) return undefined;
  const named = object.map(singularize);
  if (owner.every((word) => named.includes(singularize(word)))) return [verb, ...object];
  const isFolder = pathParts.some((_, i) => keyOf(segmentWords(pathParts, i)) === keyOf(owner));
  return isFolder ? [verb, ...owner, ...object] : undefined;
}

const isUniqueKey = (word: string | undefined): boolean => /^(?:id|uuid|guid)$/.test(word ?? "");

/** Words of the folder that a qualifier names: of a whole segment before another one. */
const folderOf = (
  qualifier: readonly string[],
  parts: readonly PathSegment[],
): readonly string[] | undefined =>
  parts
    .map((_, i) => segmentWords(parts, i))
    .find((words, i) => keyOf(words) === keyOf(qualifier) && parts[i + 1]?.kind === "words");

const keyOf = (words: readonly string[]): string => words.map(singularize).join("");
