/** The tools whose results contain a required ID, and their scores. */
import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { segmentWords } from "../operations/path.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { fieldsOf, payloadOf } from "../outputs/payload.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import {
  buildCollectionIndex,
  collectionAddress,
  type CollectionIndex,
  type CollectionSource,
  type IdRequirement,
  parseIdentityName,
  positionOf,
  type ProducerTool,
} from "./resources.js";
import { buildEvidenceIndex, type IdentityEvidence, linkKeys } from "./evidence.js";
import { createKindComparison } from "./item-kind.js";
import { createIdentityReader, type KnownNouns, type RequiredIdentity } from "./requirement.js";

const MAX_PRODUCERS = 3;

/**
 * Creates a function that finds the tools whose results contain a required ID, by name, best first:
 * lists and searches of the collection before a path parameter, and tools that a `link` of the
 * document names. Else lists of other collections of the same resource, else results with fields of
 * the resource. `GET /me` is added for the ID of a user. Linear in the size of the API.
 */
export function createProducerFinder(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): (requirement: IdRequirement, excluded: string) => readonly string[] {
  const collections = buildCollectionIndex(tools, schemas);
  const evidence = buildEvidenceIndex(tools, schemas);
  const identityOf = createIdentityReader(knownNouns(collections));
  const isOtherKind = createKindComparison(schemas);
  const isRead = (tool: number): boolean =>
    tools[tool]?.operations.every(({ effects }) => effects.isReadOnly) === true;
  const uses = countPathParameters(tools);
  const isCommon = (name: string): boolean =>
    (uses.get(name) ?? 0) >= Math.max(MIN_COMMON, tools.length * COMMON_SHARE);
  return (requirement, excluded) => {
    if (namesNewItem(requirement)) return [];
    const identity = identityOf(requirement);
    const linked = linkKeys(requirement).flatMap((key) => evidence.links.get(key) ?? []);
    const lists = bestScores(
      [
        ...scoreLists(requirement, identity, collections, isOtherKind, schemas),
        ...scoreListsWithField(requirement, identity, collections, schemas),
        ...scoreOwnRead(requirement, collections, schemas),
        ...linked.map((tool) => [tool, LINKED] as const),
      ].filter(([tool]) => !tools[tool]?.operations.every(givesAnyItem)),
    );
    const isListed = lists.some(([, score]) => score > CREATION);
    const strong = isListed ? [] : scoreResults(requirement, identity, evidence.byNoun);
    // Beside a creation, any read that contains such things is worth a look.
    const needsRead = !isListed && lists.length > 0 && !strong.some(([tool]) => isRead(tool));
    const weak = needsRead ? scoreResults(requirement, identity, evidence.byNoun, isRead) : [];
    const results = [...weak, ...strong];
    const found = [
      ...[...results, ...lists].map(([tool]) => tool),
      ...callers(identity, collections).slice(0, 1),
    ];
    const usable = found.filter((tool) => {
      const operations = tools[tool]?.operations ?? [];
      return (
        !operations.every(givesAnyItem) &&
        (isRead(tool) || !isCommon(requirement.wireName)) &&
        operations.every(isSource) &&
        !operations.every((one) => takesValue(one, requirement, identity, schemas))
      );
    });
    const holding = needsRemovedItem(requirement)
      ? usable.filter((tool) => tools[tool]?.operations.some(findsRemovedItems))
      : usable;
    return [...new Set(holding.map((tool) => tools[tool]?.name ?? ""))]
      .filter((name) => name !== excluded)
      .slice(0, MAX_PRODUCERS);
  };
}

/**
 * `The name of the new basket`, `The ID of the receipt to store`, and `project_id` in the body of
 * `POST /projects`: the caller chooses the value.
 */
function namesNewItem({ text, in: location, operation, wireName }: IdRequirement): boolean {
  if (location === "path") return /^(?:PUT|POST)$/.test(operation.method) && NEW_ITEM.test(text);
  const { entity } = parseIdentityName(wireName);
  const noun = singularize(splitWords(operation.path.split("/").at(-1) ?? "").at(-1) ?? "");
  const isCollection = operation.method === "POST" && !operation.path.includes("{");
  const isOne = entity !== "" && entity === noun && !wireName.endsWith("s");
  return location === "body" && isCollection && isOne;
}

