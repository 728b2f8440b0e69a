/** Objects of a name that no text of the operation has. */
import {
  isAdjective,
  isAdverb,
  isParticiple,
  isPlural,
  isUnambiguousVerb,
  pluralizeLast,
  singularize,
} from "../../language/grammar.js";
import { NOUNS_OF_FACTS } from "../../language/lexicon.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { PLAIN_READS } from "./infer-verb.js";
import { LIST_OF, objectWords } from "./stated-object.js";

/** Characters of a description that are searched for an object. */
const MAX_DESCRIPTION = 400;
const MAX_STATED_WORDS = 3;
/** Words by which a stated object can be longer than that of the path. */
const MAX_FURTHER_WORDS = 2;
const MIN_STEM = 4;

/**
 * `delete subtask` of "Delete subtask" at `/tasks/{id}/st/{subtaskId}`: the object of the summary,
 * where no text has the last word of a name that was derived from the path. Undefined for other
 * names, and where the summary only names a part of the object.
 */
export function withStatedObject(
  [verb = "", ...object]: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] | undefined {
  const { effects, operation, parsedId } = classified;
  const { mainAction: action } = effects;
  const head = object.at(-1) ?? "";
  if (!action || parsedId || head === "" || !operation.summary) return undefined;
  const isSameVerb = isSameAction(verb, action.verb);
  // "Remove a user from a group" removes a member.
  if (!isSameVerb || /^(?:add|remove)$/.test(verb) || isTold(head, operation)) return undefined;
  const stated = statedNoun(action.object);
  const name = object.map(singularize);
  const isNew = stated.some((word) => !name.join("").includes(singularize(word)));
  const isRelated = stated.length > 1 || name.some((word) => sharesStem(word, stated[0] ?? ""));
  const isUsable = isNew ? isRelated : isUnreadable(head);
  return stated.length > 0 && isUsable
    ? [verb, ...(verb === "list" ? pluralizeLast(stated) : stated)]
    : undefined;
}

/**
 * `update maintenance entry` of "Update a maintenance entry" at `/maintenance/{id}`, `get cloud field
 * keys` of "Get cloud field keys" at `/cloud/fields/keys`: the object of the summary, where that of
 * a name that was derived from the path is a part of it. Words before it are those of the path.
 */
export function withFullerObject(
  [verb = "", ...object]: readonly string[],
  { effects: { mainAction: action }, operation, parsedId }: ClassifiedOperation,
): readonly string[] | undefined {
  if (!action || parsedId || !operation.summary || !isSameAction(verb, action.verb))
    return undefined;
  const stated = statedNoun(action.object, object.length + MAX_FURTHER_WORDS);
  const stems = stated.map(singularize);
  const name = object.map(singularize).join(" ");
  const [end = "", ...further] = stems.slice(object.length);
  const inPath = new Set(splitWords(operation.path).map(singularize));
  const isBeginning =
    stems.join(" ").startsWith(`${name} `) && further.length === 0 && !isEmptyEnd(end);
  const isEnd =
    stems.join(" ").endsWith(` ${name}`) &&
    stems.slice(0, -object.length).every((word) => inPath.has(word));
  return object.length > 0 && (isBeginning || isEnd)
    ? [verb, ...(verb === "list" ? pluralizeLast(stated) : stated)]
    : undefined;
}

/** Ends that add nothing to a noun, or that begin another phrase: `reboot a server gracefully`. */
const isEmptyEnd = (word: string): boolean =>
  isAdverb(word) ||
  isParticiple(word) ||
  /(?:ly|^(?:data|endpoint|entity|format|information|instance|item|list|object|resource|text|value))$/.test(
    word,
  );

const isSameAction = (verb: string, stated: string): boolean =>
  stated === verb || [stated, verb].every((one) => PLAIN_READS.test(one));

/**
 * `upload signed lease` of "Upload a signed lease" for `uploadSigned`, `submit maintenance request`
 * for `submitRequest`: the object of the summary, of which the name has an adjective or a vague
 * noun alone. Undefined for other names.
 */
export function withWholeObject(
  [verb = "", word = "", second]: readonly string[],
  { effects: { mainAction: action }, operation }: ClassifiedOperation,
): readonly string[] | undefined {
  if (action?.verb !== verb || second !== undefined || !operation.summary) return undefined;
  const stated = statedNoun(action.object);
  const [stems, stem] = [stated.map(singularize), singularize(word)];
  const isModifier = isAdjective(word) && stems[0] === stem;
  const isVague = VAGUE_NOUNS.has(stem) && stems.at(-1) === stem;
  if (stated.length < 2 || stated.some(isUnambiguousVerb) || !(isModifier || isVague))
    return undefined;
  return [verb, ...stated.slice(0, -1), ...(isVague ? [word] : stated.slice(-1))];
}

/** Nouns that say nothing without the word before them. */
const VAGUE_NOUNS = new Set(
  "code data document entry file history item key list log object record request resource response result setting stat token type value".split(
    " ",
  ),
);

function isTold(
  word: string,
  { summary = "", description = "", tags }: ClassifiedOperation["operation"],
): boolean {
  const texts = `${summary} ${description.slice(0, MAX_DESCRIPTION)} ${tags.join(" ")}`;
  return splitWords(texts).some((told) =>
    word.length < MIN_STEM ? told === word : told.startsWith(word.slice(0, MIN_STEM)),
  );
}

/** `saved commands` of "a list of saved commands supported by". Empty where it says too little. */
function statedNoun(text: string, maxWords = MAX_STATED_WORDS): readonly string[] {
  const words = objectWords(text.replace(LIST_OF, ""));
  const end = words.findIndex((word, i) => i > 0 && endsNoun(word, words[i - 1] as string));
  const noun = words.slice(0, end < 0 ? undefined : end);
  const isVague = noun.some((word) => NOUNS_OF_FACTS.has(word)) || isAdjective(noun.at(-1));
  const all = text.split(" ");
  // "the names, texts and IDs"
  const isListed = /^(?:and|or|returns)$/.test(all[all.indexOf(words.at(-1) ?? "") + 1] ?? "");
  return isVague || isListed || noun.length > maxWords ? [] : noun;
}

/** `commands supported`, `users exempt`; unlike `newly registered users` and `sales reports`. */
const endsNoun = (word: string, before: string): boolean =>
  isParticiple(word) ? !isAdverb(before) : isPlural(before) && !isPlural(word);

const sharesStem = (word: string, other: string): boolean =>
  word.includes(singularize(other)) || other.includes(word);

/** `n` of `/notes/{projectId}/n/{noteId}`. */
const isUnreadable = (word: string): boolean => word.length < 3;
