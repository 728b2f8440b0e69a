import { splitPointer } from "../json-pointer.js";
import { isObject, omitUndefined } from "../json.js";
import { readContents, UNKNOWN_RESULT } from "./content.js";
import { readExamples } from "./examples.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { isToken } from "./header-names.js";
import { addExamples } from "./parameter.js";
import { parsePathKey } from "./paths.js";
import {
  emptyRecord,
  isExtension,
  ownProperty,
  type RawObject,
  readObject,
  readString,
} from "./raw-object.js";
import { dereference, type LocatedObject } from "./references.js";
import { convertSchema } from "./schema/convert.js";
import { readSwaggerContents } from "./swagger2/content.js";
import { swaggerSchema } from "./swagger2/parameters.js";
import type { Link, Response } from "./types.js";

/** A response and its raw object, which may have links. */
interface LocatedResponse {
  readonly response: Response;
  readonly source: LocatedObject;
}

/** Reads the responses of an operation in document order. */
export function readResponses(
  c: Context,
  operation: RawObject,
  pointer: Pointer,
): readonly LocatedResponse[] {
  const responses = readObject(c, operation, "responses", pointer, UNKNOWN_RESULT) ?? {};
  const responsesPointer = pointer.child("responses");
  const found: LocatedResponse[] = [];
  for (const key of Object.keys(responses)) {
    if (isExtension(key)) continue;
    const status = readStatus(c, key, responsesPointer);
    const located =
      status === undefined
        ? undefined
        : dereference(c, responses[key], responsesPointer.child(key), "response", UNKNOWN_RESULT);
    if (status !== undefined && located)
      found.push({
        response: { status, ...readResponse(c, located, operation, pointer) },
        source: located,
      });
  }
  return found;
}

/** `200`, `4XX` or `default`. */
function readStatus(c: Context, key: string, pointer: Pointer): string | undefined {
  if (key === "default" || /^[1-5]([0-9]{2}|XX)$/.test(key)) return key;
  if (/^[1-5]xx$/i.test(key)) return key.toUpperCase();
  c.diagnostics.add(
    "model-response",
    pointer.child(key),
    `${quote(key)} is not an HTTP status, a range or \`default\`; the response is left out.`,
  );
  return undefined;
}

/**
 * Reads one response. Shared responses are read once, except in 2.0, where they depend on the
 * operation's `produces`.
 */
function readResponse(
  c: Context,
  located: LocatedObject,
  operation: RawObject,
  operationPointer: Pointer,
): Omit<Response, "status"> {
  const { responses } = c.cache;
  const { raw, pointer } = located;
  const cached = c.version === "2.0" ? undefined : responses.get(raw);
  if (cached) return cached;
  const description =
    readString(c, raw, "description", pointer) ??
    (c.version === "3.2" ? readString(c, raw, "summary", pointer) : undefined);
  const contents =
    c.version === "2.0"
      ? readSwaggerContents(c, operation, operationPointer, raw, pointer)
      : readContents(
          c,
          readObject(c, raw, "content", pointer, UNKNOWN_RESULT) ?? {},
          pointer.child("content"),
          "response",
        );
  const response = {
    ...(description !== undefined && { description }),
    contents,
    headers: readHeaders(c, raw, pointer),
  };
  responses.set(raw, response);
  return response;
}

function readHeaders(c: Context, response: RawObject, pointer: Pointer): Response["headers"] {
  const headers = readObject(c, response, "headers", pointer) ?? {};
  return Object.keys(headers).flatMap((name) => {
    const headerPointer = pointer.child("headers").child(name);
    const header = dereference(c, headers[name], headerPointer, "header");
    // "Content-Type shall be ignored" (OpenAPI 3.1, "Response Object").
    if (!header || name.toLowerCase() === "content-type") return [];
    if (isToken(name)) return [readHeader(c, name, header)];
    c.diagnostics.add(
      "model-header",
      headerPointer,
      `${quote(name)} is not a valid header name; the header is left out.`,
    );
    return [];
  });
}

