import type { JsonSchema } from "../../../json.js";
import type { SchemaUsage } from "../../diagnostics.js";
import type { SchemaOrigins } from "../origins.js";
import type { AnySchema } from "../refs.js";
import { hasEntries, type SchemaDraft, type SchemaWriteOptions } from "./keywords.js";
import { estimateSize } from "./limits.js";
import { normalizeTypes } from "./types.js";

/** Options shared by all schemas of a direction. */
export interface ProjectionDirection extends SchemaWriteOptions {
  /** Annotation of properties that belong to the other direction. */
  readonly hiddenAnnotation: "readOnly" | "writeOnly";
  /** Receives the named schemas that projections were made from. */
  readonly origins: SchemaOrigins;
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
}

/** Depth cost of a nested object or list. An alternative costs half of it. */
export const LEVEL_COST = 2;

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
