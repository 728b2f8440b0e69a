import type { Subject } from "../../kind.js";
import { isPlural, plural, pluralPhrase, singularPhrase } from "../inflect.js";
import { missingFrom, pathNoun } from "../noun.js";
import { wordsAt } from "../path.js";

/** Verbs of which a collection is the object, not one thing of it. */
const MASS_VERBS = new Set(
  "prune purge query count export import clear compare sync reindex".split(" "),
);

/**
 * The object that the group names: many for a list, one for nearly everything else; without a
 * group, what the path names.
 */
export function groupNoun(
  group: readonly string[],
  does: readonly string[],
  subject: Subject,
): readonly string[] {
  const verb = does[0] ?? "";
  if (group.length === 0) return pathNoun(subject, does);
  if (verb === "list") return group.some(isPlural) ? group : pluralPhrase(group);
  if (verb === "search") return searched(group, subject);
  const isLastPiece = wordsAt(subject.parts, -1).at(-1) === group.at(-1);
  if (isLastPiece && verb !== "create" && verb !== "add") return group;
  return MASS_VERBS.has(verb) && isBeforeLast(group, subject)
    ? pluralPhrase(group)
    : singularPhrase(group);
}

/** `guild_search` of `/guilds/{id}/messages/search` searches messages. */
function searched(group: readonly string[], subject: Subject): readonly string[] {
  if (isBeforeLast(group, subject)) return pluralPhrase(group);
  const before = wordsAt(subject.parts, -2);
  return before.length > 0 && subject.parts.length > 2
    ? [...missingFrom(group, before), ...before]
    : group;
}

/** `/images/search`: the piece before the verb is the group itself, and no parameter picks one. */
function isBeforeLast(group: readonly string[], { parts }: Subject): boolean {
  return wordsAt(parts, -2).at(-1) === plural(group.at(-1) as string);
}
