/** Bodies whose schema names no field, and the fields that a body requires. */
import { type JsonSchema, typesOf } from "../../json.js";
import type { Content, Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { type FlatObject, flattenObject } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { type BodyFields, withoutEnvelope } from "./envelope.js";
import { changesOnlySentFields, requireNothing, withRemarks } from "./partial-update.js";

/** The fields of a body; none, if its schema names none. Undefined for a body of another kind. */
export function bodyFields(
  operation: Operation,
  content: Content,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): BodyFields | undefined {
  const schema = content.schema ?? {};
  const object = flattenObject(schemas, schema);
  if (object === undefined)
    return operation.body?.required === true && hasNoFields(resolveSchema(schemas, schema))
      ? emptyObject(resolveSchema(schemas, schema))
      : undefined;
  const inner = withoutEnvelope(object, content, operation, schemas);
  return changesOnlySentFields(operation)
    ? { ...inner, ...requireNothing(inner, operation, schemas, diagnostics) }
    : inner;
}

/** An object without fields, which is sent as `{}`. */
const emptyObject = ({ additionalProperties }: JsonSchema): FlatObject => ({
  properties: new Map(),
  required: new Set(),
  minProperties: 0,
  maxProperties: Number.POSITIVE_INFINITY,
  isWeakened: false,
  isOpen: additionalProperties === undefined,
});

/**
 * True if an omitted body may be sent as `{}`: a POST of an object without stated fields, such as
 * the empty messages of gRPC gateways. For other methods, an empty object may mean that all is
 * lost.
 */
export function isEmptyByDefault(
  { method }: Operation,
  content: Content,
  schemas: Schemas,
): boolean {
  const target = resolveSchema(schemas, content.schema ?? {});
  const stated = Object.keys(target).filter((key) => !ANNOTATIONS.has(key));
  return (
    method === "POST" &&
    /json\b/.test(content.mediaType) &&
    stated.length === 0 &&
    target.type === "object"
  );
}

const ANNOTATIONS = new Set(
  "type title description example examples deprecated properties $comment".split(" "),
);

/** `{type: object, properties: {}}`: generators write it for operations without a body. */
export function hasNoFields({
  properties,
  additionalProperties,
  patternProperties,
  allOf,
  anyOf,
  oneOf,
}: JsonSchema): boolean {
  return (
    properties !== undefined &&
    Object.keys(properties).length === 0 &&
    (additionalProperties === undefined || additionalProperties === false) &&
    !patternProperties &&
    !allOf &&
    !anyOf &&
    !oneOf
  );
}

/** The schema of a whole body. That of an update requires none of its fields. */
export function wholeBodyFields(
  operation: Operation,
  schema: JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const { required, properties = {} } = resolveSchema(schemas, schema);
  const isUpdate =
    required && Object.keys(properties).length > 1 && changesOnlySentFields(operation);
  return isUpdate && !typesOf(schema).includes("array")
    ? withRemarks(schema, operation, schemas)
    : schema;
}
