/** References between the named schemas of a model. */
import type { JsonSchema } from "../../json.js";
import { SCHEMA_KEYWORDS, visitSchema } from "../../json-schema.js";
import type { ApiModel } from "../../model/types.js";
import { memoize } from "../../language/patterns.js";

/** The named schemas of a model. */
export type Schemas = ApiModel["schemas"];
export type AnySchema = JsonSchema | boolean;

const DEFS_PREFIX = "#/$defs/";
/** Maximum `$ref`s followed in a row. Longer chains are loops. */
const MAX_HOPS = 32;

/** Name that a model-form `$ref` points to; undefined without a `$ref`. */
export function refName(schema: JsonSchema): string | undefined {
  const ref = schema.$ref;
  if (ref === undefined) return undefined;
  return typeof ref === "string" && ref.startsWith(DEFS_PREFIX) ? nameOfRef(ref) : undefined;
}

/** Memoized, because each sliced string would be hashed again at every lookup. */
const nameOfRef = memoize((ref) => ref.slice(DEFS_PREFIX.length));

/**
 * Caches the results of a function of a schema and the named schemas of its document. Several
 * passes ask for the same.
 */
export function memoizeBySchema<T>(
  compute: (schema: JsonSchema, schemas: Schemas) => T,
): (schema: JsonSchema, schemas: Schemas) => T {
  const results = new WeakMap<Schemas, WeakMap<JsonSchema, T>>();
  return (schema, schemas) => {
    const known = results.get(schemas) ?? new WeakMap<JsonSchema, T>();
    const cached = known.get(schema);
    if (cached !== undefined || known.has(schema)) return cached as T;
    const result = compute(schema, schemas);
    results.set(schemas, known.set(schema, result));
    return result;
  };
}

/** The type check excludes what a plain object inherits, such as `constructor`. */
export function namedSchema(schemas: Schemas, name: string): JsonSchema | undefined {
  const schema = schemas[name];
  return typeof schema === "object" && name !== "__proto__" ? schema : undefined;
}

/**
 * Follows `$ref`s to a schema without one. Annotations next to a `$ref` are not merged. Loops and
 * unknown names give `{}`.
 */
export function resolveSchema(schemas: Schemas, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema; // nearly all
  let current: JsonSchema = schema;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const name = refName(current);
    if (name === undefined) return current;
    const next = namedSchema(schemas, name);
    if (next === undefined) return {};
    current = next;
  }
  return {};
}

/**
 * Names that a schema refers to, at any depth inside it, in order. Iterative, because inline
 * schemas have no maximum depth.
 */
export function referencedNames(schema: JsonSchema): readonly string[] {
  if (hasNoChildren(schema)) return [];
  const direct = refName(schema);
  if (direct !== undefined) return [direct];
  const names = new Set<string>();
  const stack: JsonSchema[] = [schema];
  while (stack.length > 0) {
    const next = stack.pop() as JsonSchema;
    const name = refName(next);
    if (name !== undefined) names.add(name);
    else visitSchema(next, (child) => stack.push(child));
  }
  return [...names];
}

function hasNoChildren(schema: JsonSchema): boolean {
  for (const key in schema) if (key === "$ref" || SCHEMA_KEYWORDS.has(key)) return false;
  return true;
}

/** True for `true` and for schemas with annotations only. */
export function acceptsAnything(schema: AnySchema): boolean {
  if (typeof schema === "boolean") return schema;
  for (const key in schema) if (!ANNOTATIONS.has(key)) return false;
  return true;
}

const ANNOTATIONS = new Set(
  (
    "description title default examples deprecated readOnly writeOnly $comment xml " +
    "externalDocs"
  ).split(" "),
);

/** References between named schemas. Results are cached. */
export interface SchemaGraph {
  /** Names that a named schema refers to directly. */
  refs(name: string): readonly string[];
  /** True when a schema refers to itself, directly or through others. */
  isRecursive(name: string): boolean;
  /** The given names and all names reachable from them. */
  closure(names: Iterable<string>): Set<string>;
}

/** Builds the graph lazily. Only queried schemas are read. */
export function buildSchemaGraph(schemas: Schemas): SchemaGraph {
  const refs = memoizedRefs(schemas);
  const recursive = new Map<string, boolean>();
  const isRecursive = (name: string): boolean => {
    if (!recursive.has(name)) new ComponentWalk(refs, recursive).from(name);
    return recursive.get(name) as boolean;
  };
  const closure = (names: Iterable<string>): Set<string> =>
    closureOf(
      [...names].filter((name) => namedSchema(schemas, name) !== undefined),
      refs,
    );
  return { refs, isRecursive, closure };
}

type Refs = SchemaGraph["refs"];

function memoizedRefs(schemas: Schemas): Refs {
  const direct = new Map<string, readonly string[]>();
  return (name) => {
    const cached = direct.get(name);
    if (cached) return cached;
    const schema = namedSchema(schemas, name);
    const names = schema
      ? referencedNames(schema).filter((ref) => namedSchema(schemas, ref) !== undefined)
      : [];
    direct.set(name, names);
    return names;
  };
}

function closureOf(names: string[], refs: Refs): Set<string> {
  const seen = new Set<string>();
  const stack = names;
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    stack.push(...refs(name));
  }
  return seen;
}

interface Visit {
  readonly name: string;
  readonly refs: readonly string[];
  next: number;
}

/**
 * Tarjan's strongly connected components without recursion, because chains of references can be
 * thousands long.
 */
class ComponentWalk {
  private readonly index = new Map<string, number>();
  private readonly low = new Map<string, number>();
  private readonly path: string[] = [];
  private readonly open = new Set<string>();
  private readonly visits: Visit[] = [];

  /** @param recursive receives every name reached; names it already has are skipped */
  constructor(
    private readonly refs: Refs,
    private readonly recursive: Map<string, boolean>,
  ) {}

  from(root: string): void {
    this.enter(root);
    for (let visit = this.visits.at(-1); visit !== undefined; visit = this.visits.at(-1)) {
      const ref = visit.refs[visit.next++];
      if (ref === undefined) this.leave(visit);
      else if (this.recursive.has(ref)) continue;
      else if (!this.index.has(ref)) this.enter(ref);
      else if (this.open.has(ref)) this.lower(visit.name, this.index.get(ref) as number);
    }
  }

  private enter(name: string): void {
    this.low.set(name, this.index.size);
    this.index.set(name, this.index.size);
    this.path.push(name);
    this.open.add(name);
    this.visits.push({ name, refs: this.refs(name), next: 0 });
  }

  private lower(name: string, value: number): void {
    this.low.set(name, Math.min(this.low.get(name) as number, value));
  }

  private leave(visit: Visit): void {
    if (this.low.get(visit.name) === this.index.get(visit.name)) this.close(visit);
    this.visits.pop();
    const parent = this.visits.at(-1);
    if (parent) this.lower(parent.name, this.low.get(visit.name) as number);
  }

  /**
   * Closes a component: the names above its root on the path. A single name is recursive only when
   * it refers to itself.
   */
  private close(visit: Visit): void {
    const members = this.path.splice(this.path.lastIndexOf(visit.name));
    for (const member of members) {
      this.open.delete(member);
      this.recursive.set(member, members.length > 1 || visit.refs.includes(visit.name));
    }
  }
}

/** Names of the schemas of the model that portable schemas were made from, in whole or in part. */
export type SchemaOrigins = WeakMap<JsonSchema, string>;
