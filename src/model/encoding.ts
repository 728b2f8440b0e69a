import { isObject, omitUndefined } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { readExamples } from "./examples.js";
import { classifyHeader } from "./header-names.js";
import { formatMediaType, isFormType, parseMediaType } from "./media-type.js";
import { resolveSerialization } from "./parameter-style.js";
import {
  emptyRecord,
  ownProperty,
  type RawObject,
  readArray,
  readBoolean,
  readObject,
  readString,
} from "./raw-object.js";
import { dereference, type LocatedObject } from "./references.js";
import { convertSchema } from "./schema/convert.js";
import type { Encoding, PartEncodings } from "./types.js";

/** Maximum nesting of encodings inside encodings. OpenAPI 3.2 requires one level. */
const MAX_NESTING = 3;

const POSITIONAL_FIELDS = ["prefixEncoding", "itemEncoding"] as const;

/**
 * Reads the Encoding Objects of a media type or of an encoding. Named encodings apply to forms,
 * positional ones to multipart. OpenAPI 3.2, "Encoding Usage and Restrictions".
 */
export function readEncodings(
  c: Context,
  owner: RawObject,
  pointer: Pointer,
  mediaType: string | undefined,
  depth = 0,
): PartEncodings {
  const isMultipart = mediaType?.startsWith("multipart/") === true;
  const encoding = readNamedEncodings(
    c,
    owner,
    pointer,
    mediaType !== undefined && isFormType(mediaType),
    depth,
  );
  const ignored = POSITIONAL_FIELDS.filter(
    (key) => key in owner && !(isMultipart && c.version === "3.2"),
  );
  for (const key of ignored)
    c.diagnostics.add(
      "model-encoding-ignored",
      pointer.child(key),
      `\`${key}\` only applies to multipart bodies, since OpenAPI 3.2.`,
    );
  if (ignored.length > 0 || !POSITIONAL_FIELDS.some((key) => key in owner))
    return { ...(encoding && { encoding }) };
  if (encoding)
    c.diagnostics.add(
      "model-encoding",
      pointer.child("encoding"),
      "`encoding` is combined with positional encodings; it applies to objects, the positional ones to arrays.",
    );
  return { ...(encoding && { encoding }), ...readPositionalEncodings(c, owner, pointer, depth) };
}

function readNamedEncodings(
  c: Context,
  owner: RawObject,
  pointer: Pointer,
  isForm: boolean,
  depth: number,
): Readonly<Record<string, Encoding>> | undefined {
  const encodings = readObject(c, owner, "encoding", pointer);
  if (!encodings || Object.keys(encodings).length === 0) return undefined;
  const encodingPointer = pointer.child("encoding");
  if (!isForm) {
    c.diagnostics.add(
      "model-encoding-ignored",
      encodingPointer,
      "`encoding` only applies to form and multipart bodies.",
    );
    return undefined;
  }
  const result = emptyRecord<Encoding>();
  for (const name of Object.keys(encodings)) {
    const encoding = readEncoding(c, encodings[name], encodingPointer.child(name), depth);
    if (encoding && Object.keys(encoding).length > 0) result[name] = encoding;
  }
  return result;
}

function readPositionalEncodings(
  c: Context,
  owner: RawObject,
  pointer: Pointer,
  depth: number,
): PartEncodings {
  const prefixEncoding = readArray(c, owner, "prefixEncoding", pointer).map(
    (item, index) =>
      readEncoding(c, item, pointer.child("prefixEncoding").child(index), depth) ?? {},
  );
  const rawItem = ownProperty(owner, "itemEncoding");
  const itemEncoding =
    rawItem === undefined || rawItem === null
      ? undefined
      : readEncoding(c, rawItem, pointer.child("itemEncoding"), depth);
  return {
    ...(prefixEncoding.length > 0 && { prefixEncoding }),
    ...(itemEncoding && { itemEncoding }),
  };
}

