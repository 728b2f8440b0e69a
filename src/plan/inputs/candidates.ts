import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { Parameter, ParameterLocation } from "../../model/types.js";
import type { JsonValue } from "../../runtime/types.js";
import type { SchemaUsage } from "../diagnostics.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";

/** Position of a value in a request. */
export type InputLocation = ParameterLocation | "body";

/** One value that an operation takes: a parameter, a field of its body, or the whole body. */
export interface InputCandidate {
  readonly in: InputLocation;
  /** Name in the request; `body` for a whole body. */
  readonly wireName: string;
  /** Model form. For a file: the schema of its base64 text. */
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Style and location, for parameters. */
  readonly parameter?: Parameter;
  /** The value is the whole body. */
  readonly isWholeBody?: boolean;
  /** The value is one file or a list of files, as base64 in the tool's input. */
  readonly file?: "one" | "many";
  /** The body is optional. A constant must not cause it to be sent. */
  readonly isInOptionalBody?: boolean;
  /** Joins a list of values to the text that is sent; `json` writes a JSON array. */
  readonly separator?: "," | "json";
  /** Location and label for diagnostics about its schema. */
  readonly usage: SchemaUsage;
}

/** Decision about a candidate. */
export type InputRole = (
  | { readonly kind: "input" }
  | { readonly kind: "constant"; readonly value: JsonValue; readonly reason?: string }
  | { readonly kind: "generated" }
  | {
      readonly kind: "env";
      readonly env: string;
      readonly required: boolean;
      readonly reason?: string;
    }
  | { readonly kind: "excluded"; readonly reason: string }
) & {
  /** Inferred from habits of the API, so that `mcp-gen.yaml` can make it an input. */
  readonly isInferred?: true;
};

/** Converts a parameter to a candidate. */
export function candidateOfParameter(parameter: Parameter, schemas: Schemas): InputCandidate {
  const { in: location, name, required, deprecated } = parameter;
  const schema =
    parameter.contentType === undefined ? removeNull(parameter.schema, schemas) : parameter.schema;
  const description =
    parameter.description ?? schema.description ?? resolveSchema(schemas, schema).description;
  return {
    in: location,
    wireName: name,
    schema,
    required,
    deprecated,
    description,
    parameter,
    usage: { location: parameter.location, label: name },
  };
}

/**
 * Removes `null` from a schema. In paths, queries, headers and cookies, null means that the value
 * is not given (RFC 6570, section 2.3). Returns the same schema when it does not allow null.
 */
function removeNull(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = resolveSchema(schemas, schema);
  if (!allowsNullAmongOthers(target, schemas)) return schema;
  const { $ref: _, ...annotations } = schema;
  const {
    type,
    enum: values,
    anyOf,
    oneOf,
    default: defaultValue,
    ...rest
  } = { ...target, ...annotations };
  return omitUndefined({
    ...rest,
    type: Array.isArray(type) ? unwrapSingle(type.filter((name) => name !== "null")) : type,
    enum: values?.filter((value) => value !== null),
    anyOf: anyOf?.filter((part) => !isNullSchema(part, schemas)),
    oneOf: oneOf?.filter((part) => !isNullSchema(part, schemas)),
    default: defaultValue ?? undefined,
  });
}

const unwrapSingle = (types: readonly string[]): string | readonly string[] =>
  types.length === 1 ? (types[0] as string) : types;

/** True when null is one of several allowed values. */
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
