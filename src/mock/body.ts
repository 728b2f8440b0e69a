import {
  coerce,
  decodeForm,
  noDecoding,
  objectFrom,
  type Pair,
  pairOf,
  readPairs,
} from "./deserialize.js";
import { itemOf, propertiesOf, shapesOf, typesOf } from "./inspect-schema.js";
import { contentFor, headerParameter, mediaTypeOf } from "./media-types.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { MockContent, MockEncoding, MockOperation, Violation } from "./types.js";
import { xmlError } from "./xml.js";

export interface DecodedBody {
  readonly value?: unknown;
  readonly violations: readonly Violation[];
  /** The media type is none that the operation takes: 415 rather than 400. */
  readonly unsupported?: boolean;
}

/**
 * Reads a request body by the declared content of its media type, and holds it against the schema.
 */
export function decodeBody(
  operation: MockOperation,
  body: Uint8Array,
  contentType: string | undefined,
  schemas: SchemaSet,
): DecodedBody {
  if (body.length === 0 && contentType === undefined)
    return { violations: operation.body?.required ? [violation("is required")] : [] };
  if (!operation.body)
    return body.length === 0
      ? { violations: [] }
      : { violations: [violation("is sent, but none is declared")] };
  const content = contentFor(operation.body.contents, mediaTypeOf(contentType ?? ""));
  if (!content)
    return {
      unsupported: true,
      violations: [
        violation(
          `has Content-Type ${contentType ?? "(none)"}; declared: ${operation.body.contents.map((c) => c.mediaType).join(", ")}`,
        ),
      ],
    };
  if (body.length === 0 && !operation.body.required && !isMultipart(contentType))
    return { violations: [] };
  return decodeAs(content, body, contentType ?? "", schemas);
}

function isMultipart(contentType: string | undefined): boolean {
  return (contentType ?? "").toLowerCase().startsWith("multipart/");
}

function decodeAs(
  content: MockContent,
  body: Uint8Array,
  contentType: string,
  schemas: SchemaSet,
): DecodedBody {
  const type = mediaTypeOf(contentType);
  if (/[/+]json$/u.test(type)) return decodeJson(text(body), content.schema, schemas, "body");
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return decodeJsonLines(text(body), content.schema, schemas);
  if (type === "application/x-www-form-urlencoded")
    return decodeUrlEncoded(text(body), content, schemas);
  if (type.startsWith("multipart/")) return decodeMultipart(body, content, contentType, schemas);
  if (/[/+]xml$/u.test(type)) return decodeXml(text(body));
  if (type.startsWith("text/"))
    return check(coerce(text(body), content.schema, schemas), content.schema, schemas, "body");
  return { value: body, violations: [] };
}

function text(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function violation(problem: string, at = "body"): Violation {
  return { at, problem };
}

function check(
  value: unknown,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  at: string,
): DecodedBody {
  return { value, violations: schemas.check(value, schema, at) };
}

function decodeJson(
  json: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  at: string,
): DecodedBody {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { violations: [violation("is not JSON", at)] };
  }
  return check(value, schema, schemas, at);
}

/** One JSON value per line; the schema describes the list of them. */
function decodeJsonLines(
  lines: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
): DecodedBody {
  try {
    const values = lines
      .replaceAll("\u001e", "\n")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as unknown);
    return check(values, schema, schemas, "body");
  } catch {
    return { violations: [violation("has a line that is not JSON")] };
  }
}

function decodeXml(xml: string): DecodedBody {
  const problem = xmlError(xml);
  return problem === undefined
    ? { value: xml, violations: [] }
    : { violations: [violation(`is not well-formed XML: it ${problem}`)] };
}

function decodeUrlEncoded(form: string, content: MockContent, schemas: SchemaSet): DecodedBody {
  return check(parseForm(form, content, schemas), content.schema, schemas, "body");
}

/**
 * `application/x-www-form-urlencoded`: pairs, each property by its Encoding Object (OpenAPI
 * "Encoding Object").
 */
export function parseForm(
  form: string,
  content: Pick<MockContent, "schema" | "encoding">,
  schemas: SchemaSet,
): object {
  const pairs = form
    .split("&")
    .filter((p) => p !== "")
    .map(pairOf);
  const { entries, unread } = readFields(pairs, content, schemas, decodeForm);
  const rest = unread.map(([name, value]) => [decodeForm(name), decodeForm(value)] as const);
  return objectFrom([...entries, ...groupPairs(rest)]);
}

interface Fields {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly unread: readonly Pair[];
}

function readFields(
  pairs: readonly Pair[],
  content: Pick<MockContent, "schema" | "encoding">,
  schemas: SchemaSet,
  decode: (text: string) => string,
): Fields {
  const entries: [string, unknown][] = [];
  const unread = new Set(pairs);
  const encodings = new Map(Object.entries(content.encoding ?? {}));
  for (const [name, schema] of propertiesOf(content.schema, schemas).schemas) {
    const found = readField([...unread], name, schema, encodings.get(name), schemas, decode);
    if (!found) continue;
    entries.push([name, found.value]);
    for (const pair of found.used) unread.delete(pair);
  }
  return { entries, unread: [...unread] };
}

