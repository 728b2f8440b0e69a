import { isObject, type JsonSchema } from "../../../json.js";
import type { DiagnosticCollector, SchemaUsage } from "../../diagnostics.js";
import { flattenMarkdown } from "../../text/markdown.js";
import { toSentence, truncateText } from "../../text/sentences.js";
import type { SchemaGraph } from "../graph.js";
import { type AnySchema, namedSchema, refName, resolveSchema, type Schemas } from "../refs.js";
import { typeOfAlternatives, writeAlternatives } from "./alternatives.js";
import { writeArray, writeObject } from "./containers.js";
import {
  estimateSize,
  hasEntries,
  isEmptySchema,
  isSimpleSchema,
  reportRemovedKeywords,
  type SchemaDraft,
  writeSimpleKeywords,
} from "./keywords.js";
import {
  LEVEL_COST,
  measureProjection,
  NO_DEFS,
  type Projection,
  type ProjectionDirection,
} from "./projection.js";

export type { Projection } from "./projection.js";
export { LEVEL_COST as LEVEL } from "./projection.js";

/** Maximum depth of a tool's schema. */
export const MAX_DEPTH = 8 * LEVEL_COST;
const MAX_SCHEMA_DESCRIPTION_LENGTH = 200;

/**
 * Converts model-form schemas to portable schemas, which every host accepts. Results are cached,
 * because named schemas recur.
 */
export interface Projector {
  /** @param depth remaining depth, `MAX_DEPTH` at the top of an input */
  project(schema: AnySchema, depth: number, where: SchemaUsage): Projection;
  /** Schema of a `$defs` entry. */
  definition(name: string, depth: number, where: SchemaUsage): Projection;
}

interface ProjectionCache {
  whole?: Projection;
  readonly cut: Projection[];
}

const NO_PROJECTIONS: readonly Projection[] = [];
const ANY_VALUE: Projection = {
  schema: {},
  size: 2,
  nodes: 0,
  height: 0,
  isTruncated: false,
  defs: NO_DEFS,
  notes: [],
};

/**
 * @param direction `input` leaves out `readOnly` properties, `output` leaves out `writeOnly` ones
 */
