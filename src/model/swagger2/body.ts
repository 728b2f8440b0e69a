import type { JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import { bodyOf, mayHaveBody } from "../body.js";
import { Contents } from "../content.js";
import type { Context } from "../context.js";
import type { Located } from "../deref.js";
import { quote } from "../findings.js";
import { isForm, parseMediaType } from "../media-type.js";
import { reportEmptyValue } from "../parameter.js";
import { bare, flag, own, text, type Raw } from "../read.js";
import { toSchema } from "../schema/convert.js";
import type { Encoding, RequestBody } from "../types.js";
import { swaggerSchema, swaggerSerialisation } from "./items.js";
import { mimeTypes, type MimeType } from "./mime-types.js";

/**
 * The body that the `body` parameter, or the `formData` parameters, of a Swagger 2.0 operation
 * describe.
 */
export function readSwaggerBody(
  c: Context,
  operation: Raw,
  parameters: readonly Located[],
  method: string,
  at: At,
): RequestBody | undefined {
  const [first] = parameters;
  if (!first || !mayHaveBody(c, method, first.at)) return undefined;
  const bodies = parameters.filter(({ raw }) => raw.in === "body");
  const fields = parameters.filter(({ raw }) => raw.in === "formData");
  const [body, ...more] = bodies;
  for (const extra of more)
    c.findings.add(
      "model-body",
      extra.at,
      "An operation has one body parameter; this one is left out.",
    );
  if (!body) return formBody(c, operation, fields, at);
  for (const field of fields)
    c.findings.add(
      "model-body",
      field.at,
      "Form parameters cannot stand beside a body parameter; this one is left out.",
    );
  return schemaBody(c, operation, body, at);
}

function schemaBody(
  c: Context,
  operation: Raw,
  { raw, at }: Located,
  place: At,
): RequestBody | undefined {
  const written = own(raw, "schema");
  const schema =
    written === undefined || written === null
      ? undefined
      : toSchema(c, written, at.child("schema"));
  const declared = mimeTypes(c, operation, "consumes", place);
  const contents = new Contents(c, "request");
  for (const type of declared.length > 0 ? declared : [{ name: "application/json", at }]) {
    contents.add(type.name, type.at, () => ({ ...(schema && { schema }), place: at.place }));
  }
  return bodyOf(c, raw, at, contents.list);
}

function formBody(
  c: Context,
  operation: Raw,
  fields: readonly Located[],
  at: At,
): RequestBody | undefined {
  const named = fields.filter((field) => isNamed(c, field));
  const encoding = encodingOf(c, named);
  const schema = formSchema(c, named);
  const contents = new Contents(c, "request");
  for (const type of formTypes(c, operation, named, at)) {
    contents.add(type.name, type.at, () => ({
      schema,
      ...(encoding && { encoding }),
      place: at.child("parameters").place,
    }));
  }
  return bodyOf(c, { required: (schema.required ?? []).length > 0 }, at, contents.list);
}

function isNamed(c: Context, { raw, at }: Located): boolean {
  if (typeof raw.name === "string" && raw.name !== "") return true;
  c.findings.add("model-parameter", at, "A form parameter without a name is left out.");
  return false;
}

function formSchema(c: Context, fields: readonly Located[]): JsonSchema {
  const properties = bare<JsonSchema>();
  const required: string[] = [];
  for (const { raw, at } of fields) {
    const name = String(raw.name);
    const description = text(c, raw, "description", at);
    reportEmptyValue(c, raw, at);
    properties[name] = {
      ...swaggerSchema(c, raw, at),
      ...(description !== undefined && { description }),
    };
    if (flag(c, raw, "required", at) === true) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Lists that are not written in the default way (one pair for each value). */
function encodingOf(
  c: Context,
  fields: readonly Located[],
): Readonly<Record<string, Encoding>> | undefined {
  const encodings = bare<Encoding>();
  for (const { raw, at } of fields) {
    if (raw.type === "array")
      encodings[String(raw.name)] = swaggerSerialisation(c, raw, "query", at);
  }
  return Object.keys(encodings).length > 0 ? encodings : undefined;
}

/**
 * Files need multipart; without them the form types that are declared count, or else the
 * URL-encoded one.
 */
function formTypes(
  c: Context,
  operation: Raw,
  fields: readonly Located[],
  at: At,
): readonly MimeType[] {
  const hasFile = fields.some(({ raw }) => raw.type === "file");
  const declared = mimeTypes(c, operation, "consumes", at).filter(({ name }) =>
    isForm(parseMediaType(name)?.name ?? ""),
  );
  const usable = hasFile
    ? declared.filter(({ name }) => name.toLowerCase().startsWith("multipart/"))
    : declared;
  const fallback = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  if (usable.length === 0 && declared.length > 0) {
    c.findings.add(
      "model-media-type",
      at.child("consumes"),
      `Files cannot be sent as ${quote(declared[0]?.name ?? "")}; \`${fallback}\` is used.`,
    );
  }
  return usable.length > 0 ? usable : [{ name: fallback, at }];
}