/**
 * With `style`, `explode` or `allowReserved` a field is written like a query parameter; otherwise
 * by its content type.
 */
function readField(
  pairs: readonly Pair[],
  name: string,
  schema: AnySchema,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
  decode: (text: string) => string,
): { readonly value: unknown; readonly used: readonly Pair[] } | undefined {
  const style = encoding?.style ?? "form";
  const styled =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  const explode = encoding?.explode ?? style === "form";
  const properties = propertiesOf(schema, schemas).schemas;
  let first: { readonly value: unknown; readonly used: readonly Pair[] } | undefined;
  for (const shape of shapesOf(schema, schemas)) {
    if (!styled && shape === "object") continue;
    const found = readPairs(pairs, name, style, explode, shape, decode, (property) =>
      properties.has(property),
    );
    if (!found) continue;
    const candidate = { value: coerce(found.raw, schema, schemas), used: found.used };
    if (schemas.accepts(candidate.value, schema)) return candidate;
    first ??= candidate;
  }
  return readJsonField(pairs, name, schema, schemas, decode) ?? first;
}

/** Objects, and arrays of objects, are JSON texts by default. */
function readJsonField(
  pairs: readonly Pair[],
  name: string,
  schema: AnySchema,
  schemas: SchemaSet,
  decode: (text: string) => string,
): { readonly value: unknown; readonly used: readonly Pair[] } | undefined {
  const used = pairs.filter(([key]) => decode(key) === name);
  const values = used.map(([, value]) => jsonOr(decode(value)));
  const candidates = typesOf(schema, schemas).has("array") ? [values, values[0]] : [values[0]];
  const value = candidates.find(
    (candidate) => candidate !== undefined && schemas.accepts(candidate, schema),
  );
  return used.length > 0 && value !== undefined ? { value, used } : undefined;
}

function jsonOr(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Fields without a schema of their own: text, or a list of texts when a name is repeated. */
function groupPairs(
  pairs: readonly (readonly [string, unknown])[],
): readonly (readonly [string, unknown])[] {
  const groups = new Map<string, unknown[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return [...groups].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
}

function decodeMultipart(
  body: Uint8Array,
  content: MockContent,
  contentType: string,
  schemas: SchemaSet,
): DecodedBody {
  const parts = parseMultipart(body, contentType);
  if (typeof parts === "string") return { violations: [violation(parts)] };
  const formData = mediaTypeOf(contentType) === "multipart/form-data";
  const violations: Violation[] = formData
    ? parts.filter((p) => p.name === undefined).map(() => violation("has a part without a name"))
    : [];
  if (!formData) return { value: parts.map((p) => p.content), violations };
  const properties = propertiesOf(content.schema, schemas).schemas;
  const encodings = new Map(Object.entries(content.encoding ?? {}));
  const entries: [string, unknown][] = [];
  for (const [name, group] of byName(parts)) {
    const found = readParts(name, group, properties.get(name), encodings.get(name), schemas);
    entries.push([name, found.value]);
    violations.push(...found.violations);
  }
  const styled = mergeStyledFields(parts, content, entries, schemas);
  return {
    value: objectFrom(styled),
    violations: [...violations, ...schemas.check(objectFrom(styled), content.schema, "body")],
  };
}

function byName(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts)
    if (part.name !== undefined) groups.set(part.name, [...(groups.get(part.name) ?? []), part]);
  return groups;
}

/**
 * Properties whose encoding has a style take their parts from several names (`color[R]`, or the
 * names of the properties).
 */
function mergeStyledFields(
  parts: readonly Part[],
  content: MockContent,
  entries: readonly [string, unknown][],
  schemas: SchemaSet,
): readonly (readonly [string, unknown])[] {
  const pairs = parts.map((p): Pair => [p.name ?? "", p.content.toString("utf8")]);
  const styled = Object.fromEntries(
    Object.entries(content.encoding ?? {}).filter(
      ([, e]) => e.style !== undefined || e.explode !== undefined,
    ),
  );
  if (Object.keys(styled).length === 0) return entries;
  const names = new Set(Object.keys(styled));
  const known = propertiesOf(content.schema, schemas).schemas;
  const only = {
    ...content,
    encoding: styled,
    schema: {
      type: "object",
      properties: Object.fromEntries([...known].filter(([name]) => names.has(name))),
    },
  };
  const fields = readFields(pairs, only, schemas, noDecoding);
  const taken = new Set(pairs.filter((p) => !fields.unread.includes(p)).map(([name]) => name));
  return [...entries.filter(([name]) => !taken.has(name)), ...fields.entries];
}

function readParts(
  name: string,
  parts: readonly Part[],
  schema: AnySchema | undefined,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
): DecodedBody {
  const isList = typesOf(schema, schemas).has("array");
  const inner = isList ? itemOf(schema, 0, schemas) : schema;
  const violations = parts.flatMap((part) => partViolations(name, part, inner, encoding, schemas));
  const values = parts.map((part) => partValue(part, inner, schemas));
  if (!isList) return { value: values.length === 1 ? values[0] : values, violations };
  const whole =
    parts[0] && parts.length === 1 ? jsonOr(parts[0].content.toString("utf8")) : undefined;
  return {
    value: Array.isArray(whole) && schemas.accepts(whole, schema) ? whole : values,
    violations,
  };
}

function partViolations(
  name: string,
  part: Part,
  schema: AnySchema | undefined,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
): readonly Violation[] {
  const styled =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  const faults: Violation[] = [];
  if (
    encoding?.contentType !== undefined &&
    !styled &&
    !allowsMediaType(encoding.contentType, part.mediaType)
  ) {
    faults.push(
      violation(`has Content-Type ${part.mediaType}, not ${encoding.contentType}`, `part ${name}`),
    );
  }
  for (const [header, value] of Object.entries(encoding?.headers ?? {})) {
    if (part.headers.get(header.toLowerCase()) !== value)
      faults.push(violation(`lacks the header ${header}: ${value}`, `part ${name}`));
  }
  if (isBinary(schema, schemas) && part.filename === undefined)
    faults.push(violation("is a file, but has no filename", `part ${name}`));
  return faults;
}

/** `image/png, image/*` against `image/jpeg`. */
function allowsMediaType(contentType: string, mediaType: string): boolean {
  return contentType
    .split(",")
    .map(mediaTypeOf)
    .some(
      (range) =>
        range === mediaType ||
        range === "*/*" ||
        (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1))),
    );
}