export function createProjector(
  schemas: Schemas,
  graph: SchemaGraph,
  direction: "input" | "output",
  diagnostics: DiagnosticCollector,
): Projector {
  const memory = new Map<JsonSchema, ProjectionCache>();
  const text = createTextShortener(MAX_SCHEMA_DESCRIPTION_LENGTH);
  const shared: ProjectionDirection = {
    schemas,
    diagnostics,
    hiddenAnnotation: direction === "input" ? "readOnly" : "writeOnly",
  };

  function project(schema: AnySchema, depth: number, where: SchemaUsage): Projection {
    if (typeof schema === "boolean") return ANY_VALUE;
    // Many operations share parameters, few share fields.
    if (depth < MAX_DEPTH && isSimpleSchema(schema)) return projectSimple(schema, where);
    const cached = memory.get(schema);
    if (cached?.whole && cached.whole.height <= depth) return cached.whole;
    const truncated = cached?.cut[depth];
    if (truncated) return truncated;
    const projection =
      refName(schema) === undefined ? build(schema, depth, where) : reference(schema, depth, where);
    const entry = cached ?? { cut: [] };
    if (!cached) memory.set(schema, entry);
    if (projection.isTruncated) entry.cut[depth] = projection;
    else entry.whole = projection;
    return projection;
  }

  /** Not cached, because writing is cheaper. */
  function projectSimple(schema: JsonSchema, where: SchemaUsage): Projection {
    const draft: SchemaDraft = {};
    return finish(
      schema,
      draft,
      NO_PROJECTIONS,
      false,
      writeSimpleKeywords(schema, draft, where, shared),
    );
  }

  /**
   * Replaces a reference by its target; only recursive references stay. Annotations beside the
   * reference take precedence.
   */
  function reference(schema: JsonSchema, depth: number, where: SchemaUsage): Projection {
    const name = refName(schema) as string;
    const target = namedSchema(schemas, name);
    if (!target || (refName(target) !== undefined && isEmptySchema(resolveSchema(schemas, target))))
      return ANY_VALUE;
    const recursive = graph.isRecursive(name);
    const base: Projection = recursive
      ? {
          schema: { $ref: `#/$defs/${name}` },
          size: name.length + 20,
          nodes: 0,
          height: 0,
          isTruncated: false,
          defs: new Set([name]),
          notes: [],
        }
      : project(target, depth, { location: where.location, label: name });
    const annotations: SchemaDraft = {};
    const description = text(schema.description);
    if (description !== "") annotations.description = description;
    writeSimpleKeywords(
      {
        ...(schema.default !== undefined && { default: schema.default }),
        ...(schema.examples && { examples: schema.examples }),
      },
      annotations,
      where,
      shared,
    );
    if (Object.keys(annotations).length === 0) return base;
    return {
      ...base,
      schema: { ...base.schema, ...annotations },
      size: base.size + estimateSize(annotations),
    };
  }

  function build(schema: JsonSchema, depth: number, where: SchemaUsage): Projection {
    const draft: SchemaDraft = {};
    const notes = writeSimpleKeywords(schema, draft, where, shared);
    const parts: Projection[] = [];
    const projectChild = (child: AnySchema, cost: number, label: string): Projection => {
      const part = project(child, depth - cost, { location: where.location, label });
      parts.push({ ...part, height: part.height + cost });
      return part;
    };
    const cut = !fitsIn(schema, depth);
    if (!cut) {
      const writing = { ...shared, draft, notes, where, projectChild };
      writeObject(schema, writing);
      writeArray(schema, writing);
      writeAlternatives(schema, writing);
    } else if (draft.type === undefined && draft.enum === undefined) {
      draft.type = typeOfAlternatives(schema, schemas);
    }
    reportRemovedKeywords(schema, where, diagnostics);
    return finish(schema, draft, parts, cut, notes);
  }

  function finish(
    schema: JsonSchema,
    draft: SchemaDraft,
    parts: readonly Projection[],
    cut: boolean,
    notes: string[],
  ): Projection {
    if (schema.deprecated === true) notes.push("Deprecated.");
    const description = appendSentences(text(schema.description), notes);
    if (description !== "") draft.description = description;
    return measureProjection(draft, parts, cut, notes);
  }

  const definition = (name: string, depth: number, where: SchemaUsage): Projection => {
    const target = namedSchema(schemas, name);
    return target ? project(target, depth, { location: where.location, label: name }) : ANY_VALUE;
  };
  return { project, definition };
}

/** True when subschemas may be written at this depth. */
function fitsIn(schema: JsonSchema, depth: number): boolean {
  if (schema.allOf || schema.anyOf || schema.oneOf)
    return depth >= 1 && (depth >= LEVEL_COST || !schema.properties);
  return (
    depth >= LEVEL_COST ||
    !(
      hasEntries(schema.properties) ||
      isObject(schema.items) ||
      isObject(schema.additionalProperties) ||
      schema.prefixItems ||
      schema.patternProperties
    )
  );
}

/** Creates a cached function that flattens and truncates texts inside schemas. */
function createTextShortener(max: number): (text: unknown) => string {
  const cache = new Map<string, string>();
  return (text) => {
    if (typeof text !== "string" || text === "") return "";
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const shortened = truncateText(flattenMarkdown(text), max, false);
    cache.set(text, shortened);
    return shortened;
  };
}

/** Appends sentences to a text. */
function appendSentences(text: string, sentences: readonly string[]): string {
  return sentences.length === 0
    ? text
    : [toSentence(text), ...sentences].filter((part) => part !== "").join(" ");
}
