import type { ClassifiedOperation } from "../classified-operation.js";
import type { OperationEffects } from "../effects/types.js";
import { isAmbiguousVerb, singularize } from "./grammar.js";
import { splitWords } from "./words.js";
import { wordIn } from "../text/sentences.js";

/** Words before a noun that a name leaves out. */
const DETERMINERS = wordIn(
  "a an the all any one or more each every this that these your its their his her " +
    "multiple several many new existing specified specific given another single " +
    "particular current",
);
/** Words that end the object of a verb. */
const END_OF_OBJECT = wordIn(
  "for from to of in into with within without that which who whose where by on onto " +
    "at as is are was using via and if when based associated belonging about against " +
    "under be so not has have can will it them",
);

const MAX_OBJECT_WORDS = 3;

/** Verbs whose object is the resource of the path. */
const PLAIN_VERBS = /^(?:add|create|delete|get|list|replace|search|set|update)$/;

/**
 * Noun of an action that the texts of a write state. It is the noun of the path up to the word that
 * the text names, without words of the verb: `Join a group` of `/groups/{id}/memberships` → group.
 * When they share no word, it is that of the text.
 * @param pathNoun noun of the path
 */
export function nounOfAction(
  verb: string,
  pathNoun: readonly string[],
  { effects: { mainAction: action, isReadOnly } }: ClassifiedOperation,
): readonly string[] {
  if (action?.verb !== verb || isReadOnly || PLAIN_VERBS.test(verb)) return pathNoun;
  const noun = withoutVerb(nounOfObject(objectWords(action.object), pathNoun), verb);
  const [, state] = /^(?:mark|flag)$/.test(verb)
    ? (/\bas ([a-z]+)$/.exec(action.object) ?? [])
    : [];
  return state === undefined ? noun : [...noun, "as", state];
}

function nounOfObject(object: readonly string[], pathNoun: readonly string[]): readonly string[] {
  if (object.length === 0) return pathNoun;
  const stems = object.map(singularize);
  const last = pathNoun.findLastIndex((word) => stems.includes(singularize(word)));
  if (last < 0) return object.length > MAX_OBJECT_WORDS ? pathNoun : object;
  const named = object[stems.indexOf(singularize(pathNoun[last] as string))] as string;
  return [...pathNoun.slice(0, last), named];
}

/** `unfollow, follows, brand` → brand. */
function withoutVerb(noun: readonly string[], verb: string): readonly string[] {
  const others = noun.filter((word) => !verb.includes(word.slice(0, MIN_STEM)));
  return others.length > 0 ? others : noun;
}

const MIN_STEM = 5;

/** Words of the object up to a preposition, without determiners. */
function objectWords(text: string): readonly string[] {
  const words = text.split(" ").filter((word) => word.length > 1 || word === "a");
  const start = words.findIndex((word) => !DETERMINERS.test(word));
  if (start < 0) return [];
  const end = words.findIndex((word, i) => i >= start && END_OF_OBJECT.test(word));
  const object = words
    .slice(start, end < 0 ? undefined : end)
    .filter((word) => !DETERMINERS.test(word));
  return object.flatMap((word) => splitWords(word.replace(/['’]s?$/, "")));
}

/** Verbs whose object is an action: `Start a scan` scans. */
const VERBS_OF_ACTIONS =
  /^(?:begin|create|do|execute|get|initiate|issue|make|perform|request|run|schedule|start|submit|trigger)$/;

/** True for a word that the texts use as a noun: `label` of "Update a credential label". */
export function isObjectOfAction(
  word: string | undefined,
  { mainAction: action }: OperationEffects,
): boolean {
  return (
    word !== undefined &&
    action !== undefined &&
    isAmbiguousVerb(word) &&
    action.verb !== word &&
    !VERBS_OF_ACTIONS.test(action.verb) &&
    objectWords(action.object).includes(word)
  );
}