/** Bytes, not text: `format: binary` (3.0), or a media type without an encoding (3.1). */
export function isBinary(schema: AnySchema | undefined, schemas: SchemaSet): boolean {
  const target = schemas.resolve(schema);
  if (typeof target === "boolean") return false;
  return (
    target["format"] === "binary" ||
    (typeof target["contentMediaType"] === "string" &&
      target["contentEncoding"] === undefined &&
      target["type"] === undefined)
  );
}

/**
 * A part that has parts itself: a list by position, an object by name. OpenAPI 3.2, "Nested
 * Encoding".
 */
function nestedValue(part: Part, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  const parts = parseMultipart(part.content, part.headers.get("content-type") ?? "");
  if (typeof parts === "string") return part.content.toString("latin1");
  if (typesOf(schema, schemas).has("array"))
    return parts.map((inner, index) => partValue(inner, itemOf(schema, index, schemas), schemas));
  const properties = propertiesOf(schema, schemas).schemas;
  return objectFrom(
    parts.flatMap((inner) =>
      inner.name === undefined
        ? []
        : [[inner.name, partValue(inner, properties.get(inner.name), schemas)]],
    ),
  );
}

function partValue(part: Part, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  if (part.mediaType.startsWith("multipart/")) return nestedValue(part, schema, schemas);
  if (isBinary(schema, schemas)) return part.content.toString("latin1");
  const content = part.content.toString(
    headerParameter(`;${part.headers.get("content-type") ?? ""}`, "charset") === "latin1"
      ? "latin1"
      : "utf8",
  );
  return /[/+]json$/u.test(part.mediaType) ? jsonOr(content) : coerce(content, schema, schemas);
}

/** One part of a multipart body. */
export interface Part {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** `name` of its `Content-Disposition`. */
  readonly name?: string;
  readonly filename?: string;
  /** Without parameters; `text/plain` when it has no `Content-Type` (RFC 7578, 4.4). */
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Splits a multipart body (RFC 2046, 5.1.1).
 * @returns a sentence instead of the parts when the body is malformed
 */
export function parseMultipart(body: Uint8Array, contentType: string): readonly Part[] | string {
  const boundary = headerParameter(contentType, "boundary");
  if (boundary === undefined) return "has no boundary in its Content-Type";
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let at = bytes.indexOf(delimiter);
  if (at < 0) return "does not contain its boundary";
  const parts: Part[] = [];
  for (;;) {
    const start = at + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    if (bytes.toString("latin1", start, start + 2) !== "\r\n")
      return "has a boundary that no CRLF follows";
    const end = bytes.indexOf(Buffer.concat([Buffer.from("\r\n"), delimiter]), start);
    if (end < 0) return "has no closing boundary";
    const part = parsePart(bytes.subarray(start + 2, end));
    if (typeof part === "string") return part;
    parts.push(part);
    at = end + 2;
  }
}

function parsePart(bytes: Buffer): Part | string {
  // A part may have no headers at all; its empty line then follows the boundary at once.
  const split = bytes.subarray(0, 2).toString("latin1") === "\r\n" ? 0 : bytes.indexOf("\r\n\r\n");
  if (split < 0) return "has a part without an empty line after its headers";
  const headers = new Map<string, string>();
  for (const line of bytes.toString("utf8", 0, split).split("\r\n").filter(Boolean)) {
    const colon = line.indexOf(":");
    if (colon < 1) return "has a part with a malformed header";
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  return {
    headers,
    name: headerParameter(disposition, "name"),
    filename: headerParameter(disposition, "filename"),
    mediaType: mediaTypeOf(headers.get("content-type") ?? "text/plain"),
    content: bytes.subarray(split === 0 ? 2 : split + 4),
  };
}