function readHeader(
  c: Context,
  name: string,
  { raw, pointer }: LocatedObject,
): Response["headers"][number] {
  const description = readString(c, raw, "description", pointer);
  const schema = readHeaderSchema(c, raw, pointer);
  return omitUndefined({ name, description, schema });
}

function readHeaderSchema(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
): Response["headers"][number]["schema"] {
  if (c.version === "2.0") return swaggerSchema(c, raw, pointer);
  const rawSchema = ownProperty(raw, "schema");
  if (rawSchema !== undefined && rawSchema !== null)
    return addExamples(
      c,
      convertSchema(c, rawSchema, pointer.child("schema")),
      readExamples(c, raw, pointer),
      pointer,
    );
  const [media] = isObject(raw.content) ? Object.entries(raw.content) : [];
  if (!media || !isObject(media[1]) || media[1].schema === undefined) return undefined;
  return convertSchema(
    c,
    media[1].schema,
    pointer.child("content").child(media[0]).child("schema"),
  );
}

/** Valid targets of links: the `operationId`s of all operations. */
export type OperationIds = ReadonlySet<string>;

/**
 * Reads the OpenAPI 3.x Link Objects of an operation's responses. A link without a target is left
 * out with a warning.
 */
export function readLinks(
  c: Context,
  responses: readonly LocatedResponse[],
  ids: OperationIds,
): readonly Link[] {
  return responses.flatMap(({ source: { raw, pointer } }) => {
    if (!("links" in raw)) return [];
    const links = readObject(c, raw, "links", pointer) ?? {};
    return Object.keys(links).flatMap((name) => {
      const link = dereference(c, links[name], pointer.child("links").child(name), "link");
      return (link && readLink(c, name, link, ids)) ?? [];
    });
  });
}

function readLink(
  c: Context,
  name: string,
  { raw, pointer }: LocatedObject,
  ids: OperationIds,
): Link | undefined {
  const target = resolveLinkTarget(c, raw, pointer, ids);
  if (!target) {
    c.diagnostics.add(
      "model-link",
      pointer,
      `The link ${quote(name)} does not refer to an operation of the document; it is left out.`,
    );
    return undefined;
  }
  const description = readString(c, raw, "description", pointer);
  const parameters = Object.assign(
    emptyRecord<unknown>(),
    readObject(c, raw, "parameters", pointer),
  );
  for (const key of ["requestBody", "server"])
    if (key in raw)
      c.diagnostics.add(
        "model-field-ignored",
        pointer.child(key),
        `\`${key}\` of a link is not supported.`,
      );
  return { name, ...target, parameters, ...(description !== undefined && { description }) };
}

function resolveLinkTarget(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  ids: OperationIds,
): Pick<Link, "operationId" | "operation"> | undefined {
  const operationId = readString(c, raw, "operationId", pointer);
  if (operationId !== undefined) return ids.has(operationId) ? { operationId } : undefined;
  const ref = readString(c, raw, "operationRef", pointer);
  const operation = ref === undefined ? undefined : operationAtReference(c, ref, pointer);
  return operation === undefined ? undefined : { operation };
}

/** `#/paths/~1pets~1{id}/get` → `GET /pets/{id}`. */
function operationAtReference(c: Context, ref: string, pointer: Pointer): string | undefined {
  const target = c.references.find(ref, pointer);
  if (!target || !isObject(target.value)) return undefined;
  const [paths, path = "", ...rest] = splitPointer(target.pointer.text);
  const method = rest[0] === "additionalOperations" ? rest[1] : rest[0]?.toUpperCase();
  const template = parsePathKey(path);
  if (paths !== "paths" || method === undefined || "problem" in template) return undefined;
  return `${method} ${template.path}`;
}

/** Collects every `operationId` of the path items before any operation is read. */
export function collectOperationIds(items: readonly { readonly raw: RawObject }[]): OperationIds {
  const ids = new Set<string>();
  for (const { raw } of items) {
    for (const value of [
      ...Object.values(raw),
      ...Object.values(isObject(raw.additionalOperations) ? raw.additionalOperations : {}),
    ]) {
      const id = isObject(value) ? ownProperty(value, "operationId") : undefined;
      if (typeof id === "string") ids.add(id);
    }
  }
  return ids;
}
