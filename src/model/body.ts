import { isObject } from "../json.js";
import type { At } from "./at.js";
import { readContents } from "./content.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { flag, neededRecord, own, text, type Raw } from "./read.js";
import type { RequestBody } from "./types.js";

/**
 * HTTP clients cannot send a body with these (`fetch` throws), and servers may ignore it (RFC 9110,
 * section 9.3.1).
 */
const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** OpenAPI 3.x Request Body Object of an operation; absent when there is none that can be sent. */
export function readBody(
  c: Context,
  operation: Raw,
  method: string,
  at: At,
): RequestBody | undefined {
  const written = own(operation, "requestBody");
  if (written === undefined || written === null) return undefined;
  const place = at.child("requestBody");
  if (WITHOUT_BODY.has(method) && saysNothing(written)) return undefined;
  if (!mayHaveBody(c, method, place)) return undefined;
  const located = deref(c, written, place, "request body", true);
  if (!located) return undefined;
  const { bodies } = c.shared;
  if (!bodies.has(located.raw)) bodies.set(located.raw, contentBody(c, located));
  return bodies.get(located.raw);
}

function contentBody(c: Context, located: Located): RequestBody | undefined {
  const content = neededRecord(c, located.raw, "content", located.at) ?? {};
  const contents = readContents(c, content, located.at.child("content"), "request");
  return bodyOf(c, located.raw, located.at, contents);
}

/** Some generators give every GET an optional form without fields: nothing is lost with it. */
function saysNothing(written: unknown): boolean {
  if (!isObject(written) || written.required === true || !isObject(written.content)) return false;
  return Object.values(written.content).every((media) => {
    const schema = isObject(media) ? media.schema : undefined;
    return (
      schema === undefined ||
      (isObject(schema) &&
        isObject(schema.properties) &&
        Object.keys(schema.properties).length === 0)
    );
  });
}

/** False, with a warning, when the method cannot carry a body. */
export function mayHaveBody(c: Context, method: string, at: At): boolean {
  if (!WITHOUT_BODY.has(method)) return true;
  c.findings.add(
    "model-body-method",
    at,
    `${method} requests have no body; the one described here is left out.`,
    "Use POST or QUERY, or describe its fields as query parameters.",
  );
  return false;
}

/** A body with its contents. Without any it cannot be sent. */
export function bodyOf(
  c: Context,
  raw: Raw,
  at: At,
  contents: RequestBody["contents"],
): RequestBody | undefined {
  const required = flag(c, raw, "required", at) ?? false;
  const description = text(c, raw, "description", at);
  if (contents.length > 0)
    return { required, ...(description !== undefined && { description }), contents };
  c.findings.add("model-body", at, "The body has no usable media type; it is left out.");
  return undefined;
}
