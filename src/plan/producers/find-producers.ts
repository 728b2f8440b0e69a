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

/** Below this the evidence is too thin to send an agent anywhere. */
const THRESHOLD = 5;
const MAX_PRODUCERS = 3;
/** How far behind the best a producer may be. */
const SCORE_TOLERANCE = 0.9;
/**
 * An entity that more tools than this identify says little; only the first in order are weighed.
 */
const MAX_EVIDENCE = 400;

/**
 * Finds, for a needed ID, the tools whose results hold it. Evidence: the same compound property
 * name (3; 2 when the need is for a name or slug); an `id` under a schema, key or path of the same
 * entity (4; 5 when schema and path agree; 2 when deep); a list of the parent collection (+4);
 * searching and listing (+1.5), by words (+0.5), reading (+1); −0.75 per path parameter that the
 * producer itself needs, −4 when it needs the same one; a `link` of the document decides. Linear in
 * the size of the API: results are indexed by what they identify.
 */
export function createProducerFinder(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): (need: IdRequirement, of: string) => readonly Producer[] {
  const { byEntity, links } = buildEvidenceIndex(tools, schemas);
  const known = new Map<string, ReadonlyMap<number, number>>();
  const weighed = (need: IdRequirement): ReadonlyMap<number, number> => {
    const key = requirementKey(need);
    const scores = known.get(key) ?? scoreTools(need, byEntity);
    known.set(key, scores);
    return scores;
  };
  return (need, of) => {
    const linked = links.size === 0 ? [] : linkKeys(need).flatMap((key) => links.get(key) ?? []);
    const scores = weighed(need);
    return rankProducers(
      linked.length === 0
        ? scores
        : new Map([...scores, ...linked.map((tool) => [tool, 100] as const)]),
      tools,
      of,
    );
  };
}

/**
 * Needs that are the same: a path parameter by the path up to it, anything else by its name.
 * Hundreds of operations share one.
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

/**
 * The best, and those that are nearly as good: a weak one beside a strong one would only mislead.
 */
function rankProducers(
  scores: ReadonlyMap<number, number>,
  tools: readonly ProducerTool[],
  of: string,
): readonly Producer[] {
  const best = Math.max(
    0,
    ...[...scores].filter(([tool]) => tools[tool]?.name !== of).map(([, score]) => score),
  );
  return [...scores]
    .filter(([, score]) => score >= best - SCORE_TOLERANCE)
    .map(([tool, score]) => ({ tool: tools[tool]?.name ?? "", score }))
    .filter(({ tool }) => tool !== of)
    .sort((a, b) => b.score - a.score || (a.tool < b.tool ? -1 : 1))
    .slice(0, MAX_PRODUCERS);
}

/** How well an operation suits a need, besides what its result identifies. */
export function scoreBonus(need: IdRequirement, producer: ClassifiedOperation): number {
  const { operation, kind, pathParts: parts } = producer;
  const needed = parts.filter((part) => part.kind === "param");
  const same = needed.some(
    (part) => part.name === need.wireName && sharesPathTo(need, operation.path),
  );
  return (
    (isParentCollection(need, operation) ? 4 : 0) +
    (kind === "list" || kind === "search" ? 1.5 : 0) +
    (parts.some((part) => part.kind === "words" && part.words.includes("search")) &&
    entityOfPath(parts) === requiredIdentity(need).entity
      ? 0.5
      : 0) +
    (operation.method === "GET" ? 1 : 0) -
    0.75 * needed.length -
    (same ? 4 : 0) -
    (parts.some(
      (part) => part.kind === "words" && SPECIAL_COLLECTIONS.has(part.words.at(-1) as string),
    ) && !need.operation.path.startsWith(operation.path)
      ? 1
      : 0)
  );
}

/** Lists of what is put aside: right for few needs. */
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

/** `PUT /bans/{user_id}` bans a user who is not among the bans yet. */
function addsToCollection({ operation, subject, wireName }: IdRequirement): boolean {
  if (operation.method !== "PUT" || !operation.path.endsWith(`{${wireName}}`)) return false;
  const { entity } = parseIdentityName(wireName);
  return entity !== "" && entity !== entityOfPath(subject.pathParts);
}

/**
 * A path parameter of the same name is the same value only where the paths agree up to it;
 * otherwise the name alone decides.
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
