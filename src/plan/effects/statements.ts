/** Sentences about an operation: the actions that they state, and phrases about it. */
import { foreignVerbOf } from "../../language/foreign-verbs.js";
import { stripPreamble } from "../../language/preamble.js";
import { isAdverb, isAmbiguousVerb } from "../../language/grammar.js";
import { DETERMINERS } from "../../language/function-words.js";
import { isNonEnglish, splitSentence } from "../text/sentences.js";
import type { Action, Effect } from "../operations/types.js";
import { ABOUT_ANOTHER, ABOUT_REQUEST, CONDITIONAL, NEGATED } from "./phrases.js";
import {
  effectOfVerb,
  formsOf,
  imperativeOf,
  NOUNS_OF_ACTIONS,
  verbOfParticiple,
} from "../../language/verb-effects.js";
import { toAscii } from "../../language/words.js";
import { anyOfPatterns, sequence, wordIn } from "../../language/patterns.js";

/** `[Deprecated]`, `(Beta)`, `Deprecated:` and numbers before the sentence. */
const LABEL = new RegExp(
  `^(?:${anyOfPatterns(
    /\[[^\]]{1,40}\]|\([^)]{1,40}\)/,
    /(?:deprecated|beta|alpha|preview|new|experimental|internal|admin|legacy)\s*[:.–-]+/,
    /[\d.]+ |[^\p{L}\p{N}]+/u,
  )})\\s*`,
  "iu",
);

/** Words before the verb that do not change it. */
const MANNER =
  /^(?:also|then|just|batch|bulk|force|soft|hard|mass|optionally|(?!reply|apply|supply|multiply|rely)[a-z]{3,}ly)$/;

/** `reverse` of `Reverse geocode`, unlike that of `Reverse a payment`. */
const isManner = (words: readonly string[], at: number): boolean =>
  MANNER.test(words[at] ?? "") ||
  (words[at] === "reverse" && effectOfVerb(imperativeOf(words[at + 1] ?? "") ?? "") === "reads");

/** Words that show that the word before them is a verb. */
const DETERMINER = wordIn(`${DETERMINERS.join(" ")} it them`);

/**
 * Actions that a sentence or summary states, first the main one: `Retrieves a message and deletes
 * it` → retrieve, delete. Empty for texts without a known verb at the start.
 * @param isSafe the method is safe, so that `Order details` is a noun
 */
export function statementsOf(sentence: string, isSafe: boolean): readonly Action[] {
  const labelled = stripLabels(sentence);
  const text = labelled.replace(PERMISSION, "");
  const mayBeTitle = isSafe && text === labelled && !PERMISSION.test(sentence.trim());
  const words = wordsOf(text);
  const start =
    leadingVerb(words, mayBeTitle) ?? leadingNoun(words) ?? labelledVerb(words, mayBeTitle);
  const foreign = start ? undefined : foreignVerbOf(text);
  if (foreign !== undefined) return [foreignStatement(foreign)];
  // `Manage scheduled tasks` of a GET names the subject of several operations, not an action.
  if (!start || (isSafe && start.verb === "manage")) return [];
  if (isNonEnglish(text)) return [foreignStatement(start.verb)];
  return [statement(start.verb, words, start.next), ...conjunctStatements(words, start.next)];
}

/** The verb alone: the object of a text in another language is not understood here. */
const foreignStatement = (verb: string): Action => ({
  verb,
  effect: effectOfVerb(verb) as Effect,
  object: "",
});

const MAX_WORDS = 60;

