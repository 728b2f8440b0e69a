import { coerce } from "./deserialize.js";
import { parseForm } from "./form.js";
import { typesOf } from "./inspect-schema.js";
import { contentFor, mediaTypeOf } from "./media-types.js";
import { decodeMultipart } from "./multipart.js";
import { type AnySchema, type SchemaSet, violation } from "./schema-set.js";
import type { DecodedBody, MockContent, MockOperation } from "./types.js";
import { xmlError } from "./xml.js";

/** Decodes a request body by the declared content of its media type and validates it. */
export function decodeBody(
  operation: MockOperation,
  body: Uint8Array,
  contentType: string | undefined,
  schemas: SchemaSet,
): DecodedBody {
  if (body.length === 0 && contentType === undefined)
    return { violations: operation.body?.required ? [violation("is required")] : [] };
  if (!operation.body) {
    const problem = "is present, but the operation has no request body";
    return { violations: body.length === 0 ? [] : [violation(problem)] };
  }
  const { contents } = operation.body;
  const content = contentFor(contents, mediaTypeOf(contentType ?? ""));
  if (!content) {
    const declared = contents.map(({ mediaType }) => mediaType).join(", ");
    const problem = `has Content-Type ${contentType ?? "(none)"}; declared: ${declared}`;
    return { unsupported: true, violations: [violation(problem)] };
  }
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
  if (/[/+]json$/u.test(type)) return decodeJson(decodeUtf8(body), content.schema, schemas, "body");
  if (/^application\/(x-ndjson|jsonl|json-seq)$|\+json-seq$/u.test(type))
    return decodeJsonLines(decodeUtf8(body), content.schema, schemas);
  if (type === "application/x-www-form-urlencoded")
    return decodeUrlEncoded(decodeUtf8(body), content, schemas);
  if (type.startsWith("multipart/")) return decodeMultipart(body, content, contentType, schemas);
  if (/[/+]xml$/u.test(type)) return decodeXml(decodeUtf8(body));
  if (type.startsWith("text/"))
    return validatedBody(
      coerce(decodeUtf8(body), content.schema, schemas),
      content.schema,
      schemas,
      "body",
    );
  return { value: body, violations: [] };
}

function decodeUtf8(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function validatedBody(
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
  return validatedBody(value, schema, schemas, at);
}

/** One JSON value per line. The schema describes the array of all values. */
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
    return validatedBody(values, schema, schemas, "body");
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

/** Decodes a form. A schema of strings describes the encoded text. */
function decodeUrlEncoded(form: string, content: MockContent, schemas: SchemaSet): DecodedBody {
  const types = typesOf(content.schema, schemas);
  const isText = types.has("string") && !types.has("object");
  const value = isText ? form : parseForm(form, content, schemas);
  return validatedBody(value, content.schema, schemas, "body");
}
