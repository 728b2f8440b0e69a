import { describeType } from "../diagnostics/index.js";
import { isObject, omitUndefined } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { type Problem, quote } from "./diagnostics.js";
import { type OperationIds, readLinks, readResponses } from "./responses.js";
import { mergeParameters } from "./merge-parameters.js";
import type { LocatedOperation, PathItem } from "./paths.js";
import {
  isTrue,
  ownProperty,
  type RawObject,
  readArray,
  readBoolean,
  readObject,
  readString,
  stringsIn,
} from "./raw-object.js";
import type { LocatedObject } from "./references.js";
import { isBodyUnsendable, readRequestBody } from "./request-body.js";
import type { SecurityResolver } from "./security-requirements.js";
import { readServers } from "./servers.js";
import { readSwaggerBody } from "./swagger2/content.js";
import { readSwaggerOperationServers } from "./swagger2/root-objects.js";
import type { Operation, Server } from "./types.js";

/** Document-wide data that operations need. */
interface OperationContext {
  readonly security: SecurityResolver;
  readonly operationIds: OperationIds;
  /** `operationId`s of earlier operations. */
  readonly usedIds: Set<string>;
}

/**
 * Reads one operation of a path item. OpenAPI 3.2, "Operation Object".
 * @returns undefined, with a diagnostic, when its inputs are unknown
 */
export function readOperation(
  c: Context,
  item: PathItem,
  located: LocatedOperation,
  context: OperationContext,
): Operation | undefined {
  const { method, raw, pointer } = located;
  const inputs = readInputs(c, item, located);
  if (inputs.problem)
    return void c.diagnostics.addOmission(
      inputs.problem,
      `the operation ${method} ${item.template.path} is left out`,
    );
  const { path, fixedQuery, parameters, authorization, body, requiresUnsendableBody } = inputs;
  const answers = readAnswers(c, raw, pointer, context);
  const security = context.security.requirementsOf(raw, pointer, authorization);
  const servers = readServerOverrides(c, item, raw, pointer);
  return omitUndefined({
    ...readIdentity(c, raw, pointer, context.usedIds),
    ...inheritedDescription(c, item, raw),
    method,
    path,
    ...(fixedQuery.length > 0 && { fixedQuery }),
    tags: [...new Set(stringsIn(c, readArray(c, raw, "tags", pointer), pointer.child("tags")))],
    deprecated: readBoolean(c, raw, "deprecated", pointer) ?? false,
    parameters,
    body,
    ...(requiresUnsendableBody && { requiresUnsendableBody }),
    ...answers,
    security,
    servers,
    ...readToolExtensions(item.raw, raw),
    ...readExternalDocs(c, raw, pointer),
    location: pointer.location,
  });
}

/** Reads the parameters and the body, or the reason why they are unknown. */
function readInputs(c: Context, item: PathItem, { method, raw, pointer }: LocatedOperation) {
  const pathPointer = item.pointerTo("parameters").parent ?? pointer;
  const problem =
    findParametersProblem(item.raw, pathPointer) ?? findParametersProblem(raw, pointer);
  if (problem) return { problem };
  const owners = [
    { owner: item.raw, pointer: pathPointer },
    { owner: raw, pointer },
  ];
  const { bodyParameters, ...merged } = mergeParameters(c, item.template, owners, pointer);
  const body =
    c.version === "2.0"
      ? readSwaggerBody(c, raw, bodyParameters, method, pointer)
      : readRequestBody(c, raw, method, pointer);
  if (body && "problem" in body) return { problem: body.problem };
  const requiresUnsendableBody =
    isBodyUnsendable(method) && requiresBody(c, raw, bodyParameters, pointer);
  return { ...merged, body, requiresUnsendableBody };
}

function readAnswers(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  { operationIds }: OperationContext,
): Pick<Operation, "responses" | "links"> {
  const located = readResponses(c, raw, pointer);
  const links = readLinks(c, located, operationIds);
  const responses = located.map(({ response }) => response);
  return { responses, ...(links.length > 0 && { links }) };
}

/** True if the operation states that it needs a body. */
function requiresBody(
  c: Context,
  raw: RawObject,
  bodyParameters: readonly LocatedObject[],
  pointer: Pointer,
): boolean {
  const body = c.references.follow(ownProperty(raw, "requestBody"), pointer.child("requestBody"));
  return (
    ("value" in body && isObject(body.value) && isTrue(body.value.required)) ||
    bodyParameters.some(({ raw: parameter }) => isTrue(parameter.required))
  );
}

