/** Schemas of results with some of their fields, as `FieldProjection` keeps them at run time. */
import { isObject, isSameJson, type JsonSchema } from "../../json.js";
import type { FieldPath as ProjectedPath } from "../../runtime/data/field-paths.js";
import type { FieldProjection } from "../../runtime/types.js";
import { fieldAt, type FieldPath, withoutField } from "./field-path.js";
import { allFields, listItems, selectFields } from "./flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "./refs.js";

const namesOf = (path: ProjectedPath): FieldPath => (typeof path === "string" ? [path] : path);

/** Object schema with the fields that a projection keeps, under their new names. */
export function projectFields(
  schema: AnySchema,
  { pick, drop = [], rename = {} }: Omit<FieldProjection, "list">,
  schemas: Schemas,
): JsonSchema {
  const picked = pickPaths(schema, pick?.map(namesOf), schemas);
  const moved = Object.entries(rename).map(([name, path]) => ({ name, path: namesOf(path) }));
  const removed = [...drop.map(namesOf), ...moved.map(({ path }) => path)];
  const rest = removed.reduce<AnySchema>(
    (current, path) => removePath(current, path, schemas),
    picked,
  ) as JsonSchema;
  if (moved.length === 0) return rest;
  const added = moved.map(({ name, path }) => [name, movedField(schema, path, schemas)] as const);
  return { ...rest, properties: { ...rest.properties, ...Object.fromEntries(added) } };
}

/** Object schema with the named fields; with all of them if there are no names. */
function pickPaths(
  schema: AnySchema,
  paths: readonly FieldPath[] | undefined,
  schemas: Schemas,
): JsonSchema {
  const inner = new Map<string, FieldPath[]>();
  for (const [name = "", ...rest] of paths ?? [])
    inner.set(name, [...(inner.get(name) ?? []), rest]);
  const selected = selectFields(schema, (name) => !paths || inner.has(name), schemas);
  const undocumented = [...inner.keys()].filter((name) => !allFields(schema, schemas).has(name));
  const properties = {
    ...selected.properties,
    ...Object.fromEntries(undocumented.map((name) => [name, {}])),
  };
  return {
    ...selected,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const rests = inner.get(name) ?? [];
        const isWhole = rests.length === 0 || rests.some((rest) => rest.length === 0);
        return [name, isWhole ? field : pickInner(field, rests, schemas)];
      }),
    ),
  };
}

/** Projects the fields inside a field, which may be a list. */
function pickInner(field: AnySchema, paths: readonly FieldPath[], schemas: Schemas): AnySchema {
  const items = listItems(field, schemas);
  if (items !== undefined) {
    const target = isObject(field) ? resolveSchema(schemas, field as JsonSchema) : {};
    return { ...target, items: pickInner(items, paths, schemas) };
  }
  return allFields(field, schemas).size > 0 ? pickPaths(field, paths, schemas) : field;
}

/** Removes a field, and the objects that it leaves without any. */
function removePath(schema: AnySchema, path: FieldPath, schemas: Schemas): AnySchema {
  const removed = withoutField(schema, path, schemas);
  const parent = path.slice(0, -1);
  const left = parent.length > 0 ? fieldAt(removed, parent, schemas) : undefined;
  const isEmpty = left !== undefined && allFields(left, schemas).size === 0;
  return isEmpty ? removePath(removed, parent, schemas) : removed;
}

/** Schema of a field under its new name. The field of a list's items becomes a list. */
function movedField(schema: AnySchema, path: FieldPath, schemas: Schemas): AnySchema {
  const field = fieldAt(schema, path, schemas) ?? {};
  const lists = path.slice(0, -1).flatMap((_, i) => {
    const items = listItems(fieldAt(schema, path.slice(0, i + 1), schemas), schemas);
    return items === undefined ? [] : [items];
  });
  if (lists.length === 0) return field;
  const others = lists
    .flatMap((items) => alternativesWithoutFields(items, schemas))
    .filter((other) => !isSameJson(other, field));
  return { type: "array", items: others.length === 0 ? field : { anyOf: [field, ...others] } };
}

/** The alternatives for items that are not objects: `oneOf: [{type: string}, {type: object}]`. */
function alternativesWithoutFields(items: AnySchema, schemas: Schemas): readonly JsonSchema[] {
  if (!isObject(items)) return [];
  const { oneOf = [], anyOf = [] } = resolveSchema(schemas, items as JsonSchema);
  return [...oneOf, ...anyOf].filter(
    (part): part is JsonSchema => isObject(part) && allFields(part, schemas).size === 0,
  );
}
