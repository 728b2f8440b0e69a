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

/** Levels of nesting in a tool's schema. */
export const MAX_DEPTH = 8 * LEVEL_COST;
const MAX_SCHEMA_DESCRIPTION_LENGTH = 200;

/**
 * Turns model-form schemas into portable ones, which every host takes. Remembers what it made:
 * named schemas recur all over an API.
 */
export interface Projector {
  /** @param depth levels that may still be used, `MAX_DEPTH` at the top of an input */
  project(schema: AnySchema, depth: number, where: SchemaUsage): Projection;
  /** The body of a `$defs` entry. */
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
 * @param direction `input` leaves `readOnly` properties out, `output` those that are `writeOnly`
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
    // Parameters are shared by many operations, fields by few.
    if (depth < MAX_DEPTH && isSimpleSchema(schema)) return plain(schema, where);
    const known = memory.get(schema);
    if (known?.whole && known.whole.height <= depth) return known.whole;
    const before = known?.cut[depth];
    if (before) return before;
    const made =
      refName(schema) === undefined ? build(schema, depth, where) : reference(schema, depth, where);
    const entry = known ?? { cut: [] };
    if (!known) memory.set(schema, entry);
    if (made.isTruncated) entry.cut[depth] = made;
    else entry.whole = made;
    return made;
  }

  /** Cheaper made than remembered. */
  function plain(schema: JsonSchema, where: SchemaUsage): Projection {
    const out: SchemaDraft = {};
    return finish(
      schema,
      out,
      NO_PROJECTIONS,
      false,
      writeSimpleKeywords(schema, out, where, shared),
    );
  }

  /** A reference becomes what it refers to; only recursion stays one. Annotations beside it win. */
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
    const beside: SchemaDraft = {};
    const description = text(schema.description);
    if (description !== "") beside.description = description;
    writeSimpleKeywords(
      {
        ...(schema.default !== undefined && { default: schema.default }),
        ...(schema.examples && { examples: schema.examples }),
      },
      beside,
      where,
      shared,
    );
    if (Object.keys(beside).length === 0) return base;
    return {
      ...base,
      schema: { ...base.schema, ...beside },
      size: base.size + estimateSize(beside),
    };
  }

  function build(schema: JsonSchema, depth: number, where: SchemaUsage): Projection {
    const out: SchemaDraft = {};
    const said = writeSimpleKeywords(schema, out, where, shared);
    const parts: Projection[] = [];
    const below = (child: AnySchema, cost: number, label: string): Projection => {
      const part = project(child, depth - cost, { location: where.location, label });
      parts.push({ ...part, height: part.height + cost });
      return part;
    };
    const cut = !fitsIn(schema, depth);
    if (!cut) {
      const writing = { ...shared, draft: out, notes: said, where, projectChild: below };
      writeObject(schema, writing);
      writeArray(schema, writing);
      writeAlternatives(schema, writing);
    } else if (out.type === undefined && out.enum === undefined) {
      out.type = typeOfAlternatives(schema, schemas);
    }
    reportRemovedKeywords(schema, where, diagnostics);
    return finish(schema, out, parts, cut, said);
  }

  function finish(
    schema: JsonSchema,
    out: SchemaDraft,
    parts: readonly Projection[],
    cut: boolean,
    said: string[],
  ): Projection {
    if (schema.deprecated === true) said.push("Deprecated.");
    const description = appendSentences(text(schema.description), said);
    if (description !== "") out.description = description;
    return measureProjection(out, parts, cut, said);
  }

  const definition = (name: string, depth: number, where: SchemaUsage): Projection => {
    const target = namedSchema(schemas, name);
    return target ? project(target, depth, { location: where.location, label: name }) : ANY_VALUE;
  };
  return { project, definition };
}

/** Whether what stands inside a schema may be written at this depth. */
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

/** Texts inside a schema that a model reads, flattened and shortened; each is worked out once. */
export function createTextShortener(max: number): (text: unknown) => string {
  const cache = new Map<string, string>();
  return (text) => {
    if (typeof text !== "string" || text === "") return "";
    const known = cache.get(text);
    if (known !== undefined) return known;
    const short = truncateText(flattenMarkdown(text), max, false);
    cache.set(text, short);
    return short;
  };
}

/** A text and further sentences behind it. */
export function appendSentences(text: string, sentences: readonly string[]): string {
  return sentences.length === 0
    ? text
    : [toSentence(text), ...sentences].filter((part) => part !== "").join(" ");
}
