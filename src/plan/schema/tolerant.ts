import type { JsonSchema } from "../../json.js";
import { joinedShape } from "./joined-shape.js";
import type { Draft } from "./leaf.js";
import type { AnySchema, Schemas } from "./refs.js";
import { ANYTHING, plainShape, type Sent, type Shape } from "./shape.js";

/** Levels of properties in a tool's output schema. */
const MAX_LEVELS = 5;
const MAX_PROPERTIES = 150;
/** What a list costs: less than a level, but something, for lists may hold themselves. */
const ITEM = 0.5;

/** Writes output schemas. */
export interface TolerantWriter {
  schema(sent: AnySchema): JsonSchema;
  /**
   * What the root of a result is: one object, a list, anything else; undefined when nobody can say.
   */
  rootType(sent: AnySchema): "object" | "array" | "other" | undefined;
}

/**
 * Makes schemas of what APIs really send: types and property names are kept; everything may be
 * absent (the runtime leaves out what is null), and formats, patterns, lists of values and limits
 * are gone; an integer that may be too large for a JSON number may be text, as the runtime gives it
 * then. Alternatives become one. Shallow properties come first when there are too many; recursion
 * ends by depth.
 */
export function tolerantWriter(schemas: Schemas): TolerantWriter {
  const known = new Map<Sent, Shape>();
  const shapeOf = (sent: Sent): Shape => {
    const before = known.get(sent);
    if (before) return before;
    const shape = plainShape(sent, schemas) ?? joinedShape(sent, schemas);
    known.set(sent, shape);
    return shape;
  };
  return {
    schema: (sent) => write(shapeOf(sent), shapeOf),
    rootType: (sent) => rootTypeOf(shapeOf(sent)),
  };
}

/** A shape that is still to be written. */
interface Open {
  readonly shape: Shape;
  readonly level: number;
  readonly out: Draft;
}

/** Level by level, so that what is cut when the room is used up lies deep. */
function write(root: Shape, shapeOf: (sent: Sent) => Shape): JsonSchema {
  if (root.whole) return root.whole;
  const out: Draft = {};
  const queue: Open[] = [{ shape: root, level: 0, out }];
  let room = MAX_PROPERTIES;
  for (let next = 0; next < queue.length; next++) {
    const { shape, level, out: draft } = queue[next] as Open;
    const part = typed(draft, shape.type);
    const items =
      shape.items === undefined ? undefined : begin(shapeOf(shape.items), level + ITEM, queue);
    if (items !== undefined) part("array").items = items;
    if (level >= MAX_LEVELS || room <= 0 || shape.properties.length === 0) continue;
    const properties: { [name: string]: JsonSchema } = {};
    for (const [name, sent] of shape.properties) {
      if (room-- <= 0) break;
      const property = begin(shapeOf(sent), level + 1, queue);
      if (property !== undefined) properties[name] = property;
    }
    if (Object.keys(properties).length > 0) part("object").properties = properties;
  }
  return out;
}

/**
 * The schema of a part, which may be filled later. Undefined for what may be anything: open objects
 * and lists say that without words.
 */
function begin(shape: Shape, level: number, queue: Open[]): JsonSchema | undefined {
  if (shape === ANYTHING) return undefined;
  if (shape.whole) return shape.whole;
  const schema: Draft = {};
  if (level < MAX_LEVELS) queue.push({ shape, level, out: schema });
  else typed(schema, shape.type);
  return schema;
}

/**
 * Writes the types of a value, one type per schema; gives the schema that speaks of one of them.
 */
function typed(draft: Draft, types: readonly string[]): (type: string) => Draft {
  if (types.length === 1) draft.type = types[0];
  if (types.length <= 1) return () => draft;
  const alternatives: Draft[] = types.map((type) => ({ type }));
  draft.anyOf = alternatives;
  return (type) => alternatives.find((one) => one.type === type) ?? {};
}

function rootTypeOf({ type }: Shape): "object" | "array" | "other" | undefined {
  if (type.length === 0) return undefined;
  return type.length === 1 && (type[0] === "object" || type[0] === "array") ? type[0] : "other";
}
