import type { Link } from "../../model/types.js";
import type { Subject } from "../kind.js";
import type { Schemas } from "../schema/refs.js";
import { successJson } from "../schema/success.js";
import { entityOfPath } from "./entity.js";
import { FactReader, type IdentityFact } from "./facts.js";
import type { Need, ProducerTool } from "./index.js";

interface Weight {
  readonly score: number;
  /** Only another thing's property names the ID: `enterprise_id`. */
  readonly compound: boolean;
}

/** A tool, by its index, and the operation of it whose result identifies something. */
export interface Evidence extends Weight {
  readonly tool: number;
  readonly subject: Subject;
}

/**
 * What the results of all tools identify: by the entity, and by what a link of the document feeds
 * (`linkKeys`).
 */
export interface EvidenceIndex {
  readonly byEntity: ReadonlyMap<string, readonly Evidence[]>;
  readonly links: ReadonlyMap<string, readonly number[]>;
}

/** Reads every result once. */
export function evidenceIndex(tools: readonly ProducerTool[], schemas: Schemas): EvidenceIndex {
  const reader = new FactReader(schemas);
  const byEntity = new Map<string, Evidence[]>();
  const links = new Map<string, number[]>();
  for (const [tool, { subjects }] of tools.entries()) {
    for (const subject of subjects) {
      for (const [entity, weight] of evidenceOf(subject, reader))
        push(byEntity, entity, { tool, subject, ...weight });
      for (const link of subject.operation.links ?? [])
        for (const key of linkTargets(link)) push(links, key, tool);
    }
  }
  return { byEntity, links };
}

/**
 * What an operation's result identifies, with the weight of the evidence. What only reads or makes
 * things counts.
 */
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

/** OpenAPI Link Object: the parameters of the target that a response feeds. */
function linkTargets({ operationId, operation, parameters }: Link): string[] {
  const target = operation ?? operationId;
  return target === undefined
    ? []
    : Object.keys(parameters).map(
        (name) => `${target} ${name.replace(/^(path|query|header|cookie)\./, "")}`,
      );
}

/** How links may name a need. */
export function linkKeys({ operation, wireName }: Need): string[] {
  const { operationId, method, path } = operation;
  return [
    `${method} ${path} ${wireName}`,
    ...(operationId === undefined ? [] : [`${operationId} ${wireName}`]),
  ];
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
