import { ABOUT_ANOTHER, ABOUT_REQUEST, CONDITIONAL, NEGATED } from "./phrases.js";
import { effectOfVerb, imperativeOf, verbOfParticiple } from "./verbs.js";

/** Words of a sentence that a pattern matches; undefined when they are about something else. */
export type PhraseFinder = (sentence: string) => string | undefined;

/**
 * Finds a pattern in sentences about the operation itself. Negated phrases, references to other
 * operations, what becomes of the request, and what happens later or on demand do not count.
 * @param condition sentences that do not count
 */
export const findOwnPhrase =
  (pattern: RegExp, condition = CONDITIONAL): PhraseFinder =>
  (sentence) => {
    const match = pattern.exec(sentence);
    if (!match || NEGATED.test(sentence.slice(0, match.index))) return undefined;
    const isAside = [ABOUT_ANOTHER, ABOUT_REQUEST, condition].some((one) => one.test(sentence));
    return isAside ? undefined : match[0];
  };

/** Verbs that mean the same in sentences about irreversible actions. */
const isDeletion = (verb: string): boolean =>
  verb === "remove" || effectOfVerb(verb) === "destroys";

/**
 * Tests whether a sentence speaks about one of these actions: `Deleting a project cannot be undone`
 * is about deletion. Sentences without a subject of their own are about the operation.
 */
export function isAboutAction(sentence: string, verbs: ReadonlySet<string>): boolean {
  const subject = SUBJECT_ACTION.exec(sentence);
  const word = subject?.[1] ?? subject?.[2];
  if (word === undefined) return !/^(?:if|when|unless)\b/.test(sentence);
  const verb = imperativeOf(word) ?? verbOfParticiple(word);
  if (verb === undefined) return false;
  return verbs.has(verb) || (isDeletion(verb) && [...verbs].some(isDeletion));
}

/** `Deleting a …`, `Once deleted, …`, `If you delete …`, `After a user is deleted`. */
const SUBJECT_ACTION =
  /^(?:(?:warning|note|caution|important)[:!]? )?(?:(?!during|being|nothing|everything|anything|something|according)([a-z]{4,}ing)\b(?! to\b)|(?:once|after|when|if|upon)(?: you| a| an| the| it| this| your| [a-z]+| is| has| been| are| have){0,6}? ([a-z]{3,}(?:ed|ing|e|t|l|y|rge))\b)/;
