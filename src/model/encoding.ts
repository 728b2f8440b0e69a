import { isObject } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref } from "./deref.js";
import { examplesOf } from "./examples.js";
import { quote } from "./findings.js";
import { headerUse } from "./header-names.js";
import { parseMediaType } from "./media-type.js";
import { bare, flag, own, record, text, type Raw } from "./read.js";
import { toSchema } from "./schema/convert.js";
import { serialisation } from "./style.js";
import type { Encoding } from "./types.js";

/** OpenAPI 3.x Encoding Objects of a media type, by property. They only count for forms. */
export function readEncoding(c: Context, media: Raw, at: At, isForm: boolean): Readonly<Record<string, Encoding>> | undefined {
  for (const key of ["prefixEncoding", "itemEncoding"]) {
    if (key in media) c.findings.add("model-encoding", at.child(key), `\`${key}\` is left out: parts are told apart by their names only.`);
  }
  const encodings = record(c, media, "encoding", at);
  if (!encodings || Object.keys(encodings).length === 0) return undefined;
  const place = at.child("encoding");
  if (!isForm) {
    c.findings.add("model-encoding-ignored", place, "`encoding` only counts for form and multipart bodies.");
    return undefined;
  }
  const result = bare<Encoding>();
  for (const name of Object.keys(encodings)) {
    const encoding = readOne(c, encodings[name], place.child(name));
    if (encoding && Object.keys(encoding).length > 0) result[name] = encoding;
  }
  return result;
}

function readOne(c: Context, value: unknown, at: At): Encoding | undefined {
  const raw = deref(c, value, at, "encoding", false)?.raw;
  if (!raw) return undefined;
  const contentType = partType(c, raw, at);
  const headers = constantHeaders(c, raw, at);
  const allowReserved = flag(c, raw, "allowReserved", at);
  // Any of these three says that the value is written as a query parameter would be.
  const explode = flag(c, raw, "explode", at);
  const styled = own(raw, "style") !== undefined || explode !== undefined ? serialisation(c, own(raw, "style"), explode, "query", at) : {};
  return { ...(contentType && { contentType }), ...styled, ...(allowReserved !== undefined && { allowReserved }), ...(headers && { headers }) };
}

/** `image/png, image/jpeg`: the first that can be sent as it is; octets when all are ranges. */
function partType(c: Context, raw: Raw, at: At): string | undefined {
  const written = text(c, raw, "contentType", at);
  if (written === undefined) return undefined;
  const types = written.split(",").map((part) => parseMediaType(part)?.name);
  if (types.includes(undefined)) c.findings.add("model-media-type", at.child("contentType"), `${quote(written)} is not a list of legal media types; the illegal ones are left out.`);
  const legal = types.filter((type) => type !== undefined);
  if (legal.length === 0) return undefined;
  return legal.find((type) => !type.includes("*")) ?? "application/octet-stream";
}

/** Headers of a part that can only have one value. Others would have to come from the caller, which nothing provides. */
function constantHeaders(c: Context, raw: Raw, at: At): Readonly<Record<string, string>> | undefined {
  const declared = record(c, raw, "headers", at) ?? {};
  const result = bare<string>();
  for (const name of Object.keys(declared)) {
    const place = at.child("headers").child(name);
    // "Content-Type is described separately and shall be ignored" (OpenAPI 3.1, "Encoding Object").
    if (name.toLowerCase() === "content-type") continue;
    const value = headerUse(name) === "use" ? onlyValue(c, declared[name], place) : undefined;
    if (value !== undefined) result[name] = value;
    else c.findings.add("model-encoding", place, `The header ${quote(name)} of a part has no constant value, or no legal name; it is left out.`);
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function onlyValue(c: Context, value: unknown, at: At): string | undefined {
  const header = deref(c, value, at, "header", false);
  if (!header) return undefined;
  const written = own(header.raw, "schema");
  const schema = isObject(written) ? toSchema(c, written, header.at.child("schema")) : {};
  const candidates = [schema.const, schema.enum?.length === 1 ? schema.enum[0] : undefined, schema.default, ...examplesOf(c, header.raw, header.at), ...(schema.examples ?? [])];
  const found = candidates.find((candidate) => typeof candidate === "string" || typeof candidate === "number" || typeof candidate === "boolean");
  return found !== undefined && /^[\t\x20-\x7e]*$/.test(String(found)) ? String(found) : undefined;
}
