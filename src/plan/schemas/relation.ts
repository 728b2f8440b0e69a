/** Relations: values that are the ID of a thing, or the thing itself. */
import { isObject, type JsonSchema } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "./refs.js";

/** A value that identifies a thing of a named schema. */
export interface Relation {
  /** Words of the schema's name: `["access", "role"]`. */
  readonly thing: readonly string[];
  readonly id: JsonSchema;
}

/** True for the alternatives of an ID and of a thing that has one. */
export function isRelation(alternatives: readonly AnySchema[], schemas: Schemas): boolean {
  const parts = alternatives.filter(isObject).map((part) => resolveSchema(schemas, part));
  return parts.some(isFreeScalar) && parts.some(isThing);
}

/** The relation that a schema describes; undefined for several kinds of things or of IDs. */
export function relationOf(schema: JsonSchema, schemas: Schemas): Relation | undefined {
  const parts = alternativesOf(schema);
  const resolved = parts.map((part) => resolveSchema(schemas, part));
  const id = resolved.find(isFreeScalar);
  const thing = refName(parts[resolved.findIndex(isThing)] ?? {});
  if (parts.length !== 2 || id === undefined || thing === undefined) return undefined;
  return { thing: splitWords(thing), id };
}

/** Usual name of the ID of a relation: `role_id`, whatever the value itself is called. */
export const idNameOf = ({ thing }: Relation): string =>
  [...singularizeLast(thing), "id"].join("_").toLowerCase();

/** Maximum depth of alternatives in alternatives. */
const MAX_DEPTH = 3;

/** The alternatives of a schema without `null`, those of nested ones in their place. */
function alternativesOf(schema: JsonSchema, depth = 0): readonly JsonSchema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  if (schema.type === "null") return [];
  if (parts === undefined || depth > MAX_DEPTH) return [schema];
  return parts.filter(isObject).flatMap((part) => alternativesOf(part, depth + 1));
}

/** True for a text or a number without a list of values. */
function isFreeScalar({ type, enum: values, const: value }: JsonSchema): boolean {
  const isScalar = type === "string" || type === "integer" || type === "number";
  return isScalar && values === undefined && value === undefined;
}

const idName = /^_?(?:u?u?id|guid|key)$/i;

/** True for an object with an ID of its own. */
export function isThing({ properties }: JsonSchema): boolean {
  return properties !== undefined && Object.keys(properties).some((name) => idName.test(name));
}
