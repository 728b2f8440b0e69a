import type { ClassifiedOperation, PathSegment } from "../operations/types.js";
import { nameFromOperationId, type NameWords } from "./from-operation-id.js";
import {
  isAdjective,
  isAmbiguousVerb,
  isConnective,
  isCountable,
  isParticiple,
  isPhrasalVerb,
  isPlural,
  isSearchVerb,
  isUnambiguousVerb,
  isVerb,
  pluralize,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { inferVerb, isToldList, isUncounted } from "./infer-verb.js";
import {
  ADDING_VERBS,
  ADVERBIAL_PHRASES,
  CONTROLLER_VERBS,
  IDENTIFYING_KEYS,
  READING_VERBS,
  TEXT_KEYS,
  VERBS_OF_METHODS,
  VERBS_OF_RESOURCES,
} from "../../language/lexicon.js";
import { parseOperationId } from "./parse-operation-id.js";
import { isStatedAsOne } from "./number.js";
import { isObjectOfAction, nounOfAction } from "./object-noun.js";
import { headOfObject, LIST_OF, objectWords } from "./stated-object.js";
import { endsInParameter, segmentWords } from "../operations/path.js";
import { isIdWord, nounOfPath, nounOfSegments, wordsNotIn } from "./path.js";
import { splitWords } from "../../language/words.js";

/** Derives the words of a name; undefined when the rule does not apply. */
type PathRule = (classified: ClassifiedOperation) => NameWords | undefined;

/** Rules from the most specific to the most general. The first that applies names the operation. */
export const pathRules: readonly PathRule[] = [
  statedByTag,
  endsInVerb,
  endsInIdentifier,
  isRemoteCall,
  isSingleVerb,
  verbBeforeParameter,
  verbBeforeId,
  verbAsFolder,
  startsWithSearch,
  endsInSearchNoun,
  statedSegment,
  byKey,
  ofOwner,
  kindAndNoun,
];

/**
 * Derives a name from method and path: `GET /pets/{id}/visits` → list pet visits; `POST
 * /pets/{id}/adopt` → adopt pet.
 */
export function nameFromPath(classified: ClassifiedOperation): NameWords {
  for (const rule of pathRules) {
    const name = rule(classified);
    if (name) return name;
  }
  return kindAndNoun(classified);
}

/**
 * `POST /volumes/fs/create` of "Create a file share" with the tag `File shares` → create file
 * share: text and tag agree on a noun that the path does not have.
 */
function statedByTag(classified: ClassifiedOperation): NameWords | undefined {
  const { effects, operation, pathParts } = classified;
  const { mainAction: action } = effects;
  const stated = objectWords(action?.object ?? "");
  const noun = operation.tags.map(splitWords).find((tag) => endsInNoun(stated, tag));
  // One word (`list`, `user`) can agree by chance.
  if (!action || !noun || noun.length < 2) return undefined;
  const object = stated.slice(-noun.length);
  const [last = ""] = segmentWords(pathParts, -1);
  if (classified.endsInVerb && last !== action.verb) return undefined;
  const own = new Set(pathParts.flatMap((_, i) => segmentWords(pathParts, i)).map(singularize));
  if (object.every((word) => own.has(singularize(word)))) return undefined;
  const verb = classified.endsInVerb ? last : inferVerb(classified);
  const isOne = endsInParameter(pathParts) || verb === "create";
  const counted =
    verb === "list" ? pluralizeLast(object) : isOne ? singularizeLast(object) : object;
  return { words: [verb, ...counted] };
}

/** `available file shares` ends in `File share`; `root file shares` is another thing. */
const endsInNoun = (words: readonly string[], noun: readonly string[]): boolean =>
  words.slice(0, -noun.length).every(isAdjective) &&
  words.slice(-noun.length).map(singularize).join(" ") === noun.map(singularize).join(" ");

/** `POST /pets/{id}/adopt`, `GET /pets/search`. */
function endsInVerb(classified: ClassifiedOperation): NameWords | undefined {
  const words = segmentWords(classified.pathParts, -1);
  if (
    words.length === 0 ||
    classified.pathParts.length < 2 ||
    !(classified.endsInVerb || classified.kind === "search")
  )
    return undefined;
  const all = allOfCollection(words, classified);
  return all ?? { words: nameFromPathVerb(words, classified) };
}

/** `GET /Orders/GetAll` → list orders; `/Orders/GetAllActive` → list active orders. */
function allOfCollection(
  [verb, all, ...adjectives]: readonly string[],
  classified: ClassifiedOperation,
): NameWords | undefined {
  if (verb === undefined || all !== "all" || !adjectives.every(isAdjective)) return undefined;
  const group = nounOfSegments(classified.pathParts.slice(0, -1), false);
  return group.length === 0
    ? undefined
    : nameFromOperationId(
        { group: [...adjectives, ...group], verb: [verb], rest: [all] },
        classified,
      );
}

/**
 * `POST /chat.postMessage`, `GET /GetPrediction`: the last segment has the form of an operationId.
 */
function endsInIdentifier(classified: ClassifiedOperation): NameWords | undefined {
  const last = classified.pathParts.at(-1);
  if (last?.kind !== "words" || !/[.]|[a-z][A-Z]/.test(last.text) || !last.words.some(isVerb))
    return undefined;
  const parsed = parseOperationId(last.text, { ...classified, pathParts: [] });
  if (!parsed || parsed.verb.length === 0) return undefined;
  // `PUT /activeRoute/pointIndex` sets an index.
  const [verb = ""] = parsed.verb;
  const isOfResource = /^(?:PUT|PATCH|DELETE)$/.test(classified.operation.method);
  if (isOfResource && isAmbiguousVerb(verb) && last.words.at(-1) === verb) return undefined;
  // `StopSchedule` of a read, `autocompleteValues` of "Return all known values"
  const { isReadOnly, mainAction: action } = classified.effects;
  const isStatedNoun =
    action !== undefined &&
    /^(?:get|list|retrieve|return)$/.test(action.verb) &&
    !READING_VERBS.has(verb) &&
    objectWords(action.object).includes(last.words.at(-1) as string);
  const isNoun = isReadOnly && (isStatedNoun || STATE_CHANGES.test(effectOfVerb(verb) ?? ""));
  if (isNoun) return undefined;
  return isObjectOfAction(parsed.verb[0], classified.effects)
    ? undefined
    : nameFromOperationId(parsed, classified);
}

/** Effects of verbs that a read cannot have. */
const STATE_CHANGES = /^(?:adds|changes|removes|destroys|starts)$/;

/** `POST /get_online_friends`, `GET /v2/list-markets`. */
function isRemoteCall({ pathParts, operation }: ClassifiedOperation): NameWords | undefined {
  const words = segmentWords(pathParts, -1);
  const [first = "", second] = words;
  // `/get_all_topics`
  if (operation.method === "GET" && /^(?:get|list) all$/.test(words.slice(0, 2).join(" ")))
    return words.length > 2 ? { words: ["list", ...words.slice(2)] } : undefined;
  const isSeveral = words.length > 1 && [second, words.at(-1)].some((word) => isPlural(word!));
  if (operation.method === "GET" && /^(?:get|list)$/.test(first) && isSeveral) return { words };
  const isCall =
    operation.method === "POST" &&
    pathParts.length === 1 &&
    words.length > 1 &&
    isUnambiguousVerb(words[0]) &&
    // `/order-time-updated` is an event.
    !isParticiple(words.at(-1)) &&
    !VERBS_OF_RESOURCES.has(words[0] as string);
  return isCall ? { words } : undefined;
}

/** `POST /convert`. */
function isSingleVerb({
  effects,
  pathParts,
  operation,
}: ClassifiedOperation): NameWords | undefined {
  const words = segmentWords(pathParts, -1);
  const [verb = ""] = words;
  const isVerbOnly =
    pathParts.length === 1 &&
    words.length === 1 &&
    isUnambiguousVerb(verb) &&
    !VERBS_OF_RESOURCES.has(verb);
  if (!isVerbOnly || operation.method !== "POST") return undefined;
  // `Delete data` of `/delete`: the verb alone would lose anything.
  const isLoss = effects.mainAction?.verb === verb && effectOfVerb(verb) === "destroys";
  const object = isLoss ? objectWords(effects.mainAction?.object ?? "") : [];
  return { words: [verb, ...(object.length > MAX_STATED_WORDS ? [] : object)] };
}

/** `GET /documents/findByMention/{mention}`, `PUT /Orders/UpdateStatus/{id}`. */
function verbBeforeParameter(classified: ClassifiedOperation): NameWords | undefined {
  const { pathParts, operation } = classified;
  const words = segmentWords(pathParts, -2);
  const verbs = /^(?:GET|POST)$/.test(operation.method)
    ? READING_VERBS
    : VERBS_OF_METHODS.get(operation.method);
  if (
    pathParts.length < 3 ||
    pathParts.at(-1)?.kind !== "param" ||
    words.length < 2 ||
    verbs?.has(words[0] as string) !== true
  )
    return undefined;
  return { words: nameFromPathVerb(words, { ...classified, pathParts: pathParts.slice(0, -1) }) };
}

/** `POST /deployment/fail/{deploymentId}` → fail deployment: the ID is that of the noun before. */
function verbBeforeId({ pathParts, operation }: ClassifiedOperation): NameWords | undefined {
  const [noun, [verb, second]] = [segmentWords(pathParts, -3), segmentWords(pathParts, -2)];
  const last = pathParts.at(-1);
  const id = last?.kind === "param" ? splitWords(last.name) : [];
  const isOfNoun =
    noun.length > 0 && singularizeLast(noun).join(" ") === id.slice(0, noun.length).join(" ");
  return operation.method !== "GET" && isOfNoun && isVerb(verb) && second === undefined
    ? { words: [verb as string, ...singularizeLast(noun)] }
    : undefined;
}

/** `POST /restore/bucketMetadata` → restore bucket metadata. */
function verbAsFolder({ pathParts, operation }: ClassifiedOperation): NameWords | undefined {
  const [[verb = "", second], object] = [segmentWords(pathParts, -2), segmentWords(pathParts, -1)];
  const isCall =
    /^(?:POST|PUT)$/.test(operation.method) &&
    pathParts.every(({ kind }) => kind === "words") &&
    isUnambiguousVerb(verb) &&
    !isAdjective(verb) &&
    !VERBS_OF_RESOURCES.has(verb);
  return isCall && second === undefined && object.length > 0 && !isVerb(object[0])
    ? { words: [verb, ...object] }
    : undefined;
}

/** `GET /search/movie`, and `GET /lookup/address/{id}` of "Look up an address". */
function startsWithSearch({
  pathParts,
  operation,
  effects: { mainAction },
}: ClassifiedOperation): NameWords | undefined {
  const isStated = isSearchVerb(mainAction?.verb.replace("_", ""));
  const end = endsInParameter(pathParts) && isStated ? -2 : -1;
  const [words, before] = [segmentWords(pathParts, end), segmentWords(pathParts, end - 1)];
  return words.length > 0 &&
    before.length === 1 &&
    operation.method === "GET" &&
    isSearchVerb(before[0])
    ? { words: [...before, ...words] }
    : undefined;
}

/** `GET /geometrySearch/{query}` → search geometry, `GET /places/search/{text}` → search places. */
function endsInSearchNoun({ pathParts, operation }: ClassifiedOperation): NameWords | undefined {
  const index = pathParts.findLastIndex(({ kind }) => kind === "words");
  const words = segmentWords(pathParts, index);
  const verb = words.at(-1) ?? "";
  const isSearch = isSearchVerb(verb) && /^(?:GET|POST)$/.test(operation.method);
  if (!isSearch || (words.length === 1 && operation.method !== "GET")) return undefined;
  const before = nounOfSegments(pathParts.slice(0, index), false);
  return { words: [verb, ...(words.length > 1 ? words.slice(0, -1) : wordsNotIn(before, words))] };
}

const MAX_STATED_WORDS = 3;

/** `GET /translate/klingon` of "Translate from English" → translate klingon. */
function statedSegment({
  pathParts,
  effects: { mainAction },
}: ClassifiedOperation): NameWords | undefined {
  const verb = mainAction?.verb ?? "";
  const index = pathParts.findIndex((_, i) => segmentWords(pathParts, i).join("_") === verb);
  const isLast = index === pathParts.length - 1;
  const isPlain = READING_VERBS.has(verb) && !isSearchVerb(verb);
  if (!isVerb(verb) || isPlain || index < 0 || isLast) return undefined;
  const noun = nounOfSegments(
    pathParts.filter((_, i) => i !== index),
    false,
  );
  // `Export a dataset` of `/export/{fileType}`
  const object = noun.length > 0 ? noun : objectWords(mainAction?.object ?? "");
  return object.length === 0 || object.length > MAX_STATED_WORDS
    ? undefined
    : { words: [verb, ...object] };
}

/** `GET /companies/url/{url}` → get company by url; the `id` of `/companies/id/{id}` says nothing. */
function byKey(classified: ClassifiedOperation): NameWords | undefined {
  const { pathParts, operation } = classified;
  const [key = "", second] = segmentWords(pathParts, -2);
  const parts = pathParts.slice(0, -2);
  const { summary = "", description = "" } = operation;
  const told = splitWords(`${summary} ${description}`);
  const isTold = told.some(
    (word, i) => word === key && told.slice(Math.max(0, i - 2), i).includes("by"),
  );
  const last = pathParts.at(-1);
  const isLabel = last?.kind === "param" && splitWords(last.name).join(" ") === key;
  const isKey = IDENTIFYING_KEYS.has(key) || (TEXT_KEYS.has(key) && (isTold || isLabel));
  const hasNoun = parts.at(-1)?.kind === "words";
  if (!endsInParameter(pathParts) || second !== undefined || !isKey || !hasNoun) return undefined;
  const { words } = kindAndNoun({ ...classified, pathParts: [...parts, ...pathParts.slice(-1)] });
  return { words: key === "id" ? words : [...words, "by", key] };
}

/** `GET /bookings/client/{client_id}` → list client bookings: the list of the noun, for one owner. */
function ofOwner(classified: ClassifiedOperation): NameWords | undefined {
  const { pathParts } = classified;
  const [noun, owner] = [segmentWords(pathParts, -3), segmentWords(pathParts, -2)];
  const last = pathParts.at(-1);
  const id = last?.kind === "param" ? splitWords(last.name) : [];
  const isOwner =
    owner.length > 0 &&
    id.length > 1 &&
    isIdWord(id.at(-1)) &&
    id.slice(0, -1).join() === owner.join();
  return isOwner && isPlural(noun.at(-1) ?? "") && inferVerb(classified) === "list"
    ? { words: ["list", ...owner, ...noun] }
    : undefined;
}

/** `GET /pets` → list pets, because it returns a list; `OPTIONS /pets` → get pets options. */
function kindAndNoun(classified: ClassifiedOperation): NameWords {
  const inferred = inferVerb(classified);
  const one = nounOfPath(classified, ["get"]).at(-1) ?? "";
  const isOne =
    isStatedAsOne(one, classified) ||
    isNamedAsOne(one, classified) ||
    isUncounted([one], classified);
  const isSeveral =
    inferred === "get" && isToldList(nounOfSegments(classified.pathParts, false), classified);
  const verb = inferred === "list" && isOne ? "get" : isSeveral ? "list" : inferred;
  const noun = nounOfAction(verb, nounOfPath(classified, [verb]), classified);
  return {
    words: [
      verb,
      ...(isAboutSeveral(verb, noun) && classified.pathParts.length > 0 && isSingleResource(noun)
        ? pluralizeLast(noun)
        : noun),
      ...(classified.operation.method === "OPTIONS" ? ["options"] : []),
    ],
  };
}

/** `getScoreboard` of `GET /scoreboard`: one thing, unless the texts list several of them. */
function isNamedAsOne(
  noun: string,
  { operation: { operationId = "" }, effects: { mainAction }, pathParts }: ClassifiedOperation,
): boolean {
  const stated = headOfObject(mainAction?.object.replace(LIST_OF, "") ?? "") ?? "";
  return (
    /^get/i.test(operationId) &&
    mainAction?.verb !== "list" &&
    isSingleResource([noun]) &&
    pluralize(noun) !== noun &&
    segmentWords(pathParts, -1).at(-1) === noun &&
    splitWords(operationId).includes(noun) &&
    singularize(stated) !== noun
  );
}

/** Lists and searches, but not `POST /search`. */
const isAboutSeveral = (verb: string, noun: readonly string[]): boolean =>
  /^(?:list|search)$/.test(verb) && noun.at(-1) !== verb;

/**
 * True when the noun is countable, singular and without a connective. A list of `/api/device` is a
 * list of devices.
 */
const isSingleResource = (noun: readonly string[]): boolean =>
  isCountable(noun.at(-1) as string) && !noun.some((word) => isConnective(word) || isPlural(word));

/** `/servers/{id}/actions` of `/servers/{id}/actions/reboot` → `/servers/{id}`. */
function withoutActionFolder(parts: readonly PathSegment[]): readonly PathSegment[] {
  const isFolder = /^(?:actions?|commands?|operations?)$/.test(segmentWords(parts, -1).join("_"));
  return isFolder && parts.at(-2)?.kind === "param" ? parts.slice(0, -1) : parts;
}

/** `adopt` of `/pets/{id}/adopt` → adopt pet; `add labels` → add pet labels. */
function nameFromPathVerb(words: readonly string[], classified: ClassifiedOperation): string[] {
  const manner = ADVERBIAL_PHRASES.get(words[0]);
  if (manner && isVerb(words[1])) {
    const [verb = "", ...object] = nameFromPathVerb(words.slice(1), classified);
    return [verb, ...pluralizeLast(object), ...manner];
  }
  const size = isPhrasalVerb(words[0], words[1]) ? 2 : 1;
  const [word, rest] = [words.slice(0, size).join("_"), words.slice(size)];
  const before = withoutActionFolder(classified.pathParts.slice(0, -1));
  // A controller stores in its collection; `/modalities/{id}/store` is an action on an item.
  const isItem = before.at(-1)?.kind === "param" && !classified.effects.isReadOnly;
  const controllerVerb = CONTROLLER_VERBS.get(`${classified.operation.method} ${word}`);
  const verb = (isItem ? undefined : controllerVerb) ?? word;
  const noun = nounOfSegments(
    before,
    before.at(-1)?.kind === "param" ||
      !(isSearchVerb(verb) || /^(query|count|export|find|import|list)$/.test(verb)),
  );
  const isSeveral =
    (verb === "list" && isSingleResource(noun)) || isStatedCollection(verb, before, classified);
  const object = isSeveral ? pluralizeLast(noun) : noun;
  if (rest.length === 0 && /^(?:un)?read$/.test(verb) && !classified.effects.isReadOnly)
    return ["mark", ...object, "as", verb];
  if (rest.length === 0 || isConnective(rest[0])) return [verb, ...object, ...rest];
  return [verb, ...wordsNotIn(noun, rest), ...rest];
}

/**
 * `/notifications` of "Clear all notifications" at `/notifications/clear`. One call adds or sends
 * one item, whatever the texts say.
 */
function isStatedCollection(
  verb: string,
  parts: readonly PathSegment[],
  { effects: { mainAction } }: ClassifiedOperation,
): boolean {
  const noun = segmentWords(parts, -1).at(-1) ?? "";
  const isOne = verb === "send" || ADDING_VERBS.has(verb);
  return !isOne && isPlural(noun) && headOfObject(mainAction?.object ?? "") === noun;
}
