/** Relations: inputs that take the ID of a thing, or the thing itself. */
import { isObject, type JsonSchema, omitUndefined, typesOf } from "../../../json.js";
import { type AnySchema, resolveSchema } from "../refs.js";
import { typeOfAlternatives } from "./alternative-types.js";
import { isSimpleSchema, writeSimpleKeywords } from "./keywords.js";
import { measureProjection, type Projection, type SchemaWriteContext } from "./projection.js";
import type { SchemaDraft } from "./types.js";

/**
 * Describes a thing by its fields and their types, without their texts and parts: most calls give
 * its ID, and things refer to further ones.
 * @param fields those that the input may have
 */
export function briefThing(
  thing: JsonSchema,
  fields: readonly (readonly [string, AnySchema])[],
  context: SchemaWriteContext,
): Projection {
  const parts = fields.map(([name, field]) => [name, briefField(field, context)] as const);
  const properties = Object.fromEntries(parts.map(([name, { schema }]) => [name, schema]));
  const required = thing.required?.filter((name) => Object.hasOwn(properties, name));
  const draft: SchemaDraft = {
    type: "object",
    properties,
    ...(required && required.length > 0 && { required }),
  };
  const projections = parts.map(([, projection]) => projection);
  return measureProjection(draft, projections, false, []);
}

function briefField(field: AnySchema, context: SchemaWriteContext): Projection {
  if (!isObject(field)) return measureProjection({}, [], false, []);
  const schema = resolveSchema(context.schemas, field);
  const draft: SchemaDraft = {};
  if (isSimpleSchema(schema))
    writeSimpleKeywords(typesAndValues(schema), draft, context.usage, context);
  else {
    const type =
      typesOf(schema).length > 0 ? schema.type : typeOfAlternatives(schema, context.schemas);
    if (type !== undefined) draft.type = type;
  }
  return measureProjection(draft, [], false, []);
}

function typesAndValues({ type, format, enum: values, const: value }: JsonSchema): JsonSchema {
  return omitUndefined({ type, format, enum: values, const: value });
}