const wordsOf = (text: string): readonly string[] =>
  (
    toAscii(text)
      .toLowerCase()
      .match(/[a-z]+(?:[-'’][a-z]+)*|[/,&.;:()]/g) ?? []
  ).slice(0, MAX_WORDS);

/** `/reports/get returns a report` */
const LEADING_PATH =
  /^(?:the )?[`'"]?\/[\w.{}-]+(?:\/[\w.{}-]+)*[`'"]?(?: (?:api|endpoint|method))? /i;

function stripLabels(sentence: string): string {
  let text = sentence.trim().replace(LEADING_PATH, "");
  for (let i = 0; i < 3 && LABEL.test(text); i++) text = text.replace(LABEL, "");
  return stripPreamble(text.replace(/^(re|un|de)-(?=[a-z])/i, "$1").replace(GIVEN, ""));
}

/** `Given the ID of a pet, returns …`, `Based on its name, …`. */
const GIVEN = /^(?:given|based on) [^,.;:]{1,100}, (?:it |this \w+ |the \w+ )?(?=[a-z]+ )/i;

/** `Allows your app to request …`, `Endpoint for counting …`. */
const PERMISSION = new RegExp(
  `^(?:${anyOfPatterns(
    sequence(
      /(?:this )?(?:allows?|lets?|enables?|causes?|forces?|instructs?|tells?) /,
      /(?:[\w'’]+ ){1,4}?to/,
    ),
    sequence(
      /(?:issue|make|send|submit) (?:an? )?(?:\w+ ){0,2}(?:call|request)s? /,
      /(?:\S+ ){0,4}?to(?! (?:an?|the|this|your|\/))/,
    ),
    sequence(
      /(?:an? |the |this )?(?:api )?(?:endpoint|method|operation|api|call|service)s? /,
      /(?:is |can be )?(?:used )?(?:for|to)/,
    ),
  )}) `,
  "i",
);

interface FoundVerb {
  readonly verb: string;
  /** Index of the first word after it. */
  readonly next: number;
}

function leadingVerb(words: readonly string[], isSafe: boolean): FoundVerb | undefined {
  let index = 0;
  while (index < 3 && isManner(words, index) && words[index + 1] !== undefined) index++;
  if (words[index] === "to") index++;
  return verbAt(words, index, isSafe);
}

/** Verb at a position, alone or with its particle. */
function verbAt(words: readonly string[], index: number, isSafe: boolean): FoundVerb | undefined {
  const [word = "", second = ""] = words.slice(index, index + 2);
  // `Uploaded an image` of a POST
  const verb =
    imperativeOf(word.replace("-", "")) ??
    (DETERMINER.test(second) ? verbOfParticiple(word) : undefined);
  for (const first of verb === undefined ? formsOf(word) : [verb, word])
    if (effectOfVerb(`${first}_${second}`)) return { verb: `${first}_${second}`, next: index + 2 };
  if (verb === undefined || FOLLOWS_NOUN.test(second)) return undefined;
  // `Triggers in an app` of a GET
  if (
    isSafe &&
    word === `${verb}s` &&
    FOLLOWS_PLURAL.test(second) &&
    effectOfVerb(verb) !== "reads"
  )
    return undefined;
  // `Tags that are used`
  if (/^(?:that|which|who)$/.test(second) && startsRelativeClause(word, words[index + 2]))
    return undefined;
  // `Start here for metadata` addresses readers of the documentation.
  if (second === "here") return undefined;
  if (word.endsWith("ing") && verb !== word && !DETERMINER.test(second)) return undefined;
  const isNoun = !DETERMINER.test(second) && mayBeNoun(word, verb, words.slice(index + 1), isSafe);
  return isNoun ? undefined : { verb, next: index + 1 };
}

/** `Tags that are used`, `Calls that start an export`. */
const startsRelativeClause = (word: string, next = ""): boolean =>
  FOLLOWS_NOUN.test(next) || (word.endsWith("s") && imperativeOf(next) !== undefined);

/** Prepositions after the plural of a noun. */
const FOLLOWS_PLURAL = /^(?:by|for|from|in|on|per|within)$/;

/** Words that follow a noun and never a verb: `Post is …`, `Set of …`. */
const FOLLOWS_NOUN = /^(?:of|is|are|was|were|has|have|will|can|must|should)$/;

/**
 * True for words that are nouns or adjectives without a determiner after them: `Order details` and
 * `Update history` of a GET, `Orders for a customer`. `Report bug` of a POST is a verb.
 */
function mayBeNoun(word: string, verb: string, after: readonly string[], isSafe: boolean): boolean {
  if (effectOfVerb(verb) === "reads") return false;
  // `Start and end date times`
  if (isSafe && /^(?:and|or)$/.test(after[0] ?? ""))
    return after.slice(2, 4).some((one) => NOUN_HEAD.test(one));
  if (!isSafe) return NOUN.test(verb) || (isAmbiguousVerb(verb) && word !== verb);
  const end = after.findIndex((one) => !/^[a-z]/.test(one) || /^(?:for|of|by|in|from)$/.test(one));
  const head = (end < 0 ? after : after.slice(0, end)).at(-1) ?? "";
  return [isAmbiguousVerb(verb), NOUN.test(verb), ADJECTIVE.test(word), NOUN_HEAD.test(head)].some(
    Boolean,
  );
}

/** Verbs that are nouns as a rule: `Email`, `Pages`. */
const NOUN = /^(?:alert|broadcast|clean|email|mail|page|record|snapshot|text|tweet)$/;
const ADJECTIVE = /^(?:open|close|complete|clear|clean|empty|duplicate|duplicates|live|split|set)$/;
/** Nouns that the word before them only describes: `Send analytics`, `Login page`. */
export const NOUN_HEAD = wordIn(
  "analytics config configuration count data dates? details? events? form history " +
    "info information list logs? metrics options? page policy policies prerequisite " +
    "requests? results? series settings? stats statistics status statuses summary templates? " +
    "times? types? url urls view",
);

const isModifier = (word: string): boolean =>
  /^(?:the|an?|bulk|full|[a-z]+(?:al|ed|ive))$/.test(word);

/** `Deletion of a user`, `A partial export of a realm`, `Force synchronization with a system`. */
function leadingNoun(words: readonly string[]): FoundVerb | undefined {
  const forced = words[0] === "force" ? NOUNS_OF_ACTIONS.get(words[1] ?? "") : undefined;
  if (forced !== undefined) return { verb: forced, next: 2 };
  const of = words.indexOf("of");
  // `Deletion of`, `A partial export of`
  const isShort = of > 0 && of <= 3 && words.slice(0, of - 1).every(isModifier);
  const verb = isShort ? NOUNS_OF_ACTIONS.get(words[of - 1] ?? "") : undefined;
  return verb === undefined ? undefined : { verb, next: of + 1 };
}

/** `Users: delete a user`, `User deletion`. */
function labelledVerb(words: readonly string[], isSafe: boolean): FoundVerb | undefined {
  const colon = words.indexOf(":");
  if (colon > 0 && colon < 5) return verbAt(words, colon + 1, isSafe);
  const last = words.findLastIndex((word) => word !== ".");
  const verb = NOUNS_OF_ACTIONS.get(words[last] ?? "");
  const isTitle = last < 5 && verb !== "list" && !words.some((word) => DETERMINER.test(word));
  return verb !== undefined && isTitle && !(isSafe && effectOfVerb(verb) !== "reads")
    ? { verb, next: words.length }
    : undefined;
}

/** `create or update`, `get/set`, `…, and deletes it`. */
function conjunctStatements(words: readonly string[], next: number): readonly Action[] {
  const found: Action[] = [];
  let index = next;
  while (/^(?:or|and|,|\/|&)$/.test(words[index] ?? "")) {
    index++;
    while (/^(?:or|and|then|also)$/.test(words[index] ?? "")) index++;
    const verb = verbAt(words, index, false);
    if (!verb) break;
    found.push(statement(verb.verb, words, verb.next));
    index = verb.next;
  }
  const isGerund = words[next - 1]?.endsWith("ing") === true;
  for (let at = index + 1; at < words.length - 1; at++) {
    if (!/^(?:and|or|then)$/.test(words[at - 1] ?? "") && words[at - 1] !== ",") continue;
    if (MANNER.test(words[at] ?? "") || isAdverb(words[at]) || isSubordinate(words, at)) continue;
    const verb = imperativeOf(words[at] ?? "");
    const hasObject = /^(?:it|them|the|its|an?|all|any|this|these|those|their|every)$/.test(
      words[at + 1] ?? "",
    );
    if (verb !== undefined && hasObject && words[at]?.endsWith("ing") === isGerund)
      found.push(statement(verb, words, at + 1));
  }
  return found;
}

/** `to which a user can add or remove it`: the verb before the conjunction follows a modal. */
function isSubordinate(words: readonly string[], at: number): boolean {
  const isListed = (word = ""): boolean =>
    /^(?:and|or|,|then)$/.test(word) || imperativeOf(word) === word;
  const before = words.slice(0, at).findLast((word) => !isListed(word));
  return /^(?:can|could|may|might|must|should|will|would|to|who|which|that)$/.test(before ?? "");
}

function statement(verb: string, words: readonly string[], next: number): Action {
  const end = words.findIndex((word, i) => i >= next && /^[.;:]$/.test(word));
  const object = withoutBrackets(words.slice(next, end < 0 ? undefined : end));
  return {
    verb,
    effect: effectOfVerb(verb) as Effect,
    object: object.filter((word) => /[a-z]/.test(word)).join(" "),
  };
}

/** `a note` of `a note (admin only)`. */
function withoutBrackets(words: readonly string[]): readonly string[] {
  const [start, end] = [words.indexOf("("), words.indexOf(")")];
  return start > 0 && end > start ? [...words.slice(0, start), ...words.slice(end + 1)] : words;
}

/** Sentences whose subject is the operation, after the first: `This also deletes …`. */
const OWN_SUBJECT = sequence(
  /^(?:note that |note: )?/i,
  new RegExp(
    `(?:${anyOfPatterns(
      /this|it|the (?:call|request|endpoint|operation|method|action|api|command)/,
      /calling this(?: \w+)?|doing so/,
    )})\\s+`,
  ),
  new RegExp(
    `(?:${
      sequence(
        /(?:api |endpoint |operation |method |call |action |request |command )?/,
        /(?:(?:will|also|then|immediately|automatically|permanently|irreversibly|effectively)\s+)*/,
      ).source
    })`,
  ),
  /(?!(?:is|does|can|may|has|api|endpoint|operation|method|call|action|request|command)\b)/,
);

/**
 * Actions of the first sentence of a description. `Deleting a pet …` has a finite verb later,
 * `To delete it, use …` is about another operation, and `Like the list, but …` compares.
 */
export function firstStatements(sentence: string, isSafe: boolean): readonly Action[] {
  const isSubject = /^\W*(?:[a-z]+ing\b|(?:in order )?to\b.*,|like the\b.*,)/i.test(sentence);
  return isSubject ? [] : statementsOf(sentence, isSafe);
}

/** Actions of the further sentences of a description. */
export function furtherStatements(sentence: string): readonly Action[] {
  const match = OWN_SUBJECT.exec(sentence);
  const rest = match ? sentence.slice(match[0].length) : sentence;
  const [first = "", second = ""] = rest.toLowerCase().match(/[a-z]+/g) ?? [];
  // `This change object contains the old value`
  const isFinite = /\b(?:will|also)\s/i.test(match?.[0] ?? "") || imperativeOf(first) !== first;
  const isStatement = match
    ? isFinite && !/^(?:in|on|at|with|as|to)$/.test(second)
    : first.endsWith("s") && imperativeOf(first) !== first && DETERMINER.test(second);
  return isStatement ? statementsOf(rest, false).filter((one) => !isAside(one)) : [];
}

/** `This enables scripts to react`, `It replaces the old endpoint`, `Indicates that …`. */
const isAside = ({ verb, object }: Action): boolean =>
  verb === "indicate" ||
  /^(?:\S+ ){0,3}(?:api|endpoint|method|operation)\b/.test(object) ||
  (/^(?:enable|make)$/.test(verb) && /\bto\b/.test(object));

const MAX_SENTENCES = 100;

/** Sentences of plain text. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (let rest = text; rest !== "" && sentences.length < MAX_SENTENCES;) {
    const [sentence, after] = splitSentence(rest);
    sentences.push(sentence);
    rest = after;
  }
  return sentences;
}

/**
 * Finds a pattern in a sentence about the operation itself. Negated phrases, references to other
 * operations, the processing of the request, and later or optional effects do not count.
 * @param condition sentences that do not count
 */
export function findOwnPhrase(
  pattern: RegExp,
  sentence: string,
  condition = CONDITIONAL,
): string | undefined {
  const match = pattern.exec(sentence);
  if (!match || NEGATED.test(sentence.slice(0, match.index))) return undefined;
  const isAside = [ABOUT_ANOTHER, ABOUT_REQUEST, condition].some((one) => one.test(sentence));
  return isAside ? undefined : match[0];
}

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
const SUBJECT_ACTION = sequence(
  /^(?:(?:warning|note|caution|important)[:!]? )?/,
  new RegExp(
    `(?:${anyOfPatterns(
      sequence(
        /(?!during|being|nothing|everything|anything|something|according)/,
        /([a-z]{4,}ing)\b(?! to\b)/,
      ),
      sequence(
        /(?:once|after|when|if|upon)/,
        /(?: you| a| an| the| it| this| your| [a-z]+| is| has| been| are| have){0,6}? /,
        /([a-z]{3,}(?:ed|ing|e|t|l|y|rge))\b/,
      ),
    )})`,
  ),
);
