import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolve, type Schemas } from "./refs.js";

/**
 * The schema without `null`, where null cannot be written: in paths, queries, headers and cookies
 * it means "not given" (RFC 6570, section 2.3), and that an optional input is left out goes without
 * saying. The same schema when it says nothing of null.
 */
export function withoutNull(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = resolve(schemas, schema);
  if (!saysNull(target, schemas)) return schema;
  const { $ref: _, ...beside } = schema;
  const { type, enum: values, anyOf, oneOf, default: fallback, ...rest } = { ...target, ...beside };
  return {
    ...rest,
    ...(type !== undefined && {
      type: Array.isArray(type) ? single(type.filter((one) => one !== "null")) : type,
    }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(anyOf && { anyOf: anyOf.filter((part) => !isNull(part, schemas)) }),
    ...(oneOf && { oneOf: oneOf.filter((part) => !isNull(part, schemas)) }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  };
}

const single = (types: readonly string[]): string | readonly string[] =>
  types.length === 1 ? (types[0] as string) : types;

/** Null is one of several things that the value may be. */
function saysNull({ type, anyOf, oneOf }: JsonSchema, schemas: Schemas): boolean {
  const isOneOfSeveral = (list: readonly AnySchema[] | undefined): boolean =>
    list !== undefined &&
    list.some((part) => isNull(part, schemas)) &&
    !list.every((part) => isNull(part, schemas));
  return (
    (Array.isArray(type) && type.length > 1 && type.includes("null")) ||
    isOneOfSeveral(anyOf) ||
    isOneOfSeveral(oneOf)
  );
}

function isNull(part: AnySchema, schemas: Schemas): boolean {
  if (!isObject(part)) return false;
  const { type, enum: values, const: value } = resolve(schemas, part as JsonSchema);
  return type === "null" || value === null || (values?.length === 1 && values[0] === null);
}
