import { singular } from "../inflect.js";
import type { PathPart } from "../path.js";
import { wordsOf } from "../words.js";

/** The groups of an operationId that its name keeps, and those that it does without. */
export interface Owners {
  readonly shown: readonly string[][];
  readonly hidden: readonly string[][];
}

/**
 * `pubsub.projects.topics` of `/{project}/topics`: the last group is what the operation is about;
 * those before it are kept where the path names them too, because then they tell its things apart.
 * A path that names nothing at all has no say.
 */
export function splitOwners(groups: readonly string[][], parts: readonly PathPart[]): Owners {
  if (groups.length < 2) return { shown: groups, hidden: [] };
  const named = new Set(
    parts
      .flatMap((part) =>
        part.kind === "words" ? [...part.words, part.words.join("")] : wordsOf(part.name),
      )
      .map(singular),
  );
  const isNamed = (words: readonly string[]): boolean =>
    named.has(singular(words.join(""))) || words.some((word) => named.has(singular(word)));
  if (!parts.some((part) => part.kind === "param") && !groups.some(isNamed))
    return { shown: groups, hidden: [] };
  const shown = groups.filter((words, i) => i === groups.length - 1 || isNamed(words));
  return { shown, hidden: groups.filter((words) => !shown.includes(words)) };
}
