import { isObject, type JsonSchema } from "../../json.js";
import { ContentCollector, UNKNOWN_RESULT } from "../content.js";
import type { Context, UnknownBody } from "../context.js";
import { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { isFormType, parseMediaType } from "../media-type.js";
import { reportAllowEmptyValue } from "../parameter-style.js";
import {
  emptyRecord,
  ownProperty,
  type RawObject,
  readArray,
  readBoolean,
  readObject,
  readString,
  stringsIn,
} from "../raw-object.js";
import type { LocatedObject } from "../references.js";
import { buildBody, checkBodyAllowed } from "../request-body.js";
import { convertSchema } from "../schema/convert.js";
import { findSchemaProblem } from "../schema/resolved-schema.js";
import type { Content, Encoding, RequestBody } from "../types.js";
import { swaggerSchema, swaggerSerialization } from "./parameters.js";

/**
 * Reads the body that the `body` or `formData` parameters of a Swagger 2.0 operation describe.
 * @param parameters at most one `body`, because `mergeParameters` keeps the first
 */
export function readSwaggerBody(
  c: Context,
  operation: RawObject,
  parameters: readonly LocatedObject[],
  method: string,
  pointer: Pointer,
): RequestBody | UnknownBody | undefined {
  const [first] = parameters;
  if (!first || !checkBodyAllowed(c, method, first.pointer)) return undefined;
  const body = parameters.find(({ raw }) => raw.in === "body");
  const fields = parameters.filter(({ raw }) => raw.in === "formData");
  if (!body) return readFormBody(c, operation, fields, pointer);
  for (const field of fields)
    c.diagnostics.add(
      "model-body",
      field.pointer,
      "Form parameters cannot be combined with a body parameter; this one is left out.",
    );
  return readSchemaBody(c, operation, body, pointer);
}

function readSchemaBody(
  c: Context,
  operation: RawObject,
  { raw, pointer }: LocatedObject,
  operationPointer: Pointer,
): RequestBody | UnknownBody | undefined {
  const rawSchema = ownProperty(raw, "schema");
  const problem = findSchemaProblem(c, rawSchema, pointer.child("schema"));
  if (problem) return { problem };
  const schema =
    rawSchema === undefined || rawSchema === null
      ? undefined
      : convertSchema(c, rawSchema, pointer.child("schema"));
  const declared = readMimeTypes(c, operation, "consumes", operationPointer);
  const contents = new ContentCollector(c, "request");
  for (const type of declared.length > 0 ? declared : [{ name: "application/json", pointer }]) {
    contents.add(type.name, type.pointer, () => ({
      ...(schema && { schema }),
      location: pointer.location,
    }));
  }
  return buildBody(c, raw, pointer, contents.contents, true);
}

function readFormBody(
  c: Context,
  operation: RawObject,
  fields: readonly LocatedObject[],
  pointer: Pointer,
): RequestBody | UnknownBody | undefined {
  const namedFields = fields.filter((field) => hasName(c, field));
  const encoding = arrayEncodings(c, namedFields);
  const schema = formSchema(c, namedFields);
  const contents = new ContentCollector(c, "request");
  for (const type of formMediaTypes(c, operation, namedFields, pointer)) {
    contents.add(type.name, type.pointer, () => ({
      schema,
      ...(encoding && { encoding }),
      location: pointer.child("parameters").location,
    }));
  }
  const required = (schema.required ?? []).length > 0;
  return buildBody(c, { ...(required && { required }) }, pointer, contents.contents, true);
}

function hasName(c: Context, { raw, pointer }: LocatedObject): boolean {
  if (typeof raw.name === "string" && raw.name !== "") return true;
  c.diagnostics.add("model-parameter", pointer, "A form parameter without a name is left out.");
  return false;
}

function formSchema(c: Context, fields: readonly LocatedObject[]): JsonSchema {
  const properties = emptyRecord<JsonSchema>();
  const required: string[] = [];
  for (const { raw, pointer } of fields) {
    const name = String(raw.name);
    const description = readString(c, raw, "description", pointer);
    reportAllowEmptyValue(c, raw, pointer);
    properties[name] = {
      ...swaggerSchema(c, raw, pointer),
      ...(description !== undefined && { description }),
    };
    if (readBoolean(c, raw, "required", pointer) === true) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Encodings of arrays, which differ from the default of one pair per value. Files have no style. */
function arrayEncodings(
  c: Context,
  fields: readonly LocatedObject[],
): Readonly<Record<string, Encoding>> | undefined {
  const encodings = emptyRecord<Encoding>();
  for (const { raw, pointer } of fields) {
    if (raw.type === "array" && !hasFiles(raw))
      encodings[String(raw.name)] = swaggerSerialization(c, raw, "query", pointer);
  }
  return Object.keys(encodings).length > 0 ? encodings : undefined;
}

/**
 * Chooses the form media types. Files require multipart; otherwise the declared ones apply, or the
 * URL-encoded default.
 */
function formMediaTypes(
  c: Context,
  operation: RawObject,
  fields: readonly LocatedObject[],
  pointer: Pointer,
): readonly LocatedMimeType[] {
  const hasFile = fields.some(({ raw }) => hasFiles(raw));
  const declared = readMimeTypes(c, operation, "consumes", pointer).filter(({ name }) =>
    isFormType(parseMediaType(name)?.name ?? ""),
  );
  const usable = hasFile
    ? declared.filter(({ name }) => name.toLowerCase().startsWith("multipart/"))
    : declared;
  const fallback = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  if (usable.length === 0 && declared.length > 0) {
    c.diagnostics.add(
      "model-media-type",
      pointer.child("consumes"),
      `Files cannot be sent as ${quote(declared[0]?.name ?? "")}; \`${fallback}\` is used.`,
    );
  }
  return usable.length > 0 ? usable : [{ name: fallback, pointer }];
}

/** True for a file, and for an array of files, which Swagger 2.0 does not have but authors write. */
function hasFiles({ type, items }: RawObject): boolean {
  return type === "file" || (type === "array" && isObject(items) && items.type === "file");
}

/** Reads the response schema of Swagger 2.0 in each media type that the operation produces. */
export function readSwaggerContents(
  c: Context,
  operation: RawObject,
  operationPointer: Pointer,
  response: RawObject,
  pointer: Pointer,
): readonly Content[] {
  const rawSchema = ownProperty(response, "schema");
  if (rawSchema === undefined || rawSchema === null) return [];
  const problem = findSchemaProblem(c, rawSchema, pointer.child("schema"));
  if (problem) c.diagnostics.addProblem(problem, UNKNOWN_RESULT);
  const schema = problem ? undefined : convertSchema(c, rawSchema, pointer.child("schema"));
  const examples = readObject(c, response, "examples", pointer) ?? {};
  const isFile = (rawSchema as RawObject).type === "file";
  const declared = readMimeTypes(c, operation, "produces", operationPointer);
  const contents = new ContentCollector(c, "response");
  for (const type of declared.length > 0
    ? declared
    : [{ name: isFile ? "application/octet-stream" : "application/json", pointer }]) {
    const example = ownProperty(examples, type.name);
    contents.add(type.name, type.pointer, () => ({
      ...(schema && { schema }),
      ...(example !== undefined && { examples: [example] }),
      location: pointer.location,
    }));
  }
  return contents.contents;
}

/** A media type and its position. */
interface LocatedMimeType {
  readonly name: string;
  readonly pointer: Pointer;
}

/**
 * Reads Swagger 2.0 `consumes` or `produces` of an operation, or else of the root. An empty list on
 * the operation clears the root's.
 */
function readMimeTypes(
  c: Context,
  operation: RawObject,
  key: "consumes" | "produces",
  pointer: Pointer,
): readonly LocatedMimeType[] {
  const isOwn = ownProperty(operation, key) !== undefined && ownProperty(operation, key) !== null;
  const [owner, ownerPointer] = isOwn
    ? [operation, pointer]
    : [c.document.root as RawObject, Pointer.root];
  const listPointer = ownerPointer.child(key);
  return stringsIn(c, readArray(c, owner, key, ownerPointer), listPointer).map((name, index) => ({
    name,
    pointer: listPointer.child(index),
  }));
}
