import type { JsonSchema } from "../../../json.js";
import type { SchemaUsage } from "../../diagnostics.js";
import type { AnySchema } from "../refs.js";
import { estimateSize, hasEntries, type SchemaDraft, type SchemaWriteOptions } from "./keywords.js";
import { normalizeTypes } from "./types.js";

/** What is the same for all schemas of a direction. */
export interface ProjectionDirection extends SchemaWriteOptions {
  /** The annotation of properties that are not of this direction. */
  readonly hiddenAnnotation: "readOnly" | "writeOnly";
}

/** One schema that is being written. */
export interface SchemaWriteContext extends ProjectionDirection {
  readonly draft: SchemaDraft;
  /** Sentences for its description. */
  readonly notes: string[];
  readonly where: SchemaUsage;
  /** Projects what stands inside of it. @param cost levels that it takes */
  readonly projectChild: (child: AnySchema, cost: number, label: string) => Projection;
}

/** Depth that a nested object or list costs; an alternative costs half of it. */
export const LEVEL_COST = 2;

/** A schema that every host takes, and what it costs. */
export interface Projection {
  readonly schema: JsonSchema;
  /** About how many characters it takes as JSON. */
  readonly size: number;
  /** Properties in it, at all levels. */
  readonly nodes: number;
  /** Levels it needs; see `LEVEL` in portable.ts. */
  readonly height: number;
  /** Something below was too deep and accepts anything now. */
  readonly isTruncated: boolean;
  /** Recursive schemas it refers to as `#/$defs/<name>`. */
  readonly defs: ReadonlySet<string>;
  /**
   * Sentences in its description that say what keywords could not; for a caller that writes a
   * description of its own.
   */
  readonly notes: readonly string[];
}

export const NO_DEFS: ReadonlySet<string> = new Set();
/** @param parts what stands inside of the draft */
export function measureProjection(
  draft: SchemaDraft,
  parts: readonly Projection[],
  cut: boolean,
  said: readonly string[],
): Projection {
  const out = normalizeTypes(draft);
  let size = 2;
  for (const key in out)
    size +=
      key.length + 4 + (PART_KEYWORDS.has(key) ? nameSize(key, out[key]) : estimateSize(out[key]));
  let [nodes, height, anyCut] = [
    hasEntries(out.properties) ? Object.keys(out.properties as object).length : 0,
    0,
    cut,
  ];
  let defs = NO_DEFS;
  for (const part of parts) {
    size += part.size;
    nodes += part.nodes;
    height = Math.max(height, part.height);
    anyCut ||= part.isTruncated;
    if (part.defs.size > 0) defs = defs.size === 0 ? part.defs : new Set([...defs, ...part.defs]);
  }
  return { schema: out, size, nodes, height, isTruncated: anyCut, defs, notes: said };
}

const PART_KEYWORDS = new Set(["properties", "items", "additionalProperties", "anyOf", "allOf"]);

/** What holds parts costs its names; the parts are counted by themselves. */
function nameSize(key: string, value: unknown): number {
  if (key !== "properties") return 4;
  let size = 2;
  for (const name in value as object) size += name.length + 4;
  return size;
}
