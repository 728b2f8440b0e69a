import { coerce, objectFrom } from "./deserialize.js";
import { noDecoding, type Pair } from "./pairs.js";
import { parseJsonOrText, readFields } from "./form.js";
import { itemOf, propertiesOf, typesOf } from "./inspect-schema.js";
import { headerParameter, mediaTypeOf } from "./media-types.js";
import { type AnySchema, type SchemaSet, violation } from "./schema-set.js";
import type { DecodedBody, MockContent, MockEncoding, Violation } from "./types.js";

/** One part of a multipart body. */
export interface Part {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** `name` of the `Content-Disposition`. */
  readonly name?: string;
  readonly filename?: string;
  /** Without parameters. `text/plain` without a `Content-Type` (RFC 7578, 4.4). */
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Splits a multipart body (RFC 2046, 5.1.1).
 * @returns a clause without a subject instead of the parts when the body is malformed
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
  // Without headers, the empty line follows the boundary at once.
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

function groupByName(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts)
    if (part.name !== undefined) groups.set(part.name, [...(groups.get(part.name) ?? []), part]);
  return groups;
}

/**
 * Adds properties with a serialization style, whose value is spread over several parts (`color[R]`,
 * or the names of the members).
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
  const properties = propertiesOf(content.schema, schemas).schemas;
  const styledContent = {
    ...content,
    encoding: styled,
    schema: {
      type: "object",
      properties: Object.fromEntries([...properties].filter(([name]) => names.has(name))),
    },
  };
  const fields = readFields(pairs, styledContent, schemas, noDecoding);
  const usedNames = new Set(pairs.filter((p) => !fields.unread.includes(p)).map(([name]) => name));
  return [...entries.filter(([name]) => !usedNames.has(name)), ...fields.entries];
}

function readParts(
  name: string,
  parts: readonly Part[],
  schema: AnySchema | undefined,
  encoding: MockEncoding | undefined,
  schemas: SchemaSet,
): DecodedBody {
  const isList = typesOf(schema, schemas).has("array");
  const nested = isList ? itemOf(schema, 0, schemas) : schema;
  const violations = parts.flatMap((part) => partViolations(name, part, nested, encoding, schemas));
  const values = parts.map((part) => partValue(part, nested, schemas));
  if (!isList) return { value: values.length === 1 ? values[0] : values, violations };
  const jsonArray =
    parts[0] && parts.length === 1 ? parseJsonOrText(parts[0].content.toString("utf8")) : undefined;
  return {
    value: Array.isArray(jsonArray) && schemas.accepts(jsonArray, schema) ? jsonArray : values,
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
  const hasStyle =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  const violations: Violation[] = [];
  if (
    encoding?.contentType !== undefined &&
    !hasStyle &&
    !allowsMediaType(encoding.contentType, part.mediaType)
  ) {
    violations.push(
      violation(`has Content-Type ${part.mediaType}, not ${encoding.contentType}`, `part ${name}`),
    );
  }
  for (const [header, value] of Object.entries(encoding?.headers ?? {})) {
    if (part.headers.get(header.toLowerCase()) !== value)
      violations.push(violation(`lacks the header ${header}: ${value}`, `part ${name}`));
  }
  if (isBinary(schema, schemas) && part.filename === undefined)
    violations.push(violation("is a file without a filename", `part ${name}`));
  return violations;
}

/** Tests whether a media type is in a list such as `image/png, image/*`. */
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

/** True for binary data: `format: binary` (3.0), or a media type without an encoding (3.1). */
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
 * A part that is multipart itself: an array by position or an object by name. OpenAPI 3.2, "Nested
 * Encoding".
 */
function nestedValue(part: Part, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  const parts = parseMultipart(part.content, part.headers.get("content-type") ?? "");
  if (typeof parts === "string") return part.content.toString("latin1");
  if (typesOf(schema, schemas).has("array"))
    return parts.map((nested, index) => partValue(nested, itemOf(schema, index, schemas), schemas));
  const properties = propertiesOf(schema, schemas).schemas;
  return objectFrom(
    parts.flatMap((nested) =>
      nested.name === undefined
        ? []
        : [[nested.name, partValue(nested, properties.get(nested.name), schemas)]],
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
  return /[/+]json$/u.test(part.mediaType)
    ? parseJsonOrText(content)
    : coerce(content, schema, schemas);
}

/** Decodes a multipart body: an object of the named parts, or for other subtypes an array. */
export function decodeMultipart(
  body: Uint8Array,
  content: MockContent,
  contentType: string,
  schemas: SchemaSet,
): DecodedBody {
  const parts = parseMultipart(body, contentType);
  if (typeof parts === "string") return { violations: [violation(parts)] };
  if (mediaTypeOf(contentType) !== "multipart/form-data")
    return { value: parts.map((part) => part.content), violations: [] };
  const unnamed = parts.filter(({ name }) => name === undefined);
  const violations = unnamed.map(() => violation("has a part without a name"));
  const properties = propertiesOf(content.schema, schemas).schemas;
  const encodings = new Map(Object.entries(content.encoding ?? {}));
  const entries: [string, unknown][] = [];
  for (const [name, group] of groupByName(parts)) {
    const decoded = readParts(name, group, properties.get(name), encodings.get(name), schemas);
    entries.push([name, decoded.value]);
    violations.push(...decoded.violations);
  }
  const value = objectFrom(mergeStyledFields(parts, content, entries, schemas));
  return { value, violations: [...violations, ...schemas.check(value, content.schema, "body")] };
}
