/** Projections of schemas for hosts, measured and within the limits of a tool. */
import type { JsonSchema } from "../../../json.js";
import type { SchemaUsage } from "../../diagnostics.js";
import type { WholeTexts } from "../../text/whole-texts.js";
import type { AnySchema, SchemaOrigins } from "../refs.js";
import { estimateSize } from "../values.js";
import { hasEntries, type SchemaWriteOptions } from "./keywords.js";
import { type SchemaDraft, normalizeTypes } from "./types.js";

/** Options shared by all schemas of a direction. */
export interface ProjectionDirection extends SchemaWriteOptions {
  /** Annotation of properties that belong to the other direction. */
  readonly hiddenAnnotation: "readOnly" | "writeOnly";
  /** Receives the named schemas that projections were made from. */
  readonly origins: SchemaOrigins;
  /** Whole texts of shortened descriptions. */
  readonly wholeTexts?: WholeTexts;
}

/** Context for writing one schema. */
export interface SchemaWriteContext extends ProjectionDirection {
  readonly draft: SchemaDraft;
  /** Sentences for its description. */
  readonly notes: string[];
  readonly usage: SchemaUsage;
  /**
   * Projects a subschema.
   * @param cost levels that it takes
   */
  readonly projectChild: (child: AnySchema, cost: number, label: string) => Projection;
  /** Adds a subschema that is already projected. */
  readonly addPart: (part: Projection, cost: number) => void;
}

/** Depth cost of a nested object or list. An alternative costs half of it. */
export const LEVEL_COST = 2;

/** Maximum depth of a tool's schema. */
export const MAX_DEPTH = 8 * LEVEL_COST;

/** A portable schema and its cost. */
export interface Projection {
  readonly schema: JsonSchema;
  /** Estimated length as JSON, in characters. */
  readonly size: number;
  /** Properties at all levels. */
  readonly nodes: number;
  /** Depth that it needs, in units of `LEVEL_COST`. */
  readonly height: number;
  /** A part was too deep and accepts anything. */
  readonly isTruncated: boolean;
  /** Recursive schemas that it refers to as `#/$defs/<name>`. */
  readonly defs: ReadonlySet<string>;
  /**
   * Sentences in its description about constraints that keywords could not express, for callers
   * that write their own description.
   */
  readonly notes: readonly string[];
}

/**
 * Converts model-form schemas to portable schemas, which every host accepts. Results are cached,
 * because named schemas recur.
 */
export interface Projector {
  /** @param depth remaining depth, `MAX_DEPTH` at the top of an input */
  project(schema: AnySchema, depth: number, usage: SchemaUsage): Projection;
  /** Schema of a `$defs` entry. */
  definition(name: string, depth: number, usage: SchemaUsage): Projection;
}

export const NO_DEFS: ReadonlySet<string> = new Set();

/**
 * Finishes a draft and adds up its cost.
 * @param parts subschemas of the draft
 */
export function measureProjection(
  draft: SchemaDraft,
  parts: readonly Projection[],
  isTruncated: boolean,
  notes: readonly string[],
): Projection {
  const schema = normalizeTypes(draft);
  let size = 2;
  for (const key in schema) {
    const value = schema[key];
    size += key.length + 4 + (PART_KEYWORDS.has(key) ? nameSize(key, value) : estimateSize(value));
  }
  const { properties } = schema;
  let nodes = hasEntries(properties) ? Object.keys(properties as object).length : 0;
  let height = 0;
  let isAnyTruncated = isTruncated;
  let defs = NO_DEFS;
  for (const part of parts) {
    size += part.size;
    nodes += part.nodes;
    height = Math.max(height, part.height);
    isAnyTruncated ||= part.isTruncated;
    if (part.defs.size > 0) defs = defs.size === 0 ? part.defs : new Set([...defs, ...part.defs]);
  }
  return { schema, size, nodes, height, isTruncated: isAnyTruncated, defs, notes };
}

const PART_KEYWORDS = new Set(["properties", "items", "additionalProperties", "anyOf", "allOf"]);

/** Size of the property names. The subschemas are counted separately. */
function nameSize(key: string, value: unknown): number {
  if (key !== "properties") return 4;
  let size = 2;
  for (const name in value as object) size += name.length + 4;
  return size;
}

/** Maximum size of one tool's input schema: about 6,000 tokens. */
export const MAX_NODES = 300;
export const MAX_SIZE = 24_000;

/** One of the schemas that share the limits of a tool. */
interface SchemaPart {
  readonly schema: AnySchema;
  readonly usage: SchemaUsage;
}

/** A projected schema within the limits. */
export interface LimitedPart {
  readonly projection: Projection;
  /** Levels that remain when the schema was truncated. */
  readonly levels?: number;
}

