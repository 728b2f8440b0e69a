import type { Subject } from "../../kind.js";
import { isLink } from "../function-words.js";
import { isPlural, pluralPhrase, singularPhrase } from "../inflect.js";
import { mentions, missingFrom, pathNoun } from "../noun.js";
import type { ParsedId } from "../operation-id/index.js";
import { wordsAt } from "../path.js";
import { groupNoun } from "./group-noun.js";
import { verbFor } from "./guess.js";
import type { Wording } from "./index.js";
import { listObject, objectOf } from "./object.js";
import { plainVerb } from "./plain-verb.js";
import { isSearching } from "./searching.js";

/** An operationId taken apart, as the rules look at it. */
interface Reading extends Omit<ParsedId, "hidden"> {
  readonly subject: Subject;
  /** What the operation does, as the name will say it: `list` of `get`. */
  readonly does: readonly string[];
  /** `rest` without what the verb says already. */
  readonly object: readonly string[];
}

/** The words of a name; undefined when the next rule is to give them. */
type Rule = (reading: Reading) => Wording | undefined;

/** From the narrowest to the widest: the first that applies names the operation. */
export const idRules: readonly Rule[] = [
  searchesForObject,
  verbAmongWords,
  groupAlone,
  objectIsPath,
  linkToGroup,
  allOfThem,
  createsOne,
  verbAndObject,
];

/**
 * Names an operation by its operationId: verb first, then group and object. The words start with a
 * verb, and there are two or more but for a few whose verb says all.
 */
export function fromOperationId(parsed: ParsedId, subject: Subject): Wording {
  const reading = read(parsed, subject);
  for (const rule of idRules) {
    const found = rule(reading);
    if (found) return found;
  }
  return verbAndObject(reading);
}

/** An operationId as the rules look at it. */
export function read({ group, verb, rest }: ParsedId, subject: Subject): Reading {
  const does = plainVerb(verb, rest, subject);
  return {
    group,
    verb,
    rest,
    subject,
    does,
    object: objectOf(rest, does, verb.length === 0, subject),
  };
}

/** `getSearchMovie` searches movies. */
function searchesForObject({
  group,
  verb,
  rest: [first, ...further],
  subject,
}: Reading): Wording | undefined {
  if (verb[0] !== "get" || further.length === 0 || !isSearching(first)) return undefined;
  return fromOperationId({ group, verb: [first as string], rest: further }, subject);
}

/**
 * `genai_custom_model_import` has a word that can be a verb, and the summary (or the kind) says
 * that it is one.
 */
function verbAmongWords({ group, verb, rest, subject }: Reading): Wording | undefined {
  const isMethod = verb.length === 1 && verb[0] === "post" && subject.operation.method === "POST";
  const at =
    verb.length === 0 || isMethod
      ? [verbFor(subject), ...doneByPath(subject)]
          .map((word) => rest.indexOf(word))
          .find((found) => found >= 0)
      : undefined;
  if (at === undefined) return undefined;
  return fromOperationId(
    {
      group: [...group, ...rest.slice(0, at)],
      verb: rest.slice(at, at + 1),
      rest: rest.slice(at + 1),
    },
    subject,
  );
}

/** `POST /models/{id}/archive`. */
function doneByPath({ pathVerb, operation: { method }, parts }: Subject): readonly string[] {
  const words = pathVerb && method !== "GET" ? wordsAt(parts, -1) : [];
  return words.length === 1 ? words : [];
}

/** `users.destroy`: the object is the group, or the thing of the path where there is none. */
function groupAlone({ group, object, does, subject }: Reading): Wording | undefined {
  if (object.length > 0) return undefined;
  return { words: [...does, ...groupNoun(withoutListWord(group, does), does, subject)] };
}

/** `listOnCalls` of `/oncalls`: what starts like a link is the thing itself. */
function objectIsPath({ group, verb, object, does, subject }: Reading): Wording | undefined {
  if (
    verb.length === 0 ||
    group.length > 0 ||
    !isLink(object[0]) ||
    wordsAt(subject.parts, -1).join("") !== object.join("")
  )
    return undefined;
  return { words: [...does, ...pathNoun(subject, does)] };
}

/** `getById`, `issues/list-for-repo`: what is linked stands behind the thing. */
function linkToGroup({ group, verb, object, does, subject }: Reading): Wording | undefined {
  if (verb.length === 0 || !isLink(object[0])) return undefined;
  return { words: [...does, ...groupNoun(group, does, subject), ...object] };
}

/** `pets.deleteAll`, `All` of `/products`: many of the group, or what the path has. */
function allOfThem({ group, object, does, subject }: Reading): Wording | undefined {
  if (object.length !== 1 || object[0] !== "all") return undefined;
  return {
    words: [...does, ...(group.length > 0 ? pluralPhrase(group) : pathNoun(subject, does))],
  };
}

/** `app_packages` of a `POST /app_packages` makes one of them. */
function createsOne({ group, verb, object, does, subject }: Reading): Wording | undefined {
  if (verb.length > 0 || does[0] !== "create" || !mentions(subject.parts, object.at(-1) as string))
    return undefined;
  return fromOperationId({ group, verb: ["create"], rest: singularPhrase(object) }, subject);
}

/** `code-scanning/list-alerts`: verb, words of the group that the object does not say, object. */
function verbAndObject({ group, verb, rest, object, does, subject }: Reading): Wording {
  const saidAll =
    rest[0] === "all" && object.length < rest.length && !isPlural(object.at(-1) as string);
  const missing = missingFrom(
    withoutListWord(saidAll ? group : singularPhrase(group), does),
    object,
  );
  const isList = does[0] === "list";
  const words = [
    ...does,
    ...missing,
    ...(isList ? listObject(object, subject, verb[0] === "list" && group.length === 0) : object),
  ];
  return { words, extra: new Set(missing.map((_, i) => does.length + i)) };
}

/** `airport list` of a list is about airports. */
function withoutListWord(group: readonly string[], [verb]: readonly string[]): readonly string[] {
  return verb === "list" && group.length > 1 ? group.filter((word) => word !== verb) : group;
}
