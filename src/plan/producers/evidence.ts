import { pushTo } from "../../groups.js";
import { isObject, type JsonSchema } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { Link } from "../../model/types.js";
import { payloadOf, successJsonContents } from "../outputs/payload.js";
import { namedSchema, refName, type Schemas } from "../schemas/refs.js";
import {
  collectionAddress,
  type CollectionAddress,
  entityOfPath,
  entityOfSchema,
  type IdRequirement,
  parseIdentityName,
  type ProducerTool,
} from "./resources.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { compositionParts } from "../../json-schema.js";

/** A tool, by its index, and the operation whose result identifies a resource. */
export interface IdentityEvidence {
  readonly tool: number;
  /** Strength of the evidence. */
  readonly score: number;
  /** True if the result has a list of such resources beside others: `labels` of a board. */
  readonly isListed: boolean;
  readonly address: CollectionAddress;
  /** Points of the operation: a list has 1.5, a reading 1, a path parameter costs 0.75. */
  readonly roleScore: number;
}

/**
 * Identifiers in the results of all tools, by noun in one spelling, and link targets of the
 * document, by `linkKeys`.
 */
interface EvidenceIndex {
  readonly byNoun: ReadonlyMap<string, readonly IdentityEvidence[]>;
  readonly links: ReadonlyMap<string, readonly number[]>;
}

/** Builds the index from all tools. Every result is read once. */
export function buildEvidenceIndex(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): EvidenceIndex {
  const reader = new FactReader(schemas);
  const byNoun = new Map<string, IdentityEvidence[]>();
  const links = new Map<string, number[]>();
  for (const [tool, { operations }] of tools.entries()) {
    for (const classified of operations) {
      const [address, roleScore] = [collectionAddress(classified.pathParts), scoreRole(classified)];
      for (const [noun, found] of evidenceOf(classified, reader))
        pushTo(byNoun, noun, { tool, address, roleScore, ...found });
      for (const link of classified.operation.links ?? [])
        for (const key of linkTargets(link)) pushTo(links, key, tool);
    }
  }
  return { byNoun, links };
}

function scoreRole({ operation, kind, pathParts }: ClassifiedOperation): number {
  return (
    (kind === "list" || kind === "search" ? 1.5 : 0) +
    (operation.method === "GET" ? 1 : 0) -
    0.75 * pathParts.filter((part) => part.kind === "param").length
  );
}

/**
 * Entities that an operation's result identifies, with the strength of the evidence. Deletes and
 * actions are excluded, and so are IDs of other resources: the `team_id` of a webhook.
 */
function evidenceOf(
  { operation, pathParts, kind }: ClassifiedOperation,
  reader: FactReader,
): Map<string, Evidence> {
  const scores = new Map<string, Evidence>();
  if (kind === "delete" || kind === "action") return scores;
  const schema = successJsonContents(operation.responses, reader.schemas)[0]?.schema;
  const pathEntity = entityOfPath(pathParts);
  for (const { entity, isDirect, isListed, isQualified } of schema ? reader.read(schema) : []) {
    if (isQualified) continue;
    raiseScore(scores, entity, isDirect ? (entity === pathEntity ? 5 : 4) : 2, isListed);
    if (isDirect) raiseScore(scores, pathEntity, 4, isListed);
  }
  return scores;
}

type Evidence = Pick<IdentityEvidence, "score" | "isListed">;

function raiseScore(
  scores: Map<string, Evidence>,
  entity: string,
  score: number,
  isListed: boolean,
): void {
  const noun = entity.replaceAll("_", "");
  if (noun === "") return;
  const known = scores.get(noun);
  scores.set(noun, {
    score: Math.max(score, known?.score ?? 0),
    isListed: isListed || known?.isListed === true,
  });
}

/** Parameters that a response feeds (OpenAPI Link Object). */
function linkTargets({ operationId, operation, parameters }: Link): string[] {
  const target = operation ?? operationId;
  return target === undefined
    ? []
    : Object.keys(parameters).map(
        (name) => `${target} ${name.replace(/^(path|query|header|cookie)\./, "")}`,
      );
}

/** Keys by which links can name a required ID. */
export function linkKeys({ operation, wireName }: IdRequirement): string[] {
  const { operationId, method, path } = operation;
  return [
    `${method} ${path} ${wireName}`,
    ...(operationId === undefined ? [] : [`${operationId} ${wireName}`]),
  ];
}

/**
 * An identifier in a result: its entity, and whether it belongs to the result itself (`isDirect`)
 * or to a nested object.
 */
interface IdentityFact {
  /** `pet`; empty for the `id` of a result whose schema has no name. */
  readonly entity: string;
  readonly idWord: string;
  readonly isDirect: boolean;
  /** The nested object is an item of a list that has its name. */
  readonly isListed: boolean;
  /** The property is named after another resource than that of its schema: `owner_id` of a pet. */
  readonly isQualified: boolean;
}

/** Maximum depth below the items of a result. Deeper identifiers are too indirect. */
const MAX_RESULT_DEPTH = 2;
const MAX_FACTS = 200;
/** Maximum number of references, lists and variants around a result. */
const MAX_LAYERS = 50;