interface LimitedItem {
  readonly make: (depth: number) => Projection;
  depth: number;
  projection: Projection;
  isTruncated: boolean;
}

/** The projected schemas, in order, and the definitions that they share. */
interface LimitedSchemas {
  readonly parts: readonly LimitedPart[];
  readonly defs: Readonly<Record<string, JsonSchema>>;
}

/**
 * Projects the schemas of one tool within the limits. The largest schema loses its deepest level
 * until all of them fit, so that shallow parts remain.
 */
export function limitSchemas(schemas: readonly SchemaPart[], projector: Projector): LimitedSchemas {
  const unlimited = projectUnlimited(schemas, projector);
  if (unlimited) return { parts: unlimited, defs: {} };
  const items = schemas.map(({ schema, usage }) =>
    limitedItem((depth) => projector.project(schema, depth, usage)),
  );
  const definitions = new Map<string, LimitedItem>();
  const firstUsage = schemas[0]?.usage ?? { location: { pointer: "#" }, label: "" };
  const define = (name: string): LimitedItem =>
    limitedItem((depth) => projector.definition(name, depth, firstUsage));
  let used = reachableDefinitions(items, definitions, define);
  let all = [...items, ...used.values()];
  while (!isWithinLimits(all)) {
    const largest = largestReducible(all);
    if (!largest) break;
    const { defs } = largest.projection;
    truncate(largest);
    // Most levels have no reference of their own, so the same definitions are left.
    if (areEqual([...defs], [...largest.projection.defs])) continue;
    used = reachableDefinitions(items, definitions, define);
    all = [...items, ...used.values()];
  }
  const parts = items.map(({ projection, isTruncated, depth }): LimitedPart => ({
    projection,
    ...(isTruncated && { levels: Math.ceil(depth / LEVEL_COST) }),
  }));
  return {
    parts,
    defs: Object.fromEntries(
      [...used].sort(compareNames).map(([name, item]) => [name, item.projection.schema]),
    ),
  };
}

/** The common case: all schemas fit and none is recursive. */
function projectUnlimited(
  schemas: readonly SchemaPart[],
  projector: Projector,
): readonly LimitedPart[] | undefined {
  let [size, nodes] = [0, 0];
  const parts: LimitedPart[] = [];
  for (const { schema, usage } of schemas) {
    const projection = projector.project(schema, MAX_DEPTH, usage);
    size += projection.size;
    nodes += projection.nodes + 1;
    if (projection.defs.size > 0 || size > MAX_SIZE || nodes > MAX_NODES) return undefined;
    parts.push({ projection });
  }
  return parts;
}

const compareNames = (
  [a]: readonly [string, LimitedItem],
  [b]: readonly [string, LimitedItem],
): number => (a < b ? -1 : a > b ? 1 : 0);

function limitedItem(make: (depth: number) => Projection): LimitedItem {
  return { make, depth: MAX_DEPTH, projection: make(MAX_DEPTH), isTruncated: false };
}

/** Definitions that the schemas refer to, directly or through others. */
function reachableDefinitions(
  items: readonly LimitedItem[],
  cache: Map<string, LimitedItem>,
  define: (name: string) => LimitedItem,
): Map<string, LimitedItem> {
  const used = new Map<string, LimitedItem>();
  const pending = items.flatMap((item) => [...item.projection.defs]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (used.has(name)) continue;
    const item = cache.get(name) ?? define(name);
    cache.set(name, item);
    used.set(name, item);
    pending.push(...item.projection.defs);
  }
  return used;
}

function isWithinLimits(items: readonly LimitedItem[]): boolean {
  let [size, nodes] = [0, 0];
  for (const { projection } of items) {
    size += projection.size;
    nodes += projection.nodes + 1;
  }
  return size <= MAX_SIZE && nodes <= MAX_NODES;
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, i) => name === other[i]);

/** The largest schema of those that can be reduced. */
function largestReducible(items: readonly LimitedItem[]): LimitedItem | undefined {
  const weight = ({ projection }: LimitedItem): number =>
    Math.max(projection.size / MAX_SIZE, projection.nodes / MAX_NODES);
  const reducible = items.filter(
    (item) => item.depth > 0 && (item.projection.height > 0 || item.projection.defs.size > 0),
  );
  return reducible.reduce<LimitedItem | undefined>(
    (best, item) => (best === undefined || weight(item) > weight(best) ? item : best),
    undefined,
  );
}

/** Removes the deepest level of a schema. */
function truncate(item: LimitedItem): void {
  item.depth = Math.max(0, Math.min(item.depth, item.projection.height) - 1);
  item.projection = item.make(item.depth);
  item.isTruncated = true;
}
