import { coerce, itemOf, objectFrom, propertiesOf, shapesOf, typesOf } from "./coerce.js";
import { type Part, headerParameter, mediaTypeOf, parseMultipart } from "./multipart.js";
import type { AnySchema, SchemaSet } from "./schemas.js";
import { decodeForm, decodeNothing, type Pair, pairOf, readPairs } from "./styles.js";
import type { MockContent, MockEncoding, MockOperation, Violation } from "./types.js";
import { xmlFault } from "./xml.js";

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
    return { violations: operation.body?.required ? [fault("is required")] : [] };
  if (!operation.body)
    return body.length === 0
      ? { violations: [] }
      : { violations: [fault("is sent, but none is declared")] };
  const content = contentFor(operation.body.contents, mediaTypeOf(contentType ?? ""));
  if (!content)
    return {
      unsupported: true,
      violations: [
        fault(
          `has Content-Type ${contentType ?? "(none)"}; declared: ${operation.body.contents.map((c) => c.mediaType).join(", ")}`,
        ),
      ],
    };
  if (body.length === 0 && !operation.body.required && !isMultipart(contentType))
    return { violations: [] };
  return decodeAs(content, body, contentType ?? "", schemas);
}

/** The declared content for a media type: the most specific one (RFC 9110, 12.5.1). */
export function contentFor(
  contents: readonly MockContent[],
  mediaType: string,
): MockContent | undefined {
  const ranges = [mediaType, `${mediaType.split("/")[0] ?? ""}/*`, "*/*"];
  for (const range of ranges) {
    const found = contents.find((c) => mediaTypeOf(c.mediaType) === range);
    if (found) return found;
  }
  return undefined;
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

function fault(problem: string, at = "body"): Violation {
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
    return { violations: [fault("is not JSON", at)] };
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
    return { violations: [fault("has a line that is not JSON")] };
  }
}

function decodeXml(xml: string): DecodedBody {
  const problem = xmlFault(xml);
  return problem === undefined
    ? { value: xml, violations: [] }
    : { violations: [fault(`is not well-formed XML: it ${problem}`)] };
}

function decodeUrlEncoded(form: string, content: MockContent, schemas: SchemaSet): DecodedBody {
  return check(formValue(form, content, schemas), content.schema, schemas, "body");
}

/**
 * `application/x-www-form-urlencoded`: pairs, each property by its Encoding Object (OpenAPI
 * "Encoding Object").
 */
export function formValue(
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
  return objectFrom([...entries, ...grouped(rest)]);
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
function grouped(
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
  if (typeof parts === "string") return { violations: [fault(parts)] };
  const formData = mediaTypeOf(contentType) === "multipart/form-data";
  const violations: Violation[] = formData
    ? parts.filter((p) => p.name === undefined).map(() => fault("has a part without a name"))
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
  const styled = exploded(parts, content, entries, schemas);
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
function exploded(
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
  const fields = readFields(pairs, only, schemas, decodeNothing);
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
  const violations = parts.flatMap((part) => partFaults(name, part, inner, encoding, schemas));
  const values = parts.map((part) => partValue(part, inner, schemas));
  if (!isList) return { value: values.length === 1 ? values[0] : values, violations };
  const whole =
    parts[0] && parts.length === 1 ? jsonOr(parts[0].content.toString("utf8")) : undefined;
  return {
    value: Array.isArray(whole) && schemas.accepts(whole, schema) ? whole : values,
    violations,
  };
}

function partFaults(
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
    !allows(encoding.contentType, part.mediaType)
  ) {
    faults.push(
      fault(`has Content-Type ${part.mediaType}, not ${encoding.contentType}`, `part ${name}`),
    );
  }
  for (const [header, value] of Object.entries(encoding?.headers ?? {})) {
    if (part.headers.get(header.toLowerCase()) !== value)
      faults.push(fault(`lacks the header ${header}: ${value}`, `part ${name}`));
  }
  if (isBinary(schema, schemas) && part.filename === undefined)
    faults.push(fault("is a file, but has no filename", `part ${name}`));
  return faults;
}

/** `image/png, image/*` against `image/jpeg`. */
function allows(contentType: string, mediaType: string): boolean {
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
