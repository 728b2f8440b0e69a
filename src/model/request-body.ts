import { describeType } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { Context, UnknownBody } from "./context.js";
import type { Pointer } from "./pointer.js";
import type { Problem } from "./diagnostics.js";
import { describeInvalidMediaType, locateMedia, readContents } from "./content.js";
import { parseMediaType } from "./media-type.js";
import { locateObject, type LocatedObject } from "./references.js";
import { ownProperty, type RawObject, readBoolean, readString } from "./raw-object.js";
import type { RequestBody } from "./types.js";

/** True for methods whose requests cannot carry a body: a response to HEAD has no content either. */
export function isBodyUnsendable(method: string): boolean {
  return method === "HEAD";
}

/**
 * Reads the OpenAPI 3.x Request Body Object of an operation. Absent when there is none that can be
 * sent.
 */
export function readRequestBody(
  c: Context,
  operation: RawObject,
  method: string,
  pointer: Pointer,
): RequestBody | UnknownBody | undefined {
  const rawBody = ownProperty(operation, "requestBody");
  if (rawBody === undefined || rawBody === null) return undefined;
  const bodyPointer = pointer.child("requestBody");
  if ((method === "GET" || method === "HEAD") && isEmptyOptionalForm(rawBody)) return undefined;
  if (!checkBodyAllowed(c, method, bodyPointer)) return undefined;
  const located = locateObject(c, rawBody, bodyPointer, "request body");
  if ("problem" in located) return located;
  const { bodies } = c.cache;
  if (!bodies.has(located.raw)) bodies.set(located.raw, readContentBody(c, located));
  return bodies.get(located.raw);
}

function readContentBody(
  c: Context,
  { raw, pointer }: LocatedObject,
): RequestBody | UnknownBody | undefined {
  const content = ownProperty(raw, "content");
  const contentPointer = pointer.child("content");
  if (content !== undefined && content !== null && !isObject(content))
    return { problem: describeWrongType("content", content, contentPointer) };
  const declared: RawObject = content ?? {};
  const media = Object.keys(declared).map((type) =>
    parseMediaType(type)
      ? locateMedia(c, declared[type], contentPointer.child(type))
      : { problem: describeInvalidMediaType(type, contentPointer.child(type)) },
  );
  const [first] = media;
  if (first && "problem" in first && media.every((other) => "problem" in other)) return first;
  const contents = readContents(c, declared, contentPointer, "request");
  return buildBody(c, raw, pointer, contents, Object.keys(declared).length > 0);
}

function describeWrongType(key: string, value: unknown, pointer: Pointer): Problem {
  return {
    code: "model-value-type",
    location: pointer.location,
    message: `\`${key}\` must be an object, but is ${describeType(value)}`,
  };
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

/**
 * Warns about a body of GET, which has no meaning of its own (RFC 9110, section 9.3.1), and which
 * Node can send and `fetch` cannot.
 * @returns false if the method cannot carry a body
 */
export function checkBodyAllowed(c: Context, method: string, pointer: Pointer): boolean {
  if (method !== "GET" && method !== "HEAD") return true;
  const isSent = !isBodyUnsendable(method);
  c.diagnostics.add(
    "model-body-method",
    pointer,
    isSent
      ? "Proxies may drop the body of a GET request, and Workers, Deno and Bun cannot send it."
      : `${method} requests cannot have a body; it is left out.`,
    "Use POST or QUERY, or declare its fields as query parameters.",
  );
  return isSent;
}

/**
 * Builds a body from its contents. One without contents cannot be sent.
 * @param isDeclared whether the document has media types for the body
 */
export function buildBody(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  contents: RequestBody["contents"],
  isDeclared: boolean,
): RequestBody | UnknownBody | undefined {
  const required = readBoolean(c, raw, "required", pointer) ?? false;
  const description = readString(c, raw, "description", pointer);
  if (contents.length > 0)
    return {
      required,
      ...(raw.required === false && { isStatedOptional: true as const }),
      ...(description !== undefined && { description }),
      contents,
    };
  const message = "The body has no usable media type";
  if (required || isDeclared)
    return { problem: { code: "model-body", location: pointer.location, message } };
  c.diagnostics.add("model-body", pointer, `${message}; it is left out.`);
  return undefined;
}
