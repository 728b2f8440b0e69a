import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation } from "../classify.js";
import type { Schemas } from "../schemas/refs.js";
import { buildEvidenceIndex, type Evidence, linkKeys, type ProducerTool } from "./evidence.js";
import {
  entityOfPath,
  type IdRequirement,
  parseIdentityName,
  requiredIdentity,
} from "./identity.js";

export interface Producer {
  readonly tool: string;
  readonly score: number;
}

/** Minimum score of a producer. */
const THRESHOLD = 5;
const MAX_PRODUCERS = 3;
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
): (need: IdRequirement, excluded: string) => readonly Producer[] {
  const { byEntity, links } = buildEvidenceIndex(tools, schemas);
  const cache = new Map<string, ReadonlyMap<number, number>>();
  const weighed = (need: IdRequirement): ReadonlyMap<number, number> => {
    const key = requirementKey(need);
    const scores = cache.get(key) ?? scoreTools(need, byEntity);
    cache.set(key, scores);
    return scores;
  };
  return (need, excluded) => {
    const linked = links.size === 0 ? [] : linkKeys(need).flatMap((key) => links.get(key) ?? []);
    const scores = weighed(need);
    return rankProducers(
      linked.length === 0
        ? scores
        : new Map([...scores, ...linked.map((tool) => [tool, 100] as const)]),
      tools,
      excluded,
    );
  };
}

/**
 * Key of equal requirements: the path up to a path parameter, the name of any other. Hundreds of
 * operations share one.
 */
function requirementKey({ place, wireName, operation }: IdRequirement): string {
  if (place !== "path") return ` ${wireName}`;
  const marker = `{${wireName}}`;
  const end = operation.path.indexOf(marker) + marker.length;
  return `${operation.method === "PUT" && end === operation.path.length ? "PUT " : ""}${operation.path.slice(0, end)}`;
}

function scoreTools(
  need: IdRequirement,
  byEntity: ReadonlyMap<string, readonly Evidence[]>,
): ReadonlyMap<number, number> {
  const identity = requiredIdentity(need);
  const best = new Map<number, number>();
  for (const evidence of (byEntity.get(identity.entity) ?? []).slice(0, MAX_EVIDENCE)) {
    const score =
      evidence.score +
      scoreBonus(need, evidence.classified) -
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
function scoreBonus(need: IdRequirement, producer: ClassifiedOperation): number {
  const { operation, kind, pathParts } = producer;
  const needed = pathParts.filter((part) => part.kind === "param");
  const same = needed.some(
    (part) => part.name === need.wireName && sharesPathTo(need, operation.path),
  );
  return (
    (isParentCollection(need, operation) ? 4 : 0) +
    (kind === "list" || kind === "search" ? 1.5 : 0) +
    (pathParts.some((part) => part.kind === "words" && part.words.includes("search")) &&
    entityOfPath(pathParts) === requiredIdentity(need).entity
      ? 0.5
      : 0) +
    (operation.method === "GET" ? 1 : 0) -
    0.75 * needed.length -
    (same ? 4 : 0) -
    (pathParts.some(
      (part) => part.kind === "words" && SPECIAL_COLLECTIONS.has(part.words.at(-1) as string),
    ) && !need.operation.path.startsWith(operation.path)
      ? 1
      : 0)
  );
}

/** Collections of special items, which rarely contain the required ID. */
const SPECIAL_COLLECTIONS = new Set([
  "trash",
  "trashed",
  "deleted",
  "archived",
  "archive",
  "recent",
  "blocked",
  "pending",
  "failed",
  "stubbed",
  "banned",
  "deprecated",
]);

/** `GET /pets` for the ID in `/pets/{petId}/visits`. */
function isParentCollection(need: IdRequirement, producer: Operation): boolean {
  const { operation, wireName, place } = need;
  return (
    place === "path" &&
    !addsToCollection(need) &&
    producer.method === "GET" &&
    operation.path.startsWith(`${trimSlash(producer.path)}/{${wireName}}`)
  );
}

/** `PUT /bans/{user_id}`: the user is not among the bans yet. */
function addsToCollection({ operation, subject: classified, wireName }: IdRequirement): boolean {
  if (operation.method !== "PUT" || !operation.path.endsWith(`{${wireName}}`)) return false;
  const { entity } = parseIdentityName(wireName);
  return entity !== "" && entity !== entityOfPath(classified.pathParts);
}

/**
 * True when a path parameter of the same name has the same value: its name contains the entity, or
 * the paths agree up to it.
 */
function sharesPathTo(
  { wireName, place, operation }: IdRequirement,
  producerPath: string,
): boolean {
  if (place !== "path") return true;
  const marker = `{${wireName}}`;
  return (
    parseIdentityName(wireName).entity !== "" ||
    operation.path.split(marker)[0] === producerPath.split(marker)[0]
  );
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
