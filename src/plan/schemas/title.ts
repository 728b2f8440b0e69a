/** Titles of schemas without a description, where they say more than the name of the value. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { splitWords } from "../../language/words.js";
import { singularize } from "../../language/grammar.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";

/** Longer titles are texts of another kind. */
const MAX_TITLE = 200;

/** True for `NetworkCreateRequest`, `capability_param`: names of classes and templates. */
const isIdentifier = (title: string): boolean =>
  !/\s/.test(title) && /[a-z][A-Z]|[_{}<>]/.test(title);

/** Words that say nothing by themselves. */
const GENERIC: ReadonlySet<string> = new Set(
  "a an the of for in on to and or by with value object field schema type request body".split(" "),
);

/**
 * The description of a value: its own, else its title. Generators write titles that repeat the
 * name, and names of classes; these are left out.
 */
export function describedBy(
  schema: JsonSchema,
  name: string,
  schemas: Schemas,
): string | undefined {
  const target = resolveSchema(schemas, schema);
  return schema.description ?? target.description ?? titleOf(schema, name, schemas);
}

/** A schema with its title as description, if it has none. */
export function withTitle(schema: AnySchema, name: string, schemas: Schemas): AnySchema {
  if (!isObject(schema)) return schema;
  const target = resolveSchema(schemas, schema as JsonSchema);
  if (schema.description !== undefined || target.description !== undefined) return schema;
  const title = titleOf(schema as JsonSchema, name, schemas);
  return title === undefined ? schema : { ...schema, description: title };
}

/** The title of a schema, where it says more than the name of the value. */
export function titleOf(own: JsonSchema, name: string, schemas: Schemas): string | undefined {
  const target = resolveSchema(schemas, own);
  const title = (own.title ?? target.title)?.trim();
  if (!title || title.length > MAX_TITLE || isIdentifier(title)) return undefined;
  // One word for an object is the name of its class.
  if (!/\s/.test(title) && typesOf(target).every((type) => type === "object")) return undefined;
  const known = new Set([...splitWords(name).map(singularize), ...GENERIC]);
  const words = splitWords(title).map(singularize);
  return words.every((word) => known.has(word)) ? undefined : title;
}
