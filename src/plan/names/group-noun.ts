import type { ClassifiedOperation } from "../classified-operation.js";
import { isPlural, pluralize, pluralizeLast, singularizeLast } from "./grammar.js";
import { COLLECTION_VERBS } from "./lexicon.js";
import { nounOfPath, segmentWords, wordsNotIn } from "./path.js";

/** `airport list` of a list operation is about airports. */
export function removeListWord(
  group: readonly string[],
  [verb]: readonly string[],
): readonly string[] {
  return verb === "list" && group.length > 1 ? group.filter((word) => word !== verb) : group;
}

/**
 * Noun of the group: plural for lists, singular for nearly all other verbs. Without a group, the
 * path's noun.
 */
export function nounOfGroup(
  group: readonly string[],
  verbWords: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  const verb = verbWords[0] ?? "";
  if (group.length === 0) return nounOfPath(classified, verbWords);
  if (verb === "list") return group.some(isPlural) ? group : pluralizeLast(group);
  if (verb === "search") return nounOfSearch(group, classified);
  const isLastSegment = segmentWords(classified.pathParts, -1).at(-1) === group.at(-1);
  if (isLastSegment && verb !== "create" && verb !== "add") return group;
  return COLLECTION_VERBS.has(verb) && isBeforeLast(group, classified)
    ? pluralizeLast(group)
    : singularizeLast(group);
}

/** `guild_search` of `/guilds/{id}/messages/search` → guild messages. */
function nounOfSearch(
  group: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  if (isBeforeLast(group, classified)) return pluralizeLast(group);
  const before = segmentWords(classified.pathParts, -2);
  return before.length > 0 && classified.pathParts.length > 2
    ? [...wordsNotIn(group, before), ...before]
    : group;
}

/** `/images/search`: the group is the segment before the verb, without a path parameter. */
function isBeforeLast(group: readonly string[], { pathParts }: ClassifiedOperation): boolean {
  return segmentWords(pathParts, -2).at(-1) === pluralize(group.at(-1) as string);
}
