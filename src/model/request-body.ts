import { isObject } from "../json.js";
import type { Pointer } from "./pointer.js";
import { readContents } from "./content.js";
import type { Context } from "./context.js";
import { dereference, type LocatedObject } from "./references.js";
import {
  readBoolean,
  requireObject,
  ownProperty,
  readString,
  type RawObject,
} from "./raw-object.js";
import type { RequestBody } from "./types.js";

/**
 * Methods without a body. HTTP clients refuse to send one (`fetch` throws), and servers may ignore
 * it (RFC 9110, section 9.3.1).
 */
const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/**
 * Reads the OpenAPI 3.x Request Body Object of an operation. Absent when there is none that can be
 * sent.
 */
export function readRequestBody(
  c: Context,
  operation: RawObject,
  method: string,
  pointer: Pointer,
): RequestBody | undefined {
  const rawBody = ownProperty(operation, "requestBody");
  if (rawBody === undefined || rawBody === null) return undefined;
  const bodyPointer = pointer.child("requestBody");
  if (WITHOUT_BODY.has(method) && isEmptyOptionalForm(rawBody)) return undefined;
  if (!checkBodyAllowed(c, method, bodyPointer)) return undefined;
  const located = dereference(c, rawBody, bodyPointer, "request body", true);
  if (!located) return undefined;
  const { bodies } = c.cache;
  if (!bodies.has(located.raw)) bodies.set(located.raw, readContentBody(c, located));
  return bodies.get(located.raw);
}

function readContentBody(c: Context, located: LocatedObject): RequestBody | undefined {
  const content = requireObject(c, located.raw, "content", located.pointer) ?? {};
  const contents = readContents(c, content, located.pointer.child("content"), "request");
  return buildBody(c, located.raw, located.pointer, contents);
}

/**
 * Some generators describe an optional form without fields for every GET. Leaving it out loses
 * nothing.
 */
function isEmptyOptionalForm(rawBody: unknown): boolean {
  if (!isObject(rawBody) || rawBody.required === true || !isObject(rawBody.content)) return false;
  return Object.values(rawBody.content).every((media) => {
    const schema = isObject(media) ? media.schema : undefined;
    return (
      schema === undefined ||
      (isObject(schema) &&
        isObject(schema.properties) &&
        Object.keys(schema.properties).length === 0)
    );
  });
}

/** Warns and returns false when the method cannot carry a body. */
export function checkBodyAllowed(c: Context, method: string, pointer: Pointer): boolean {
  if (!WITHOUT_BODY.has(method)) return true;
  c.diagnostics.add(
    "model-body-method",
    pointer,
    `${method} requests cannot have a body; it is left out.`,
    "Use POST or QUERY, or declare its fields as query parameters.",
  );
  return false;
}

/** Builds a body from its contents. A body without contents cannot be sent. */
export function buildBody(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  contents: RequestBody["contents"],
): RequestBody | undefined {
  const required = readBoolean(c, raw, "required", pointer) ?? false;
  const description = readString(c, raw, "description", pointer);
  if (contents.length > 0)
    return { required, ...(description !== undefined && { description }), contents };
  c.diagnostics.add("model-body", pointer, "The body has no usable media type; it is left out.");
  return undefined;
}