/** `upcoming` of an `upcoming_meeting`: the state of a thing, not another thing. */
const STATE = /^[a-z]+(?:al|ed|ent|ing|ive)_/;

/** `request_id` next to the payload identifies the HTTP exchange, not a resource. */
const EXCHANGE_ENTITIES = new Set(["request", "trace", "correlation"]);

/** Collects the identifiers of results. Each named schema is read once per depth. */
class FactReader {
  readonly #cache = new Map<string, readonly IdentityFact[]>();
  #layers = 0;
  constructor(readonly schemas: Schemas) {}

  /** Identifiers in a success response. Lists and common envelopes are unwrapped. */
  read(schema: JsonSchema): readonly IdentityFact[] {
    const { path, schema: content } = payloadOf(schema, this.schemas);
    return path.length > 1
      ? this.#readInside(content, parseIdentityName(path.at(-1) as string).entity, 0, 0)
      : this.#read(schema, "", 0, 3);
  }

  /**
   * Reads a schema or a reference.
   * @param wrappers lists or envelopes that may still be unwrapped
   */
  #read(schema: unknown, entity: string, depth: number, wrappers: number): readonly IdentityFact[] {
    if (!isObject(schema) || this.#layers >= MAX_LAYERS) return [];
    this.#layers++;
    const facts = this.#readLayer(schema, entity, depth, wrappers);
    this.#layers--;
    return facts;
  }

  #readLayer(
    schema: JsonSchema,
    entity: string,
    depth: number,
    wrappers: number,
  ): readonly IdentityFact[] {
    const name = refName(schema);
    if (name === undefined) return this.#readInside(schema, entity, depth, wrappers);
    const key = `${name} ${depth} ${wrappers}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    this.#cache.set(key, []); // A cycle adds nothing.
    const target = namedSchema(this.schemas, name);
    const facts = target ? this.#readInside(target, entityOfSchema(name), depth, wrappers) : [];
    this.#cache.set(key, facts);
    return facts;
  }

  #readInside(
    schema: JsonSchema,
    entity: string,
    depth: number,
    wrappers: number,
  ): readonly IdentityFact[] {
    const list = schema.items;
    if (list !== undefined) return this.#read(list, entity, depth, 0);
    const variants = compositionParts(schema).slice(0, 12);
    const facts = variants.flatMap((variant) => this.#read(variant, entity, depth, wrappers));
    const properties = schema.properties ?? {};
    // An object with an ID is a resource and not an envelope: lists inside it contain other
    // resources.
    const remainingWrappers = Object.hasOwn(properties, "id") ? 0 : wrappers;
    for (const [key, property] of Object.entries(properties)) {
      facts.push(...this.#readProperty(key, property, entity, depth, remainingWrappers));
      if (facts.length > MAX_FACTS) break;
    }
    return facts.slice(0, MAX_FACTS);
  }

  #readProperty(
    key: string,
    property: unknown,
    entity: string,
    depth: number,
    wrappers: number,
  ): readonly IdentityFact[] {
    const { entity: propertyEntity, idWord } = parseIdentityName(key);
    if (idWord !== "" && isScalar(property, this.schemas)) {
      if (wrappers > 0 && EXCHANGE_ENTITIES.has(propertyEntity)) return [];
      return [
        {
          entity: propertyEntity === "" ? entity : propertyEntity,
          idWord,
          isDirect: depth === 0,
          isListed: false,
          // `meeting_id` of an `upcoming_meeting` is its own.
          isQualified:
            propertyEntity !== "" &&
            propertyEntity !== entity &&
            entity.replace(STATE, "") !== propertyEntity,
        },
      ];
    }
    if (depth >= MAX_RESULT_DEPTH || !isContainer(property, this.schemas)) return [];
    const isOfItems = isList(property, this.schemas);
    if (isOfItems && wrappers > 0 && depth === 0)
      return this.#read(property, propertyEntity, depth, wrappers - 1);
    const facts = this.#read(property, propertyEntity, depth + 1, 0);
    const noun = singularizeLast(splitWords(key)).join("_");
    return isOfItems ? facts.map((fact) => ({ ...fact, isListed: fact.entity === noun })) : facts;
  }
}

function resolveOnce(schema: unknown, schemas: Schemas): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const name = refName(schema);
  return name === undefined ? schema : namedSchema(schemas, name);
}

function isScalar(schema: unknown, schemas: Schemas): boolean {
  const { type, properties, items } = resolveOnce(schema, schemas) ?? {};
  return properties === undefined && items === undefined && type !== "object" && type !== "boolean";
}

function isContainer(schema: unknown, schemas: Schemas): boolean {
  const resolved = resolveOnce(schema, schemas);
  return (
    resolved !== undefined &&
    (resolved.properties !== undefined ||
      resolved.items !== undefined ||
      resolved.allOf !== undefined ||
      resolved.oneOf !== undefined ||
      resolved.anyOf !== undefined)
  );
}

function isList(schema: unknown, schemas: Schemas): boolean {
  return resolveOnce(schema, schemas)?.items !== undefined;
}
