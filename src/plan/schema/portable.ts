import { isObject, type JsonSchema } from "../../json.js";
import type { Findings, Where } from "../findings.js";
import type { SchemaGraph } from "./graph.js";
import { type Draft, sizeOf, writeLeaf } from "./leaf.js";
import { typeOfAlternatives, writeAlternatives } from "./portable/alternatives.js";
import { writeArray } from "./portable/array.js";
import { hasEntries, isEmpty, isPlain, reportRemoved } from "./portable/keywords.js";
import { measured, NO_DEFS, type Projection } from "./portable/measured.js";
import { writeObject } from "./portable/object.js";
import { type Direction, LEVEL } from "./portable/writing.js";
import { type AnySchema, namedSchema, refName, resolve, type Schemas } from "./refs.js";
import { textCache, withSentences } from "./text.js";

export type { Projection } from "./portable/measured.js";
export { LEVEL } from "./portable/writing.js";

/** Levels of nesting in a tool's schema. */
export const MAX_DEPTH = 8 * LEVEL;
const MAX_DESCRIPTION = 200;

/**
 * Turns model-form schemas into portable ones, which every host takes. Remembers what it made:
 * named schemas recur all over an API.
 */
export interface Projector {
  /** @param depth levels that may still be used, `MAX_DEPTH` at the top of an input */
  project(schema: AnySchema, depth: number, where: Where): Projection;
  /** The body of a `$defs` entry. */
  definition(name: string, depth: number, where: Where): Projection;
}

interface Memory {
  whole?: Projection;
  readonly cut: Projection[];
}

const NO_PARTS: readonly Projection[] = [];
const ANYTHING: Projection = {
  schema: {},
  size: 2,
  nodes: 0,
  height: 0,
  cut: false,
  defs: NO_DEFS,
  said: [],
};

/**
 * @param direction `input` leaves `readOnly` properties out, `output` those that are `writeOnly`
 */
export function projector(
  schemas: Schemas,
  graph: SchemaGraph,
  direction: "input" | "output",
  findings: Findings,
): Projector {
  const memory = new Map<JsonSchema, Memory>();
  const text = textCache(MAX_DESCRIPTION);
  const shared: Direction = {
    schemas,
    findings,
    hidden: direction === "input" ? "readOnly" : "writeOnly",
  };

  function project(schema: AnySchema, depth: number, where: Where): Projection {
    if (typeof schema === "boolean") return ANYTHING;
    // Parameters are shared by many operations, fields by few.
    if (depth < MAX_DEPTH && isPlain(schema)) return plain(schema, where);
    const known = memory.get(schema);
    if (known?.whole && known.whole.height <= depth) return known.whole;
    const before = known?.cut[depth];
    if (before) return before;
    const made =
      refName(schema) === undefined ? build(schema, depth, where) : reference(schema, depth, where);
    const entry = known ?? { cut: [] };
    if (!known) memory.set(schema, entry);
    if (made.cut) entry.cut[depth] = made;
    else entry.whole = made;
    return made;
  }

  /** Cheaper made than remembered. */
  function plain(schema: JsonSchema, where: Where): Projection {
    const out: Draft = {};
    return finish(schema, out, NO_PARTS, false, writeLeaf(schema, out, where, shared));
  }

  /** A reference becomes what it refers to; only recursion stays one. Annotations beside it win. */
  function reference(schema: JsonSchema, depth: number, where: Where): Projection {
    const name = refName(schema) as string;
    const target = namedSchema(schemas, name);
    if (!target || (refName(target) !== undefined && isEmpty(resolve(schemas, target))))
      return ANYTHING;
    const recursive = graph.isRecursive(name);
    const base: Projection = recursive
      ? {
          schema: { $ref: `#/$defs/${name}` },
          size: name.length + 20,
          nodes: 0,
          height: 0,
          cut: false,
          defs: new Set([name]),
          said: [],
        }
      : project(target, depth, { place: where.place, label: name });
    const beside: Draft = {};
    const description = text(schema.description);
    if (description !== "") beside.description = description;
    writeLeaf(
      {
        ...(schema.default !== undefined && { default: schema.default }),
        ...(schema.examples && { examples: schema.examples }),
      },
      beside,
      where,
      shared,
    );
    if (Object.keys(beside).length === 0) return base;
    return { ...base, schema: { ...base.schema, ...beside }, size: base.size + sizeOf(beside) };
  }

  function build(schema: JsonSchema, depth: number, where: Where): Projection {
    const out: Draft = {};
    const said = writeLeaf(schema, out, where, shared);
    const parts: Projection[] = [];
    const below = (child: AnySchema, cost: number, label: string): Projection => {
      const part = project(child, depth - cost, { place: where.place, label });
      parts.push({ ...part, height: part.height + cost });
      return part;
    };
    const cut = !fitsIn(schema, depth);
    if (!cut) {
      const writing = { ...shared, out, said, where, below };
      writeObject(schema, writing);
      writeArray(schema, writing);
      writeAlternatives(schema, writing);
    } else if (out.type === undefined && out.enum === undefined) {
      out.type = typeOfAlternatives(schema, schemas);
    }
    reportRemoved(schema, where, findings);
    return finish(schema, out, parts, cut, said);
  }

  function finish(
    schema: JsonSchema,
    out: Draft,
    parts: readonly Projection[],
    cut: boolean,
    said: string[],
  ): Projection {
    if (schema.deprecated === true) said.push("Deprecated.");
    const description = withSentences(text(schema.description), said);
    if (description !== "") out.description = description;
    return measured(out, parts, cut, said);
  }

  const definition = (name: string, depth: number, where: Where): Projection => {
    const target = namedSchema(schemas, name);
    return target ? project(target, depth, { place: where.place, label: name }) : ANYTHING;
  };
  return { project, definition };
}

/** Whether what stands inside a schema may be written at this depth. */
function fitsIn(schema: JsonSchema, depth: number): boolean {
  if (schema.allOf || schema.anyOf || schema.oneOf)
    return depth >= 1 && (depth >= LEVEL || !schema.properties);
  return (
    depth >= LEVEL ||
    !(
      hasEntries(schema.properties) ||
      isObject(schema.items) ||
      isObject(schema.additionalProperties) ||
      schema.prefixItems ||
      schema.patternProperties
    )
  );
}
