import { isObject, type JsonSchema, typesOf } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { dereference, type LocatedObject } from "./references.js";
import { readEncodings } from "./encoding.js";
import { readExamples } from "./examples.js";
import { classifyHeader, isToken } from "./header-names.js";
import { parseMediaType } from "./media-type.js";
import { ownProperty, readBoolean, readObject, readString, type RawObject } from "./raw-object.js";
import { convertSchema } from "./schema/convert.js";
import { loosenByDescription, loosenByExamples } from "./schema/loosen.js";
import {
  reportAllowEmptyValue,
  resolveSerialization,
  type Serialization,
} from "./parameter-style.js";
import { swaggerSchema, swaggerSerialization } from "./swagger2/parameters.js";
import type { Parameter, ParameterLocation } from "./types.js";

/** A parameter with a valid name and location. */
export interface LocatedParameter extends LocatedObject {
  readonly name: string;
  readonly in: ParameterLocation;
}

/**
 * Reads one parameter of any version. Shared parameters are read once.
 * @returns undefined, with a diagnostic, for a parameter that cannot be sent
 */
export function readParameter(c: Context, parameter: LocatedParameter): Parameter | undefined {
  const { parameters } = c.cache;
  const { raw } = parameter;
  const isMoved = parameter.in !== raw.in;
  if (!isMoved && parameters.has(raw)) return parameters.get(raw);
  const read = isSendable(c, parameter) ? buildParameter(c, parameter) : undefined;
  if (!isMoved) parameters.set(raw, read);
  return read;
}

function buildParameter(
  c: Context,
  { raw, pointer, name, in: location }: LocatedParameter,
): Parameter {
  const description = readString(c, raw, "description", pointer);
  reportAllowEmptyValue(c, raw, pointer);
  const value =
    c.version === "2.0"
      ? swaggerValue(c, raw, location, pointer)
      : readParameterValue(c, raw, location, pointer);
  const required = readBoolean(c, raw, "required", pointer) ?? false;
  return {
    name,
    in: location,
    ...(description !== undefined && { description }),
    required: location === "path" || required,
    deprecated: readBoolean(c, raw, "deprecated", pointer) ?? false,
    ...value,
    schema: loosenByDescription(
      c,
      location === "header" ? trimExamples(value.schema) : flagSchema(value.schema, raw),
      description,
      pointer,
    ),
    allowReserved: allowsReserved(c, raw, location, value, pointer),
    location: pointer.location,
  };
}

/** The empty text for a flag without a value: `?effective`. Null would mean that it is not sent. */
function flagSchema(schema: JsonSchema, { allowEmptyValue }: RawObject): JsonSchema {
  const isFlag = allowEmptyValue === true && typesOf(schema).join() === "null";
  return isFlag ? { ...schema, type: "string", enum: [""] } : schema;
}

/** Removes the line break at the end of a YAML block, which a header cannot carry. */
function trimExamples(schema: JsonSchema): JsonSchema {
  if (!schema.examples) return schema;
  const examples = schema.examples.map((value) =>
    typeof value === "string" ? value.trim() : value,
  );
  return { ...schema, examples };
}

interface ParameterValue
  extends Serialization, Pick<Parameter, "schema" | "contentType" | "encoding"> {}

function swaggerValue(
  c: Context,
  raw: RawObject,
  location: ParameterLocation,
  pointer: Pointer,
): ParameterValue {
  return {
    schema: swaggerSchema(c, raw, pointer),
    ...swaggerSerialization(c, raw, location, pointer),
  };
}

/** Reads the value of an OpenAPI 3.x parameter: a schema with a style, or one media type. */
function readParameterValue(
  c: Context,
  raw: RawObject,
  location: ParameterLocation,
  pointer: Pointer,
): ParameterValue {
  const hasContent = ownProperty(raw, "content") != null;
  const isStyled = ownProperty(raw, "schema") != null || !hasContent;
  if (isStyled && location !== "querystring") {
    if (hasContent)
      c.diagnostics.add(
        "model-parameter",
        pointer.child("content"),
        "The parameter has both `schema` and `content`; `content` is left out.",
      );
    const schema = addExamples(
      c,
      readStyledSchema(c, raw, pointer),
      readExamples(c, raw, pointer),
      pointer,
    );
    const isJson = location === "header" && hasNestedValues(c, schema);
    if (isJson)
      c.diagnostics.add(
        "model-parameter",
        pointer.child("schema"),
        "The style of a header cannot carry objects or lists inside the value; it is sent as JSON.",
      );
    return {
      schema,
      ...resolveSerialization(
        c,
        ownProperty(raw, "style"),
        readBoolean(c, raw, "explode", pointer),
        location,
        pointer,
      ),
      ...(isJson && { contentType: "application/json" }),
    };
  }
  return readContentValue(c, raw, location, pointer);
}

/** True if a member or an item of the value is an object or a list. */
function hasNestedValues(c: Context, schema: JsonSchema): boolean {
  const { properties = {}, items } = c.schemas.dereference(c, schema) ?? {};
  return [...Object.values(properties), items].some((member) => {
    const target = isObject(member) ? c.schemas.dereference(c, member as JsonSchema) : undefined;
    return target && typesOf(target).some((type) => type === "object" || type === "array");
  });
}

function readStyledSchema(c: Context, raw: RawObject, pointer: Pointer): JsonSchema {
  const schema = ownProperty(raw, "schema");
  if (schema !== undefined && schema !== null)
    return convertSchema(c, withOwnDefault(schema, raw), pointer.child("schema"));
  const message =
    ownProperty(raw, "type") !== undefined
      ? "The parameter itself has a `type`, as in Swagger 2.0; it is read as its schema."
      : "The parameter has neither `schema` nor `content`; any string is accepted.";
  c.diagnostics.add("model-parameter", pointer, message);
  return ownProperty(raw, "type") !== undefined
    ? swaggerSchema(c, raw, pointer)
    : { type: "string" };
}

