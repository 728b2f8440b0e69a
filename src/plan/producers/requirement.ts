import type { Operation } from "../../model/types.js";
import { isArticle, isConnective } from "../../language/grammar.js";
import { segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import {
  collectionAddress,
  type CollectionAddress,
  type IdRequirement,
  isNameWord,
  nounOf,
  nounOfSegment,
  parseIdentityName,
  positionOf,
  withoutRole,
} from "./resources.js";
import { memoize, sequence } from "../../language/patterns.js";

/** Nouns of collections in one spelling. */
export interface KnownNouns {
  has(noun: string): boolean;
  /** The only noun that a compound ends with: `address` for `emergencyaddress`. */
  ending(compound: string): string | undefined;
}

/** Identity that a value must have. */
export interface RequiredIdentity {
  /** Collection before a path parameter, if the value identifies one of its items. */
  readonly collection?: CollectionAddress;
  /** The request adds an item of elsewhere to the collection: `PUT /lists/{list_id}/songs/{id}`. */
  readonly isLink: boolean;
  /** Resource that the value identifies. Empty if unknown. */
  readonly noun: string;
  /** Resource in the name of the value. */
  readonly entity: string;
  /** Resources of which the path selects one. */
  readonly parents: readonly string[];
}

/**
 * Creates a function that reads the required identity: of a path parameter from the path before it,
 * its name and its text, of any other value from its name and its text.
 */
export function createIdentityReader(
  nouns: KnownNouns,
): (requirement: IdRequirement) => RequiredIdentity {
  const nounIn = memoize((text) => nounOfText(text, nouns) ?? "");
  return (requirement) =>
    requiredIdentity(requirement, nouns, nounIn(requirement.text) || undefined);
}

/** @param ofText noun in the text of the value */
function requiredIdentity(
  requirement: IdRequirement,
  nouns: KnownNouns,
  ofText: string | undefined,
): RequiredIdentity {
  const { entity: ownEntity, isProperty } = namedEntity(requirement.wireName);
  const isUserName = ownEntity === "" && USER_NAME.test(requirement.wireName);
  if (isUserName && isPropertyOfPath(requirement)) {
    const collection = collectionAddress(partsBefore(requirement));
    return { collection, entity: "", isLink: false, noun: "", parents: collection.parents };
  }
  const isUser = isUserName && nouns.has("user");
  const entity = isUser ? "user" : ownEntity;
  const named = nouns.has(entity) ? entity : (ofText ?? nouns.ending(entity) ?? entity);
  const other = { entity, isLink: false, noun: ofText ?? (isProperty ? "" : named), parents: [] };
  if (requirement.in !== "path") return other;
  if (isProperty && isOwnLabel(requirement)) return { ...other, noun: ofText ?? "", entity: "" };
  const collection = collectionAddress(partsBefore(requirement));
  const { noun, parents, key } = collection;
  const isItsOwn = collection.isWhole && entity !== "" && noun.endsWith(entity);
  const isNamed =
    isItsOwn || isSameNoun(entity, noun, nouns) || `/${key}`.endsWith(`/${entity}/${noun}`);
  const labeled = labelNoun(requirement);
  if (labeled !== noun && nouns.has(labeled)) return { ...other, entity: "", noun: labeled };
  if (noun === "") return { ...other, collection, parents };
  if ((isProperty || isLabeled(requirement)) && !isNamed && ofText !== noun)
    return { ...other, parents };
  const isOther = entity !== "" && !isNamed;
  if (isOther && isSeparated(requirement, collection)) return { ...other, parents };
  const isForeign = isAdded(requirement) && (nouns.has(named) || !requirement.operation.body);
  if (isOther && isForeign) return { entity, isLink: true, noun: named, parents };
  if (isOther && nouns.has(named))
    return { collection, entity, isLink: false, noun: named, parents };
  const ownNoun = entity !== "" || nouns.has(noun) ? noun : (ofText ?? noun);
  const isLink = isAdded(requirement) && !requirement.operation.body && key.includes("/");
  return { collection, entity, isLink, noun: isOther ? entity : ownNoun, parents };
}

/** Words of values that no list of things contains: times, sizes, places in a list, texts. */
const MEASURE_WORDS = new Set(
  (
    "date time timestamp ts day month year from to start end since until period interval limit " +
    "offset page count size query q search text latitude longitude lat lon"
  ).split(" "),
);

/** Words of parameters that select or describe items and identify none. */
const PROPERTY_WORDS = new Set([
  ...MEASURE_WORDS,
  ...(
    "filter field property attribute type kind status state action operation method format " +
    "extension ext language lang locale version mode level scope sort order direction color " +
    "filepath path"
  ).split(" "),
]);

/** Resource in the name of a value, in one spelling; empty for `id`. */
function namedEntity(wireName: string): { readonly entity: string; readonly isProperty: boolean } {
  const { entity, idWord } = parseIdentityName(wireName);
  const words = withoutRole(entity.split("_"));
  const last = words.at(-1) ?? "";
  const isName = idWord === "" && isNameWord(last);
  return {
    entity: nounOf(isName ? words.slice(0, -1) : words),
    isProperty: idWord === "" && PROPERTY_WORDS.has(last),
  };
}

/** Names of users without the word. */
const USER_NAME = /^(?:username|user_name|login)$/i;

/**
 * True for a `username` that its text calls a property of the things in the path: "MAC address of
 * the bridge" in `/bridges/{username}`. Only their own list has it.
 */
function isPropertyOfPath(requirement: IdRequirement): boolean {
  if (requirement.in !== "path") return false;
  const { noun } = collectionAddress(partsBefore(requirement));
  const owners = [...requirement.text.matchAll(/\bof (?:an?|the|this) (\w{1,60})/gi)];
  return noun !== "" && owners.some(([, owner = ""]) => nounOf([owner.toLowerCase()]) === noun);
}

/** Segments of a path before a parameter. */
function partsBefore({ classified: { pathParts }, wireName }: IdRequirement) {
  return pathParts.slice(0, Math.max(positionOf(wireName, pathParts), 0));
}

/** A segment says what the value is: `/pets/by-color/{color}`. */
const isLabeled = (requirement: IdRequirement): boolean =>
  segmentWords(partsBefore(requirement), -1).includes("by");

/** `entity` of `/locations/by-entity/{kind}/{name}`: the values identify that, and no location. */
function labelNoun(requirement: IdRequirement): string {
  const label = partsBefore(requirement).findLast((part) => part.kind === "words");
  return label?.kind === "words" && label.words[0] === "by" ? nounOf(label.words.slice(1)) : "";
}

/** `start` of `/recordings/start/{start}`: the segment names the value and is no collection. */
function isOwnLabel(requirement: IdRequirement): boolean {
  const [label = "", second] = segmentWords(partsBefore(requirement), -1);
  return second === undefined && MEASURE_WORDS.has(label);
}

/**
 * Another word is between the collection and the value, and has its own items:
 * `/user/starred/{owner}/{repo}`.
 */
function isSeparated(requirement: IdRequirement, { noun }: CollectionAddress): boolean {
  const { classified, operation } = requirement;
  const before = partsBefore(requirement);
  const last = before.findLast((part) => part.kind === "words");
  if (last?.kind !== "words" || nounOfSegment(last.text) === noun) return false;
  const isPair = classified.pathParts[before.length + 1]?.kind === "param";
  return (isPair && isAdding(operation)) || before.at(-1)?.kind === "param";
}

const isAdding = ({ method }: Operation): boolean => /^(?:PUT|POST)$/.test(method);

/** `PUT /bans/{user_id}`: the value may not be in the collection yet. */
function isAdded({ operation, wireName }: IdRequirement): boolean {
  return isAdding(operation) && operation.path.endsWith(`{${wireName}}`);
}

/**
 * Compares nouns: `account` and `bank_account`, `org` and `organization` are the same, unless the
 * shorter one is another collection.
 */
function isSameNoun(entity: string, noun: string, nouns: KnownNouns): boolean {
  if (entity === noun) return true;
  const [short, long] = entity.length < noun.length ? [entity, noun] : [noun, entity];
  return (
    short.length > 2 &&
    (long.startsWith(short) || long.endsWith(short)) &&
    (short === noun || !nouns.has(short))
  );
}

const OF_NOUN = sequence(
  /\b(?:ids?|identifiers?|uuid|guid|gid|name|key|slug|number|code|index|handle|username|sha) /gi,
  /(?:of|for) ((?:[a-z-]+ ?){1,6})/,
);
const MODIFIER =
  /^(?:the|an?|this|that|your|each|every|which|specific|given|existing|desired|parent|target)$/;

/** Tests whether a noun phrase ends before a word. */
const isEnd = (word: string | undefined): boolean =>
  word === undefined || isConnective(word) || isArticle(word) || FUNCTION_WORD.test(word);
const FUNCTION_WORD =
  /^(?:that|which|who|whose|you|your|this|these|is|was|will|being|if|when|where|must|can|should|used|returned|id)$/;

const NOUN_ID =
  /^(?:the |an? )?((?:[a-z-]+ ){1,3})(?:id|identifier|uuid|guid|gid|name|key|slug|number|code)\b/i;

/**
 * `server` for `ID of the server to attach` and for `Server name or ID`: the longest noun of a
 * collection.
 */
function nounOfText(text: string, nouns: KnownNouns): string | undefined {
  const before = nounOf(splitWords(NOUN_ID.exec(text)?.[1] ?? ""));
  if (nouns.has(before)) return before;
  for (const [, phrase = ""] of text.matchAll(OF_NOUN)) {
    const words = splitWords(phrase);
    const start = words.findIndex((word) => !MODIFIER.test(word));
    if (start < 0) continue;
    for (let length = Math.min(3, words.length - start); length > 0; length--) {
      const noun = nounOf(words.slice(start, start + length));
      if (nouns.has(noun) && isEnd(words[start + length])) return noun;
    }
  }
  return undefined;
}
