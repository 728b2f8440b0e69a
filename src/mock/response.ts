import { contentFor, mediaTypeOf } from "./media-types.js";
import { serializeAs } from "./response-formats.js";
import { sample } from "./sample.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { DocumentedResponse, MockResponse, MockContent, MockOperation } from "./types.js";

/**
 * The documented success: the first 2xx response, in a media type that the client accepts. The body
 * is the first valid example, otherwise a sample of the schema.
 */
export function documentedResponse(
  operation: MockOperation,
  accept: string | undefined,
  schemas: SchemaSet,
): MockResponse {
  const response = successOf(operation);
  if (!response) return { status: 204 };
  const status = /^\d{3}$/u.test(response.status) ? Number(response.status) : 200;
  const headers = sampleHeaders(response, schemas);
  if (response.contents.length === 0 || status === 204) return { status, headers };
  const content = chooseContent(response.contents, accept ?? "*/*");
  if (!content)
    return {
      status: 406,
      body: {
        title: "Not Acceptable",
        detail: `Offered: ${response.contents.map((c) => c.mediaType).join(", ")}.`,
      },
    };
  return {
    status,
    headers: { ...headers, "content-type": concreteMediaType(content.mediaType) },
    body: serialize(content, schemas),
  };
}

function successOf(operation: MockOperation): DocumentedResponse | undefined {
  const by = (test: RegExp): DocumentedResponse | undefined =>
    operation.responses.find((r) => test.test(r.status));
  return by(/^2\d\d$/u) ?? by(/^2XX$/iu) ?? by(/^default$/u);
}

/** Chooses by the order and the weights of `Accept` (RFC 9110, 12.5.1). */
function chooseContent(contents: readonly MockContent[], accept: string): MockContent | undefined {
  const ranges = accept.split(",").map((entry, index) => {
    const [range = "", ...parameters] = entry.split(";").map((s) => s.trim().toLowerCase());
    const weight = Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1);
    return { range, weight: Number.isNaN(weight) ? 1 : weight, index };
  });
  const accepted = ranges
    .filter((r) => r.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  for (const { range } of accepted) {
    const found =
      contents.find((c) => matchesRange(range, mediaTypeOf(c.mediaType))) ??
      contentFor(contents, range);
    if (found) return found;
  }
  return undefined;
}

function matchesRange(range: string, mediaType: string): boolean {
  return (
    range === "*/*" ||
    range === mediaType ||
    (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1)))
  );
}

/** A concrete media type for a range such as `image/*`. */
function concreteMediaType(mediaType: string): string {
  if (!mediaType.includes("*")) return mediaType;
  const concretes = new Map([
    ["image/*", "image/png"],
    ["audio/*", "audio/wav"],
    ["text/*", "text/plain"],
    ["*/*", "application/json"],
  ]);
  return concretes.get(mediaTypeOf(mediaType)) ?? "application/octet-stream";
}

/** The body in the format of its media type. */
function serialize(content: MockContent, schemas: SchemaSet): string | Uint8Array {
  const type = mediaTypeOf(concreteMediaType(content.mediaType));
  const value = (): unknown => responseValue(content, schemas);
  return /[/+]json$/u.test(type)
    ? JSON.stringify(value())
    : serializeAs(type, { content, value, schemas });
}

/** The first valid example, otherwise a sample. Many documents contain invalid examples. */
function responseValue(content: MockContent, schemas: SchemaSet): unknown {
  const example = content.examples?.find((e) => schemas.accepts(e, content.schema));
  return example !== undefined ? example : sample(content.schema, schemas);
}

const EXCLUDED_HEADERS = new Set(
  (
    "content-type content-length transfer-encoding connection content-encoding set-cookie " +
    "location link retry-after"
  ).split(" "),
);

/** Sampled response headers. Omits headers that would change the behavior of the client. */
function sampleHeaders(response: DocumentedResponse, schemas: SchemaSet): Record<string, string> {
  const out: [string, string][] = [];
  for (const { name, schema } of response.headers) {
    if (EXCLUDED_HEADERS.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) continue;
    const value: unknown = sample(schema as AnySchema | undefined, schemas);
    if (typeof value !== "object" && /^[\x20-\x7e]*$/u.test(String(value)))
      out.push([name.toLowerCase(), String(value)]);
  }
  return Object.fromEntries(out);
}
