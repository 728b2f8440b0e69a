import { isObject, type JsonSchema } from "../../json.js";
import type { Link } from "../../model/types.js";
import type { ClassifiedOperation } from "../classify.js";
import { successJsonContents } from "../outputs/success-responses.js";
import { namedSchema, refName, type Schemas } from "../schemas/refs.js";
import { entityOfPath, entityOfSchema, type IdRequirement, parseIdentityName } from "./identity.js";

interface EvidenceWeight {
  readonly score: number;
  /** Only another thing's property names the ID: `enterprise_id`. */
  readonly isQualified: boolean;
}

/** A tool, by its index, and the operation of it whose result identifies something. */
export interface Evidence extends EvidenceWeight {
  readonly tool: number;
  readonly classified: ClassifiedOperation;
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
export function buildEvidenceIndex(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): EvidenceIndex {
  const reader = new FactReader(schemas);
  const byEntity = new Map<string, Evidence[]>();
  const links = new Map<string, number[]>();
  for (const [tool, { operations: subjects }] of tools.entries()) {
    for (const subject of subjects) {
      for (const [entity, weight] of evidenceOf(subject, reader))
        pushTo(byEntity, entity, { tool, classified: subject, ...weight });
      for (const link of subject.operation.links ?? [])
        for (const key of linkTargets(link)) pushTo(links, key, tool);
    }
  }
  return { byEntity, links };
}

/**
 * What an operation's result identifies, with the weight of the evidence. What only reads or makes
 * things counts.
 */
function evidenceOf(
  { operation, pathParts: parts, kind }: ClassifiedOperation,
  reader: FactReader,
): Map<string, EvidenceWeight> {
  const found = new Map<string, EvidenceWeight>();
  if (kind === "delete" || kind === "action") return found;
  const schema = successJsonContents(operation.responses, reader.schemas)[0]?.schema;
  const place = entityOfPath(parts);
  for (const fact of schema ? reader.read(schema) : []) {
    const { entity, isDirect: near, isQualified: compound } = fact;
    const own = near && !compound;
    raiseWeight(found, entity, {
      score: weightOfFact(fact) + (own && entity === place ? 1 : 0),
      isQualified: compound,
    });
    if (own) raiseWeight(found, place, { score: 4, isQualified: compound });
  }
  return found;
}

function weightOfFact({ isQualified: compound, isDirect: near }: IdentityFact): number {
  if (compound) return 3;
  return near ? 4 : 2;
}

function raiseWeight(
  found: Map<string, EvidenceWeight>,
  entity: string,
  weight: EvidenceWeight,
): void {
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
export function linkKeys({ operation, wireName }: IdRequirement): string[] {
  const { operationId, method, path } = operation;
  return [
    `${method} ${path} ${wireName}`,
    ...(operationId === undefined ? [] : [`${operationId} ${wireName}`]),
  ];
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/**
 * A tool as far as finding producers goes: its name and the operations it stands for, the most
 * general first.
 */
export interface ProducerTool {
  readonly name: string;
  readonly operations: readonly ClassifiedOperation[];
}

/**
 * An identifier in a result: which entity's, and whether it is the result's own (`near`) or of
 * something inside it.
 */
export interface IdentityFact {
  /** `pet`; empty for the bare `id` of a result whose schema has no name. */
  readonly entity: string;
  readonly idWord: string;
  readonly isDirect: boolean;
  /** The property's own name says whose ID it is: `pet_id`. */
  readonly isQualified: boolean;
}

/**
 * How far below its items a result is read. Deeper identifiers are too far away to send anyone
 * there.
 */
const MAX_DEPTH = 2;
const MAX_FACTS = 200;

/** Collects the identifiers of results; each named schema is read once per depth. */
export class FactReader {
  readonly #known = new Map<string, readonly IdentityFact[]>();
  constructor(readonly schemas: Schemas) {}

  /**
   * The identifiers that a success response holds. Lists and the usual envelopes around them are
   * looked through.
   */
  read(schema: JsonSchema): readonly IdentityFact[] {
    return this.#read(schema, "", 0, 3);
  }

  /**
   * @param wrappers how many more lists or envelopes may be looked through before the items are
   *   reached
   */
  #read(schema: unknown, entity: string, depth: number, wrappers: number): readonly IdentityFact[] {
    if (!isObject(schema)) return [];
    const name = refName(schema);
    if (name === undefined) return this.#inside(schema, entity, depth, wrappers);
    const key = `${name} ${depth} ${wrappers}`;
    const known = this.#known.get(key);
    if (known) return known;
    this.#known.set(key, []); // a cycle adds nothing
    const target = namedSchema(this.schemas, name);
    const facts = target ? this.#inside(target, entityOfSchema(name), depth, wrappers) : [];
    this.#known.set(key, facts);
    return facts;
  }

  #inside(
    schema: JsonSchema,
    entity: string,
    depth: number,
    wrappers: number,
  ): readonly IdentityFact[] {
    const list = schema.items;
    if (list !== undefined) return this.#read(list, entity, depth, 0);
    const variants = [
      ...(schema.allOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.anyOf ?? []),
    ].slice(0, 12);
    const facts = variants.flatMap((variant) => this.#read(variant, entity, depth, wrappers));
    const properties = schema.properties ?? {};
    // What has an ID of its own is a thing, not an envelope: the lists in it are of other things.
    const left = Object.hasOwn(properties, "id") ? 0 : wrappers;
    for (const [key, property] of Object.entries(properties)) {
      facts.push(...this.#property(key, property, entity, depth, left));
      if (facts.length > MAX_FACTS) break;
    }
    return facts.slice(0, MAX_FACTS);
  }

  #property(
    key: string,
    property: unknown,
    entity: string,
    depth: number,
    wrappers: number,
  ): readonly IdentityFact[] {
    const { entity: named, idWord } = parseIdentityName(key);
    if (idWord !== "" && isScalar(property, this.schemas)) {
      return [
        {
          entity: named === "" ? entity : named,
          idWord,
          isDirect: depth === 0,
          isQualified: named !== "",
        },
      ];
    }
    if (depth >= MAX_DEPTH || !isContainer(property, this.schemas)) return [];
    const envelope = wrappers > 0 && depth === 0 && isList(property, this.schemas);
    return this.#read(property, named, envelope ? depth : depth + 1, envelope ? wrappers - 1 : 0);
  }
}

function target(schema: unknown, schemas: Schemas): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const name = refName(schema);
  return name === undefined ? schema : namedSchema(schemas, name);
}

function isScalar(schema: unknown, schemas: Schemas): boolean {
  const { type, properties, items } = target(schema, schemas) ?? {};
  return properties === undefined && items === undefined && type !== "object" && type !== "boolean";
}

function isContainer(schema: unknown, schemas: Schemas): boolean {
  const found = target(schema, schemas);
  return (
    found !== undefined &&
    (found.properties !== undefined ||
      found.items !== undefined ||
      found.allOf !== undefined ||
      found.oneOf !== undefined ||
      found.anyOf !== undefined)
  );
}

function isList(schema: unknown, schemas: Schemas): boolean {
  return target(schema, schemas)?.items !== undefined;
}
