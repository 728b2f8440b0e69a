import { isObject, type JsonSchema } from "../../json.js";
import { namedSchema, refName, type Schemas } from "../schema/refs.js";
import { entityOfSchema, identityOf } from "./entity.js";

/**
 * An identifier in a result: which entity's, and whether it is the result's own (`near`) or of
 * something inside it.
 */
export interface IdentityFact {
  /** `pet`; empty for the bare `id` of a result whose schema has no name. */
  readonly entity: string;
  readonly idWord: string;
  readonly near: boolean;
  /** The property's own name says whose ID it is: `pet_id`. */
  readonly compound: boolean;
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
  of(schema: JsonSchema): readonly IdentityFact[] {
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
    const { entity: named, idWord } = identityOf(key);
    if (idWord !== "" && isScalar(property, this.schemas)) {
      return [
        {
          entity: named === "" ? entity : named,
          idWord,
          near: depth === 0,
          compound: named !== "",
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
