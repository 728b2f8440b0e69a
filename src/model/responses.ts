import { isObject } from "../json.js";
import type { At } from "./at.js";
import { readContents } from "./content.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { examplesOf } from "./examples.js";
import { quote } from "./findings.js";
import { isToken } from "./header-names.js";
import { withExamples } from "./parameter.js";
import { isExtension, neededRecord, own, record, text, type Raw } from "./read.js";
import { toSchema } from "./schema/convert.js";
import { swaggerSchema } from "./swagger2/items.js";
import { swaggerContents } from "./swagger2/responses.js";
import type { Response } from "./types.js";

/** A response and the raw one it was read from, which may have links. */
export interface LocatedResponse {
  readonly response: Response;
  readonly raw: Located;
}

/** The responses of an operation, in document order. */
export function readResponses(c: Context, operation: Raw, at: At): readonly LocatedResponse[] {
  const responses = neededRecord(c, operation, "responses", at) ?? {};
  const place = at.child("responses");
  const found: LocatedResponse[] = [];
  for (const key of Object.keys(responses)) {
    if (isExtension(key)) continue;
    const status = statusOf(c, key, place);
    const located =
      status === undefined
        ? undefined
        : deref(c, responses[key], place.child(key), "response", true);
    if (status !== undefined && located)
      found.push({
        response: { status, ...readResponse(c, located, operation, at) },
        raw: located,
      });
  }
  return found;
}

/** `200`, `4XX` or `default`. */
function statusOf(c: Context, key: string, at: At): string | undefined {
  if (key === "default" || /^[1-5]([0-9]{2}|XX)$/.test(key)) return key;
  if (/^[1-5]xx$/i.test(key)) return key.toUpperCase();
  c.findings.add(
    "model-response",
    at.child(key),
    `${quote(key)} is no HTTP status, no range and not \`default\`; the response is left out.`,
  );
  return undefined;
}

/** Shared responses are read once; those of 2.0 depend on what the operation produces. */
function readResponse(
  c: Context,
  located: Located,
  operation: Raw,
  operationAt: At,
): Omit<Response, "status"> {
  const { responses } = c.shared;
  const { raw, at } = located;
  const known = c.version === "2.0" ? undefined : responses.get(raw);
  if (known) return known;
  const description =
    text(c, raw, "description", at) ??
    (c.version === "3.2" ? text(c, raw, "summary", at) : undefined);
  const contents =
    c.version === "2.0"
      ? swaggerContents(c, operation, operationAt, raw, at)
      : readContents(c, neededRecord(c, raw, "content", at) ?? {}, at.child("content"), "response");
  const response = {
    ...(description !== undefined && { description }),
    contents,
    headers: readHeaders(c, raw, at),
  };
  responses.set(raw, response);
  return response;
}

function readHeaders(c: Context, response: Raw, at: At): Response["headers"] {
  const headers = record(c, response, "headers", at) ?? {};
  return Object.keys(headers).flatMap((name) => {
    const place = at.child("headers").child(name);
    const header = deref(c, headers[name], place, "header", false);
    // "Content-Type shall be ignored" (OpenAPI 3.1, "Response Object").
    if (!header || name.toLowerCase() === "content-type") return [];
    if (isToken(name)) return [headerOf(c, name, header)];
    c.findings.add(
      "model-header",
      place,
      `${quote(name)} is no legal header name; the header is left out.`,
    );
    return [];
  });
}

function headerOf(c: Context, name: string, { raw, at }: Located): Response["headers"][number] {
  const description = text(c, raw, "description", at);
  const schema = headerSchema(c, raw, at);
  return { name, ...(description !== undefined && { description }), ...(schema && { schema }) };
}

function headerSchema(c: Context, raw: Raw, at: At): Response["headers"][number]["schema"] {
  if (c.version === "2.0") return swaggerSchema(c, raw, at);
  const written = own(raw, "schema");
  if (written !== undefined && written !== null)
    return withExamples(toSchema(c, written, at.child("schema")), examplesOf(c, raw, at));
  const [media] = isObject(raw.content) ? Object.entries(raw.content) : [];
  if (!media || !isObject(media[1]) || media[1].schema === undefined) return undefined;
  return toSchema(c, media[1].schema, at.child("content").child(media[0]).child("schema"));
}
