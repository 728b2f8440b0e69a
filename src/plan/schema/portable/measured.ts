import type { JsonSchema } from "../../../json.js";
import { type Draft, sizeOf } from "../leaf.js";
import { withPlainTypes } from "../plain-types.js";
import { hasEntries } from "./keywords.js";

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
  readonly cut: boolean;
  /** Recursive schemas it refers to as `#/$defs/<name>`. */
  readonly defs: ReadonlySet<string>;
  /**
   * Sentences in its description that say what keywords could not; for a caller that writes a
   * description of its own.
   */
  readonly said: readonly string[];
}

export const NO_DEFS: ReadonlySet<string> = new Set();
/** @param parts what stands inside of the draft */
export function measured(
  draft: Draft,
  parts: readonly Projection[],
  cut: boolean,
  said: readonly string[],
): Projection {
  const out = withPlainTypes(draft);
  let size = 2;
  for (const key in out)
    size += key.length + 4 + (HOLDERS.has(key) ? holderSize(key, out[key]) : sizeOf(out[key]));
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
    anyCut ||= part.cut;
    if (part.defs.size > 0) defs = defs.size === 0 ? part.defs : new Set([...defs, ...part.defs]);
  }
  return { schema: out, size, nodes, height, cut: anyCut, defs, said };
}

const HOLDERS = new Set(["properties", "items", "additionalProperties", "anyOf", "allOf"]);

/** What holds parts costs its names; the parts are counted by themselves. */
function holderSize(key: string, value: unknown): number {
  if (key !== "properties") return 4;
  let size = 2;
  for (const name in value as object) size += name.length + 4;
  return size;
}
