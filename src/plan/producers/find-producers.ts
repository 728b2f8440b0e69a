import type { Operation } from "../../model/types.js";
import type { Schemas } from "../schemas/refs.js";
import { buildEvidenceIndex, type Evidence, linkKeys, type ProducerTool } from "./evidence.js";
import {
  entityOfPath,
  type IdRequirement,
  parseIdentityName,
  requiredIdentity,
} from "./identity.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** A tool whose results contain a required ID. */
export interface Producer {
  readonly tool: string;
  readonly score: number;
}

/** Minimum score of a producer. */
const THRESHOLD = 5;
const MAX_PRODUCERS = 3;
/** Score of a tool that a `link` of the document names. */
const LINK_SCORE = 100;
/** Maximum distance from the best score. */
const SCORE_TOLERANCE = 0.9;
/** Entities that more tools identify say little. Only the first tools are scored. */
const MAX_EVIDENCE = 400;

/**
 * Creates a function that finds the tools whose results contain a required ID. Scores:
 * - the same qualified property name: 3 (2 when the required value is a name or slug)
 * - an `id` under a schema, key or path of the same entity: 4 (5 when schema and path agree, 2
 *   when nested)
 * - a list of the parent collection: +4
 * - search and list: +1.5, search by words: +0.5, reading: +1
 * - per path parameter that the producer needs: −0.75, and −4 when it is the same one
 * A `link` of the document overrides all others. Linear in the size of the API, because results are
 * indexed by entity.
 */
export function createProducerFinder(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): (requirement: IdRequirement, excluded: string) => readonly Producer[] {
  const { byEntity, links } = buildEvidenceIndex(tools, schemas);
  const cache = new Map<string, ReadonlyMap<number, number>>();
  const scoresOf = (requirement: IdRequirement): ReadonlyMap<number, number> => {
    const key = cacheKeyOf(requirement);
    const scores = cache.get(key) ?? scoreTools(requirement, byEntity);
    cache.set(key, scores);
    return scores;
  };
  return (requirement, excluded) => {
    const linked =
      links.size === 0 ? [] : linkKeys(requirement).flatMap((key) => links.get(key) ?? []);
    const scores = scoresOf(requirement);
    if (linked.length === 0) return rankProducers(scores, tools, excluded);
    const withLinks = new Map([...scores, ...linked.map((tool) => [tool, LINK_SCORE] as const)]);
    return rankProducers(withLinks, tools, excluded);
  };
}

/**
 * Key of equal requirements: the path up to a path parameter, the name of any other. Hundreds of
 * operations share one.
 */
function cacheKeyOf({ in: location, wireName, operation }: IdRequirement): string {
  if (location !== "path") return ` ${wireName}`;
  const marker = `{${wireName}}`;
  const end = operation.path.indexOf(marker) + marker.length;
  const isLast = end === operation.path.length;
  const prefix = operation.method === "PUT" && isLast ? "PUT " : "";
  return prefix + operation.path.slice(0, end);
}

function scoreTools(
  requirement: IdRequirement,
  byEntity: ReadonlyMap<string, readonly Evidence[]>,
): ReadonlyMap<number, number> {
  const identity = requiredIdentity(requirement);
  const best = new Map<number, number>();
  for (const evidence of (byEntity.get(identity.entity) ?? []).slice(0, MAX_EVIDENCE)) {
    const score =
      evidence.score +
      scoreBonus(requirement, evidence.classified) -
      (evidence.isQualified && identity.idWord === "" ? 1 : 0);
    if (score >= THRESHOLD && score > (best.get(evidence.tool) ?? 0))
      best.set(evidence.tool, score);
  }
  return best;
}

/** The best producers, and those nearly as good. Weak ones beside a strong one would mislead. */
function rankProducers(
  scores: ReadonlyMap<number, number>,
  tools: readonly ProducerTool[],
  excluded: string,
): readonly Producer[] {
  const best = Math.max(
    0,
    ...[...scores].filter(([tool]) => tools[tool]?.name !== excluded).map(([, score]) => score),
  );
  return [...scores]
    .filter(([, score]) => score >= best - SCORE_TOLERANCE)
    .map(([tool, score]) => ({ tool: tools[tool]?.name ?? "", score }))
    .filter(({ tool }) => tool !== excluded)
    .sort((a, b) => b.score - a.score || (a.tool < b.tool ? -1 : 1))
    .slice(0, MAX_PRODUCERS);
}

/** Score of an operation for a requirement, in addition to the evidence of its result. */
function scoreBonus(requirement: IdRequirement, producer: ClassifiedOperation): number {
  const { operation, kind, pathParts } = producer;
  const parameters = pathParts.filter((part) => part.kind === "param");
  const needsSameId = parameters.some(
    (part) => part.name === requirement.wireName && sharesPathTo(requirement, operation.path),
  );
  const searchesEntity =
    pathParts.some((part) => part.kind === "words" && part.words.includes("search")) &&
    entityOfPath(pathParts) === requiredIdentity(requirement).entity;
  const isSpecial =
    pathParts.some(
      (part) => part.kind === "words" && SPECIAL_COLLECTIONS.has(part.words.at(-1) as string),
    ) && !requirement.operation.path.startsWith(operation.path);
  let score = -0.75 * parameters.length;
  if (isParentCollection(requirement, operation)) score += 4;
  if (kind === "list" || kind === "search") score += 1.5;
  if (searchesEntity) score += 0.5;
  if (operation.method === "GET") score += 1;
  if (needsSameId) score -= 4;
  if (isSpecial) score -= 1;
  return score;
}

/** Collections of special items, which rarely contain the required ID. */
const SPECIAL_COLLECTIONS = new Set(
  (
    "trash trashed deleted archived archive recent blocked pending failed stubbed " +
    "banned deprecated"
  ).split(" "),
);

/** `GET /pets` for the ID in `/pets/{petId}/visits`. */
function isParentCollection(requirement: IdRequirement, producer: Operation): boolean {
  const { operation, wireName, in: location } = requirement;
  return (
    location === "path" &&
    !addsToCollection(requirement) &&
    producer.method === "GET" &&
    operation.path.startsWith(`${trimSlash(producer.path)}/{${wireName}}`)
  );
}

/** `PUT /bans/{user_id}`: the user is not among the bans yet. */
function addsToCollection({ operation, classified, wireName }: IdRequirement): boolean {
  if (operation.method !== "PUT" || !operation.path.endsWith(`{${wireName}}`)) return false;
  const { entity } = parseIdentityName(wireName);
  return entity !== "" && entity !== entityOfPath(classified.pathParts);
}

/**
 * True when a path parameter of the same name has the same value: its name contains the entity, or
 * the paths agree up to it.
 */
function sharesPathTo(
  { wireName, in: location, operation }: IdRequirement,
  producerPath: string,
): boolean {
  if (location !== "path") return true;
  const marker = `{${wireName}}`;
  return (
    parseIdentityName(wireName).entity !== "" ||
    operation.path.split(marker)[0] === producerPath.split(marker)[0]
  );
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
