import type { Link, Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";
import { successJson } from "../schema/success.js";
import type { Schemas } from "../schema/refs.js";
import { entityOfPath, identityOf, type IdentityName } from "./entity.js";
import { FactReader, type IdentityFact } from "./facts.js";

/** A tool as far as finding producers goes: its name and the operations it stands for, the most general first. */
export interface ProducerTool {
  readonly name: string;
  readonly subjects: readonly Subject[];
}

/** A value that a tool needs: a path parameter, or a required parameter or field that is named like an ID. */
export interface Need {
  readonly operation: Operation;
  readonly subject: Subject;
  readonly wireName: string;
  readonly place: "path" | "query" | "header" | "cookie" | "body" | "querystring";
}

export interface Producer {
  readonly tool: string;
  readonly score: number;
}

/** Below this the evidence is too thin to send an agent anywhere. */
const THRESHOLD = 5;
const MOST_NAMED = 3;
/** How far behind the best a producer may be. */
const NEARLY = 0.9;
/** A token that more tools than this produce says little; only the first in order are weighed. */
const MOST_WEIGHED = 400;

interface Weight {
  readonly score: number;
  /** Only another thing's property names the ID: `enterprise_id`. */
  readonly compound: boolean;
}

interface Evidence extends Weight {
  readonly tool: number;
  readonly subject: Subject;
}

/**
 * Finds, for a needed ID, the tools whose results hold it (DESIGN, section 5.6).
 * Evidence: the same compound property name (3; 2 when the need is for a name or slug); an `id` under a schema, key or path of the
 * same entity (4; 5 when schema and path agree; 2 when deep); a list of the parent collection (+4); searching and listing (+1.5), by words (+0.5), reading (+1); −0.75 per path parameter that the producer itself needs,
 * −4 when it needs the same one; a `link` of the document decides.
 * Linear in the size of the API: results are indexed by what they identify.
 */
export function producerIndex(tools: readonly ProducerTool[], schemas: Schemas): (need: Need, of: string) => readonly Producer[] {
  const { byEntity, links } = index(tools, schemas);
  const known = new Map<string, ReadonlyMap<number, number>>();
  const weighed = (need: Need): ReadonlyMap<number, number> => {
    const key = needKey(need);
    const scores = known.get(key) ?? weigh(need, byEntity);
    known.set(key, scores);
    return scores;
  };
  return (need, of) => {
    const linked = links.size === 0 ? [] : linkKeys(need).flatMap((key) => links.get(key) ?? []);
    const scores = weighed(need);
    return rank(linked.length === 0 ? scores : new Map([...scores, ...linked.map((tool) => [tool, 100] as const)]), tools, of);
  };
}

/** Needs that are the same: a path parameter by the path up to it, anything else by its name. Hundreds of operations share one. */
function needKey({ place, wireName, operation }: Need): string {
  if (place !== "path") return ` ${wireName}`;
  const marker = `{${wireName}}`;
  const end = operation.path.indexOf(marker) + marker.length;
  return `${operation.method === "PUT" && end === operation.path.length ? "PUT " : ""}${operation.path.slice(0, end)}`;
}

function weigh(need: Need, byEntity: ReadonlyMap<string, readonly Evidence[]>): ReadonlyMap<number, number> {
  const identity = identityNeeded(need);
  const best = new Map<number, number>();
  for (const evidence of (byEntity.get(identity.entity) ?? []).slice(0, MOST_WEIGHED)) {
    const score = evidence.score + bonus(need, evidence.subject) - (evidence.compound && identity.idWord === "" ? 1 : 0);
    if (score >= THRESHOLD && score > (best.get(evidence.tool) ?? 0)) best.set(evidence.tool, score);
  }
  return best;
}

/** The best, and those that are nearly as good: a weak one beside a strong one would only mislead. */
function rank(scores: ReadonlyMap<number, number>, tools: readonly ProducerTool[], of: string): readonly Producer[] {
  const best = Math.max(0, ...[...scores].filter(([tool]) => tools[tool]?.name !== of).map(([, score]) => score));
  return [...scores]
    .filter(([, score]) => score >= best - NEARLY)
    .map(([tool, score]) => ({ tool: tools[tool]?.name ?? "", score }))
    .filter(({ tool }) => tool !== of)
    .sort((a, b) => b.score - a.score || (a.tool < b.tool ? -1 : 1))
    .slice(0, MOST_NAMED);
}

/** Whose ID is needed: `petId` says so itself; for `/pets/{id}` the path does. */
export function identityNeeded({ wireName, place, subject }: Need): IdentityName {
  const identity = identityOf(wireName);
  if (identity.entity !== "" || place !== "path") return identity;
  const at = subject.parts.findIndex((part) => part.kind === "param" && part.name === wireName);
  return { ...identity, entity: entityOfPath(subject.parts, at < 0 ? undefined : at) };
}

function index(tools: readonly ProducerTool[], schemas: Schemas): { byEntity: Map<string, Evidence[]>; links: Map<string, number[]> } {
  const reader = new FactReader(schemas);
  const byEntity = new Map<string, Evidence[]>();
  const links = new Map<string, number[]>();
  for (const [tool, { subjects }] of tools.entries()) {
    for (const subject of subjects) {
      for (const [entity, weight] of evidenceOf(subject, reader)) push(byEntity, entity, { tool, subject, ...weight });
      for (const link of subject.operation.links ?? []) for (const key of linkTargets(link)) push(links, key, tool);
    }
  }
  return { byEntity, links };
}

/** What an operation's result identifies, with the weight of the evidence. What only reads or makes things counts. */
function evidenceOf({ operation, parts, kind }: Subject, reader: FactReader): Map<string, Weight> {
  const found = new Map<string, Weight>();
  if (kind === "delete" || kind === "action") return found;
  const schema = successJson(operation.responses, reader.schemas)[0]?.schema;
  const place = entityOfPath(parts);
  for (const fact of schema ? reader.of(schema) : []) {
    const { entity, near, compound } = fact;
    const own = near && !compound;
    raise(found, entity, { score: weight(fact) + (own && entity === place ? 1 : 0), compound });
    if (own) raise(found, place, { score: 4, compound });
  }
  return found;
}

function weight({ compound, near }: IdentityFact): number {
  if (compound) return 3;
  return near ? 4 : 2;
}

function raise(found: Map<string, Weight>, entity: string, weight: Weight): void {
  if (entity !== "" && weight.score > (found.get(entity)?.score ?? 0)) found.set(entity, weight);
}

function bonus(need: Need, producer: Subject): number {
  const { operation, kind, parts } = producer;
  const needed = parts.filter((part) => part.kind === "param");
  const same = needed.some((part) => part.name === need.wireName && sharesPathTo(need, operation.path));
  return (
    (isParentCollection(need, operation) ? 4 : 0) +
    (kind === "list" || kind === "search" ? 1.5 : 0) +
    (parts.some((part) => part.kind === "words" && part.words.includes("search")) && entityOfPath(parts) === identityNeeded(need).entity ? 0.5 : 0) +
    (operation.method === "GET" ? 1 : 0) -
    0.75 * needed.length -
    (same ? 4 : 0) -
    (parts.some((part) => part.kind === "words" && ASIDE.has(part.words.at(-1) as string)) && !need.operation.path.startsWith(operation.path) ? 1 : 0)
  );
}

/** Lists of what is put aside: right for few needs. */
const ASIDE = new Set(["trash", "trashed", "deleted", "archived", "archive", "recent", "blocked", "pending", "failed", "stubbed", "banned", "deprecated"]);

/** `GET /pets` for the ID in `/pets/{petId}/visits`. */
function isParentCollection(need: Need, producer: Operation): boolean {
  const { operation, wireName, place } = need;
  return place === "path" && !addsToCollection(need) && producer.method === "GET" && operation.path.startsWith(`${trimSlash(producer.path)}/{${wireName}}`);
}

/** `PUT /bans/{user_id}` bans a user who is not among the bans yet. */
function addsToCollection({ operation, subject, wireName }: Need): boolean {
  if (operation.method !== "PUT" || !operation.path.endsWith(`{${wireName}}`)) return false;
  const { entity } = identityOf(wireName);
  return entity !== "" && entity !== entityOfPath(subject.parts);
}

/** A path parameter of the same name is the same value only where the paths agree up to it; otherwise the name alone decides. */
function sharesPathTo({ wireName, place, operation }: Need, producerPath: string): boolean {
  if (place !== "path") return true;
  const marker = `{${wireName}}`;
  return identityOf(wireName).entity !== "" || operation.path.split(marker)[0] === producerPath.split(marker)[0];
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** OpenAPI Link Object: the parameters of the target that a response feeds. */
function linkTargets({ operationId, operation, parameters }: Link): string[] {
  const target = operation ?? operationId;
  return target === undefined ? [] : Object.keys(parameters).map((name) => `${target} ${name.replace(/^(path|query|header|cookie)\./, "")}`);
}

function linkKeys({ operation, wireName }: Need): string[] {
  const { operationId, method, path } = operation;
  return [`${method} ${path} ${wireName}`, ...(operationId === undefined ? [] : [`${operationId} ${wireName}`])];
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
