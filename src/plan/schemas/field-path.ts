/** Paths to fields inside objects and lists, as configurations write them: `labels[].name`. */
import { compositionParts } from "../../json-schema.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { allFields, listItems } from "./flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";

/** Names of the fields from the top, without the marks of lists. */
export type FieldPath = readonly string[];

/** True for a path of several fields. A field whose own name has a dot is found by name first. */
export function isFieldPath(text: string): boolean {
  return /[^.[\]](?:\[\])?\.[^.[\]]/.test(text);
}

/** Splits a path: `labels[].name` → labels, name. Every list on the way stands for its items. */
export function parseFieldPath(text: string): FieldPath {
  return text.split(".").map(withoutBrackets);
}

/** `labels[][]` → `labels`, in linear time. */
function withoutBrackets(step: string): string {
  let end = step.length;
  while (step.slice(end - 2, end) === "[]") end -= 2;
  return step.slice(0, end);
}

/** Schema of a field, or of the items of a list of lists, without its lists. */
export function withoutLists(schema: AnySchema, schemas: Schemas): AnySchema {
  let current = schema;
  for (let depth = 0; depth < MAX_LISTS; depth++) {
    const items = listItems(current, schemas);
    if (items === undefined) return current;
    current = items;
  }
  return current;
}

/** Maximum number of nested lists. */
const MAX_LISTS = 4;

/** Fields of an object, or of the objects of a list. */
export function fieldsInside(schema: AnySchema, schemas: Schemas): ReadonlyMap<string, AnySchema> {
  return allFields(withoutLists(schema, schemas), schemas);
}

/** Schema of the field that a path names; undefined if the schema lacks it. */
export function fieldAt(
  schema: AnySchema,
  path: FieldPath,
  schemas: Schemas,
): AnySchema | undefined {
  return path.reduce<AnySchema | undefined>(
    (current, name) => current && fieldsInside(current, schemas).get(name),
    schema,
  );
}

/** Names of the fields that an object requires, with those of its `allOf`. */
export function requiredFields(schema: AnySchema, schemas: Schemas): readonly string[] {
  if (!isObject(schema)) return [];
  const { required = [], allOf = [] } = resolveSchema(schemas, schema as JsonSchema);
  return [...required, ...allOf.flatMap((part) => requiredFields(part, schemas))];
}

/** True for a value that is no text, such as a number or a list. */
export function takesNoText(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && !types.includes("string");
}

/**
 * Removes a field. Objects on the way become inline schemas, so that others with the same name keep
 * the field.
 */
export function withoutField(
  schema: AnySchema,
  [name, ...rest]: FieldPath,
  schemas: Schemas,
): AnySchema {
  if (!isObject(schema) || name === undefined) return schema;
  const target = resolveSchema(schemas, schema as JsonSchema);
  if (!fieldsInside(target, schemas).has(name)) return schema;
  const { $ref: _, ...annotations } = schema as JsonSchema;
  const edited: JsonSchema = { ...target, ...annotations };
  const path = [name, ...rest];
  return {
    ...edited,
    ...(edited.properties && { properties: editProperties(edited.properties, path, schemas) }),
    ...(edited.required &&
      rest.length === 0 && { required: edited.required.filter((one) => one !== name) }),
    ...(edited.items !== undefined && { items: withoutField(edited.items, path, schemas) }),
    ...editParts(edited, path, schemas),
  };
}

function editProperties(
  properties: NonNullable<JsonSchema["properties"]>,
  [name = "", ...rest]: FieldPath,
  schemas: Schemas,
): NonNullable<JsonSchema["properties"]> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) => {
      if (key !== name) return [[key, value]];
      return rest.length === 0 ? [] : [[key, withoutField(value, rest, schemas)]];
    }),
  );
}

/** The alternatives and parts of a schema without the field. */
function editParts(schema: JsonSchema, path: FieldPath, schemas: Schemas): JsonSchema {
  if (compositionParts(schema).length === 0) return {};
  const edit = (parts: readonly AnySchema[] | undefined) =>
    parts?.map((part) => withoutField(part, path, schemas));
  return Object.fromEntries(
    (["allOf", "anyOf", "oneOf"] as const).flatMap((key) =>
      schema[key] ? [[key, edit(schema[key])]] : [],
    ),
  );
}