function readEncoding(
  c: Context,
  value: unknown,
  pointer: Pointer,
  depth: number,
): Encoding | undefined {
  const raw = dereference(c, value, pointer, "encoding")?.raw;
  if (!raw) return undefined;
  const contentType = readPartContentType(c, raw, pointer);
  const headers = constantHeaders(c, raw, pointer);
  const allowReserved = readBoolean(c, raw, "allowReserved", pointer);
  // With `style`, `explode` or `allowReserved` the value is serialized like a query parameter.
  const explode = readBoolean(c, raw, "explode", pointer);
  const styled =
    ownProperty(raw, "style") !== undefined || explode !== undefined
      ? resolveSerialization(c, ownProperty(raw, "style"), explode, "query", pointer)
      : {};
  return omitUndefined({
    ...(contentType && { contentType }),
    ...styled,
    allowReserved,
    headers,
    ...readNestedEncodings(c, raw, pointer, contentType, depth),
  });
}

function readNestedEncodings(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  contentType: string | undefined,
  depth: number,
): PartEncodings {
  const keys = ["encoding", ...POSITIONAL_FIELDS].filter((key) => key in raw);
  if (keys.length === 0) return {};
  if (depth < MAX_NESTING) return readEncodings(c, raw, pointer, contentType, depth + 1);
  c.diagnostics.add(
    "model-encoding",
    pointer,
    `Encodings are nested more than ${MAX_NESTING} levels deep; the inner ones are left out.`,
  );
  return {};
}

/**
 * Reads the media types that a part may have: `image/png, image/*`. The default is the first that
 * is not a range.
 */
function readPartContentType(c: Context, raw: RawObject, pointer: Pointer): string | undefined {
  const contentTypes = readString(c, raw, "contentType", pointer);
  if (contentTypes === undefined) return undefined;
  const types = contentTypes.split(",").map((part) => parseMediaType(part));
  if (types.some((type) => type === undefined || type.droppedParameters.length > 0))
    c.diagnostics.add(
      "model-media-type",
      pointer.child("contentType"),
      `${quote(contentTypes)} is not a list of valid media types; invalid ones are left out.`,
    );
  const legal = types.flatMap((type) => (type ? [formatMediaType(type)] : []));
  return legal.length === 0 ? undefined : legal.join(", ");
}

/** Part headers with a single possible value. Other headers would need a value from the caller. */
function constantHeaders(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
): Readonly<Record<string, string>> | undefined {
  const declared = readObject(c, raw, "headers", pointer) ?? {};
  const result = emptyRecord<string>();
  for (const name of Object.keys(declared)) {
    const headerPointer = pointer.child("headers").child(name);
    // "Content-Type is described separately and shall be ignored" (OpenAPI 3.1, "Encoding Object").
    if (name.toLowerCase() === "content-type") continue;
    const header = dereference(c, declared[name], headerPointer, "header");
    // `schema: false` means that the part has no such header (OpenAPI 3.2, "Ordered Multipart With
    // Required Header").
    if (header?.raw.schema === false) continue;
    const value =
      header && classifyHeader(name) === "use" ? constantHeaderValue(c, header) : undefined;
    if (value !== undefined) result[name] = value;
    else
      c.diagnostics.add(
        "model-encoding",
        headerPointer,
        `The part header ${quote(name)} has no constant value or an invalid name; it is left out.`,
      );
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function constantHeaderValue(c: Context, header: LocatedObject): string | undefined {
  const rawSchema = headerSchema(header.raw);
  const schema = isObject(rawSchema)
    ? convertSchema(c, rawSchema, header.pointer.child("schema"))
    : {};
  const candidates = [
    schema.const,
    schema.enum?.length === 1 ? schema.enum[0] : undefined,
    schema.default,
    ...readExamples(c, header.raw, header.pointer),
    ...(schema.examples ?? []),
  ];
  const constant = candidates.find(
    (candidate) =>
      typeof candidate === "string" ||
      typeof candidate === "number" ||
      typeof candidate === "boolean",
  );
  return constant !== undefined && /^[\t\x20-\x7e]*$/.test(String(constant))
    ? String(constant)
    : undefined;
}

/** The header's schema, or that of its only media type. */
function headerSchema(raw: RawObject): unknown {
  const content = ownProperty(raw, "content");
  const [media] = isObject(content) ? Object.values(content) : [];
  return ownProperty(raw, "schema") ?? (isObject(media) ? ownProperty(media, "schema") : undefined);
}