const NEW_ITEM =
  /^(?:the |an? )?(?:new|updated)\b|\b(?:name|key|id|identifier|slug) (?:of|for) (?:the |an? )?new\b|\bto (?:add|create|insert|store)\.?$/i;

/** Nobody creates what a tenth of the tools need, such as an account, to call one of them. */
const [COMMON_SHARE, MIN_COMMON] = [0.1, 10];

/** Number of tools that have a path parameter, by its name. */
function countPathParameters(tools: readonly ProducerTool[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operations } of tools) {
    const parts = operations.flatMap(({ pathParts }) => pathParts);
    for (const name of new Set(parts.flatMap((part) => (part.kind === "param" ? part.name : []))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Reads, and creations, whose result is the new item. No other call is made for an ID. */
const isSource = ({ operation: { method }, effects }: ClassifiedOperation): boolean =>
  effects.isReadOnly || (method === "POST" && !effects.isDestructive) || SAFE.test(method);

/**
 * `/words/random`, `/leaderboards/players`, `Events for the provided IDs`: the items that a caller
 * means are not chosen.
 */
const givesAnyItem = ({ pathParts, operation: { summary = "" } }: ClassifiedOperation): boolean =>
  segmentWords(pathParts, -1).includes("random") ||
  pathParts.some(
    (part) => part.kind === "words" && part.words.some((word) => RANKING.test(word)),
  ) ||
  OWN_IDS.test(summary);

const RANKING = /^(?:highscores?|leaderboards?|rankings?)$/;

const OWN_IDS = /\b(?:given|provided|specified|supplied) IDs\b/i;

const SAFE = /^(?:GET|QUERY)$/;

/**
 * Tests whether a call needs the value that it returns: `/users/by?usernames=…`, `/pet?id=…`,
 * `/threads/{thread_id}/runs` for the ID of a thread, and `POST /refund/get` with a `refund_id`.
 */
function takesValue(
  { operation, pathParts, kind }: ClassifiedOperation,
  { wireName }: IdRequirement,
  { noun }: RequiredIdentity,
  schemas: Schemas,
): boolean {
  const isItsOwn = kind === "get" && noun !== "" && collectionAddress(pathParts).noun === noun;
  const isSpecific = parseIdentityName(wireName).entity !== "";
  const isTaken = operation.parameters.some(
    (one) =>
      (one.in === "query" && one.required && singularize(one.name) === wireName) ||
      (one.in === "query" && one.required && isItsOwn && isPlainId(one.name)) ||
      (one.in === "path" && one.name === wireName && isSpecific),
  );
  return isTaken || (isSpecific && requiredFields(operation, schemas).includes(wireName));
}

/** `id`, unlike `owner_id`. */
function isPlainId(name: string): boolean {
  const { entity, idWord } = parseIdentityName(name);
  return entity === "" && idWord !== "";
}

/** Names of the fields that a request body must have. */
const requiredFields = ({ body }: Operation, schemas: Schemas): readonly string[] =>
  (body?.contents ?? []).flatMap(({ schema }) =>
    schema === undefined ? [] : (resolveSchema(schemas, schema).required ?? []),
  );

const REMOVED_WORD = /^(?:trash|trashed|deleted)$/;

const namesRemovedItems = ({ pathParts }: ClassifiedOperation): boolean =>
  pathParts.some((part) => part.kind === "words" && part.words.some((w) => REMOVED_WORD.test(w)));

/** `DELETE /files/{id}/trash`, `Restore a file from the trash`: normal lists do not have the item. */
function needsRemovedItem({ classified, in: location }: IdRequirement): boolean {
  const { summary = "", description = "" } = classified.operation;
  const verb = classified.effects.mainAction?.verb ?? "";
  const restores =
    /^(?:restore|recover|undelete)$/.test(verb) &&
    /\b(?:trash|trashed|recycle bin)\b/i.test(`${summary} ${description}`);
  return location === "path" && (restores || namesRemovedItems(classified));
}

const findsRemovedItems = (operation: ClassifiedOperation): boolean =>
  operation.kind === "search" || namesRemovedItems(operation);

/** Tools that return the caller, for an ID of any user: not for that of a member of a list. */
function callers(
  { collection, isLink, noun }: RequiredIdentity,
  { self }: CollectionIndex,
): readonly number[] {
  const isAnyone = collection ? collection.isWhole : !isLink;
  return isAnyone ? (self.get(noun) ?? []).map(({ tool }) => tool) : [];
}

/** `scheduled` of `scheduledmessage`: a list of messages does not contain such items. */
const PARTICIPLE = /ed$/;

function knownNouns({ byNoun }: CollectionIndex): KnownNouns {
  return {
    has: (noun) => byNoun.has(noun),
    ending: (compound) => {
      const ends = Array.from({ length: Math.max(compound.length - 2, 0) }, (_, i) =>
        compound.slice(i),
      );
      const [first, ...others] = ends.filter(
        (end) => byNoun.has(end) && !PARTICIPLE.test(compound.slice(0, -end.length)),
      );
      return others.length === 0 ? first : undefined;
    },
  };
}

/** Score of a tool, by its index, as a producer of a value. */
type Score = readonly [tool: number, score: number];

/** Scores of lists: of the same collection, and of another collection of the same resource. */
const [SAME_COLLECTION, SAME_NOUN] = [100, 70];
/** Score of a tool that a `link` of the document names. */
const LINKED = 95;
/** Reductions of these scores. A collection that a request adds to rarely has the item. */
const [PARTIAL, ADDED, MISSING_PARAMETER] = [40, 60, 4];
const [SEARCH_BONUS, WHOLE_BONUS, PART_BONUS] = [5, 7, 7];
/** Score of a creation in the same collection, if no tool lists the resource. */
const CREATION = 65;
/**
 * Maximum distance from the best score. Weak producers in addition to a strong one would mislead.
 */
const TOLERANCE = 6;
/** Minimum score of a result, and of one beside a creation. */
const [THRESHOLD, WEAK_THRESHOLD] = [5, 4];
const RESULT_TOLERANCE = 0.9;
/** Score of a result that is the resource itself. */
const OWN = 4;
/** Nouns that more tools identify are not specific. Only the first tools are scored. */
const MAX_SOURCES = 400;

/** Scores the lists, searches and creations of the required resource. */
function scoreLists(
  requirement: IdRequirement,
  identity: RequiredIdentity,
  { byKey, byNoun, creations, getters }: CollectionIndex,
  isOtherKind: ReturnType<typeof createKindComparison>,
  schemas: Schemas,
): readonly Score[] {
  const { collection, isLink, noun } = identity;
  const getter = collection?.noun === noun ? getters.get(collection.key) : undefined;
  const isUnlike = ({ classified }: CollectionSource): boolean =>
    getter !== undefined && isOtherKind(getter.classified, classified);
  const isFree = (source: CollectionSource): boolean => !needsValue(source, requirement);
  const isSame = ({ key }: CollectionSource): boolean => key === collection?.key;
  const same = nearest(
    ((collection && byKey.get(collection.key)) ?? []).filter(isFree),
    requirement,
  );
  const others = (noun === "" ? [] : (byNoun.get(noun) ?? []))
    .filter((source) => !isSame(source) && isReachable(source, identity) && isFree(source))
    .slice(0, MAX_SOURCES);
  const alike = others.filter((source) => !isUnlike(source));
  const creatable = (creations.get(noun) ?? [])
    .filter(isFree)
    .filter(({ classified }) => !returnsNothing(classified, schemas));
  // Things of another kind are better than nothing.
  const elsewhere = alike.length > 0 || creatable.some(isSame) ? alike : others;
  const created = [...same, ...elsewhere].length > 0 ? [] : creatable;
  return [
    // A search beside the list may be that of a public registry: `/images/search`.
    ...(addsItem(requirement, identity) ? [] : withoutSearch(same, isUnlike)).map((source) =>
      scoreList(source, SAME_COLLECTION - (isLink ? ADDED : 0) - (source.isSearch ? 1 : 0)),
    ),
    ...created.map((source) => [source.tool, CREATION - (isSame(source) ? 0 : PARTIAL)] as const),
    ...elsewhere.map((source) => scoreList(source, scoreOther(source, requirement))),
  ];
}

/** Sources without searches for things of another kind, if there is a list. */
function withoutSearch(
  sources: readonly CollectionSource[],
  isUnlike: (source: CollectionSource) => boolean,
): readonly CollectionSource[] {
  const others = sources.filter((source) => !source.isSearch || !isUnlike(source));
  return others.length > 0 ? others : sources;
}

/**
 * Scores lists whose items have the value: `barcode` of `/copies/{barcode}` is a field of the
 * copies of a book.
 */
function scoreListsWithField(
  requirement: IdRequirement,
  { collection, noun }: RequiredIdentity,
  { byNoun }: CollectionIndex,
  schemas: Schemas,
): readonly Score[] {
  if (!collection || collection.noun === noun) return [];
  return (byNoun.get(collection.noun) ?? [])
    .slice(0, MAX_SOURCES)
    .filter((source) => !needsValue(source, requirement))
    .filter(({ classified }) => returnsField(classified, requirement.wireName, schemas))
    .map((source) => scoreList(source, scoreOther(source, requirement)));
}

/**
 * Scores the read of the item that a request selects by another value: it has the `bucket_id` of
 * `PUT /buckets/{bucket}`.
 */
function scoreOwnRead(
  { in: location, wireName, classified: { pathParts } }: IdRequirement,
  { getters }: CollectionIndex,
  schemas: Schemas,
): readonly Score[] {
  const last = pathParts.at(-1);
  if (location !== "body" || last?.kind !== "param") return [];
  const { key, noun } = collectionAddress(pathParts, pathParts.length - 1);
  const { entity, idWord } = parseIdentityName(wireName);
  const isOwn = idWord !== "" && noun !== "" && entity.replaceAll("_", "") === noun;
  const getter = getters.get(key);
  if (!getter || !isOwn || parseIdentityName(last.name).idWord !== "") return [];
  const schema = getter.classified.jsonContents[0]?.schema;
  const isFound =
    schema === undefined ||
    Object.keys(resolveSchema(schemas, schema)).length === 0 ||
    [wireName, idWord].some((name) => returnsField(getter.classified, name, schemas));
  return isFound ? [[getter.tool, SAME_COLLECTION]] : [];
}

/** `Follow a show` of `PUT /follows/shows/{id}`: the shows that are followed do not have it. */
const addsItem = ({ classified }: IdRequirement, { isLink }: RequiredIdentity): boolean =>
  isLink && classified.effects.mainAction?.effect === "adds";

function returnsField(
  { jsonContents }: ClassifiedOperation,
  name: string,
  schemas: Schemas,
): boolean {
  const schema = jsonContents[0]?.schema;
  const field = schema && fieldsOf(payloadOf(schema, schemas).schema, schemas).get(name);
  if (!isObject(field)) return false;
  return !typesOf(resolveSchema(schemas, field as JsonSchema)).some((type) =>
    /^(?:array|boolean|object)$/.test(type),
  );
}

/** True for a result that is described as an object without fields, which has no ID. */
function returnsNothing({ jsonContents }: ClassifiedOperation, schemas: Schemas): boolean {
  const schema = jsonContents[0]?.schema;
  if (schema === undefined) return false;
  const result = resolveSchema(schemas, schema);
  const isObjectOnly = Object.keys(result).every((key) => /^(?:type|title|description)$/.test(key));
  return isObjectOnly && typesOf(result).includes("object");
}

/** Keeps the sources below the same version and prefix, if there are any. */
function nearest(
  sources: readonly CollectionSource[],
  { operation: { path }, wireName }: IdRequirement,
): readonly CollectionSource[] {
  const prefix = withoutNames(path.slice(0, path.indexOf(`/{${wireName}}`)));
  const near = sources.filter(({ classified }) =>
    withoutNames(classified.operation.path).startsWith(prefix),
  );
  return near.length > 0 ? near : sources;
}

const withoutNames = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, "{}");

/**
 * A search finds more than a list of another collection. `/accounts/types` has the types of `POST
 * /accounts`, `/hooks/types` has not.
 */
const scoreOther = (source: CollectionSource, requirement: IdRequirement): number =>
  SAME_NOUN +
  (isPartOf(source, requirement) ? PART_BONUS : 0) +
  (source.isWhole ? WHOLE_BONUS : 0) +
  (source.isSearch ? SEARCH_BONUS : 0) -
  MISSING_PARAMETER * missing(source, requirement);

function isPartOf({ key, noun }: CollectionSource, { classified }: IdRequirement): boolean {
  const own = collectionAddress(classified.pathParts).noun;
  return own !== "" && own !== noun && key.split("/").includes(own);
}

const scoreList = ({ tool, isPartial }: CollectionSource, score: number): Score => [
  tool,
  score - (isPartial ? PARTIAL : 0),
];

/** Tests whether a list has the required value in its own path: `/packages/{owner}`. */
function needsValue(
  { classified: { pathParts } }: CollectionSource,
  { in: location, wireName, classified }: IdRequirement,
): boolean {
  const position = location === "path" ? positionOf(wireName, classified.pathParts) : -1;
  return (
    positionOf(wireName, pathParts) === position &&
    position >= 0 &&
    collectionAddress(pathParts, position).key ===
      collectionAddress(classified.pathParts, position).key
  );
}

/**
 * Tests whether a list can have the item: it needs no such item itself, and selects by no resource
 * that the required item does not belong to.
 */
function isReachable(
  { parents }: CollectionSource,
  { noun, parents: known, isLink, collection }: RequiredIdentity,
): boolean {
  const allowed = isLink && collection ? known.slice(0, -1) : known;
  return (
    !parents.includes(noun) &&
    (known.length === 0 || parents.every((parent) => allowed.includes(parent)))
  );
}

/** Number of path parameters of a producer that the request does not have. */
function missing({ parameters }: CollectionSource, { classified }: IdRequirement): number {
  return parameters.filter((name) => positionOf(name, classified.pathParts) < 0).length;
}

/**
 * Scores tools by the fields of their results. The evidence of a result has 2 to 5 points; a
 * creation or a reading of the same collection adds 4.
 * @param isUsable given where no list has the ID: then lists inside of results count, too
 */
function scoreResults(
  requirement: IdRequirement,
  identity: RequiredIdentity,
  byNoun: ReadonlyMap<string, readonly IdentityEvidence[]>,
  isUsable?: (tool: number) => boolean,
): readonly Score[] {
  const { noun, entity } = identity;
  const isAdded = addsItem(requirement, identity);
  const evidence = [...new Set([entity, noun])]
    .flatMap((one) => byNoun.get(one) ?? [])
    .filter(({ tool }) => isUsable?.(tool) ?? true);
  const threshold = isUsable ? WEAK_THRESHOLD : THRESHOLD;
  const scores = evidence.slice(0, MAX_SOURCES).flatMap((one) => {
    const { tool, address } = one;
    const isOwn = address.key === identity.collection?.key;
    if (address.parents.includes(noun) || (isOwn && isAdded)) return [];
    const own = isUsable && one.isListed ? Math.max(one.score, OWN) : one.score;
    if (requirement.in !== "path" && own < OWN) return [];
    const score = own + one.roleScore + (isOwn ? 4 : 0) - (address.isPartial ? 1 : 0);
    return score >= threshold ? [[tool, score] as const] : [];
  });
  return bestScores(scores, RESULT_TOLERANCE);
}

/** The best score of each tool, best first, without those far below the best. */
function bestScores(scores: readonly Score[], tolerance = TOLERANCE): readonly Score[] {
  const best = new Map<number, number>();
  for (const [tool, score] of scores)
    if (score > (best.get(tool) ?? Number.NEGATIVE_INFINITY)) best.set(tool, score);
  const minimum = Math.max(...best.values()) - tolerance;
  return [...best].filter(([, score]) => score >= minimum).sort((a, b) => b[1] - a[1]);
}
