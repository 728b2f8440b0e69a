import { isObject } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { examplesOf } from "./examples.js";
import { quote } from "./findings.js";
import { headerUse } from "./header-names.js";
import { fullName, isForm, parseMediaType } from "./media-type.js";
import { bare, flag, list, own, record, text, type Raw } from "./read.js";
import { toSchema } from "./schema/convert.js";
import { serialisation } from "./style.js";
import type { Encoding, PartEncodings } from "./types.js";

/** Encodings inside encodings are read so deep; OpenAPI 3.2 asks for one level. */
const DEEPEST = 3;

const BY_POSITION = ["prefixEncoding", "itemEncoding"] as const;

/**
 * The Encoding Objects of a media type, or of an encoding. By name they only count for forms, by
 * position for multipart. OpenAPI 3.2, "Encoding Usage and Restrictions".
 */
export function readEncodings(
  c: Context,
  owner: Raw,
  at: At,
  mediaType: string | undefined,
  depth = 0,
): PartEncodings {
  const isMultipart = mediaType?.startsWith("multipart/") === true;
  const encoding = readByName(c, owner, at, mediaType !== undefined && isForm(mediaType), depth);
  const ignored = BY_POSITION.filter(
    (key) => key in owner && !(isMultipart && c.version === "3.2"),
  );
  for (const key of ignored)
    c.findings.add(
      "model-encoding-ignored",
      at.child(key),
      `\`${key}\` only counts for multipart bodies, since OpenAPI 3.2.`,
    );
  if (ignored.length > 0 || !BY_POSITION.some((key) => key in owner))
    return { ...(encoding && { encoding }) };
  if (encoding)
    c.findings.add(
      "model-encoding",
      at.child("encoding"),
      "`encoding` is for parts with names, and stands beside encodings by position; those count for lists, this one for objects.",
    );
  return { ...(encoding && { encoding }), ...readByPosition(c, owner, at, depth) };
}

function readByName(
  c: Context,
  owner: Raw,
  at: At,
  isForm: boolean,
  depth: number,
): Readonly<Record<string, Encoding>> | undefined {
  const encodings = record(c, owner, "encoding", at);
  if (!encodings || Object.keys(encodings).length === 0) return undefined;
  const place = at.child("encoding");
  if (!isForm) {
    c.findings.add(
      "model-encoding-ignored",
      place,
      "`encoding` only counts for form and multipart bodies.",
    );
    return undefined;
  }
  const result = bare<Encoding>();
  for (const name of Object.keys(encodings)) {
    const encoding = readOne(c, encodings[name], place.child(name), depth);
    if (encoding && Object.keys(encoding).length > 0) result[name] = encoding;
  }
  return result;
}

function readByPosition(c: Context, owner: Raw, at: At, depth: number): PartEncodings {
  const prefixEncoding = list(c, owner, "prefixEncoding", at).map(
    (one, index) => readOne(c, one, at.child("prefixEncoding").child(index), depth) ?? {},
  );
  const written = own(owner, "itemEncoding");
  const itemEncoding =
    written === undefined || written === null
      ? undefined
      : readOne(c, written, at.child("itemEncoding"), depth);
  return {
    ...(prefixEncoding.length > 0 && { prefixEncoding }),
    ...(itemEncoding && { itemEncoding }),
  };
}

function readOne(c: Context, value: unknown, at: At, depth: number): Encoding | undefined {
  const raw = deref(c, value, at, "encoding", false)?.raw;
  if (!raw) return undefined;
  const contentType = partTypes(c, raw, at);
  const headers = constantHeaders(c, raw, at);
  const allowReserved = flag(c, raw, "allowReserved", at);
  // Any of these three says that the value is written as a query parameter would be.
  const explode = flag(c, raw, "explode", at);
  const styled =
    own(raw, "style") !== undefined || explode !== undefined
      ? serialisation(c, own(raw, "style"), explode, "query", at)
      : {};
  return {
    ...(contentType && { contentType }),
    ...styled,
    ...(allowReserved !== undefined && { allowReserved }),
    ...(headers && { headers }),
    ...readInner(c, raw, at, contentType, depth),
  };
}

function readInner(
  c: Context,
  raw: Raw,
  at: At,
  contentType: string | undefined,
  depth: number,
): PartEncodings {
  const keys = ["encoding", ...BY_POSITION].filter((key) => key in raw);
  if (keys.length === 0) return {};
  if (depth < DEEPEST) return readEncodings(c, raw, at, contentType, depth + 1);
  c.findings.add(
    "model-encoding",
    at,
    `Encodings are nested more than ${DEEPEST} levels deep here; the inner ones are left out.`,
  );
  return {};
}

/**
 * `image/png, image/*`: a part may be any of these, the first of those that are no ranges unless it
 * says what it is.
 */
function partTypes(c: Context, raw: Raw, at: At): string | undefined {
  const written = text(c, raw, "contentType", at);
  if (written === undefined) return undefined;
  const types = written.split(",").map((part) => parseMediaType(part));
  if (types.some((type) => type === undefined || type.dropped.length > 0))
    c.findings.add(
      "model-media-type",
      at.child("contentType"),
      `${quote(written)} is not a list of legal media types; what is illegal is left out.`,
    );
  const legal = types.flatMap((type) => (type ? [fullName(type)] : []));
  return legal.length === 0 ? undefined : legal.join(", ");
}

/**
 * Headers of a part that can only have one value. Others would have to come from the caller, which
 * nothing provides.
 */
function constantHeaders(
  c: Context,
  raw: Raw,
  at: At,
): Readonly<Record<string, string>> | undefined {
  const declared = record(c, raw, "headers", at) ?? {};
  const result = bare<string>();
  for (const name of Object.keys(declared)) {
    const place = at.child("headers").child(name);
    // "Content-Type is described separately and shall be ignored" (OpenAPI 3.1, "Encoding Object").
    if (name.toLowerCase() === "content-type") continue;
    const header = deref(c, declared[name], place, "header", false);
    // `schema: false` says that the part has no such header (OpenAPI 3.2, "Ordered Multipart With
    // Required Header").
    if (header?.raw.schema === false) continue;
    const value = header && headerUse(name) === "use" ? onlyValue(c, header) : undefined;
    if (value !== undefined) result[name] = value;
    else
      c.findings.add(
        "model-encoding",
        place,
        `The header ${quote(name)} of a part has no constant value, or no legal name; it is left out.`,
      );
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function onlyValue(c: Context, header: Located): string | undefined {
  const written = headerSchema(header.raw);
  const schema = isObject(written) ? toSchema(c, written, header.at.child("schema")) : {};
  const candidates = [
    schema.const,
    schema.enum?.length === 1 ? schema.enum[0] : undefined,
    schema.default,
    ...examplesOf(c, header.raw, header.at),
    ...(schema.examples ?? []),
  ];
  const found = candidates.find(
    (candidate) =>
      typeof candidate === "string" ||
      typeof candidate === "number" ||
      typeof candidate === "boolean",
  );
  return found !== undefined && /^[\t\x20-\x7e]*$/.test(String(found)) ? String(found) : undefined;
}

/** The schema, or that of the one media type. */
function headerSchema(raw: Raw): unknown {
  const content = own(raw, "content");
  const [media] = isObject(content) ? Object.values(content) : [];
  return own(raw, "schema") ?? (isObject(media) ? own(media, "schema") : undefined);
}
