import { isObject, type JsonSchema } from "../../json.js";
import type { Parameter, ParameterLocation } from "../../model/types.js";
import type { JsonValue } from "../../runtime/types.js";
import type { SchemaUsage } from "../diagnostics.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";

export type InputLocation = ParameterLocation | "body";

/** One value that an operation wants: a parameter, a field of its body, or the whole body. */
export interface InputCandidate {
  readonly in: InputLocation;
  /** Name on the wire; `body` for a whole body. */
  readonly wireName: string;
  /** Model form; of a file, that of the text that holds it. */
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Style and such, for parameters. */
  readonly parameter?: Parameter;
  /** The whole body rather than a field of it. */
  readonly isWholeBody?: boolean;
  /** A file, or a list of files: base64 in the tool's input. */
  readonly file?: "one" | "many";
  /** The body is not sent without its inputs, so a fixed field may not call it up. */
  readonly isInOptionalBody?: boolean;
  readonly where: SchemaUsage;
}

/** What a candidate becomes. */
export type InputRole =
  | { readonly kind: "input" }
  | { readonly kind: "constant"; readonly value: JsonValue; readonly why?: string }
  | { readonly kind: "generated" }
  | {
      readonly kind: "env";
      readonly env: string;
      readonly required: boolean;
      readonly why?: string;
    }
  | { readonly kind: "none"; readonly why: string };

/** A parameter as one value that an operation wants. */
export function candidateOfParameter(parameter: Parameter, schemas: Schemas): InputCandidate {
  const { in: place, name, required, deprecated } = parameter;
  const schema =
    parameter.contentType === undefined ? removeNull(parameter.schema, schemas) : parameter.schema;
  const description =
    parameter.description ?? schema.description ?? resolveSchema(schemas, schema).description;
  return {
    in: place,
    wireName: name,
    schema,
    required,
    deprecated,
    description,
    parameter,
    where: { location: parameter.location, label: name },
  };
}

/**
 * The schema without `null`, where null cannot be written: in paths, queries, headers and cookies
 * it means "not given" (RFC 6570, section 2.3), and that an optional input is left out goes without
 * saying. The same schema when it says nothing of null.
 */
export function removeNull(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = resolveSchema(schemas, schema);
  if (!allowsNullAmongOthers(target, schemas)) return schema;
  const { $ref: _, ...beside } = schema;
  const { type, enum: values, anyOf, oneOf, default: fallback, ...rest } = { ...target, ...beside };
  return {
    ...rest,
    ...(type !== undefined && {
      type: Array.isArray(type) ? unwrapSingle(type.filter((one) => one !== "null")) : type,
    }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(anyOf && { anyOf: anyOf.filter((part) => !isNullSchema(part, schemas)) }),
    ...(oneOf && { oneOf: oneOf.filter((part) => !isNullSchema(part, schemas)) }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  };
}

const unwrapSingle = (types: readonly string[]): string | readonly string[] =>
  types.length === 1 ? (types[0] as string) : types;

/** Null is one of several things that the value may be. */
function allowsNullAmongOthers({ type, anyOf, oneOf }: JsonSchema, schemas: Schemas): boolean {
  const isOneOfSeveral = (list: readonly AnySchema[] | undefined): boolean =>
    list !== undefined &&
    list.some((part) => isNullSchema(part, schemas)) &&
    !list.every((part) => isNullSchema(part, schemas));
  return (
    (Array.isArray(type) && type.length > 1 && type.includes("null")) ||
    isOneOfSeveral(anyOf) ||
    isOneOfSeveral(oneOf)
  );
}

function isNullSchema(part: AnySchema, schemas: Schemas): boolean {
  if (!isObject(part)) return false;
  const { type, enum: values, const: value } = resolveSchema(schemas, part as JsonSchema);
  return type === "null" || value === null || (values?.length === 1 && values[0] === null);
}
