import { isObject, omitUndefined } from "../json.js";
import type { Pointer } from "./pointer.js";
import { readContents, UNKNOWN_RESULT } from "./content.js";
import type { Context } from "./context.js";
import { dereference, type LocatedObject } from "./references.js";
import { readExamples } from "./examples.js";
import { quote } from "./diagnostics.js";
import { isToken } from "./header-names.js";
import { addExamples } from "./parameter.js";
import { isExtension, ownProperty, readObject, readString, type RawObject } from "./raw-object.js";
import { convertSchema } from "./schema/convert.js";
import { swaggerSchema } from "./swagger2/parameters.js";
import { readSwaggerContents } from "./swagger2/content.js";
import type { Response } from "./types.js";

/** A response and its raw object, which may have links. */
export interface LocatedResponse {
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