/** The reason why the parameters of a path item or an operation are unknown. */
function findParametersProblem(owner: RawObject, pointer: Pointer): Problem | undefined {
  const value = ownProperty(owner, "parameters");
  if (value === undefined || value === null || Array.isArray(value)) return undefined;
  return {
    code: "model-value-type",
    location: pointer.child("parameters").location,
    message: `\`parameters\` must be an array, but is ${describeType(value)}`,
  };
}

function readIdentity(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  usedIds: Set<string>,
): Pick<Operation, "operationId" | "summary" | "description"> {
  const operationId = uniqueOperationId(c, raw, pointer, usedIds);
  const summary = readString(c, raw, "summary", pointer);
  const description = readString(c, raw, "description", pointer);
  return omitUndefined({
    operationId,
    summary,
    description,
  });
}

/**
 * The `summary` or `description` of the path item, for operations without their own. The
 * specification applies them "to all operations in this path".
 */
function inheritedDescription(
  c: Context,
  { raw: path, pointerTo }: PathItem,
  raw: RawObject,
): Pick<Operation, "description"> {
  if (
    c.version === "2.0" ||
    !("description" in path || "summary" in path) ||
    ownProperty(raw, "summary") != null ||
    ownProperty(raw, "description") != null
  )
    return {};
  const pointer = pointerTo("description").parent ?? pointerTo("description");
  const description =
    readString(c, path, "description", pointer) ?? readString(c, path, "summary", pointer);
  return description === undefined ? {} : { description };
}

/**
 * Returns the `operationId` if it is unique. The first of several operations keeps a repeated one.
 */
function uniqueOperationId(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  usedIds: Set<string>,
): string | undefined {
  const id = readString(c, raw, "operationId", pointer);
  if (id === undefined) return undefined;
  if (!usedIds.has(id)) {
    usedIds.add(id);
    return id;
  }
  c.diagnostics.add(
    "model-operation-id",
    pointer.child("operationId"),
    `The operationId ${quote(id)} is not unique; this operation is named without it.`,
  );
  return undefined;
}

/** Reads the servers of the operation, or else of its path item. Absent when the root's apply. */
function readServerOverrides(
  c: Context,
  item: PathItem,
  raw: RawObject,
  pointer: Pointer,
): readonly Server[] | undefined {
  const ofOperation =
    c.version === "2.0"
      ? readSwaggerOperationServers(c, { raw, pointer })
      : readServers(c, raw, pointer);
  if (ofOperation.length > 0) return ofOperation;
  const ofPath = readServers(c, item.raw, item.pointerTo("servers").parent ?? pointer);
  return ofPath.length > 0 ? ofPath : undefined;
}

function readExternalDocs(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
): Pick<Operation, "externalDocs"> {
  const docs = readObject(c, raw, "externalDocs", pointer);
  const docsPointer = pointer.child("externalDocs");
  const url = docs && readString(c, docs, "url", docsPointer);
  if (!docs || url === undefined) return {};
  const description = readString(c, docs, "description", docsPointer);
  return { externalDocs: { url, ...(description !== undefined && { description }) } };
}

/** Extensions that mark operations that are not for everybody. */
const INTERNAL_MARKS = ["x-internal", "x-speakeasy-ignore", "x-fern-ignore"];

/**
 * Reads what a document says about the tool of an operation: `x-mcp`, or `x-speakeasy-mcp` of
 * another generator in its form. An operation's own value takes precedence over its path's.
 */
export function readToolExtensions(
  path: RawObject,
  operation: RawObject,
): Pick<Operation, "xMcp" | "hiddenBy"> {
  const owners = [operation, path];
  return omitUndefined({
    xMcp: owners.map(readXMcp).find((value) => value !== undefined),
    hiddenBy: INTERNAL_MARKS.find((mark) => owners.some((raw) => ownProperty(raw, mark) === true)),
  });
}

function readXMcp(raw: RawObject): unknown {
  return ownProperty(raw, "x-mcp") ?? fromSpeakeasy(ownProperty(raw, "x-speakeasy-mcp"));
}

/** Converts `x-speakeasy-mcp`. Scopes select tools in its own server only and are left out. */
function fromSpeakeasy(extension: unknown): unknown {
  if (!isObject(extension)) return undefined;
  const { disabled, name, title, description, scopes: _, ...annotations } = extension;
  return omitUndefined({
    enabled: typeof disabled === "boolean" ? !disabled : undefined,
    name: typeof name === "string" ? name.replaceAll("-", "_").toLowerCase() : name,
    title,
    description,
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
  });
}