/** Adds a `default` that stands beside `schema`, as in Swagger 2.0, to a schema without one. */
function withOwnDefault(schema: unknown, raw: RawObject): unknown {
  const value = ownProperty(raw, "default") ?? undefined;
  const isOwn =
    isObject(schema) && !["$ref", "default"].some((key) => ownProperty(schema, key) !== undefined);
  return isOwn && value !== undefined ? { ...schema, default: value } : schema;
}

function readContentValue(
  c: Context,
  raw: RawObject,
  location: ParameterLocation,
  pointer: Pointer,
): ParameterValue {
  const style = resolveSerialization(c, undefined, undefined, location, pointer);
  const content = readObject(c, raw, "content", pointer, "any string is accepted");
  if (ownProperty(raw, "content") == null)
    c.diagnostics.add(
      "model-parameter",
      pointer,
      "A `querystring` parameter must have `content`; any string is accepted.",
    );
  const contentPointer = pointer.child("content");
  const key = content && onlyMediaType(c, content, contentPointer);
  const mediaType = key === undefined ? undefined : parseMediaType(key);
  if (!content || key === undefined || !mediaType) return { schema: { type: "string" }, ...style };
  const media = dereference(
    c,
    content[key],
    contentPointer.child(key),
    "media type",
    "any value is accepted",
  );
  const schema = media ? mediaSchema(c, media) : {};
  const examples = [
    ...readExamples(c, raw, pointer),
    ...(media ? readExamples(c, media.raw, media.pointer) : []),
  ];
  const { encoding } = media ? readEncodings(c, media.raw, media.pointer, mediaType.name) : {};
  return {
    schema: addExamples(c, schema, examples, pointer),
    ...style,
    contentType: mediaType.name,
    ...(encoding && { encoding }),
  };
}

/** The valid media type of a parameter's content, as it is written there. */
function onlyMediaType(c: Context, content: RawObject, pointer: Pointer): string | undefined {
  const report = (message: string): void => c.diagnostics.add("model-parameter", pointer, message);
  const [first, ...ignored] = Object.keys(content);
  if (ignored.length > 0) report("A parameter can have only one media type; the first is used.");
  if (first !== undefined && parseMediaType(first)) return first;
  report("The parameter has no valid media type; any string is accepted.");
  return undefined;
}

function mediaSchema(c: Context, { raw, pointer }: LocatedObject): JsonSchema {
  const schema = ownProperty(raw, "schema");
  return isObject(schema) ? convertSchema(c, schema, pointer.child("schema")) : {};
}

/**
 * Adds the parameter's examples before those of its schema. A named schema that they contradict is
 * copied, because it holds for others.
 */
export function addExamples(
  c: Context,
  schema: JsonSchema,
  examples: readonly unknown[],
  pointer: Pointer,
): JsonSchema {
  if (examples.length === 0) return schema;
  const own = { ...schema, examples: [...examples, ...(schema.examples ?? [])] };
  const { $ref, ...beside } = own;
  const named = $ref === undefined ? undefined : c.schemas.dereference(c, schema);
  if (!named || typesOf(named).length === 0) return loosenByExamples(c, own, pointer);
  const copy: JsonSchema = { ...named, ...beside };
  const loosened = loosenByExamples(c, copy, pointer);
  const limits = Object.entries(copy).filter(([key]) => key !== "examples");
  const isContradicted = limits.some(([key, value]) => ownProperty(loosened, key) !== value);
  return isContradicted ? loosened : loosenByExamples(c, own, pointer);
}

/**
 * Up to 3.1 `allowReserved` applies to queries only. 3.2 allows it wherever values are
 * percent-encoded.
 */
function allowsReserved(
  c: Context,
  raw: RawObject,
  location: ParameterLocation,
  { style, contentType }: ParameterValue,
  pointer: Pointer,
): boolean {
  if (c.version === "2.0" || readBoolean(c, raw, "allowReserved", pointer) !== true) return false;
  if (
    location === "query" ||
    (c.version === "3.2" &&
      contentType === undefined &&
      (location === "path" || (location === "cookie" && style === "form")))
  )
    return true;
  c.diagnostics.add(
    "model-parameter-ignored",
    pointer.child("allowReserved"),
    `\`allowReserved\` does not apply to a ${location} parameter.`,
  );
  return false;
}

function isSendable(c: Context, { name, in: location, pointer }: LocatedParameter): boolean {
  if (location === "cookie" && !isToken(name))
    return rejectParameter(c, "is not a valid cookie name", name, pointer);
  if (location !== "header") return true;
  const use = classifyHeader(name);
  if (use === "use") return true;
  if (use === "illegal") return rejectParameter(c, "is not a valid header name", name, pointer);
  if (use === "reserved")
    return rejectParameter(c, "is set by the HTTP client itself", name, pointer);
  reportIgnoredHeader(c, name, pointer);
  return false;
}

/**
 * Reports a header parameter that OpenAPI 3.x tells readers to ignore. Swagger 2.0 has no such
 * rule, but callers should not set credentials and media types there either.
 */
export function reportIgnoredHeader(c: Context, name: string, pointer: Pointer): void {
  c.diagnostics.add(
    "model-header-ignored",
    pointer,
    `The header parameter ${quote(name)} is ignored: media types and credentials have ` +
      "their own fields in the document.",
  );
}

function rejectParameter(c: Context, reason: string, name: string, pointer: Pointer): false {
  c.diagnostics.add(
    "model-header",
    pointer,
    `${quote(name)} ${reason}; the parameter is left out.`,
  );
  return false;
}
