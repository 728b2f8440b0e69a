import { compositionParts } from "../../json-schema.js";
import { isObject, type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import type { Content, Encoding, PartEncodings as ModelEncodings } from "../../model/types.js";
import type { FieldEncoding, PartEncodings } from "../../runtime/types.js";
import type { SchemaDraft } from "../schemas/portable/types.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { fileKind, isBinarySchema } from "./media-types.js";
import { xmlRoot } from "./xml.js";

/** Context for reading parts: named schemas and names of XML elements. */
interface PartContext {
  readonly schemas: Schemas;
  readonly elements: Content["xmlElements"];
}

/**
 * Encoding of one part, from its schema and its Encoding Object; `{}` when neither specifies one.
 */
export function partEncoding(
  schema: AnySchema | undefined,
  encoding: Encoding,
  context: PartContext,
): FieldEncoding {
  const { contentType, style, explode, allowReserved, headers, isEncoded } = encoding;
  const target = isObject(schema) ? resolveSchema(context.schemas, schema as JsonSchema) : {};
  const isXml = contentType !== undefined && /[/+]xml\b/.test(contentType) && isObject(schema);
  const xml = isXml ? xmlRoot(schema as JsonSchema, context.schemas, context.elements) : {};
  return omitUndefined({
    contentType,
    style,
    explode,
    allowReserved,
    headers: headers && Object.keys(headers).length > 0 ? headers : undefined,
    ...(isEncoded && { file: false }),
    xml: Object.keys(xml).length > 0 ? xml : undefined,
    ...(contentType?.startsWith("multipart/") && innerEncodings(target, encoding, context)),
  });
}

/** Encodings inside a part that is multipart itself. */
function innerEncodings(
  target: JsonSchema,
  encodings: ModelEncodings,
  context: PartContext,
): PartEncodings {
  const properties = target.properties ?? {};
  const entries = Object.entries(encodings.encoding ?? {}).map(([name, one]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, encodingWithFile(schema, one, context)] as const;
  });
  return {
    ...(entries.length > 0 && { encoding: Object.fromEntries(entries) }),
    ...positionalEncodings(target, encodings, context),
  };
}

/** Encodings of a list of parts, one per position that the document specifies. */
export function positionalEncodings(
  schema: JsonSchema,
  { prefixEncoding = [], itemEncoding }: ModelEncodings,
  context: PartContext,
): Pick<PartEncodings, "prefixEncoding" | "itemEncoding"> {
  const target = resolveSchema(context.schemas, schema);
  const positions = prefixEncoding.map((encoding, index) =>
    encodingWithFile(schemaAt(target, index), encoding, context),
  );
  const rest =
    itemEncoding && encodingWithFile(target.items as AnySchema | undefined, itemEncoding, context);
  return {
    ...(positions.length > 0 && { prefixEncoding: positions }),
    ...(rest && { itemEncoding: rest }),
  };
}

function schemaAt({ prefixItems, items }: JsonSchema, index: number): AnySchema | undefined {
  return prefixItems?.[index] ?? (items as AnySchema | undefined);
}

function encodingWithFile(
  schema: AnySchema | undefined,
  encoding: Encoding,
  context: PartContext,
): FieldEncoding {
  const one = partEncoding(schema, encoding, context);
  return isFilePart(schema, encoding, context.schemas) ? asFile(one) : one;
}

/** Encoding of a file. It has no style, which some generators write for every field. */
export function asFile({
  style: _style,
  explode: _explode,
  allowReserved: _allowReserved,
  ...encoding
}: FieldEncoding): FieldEncoding {
  return { ...encoding, file: true };
}

/**
 * True for binary parts, which a tool takes as base64. Strings that are base64 for the API are not
 * binary.
 */
function isFilePart(
  schema: AnySchema | undefined,
  { contentType, isEncoded }: Encoding,
  schemas: Schemas,
): boolean {
  if (isEncoded || contentType?.startsWith("multipart/")) return false;
  return isBinarySchema(
    isObject(schema) ? resolveSchema(schemas, schema as JsonSchema) : {},
    contentType,
  );
}

/** Replaces the file items of a list of parts. */
export function replaceFileItems(
  schema: JsonSchema,
  content: Content,
  schemas: Schemas,
  file: (schema: AnySchema) => AnySchema,
): JsonSchema {
  const target = resolveSchema(schemas, schema);
  const { prefixEncoding = [], itemEncoding } = content;
  if (!typesOf(target).includes("array") && !target.prefixItems) return schema;
  const isFileAt = (index: number): boolean =>
    isFilePart(schemaAt(target, index), prefixEncoding[index] ?? itemEncoding ?? {}, schemas);
  const prefixItems = Array.from(
    { length: Math.max(target.prefixItems?.length ?? 0, prefixEncoding.length) },
    (_, index) => toFileSchema(schemaAt(target, index) ?? true, isFileAt(index), file),
  );
  const result = prefixItems.length > 0 ? { ...target, prefixItems } : target;
  if (!itemEncoding && target.items === undefined) return { ...result };
  const item = target.items as AnySchema | undefined;
  const isFile = isFilePart(item, itemEncoding ?? {}, schemas);
  return { ...result, items: toFileSchema(item ?? true, isFile, file) };
}

function toFileSchema(
  schema: AnySchema,
  isFile: boolean,
  file: (schema: AnySchema) => AnySchema,
): AnySchema {
  return isFile ? file(schema) : schema;
}

/** Schemas of files in a tool's input, which is JSON. */
export const FILE_SCHEMAS: Readonly<Record<"one" | "many", JsonSchema>> = {
  one: { type: "string", contentEncoding: "base64" },
  many: { type: "array", items: { type: "string", contentEncoding: "base64" } },
};

/** Maximum nesting of alternatives inspected. */
const MAX_ALTERNATIVE_DEPTH = 4;

const COMPOSITION_KEYWORDS = ["oneOf", "anyOf", "allOf"] as const;

/** Names of the file fields of a multipart body, in any of its alternatives. */
export function fileFields(
  schema: AnySchema,
  content: Content,
  schemas: Schemas,
  depth = 0,
): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_ALTERNATIVE_DEPTH) return new Set();
  const target = resolveSchema(schemas, schema as JsonSchema);
  const names = Object.entries(target.properties ?? {}).flatMap(([name, property]) =>
    fileKind(property, schemas, content, name) === undefined ? [] : [name],
  );
  return new Set([
    ...names,
    ...compositionParts(target).flatMap((part) => [
      ...fileFields(part, content, schemas, depth + 1),
    ]),
  ]);
}

/**
 * Replaces the file fields of a body with alternatives. A schema without files is returned
 * unchanged, with its name.
 */
export function replaceFileSchemas(
  schema: JsonSchema,
  content: Content,
  schemas: Schemas,
  depth = 0,
): JsonSchema {
  if (fileFields(schema, content, schemas, depth).size === 0) return schema;
  const target = resolveSchema(schemas, schema);
  const properties = Object.entries(target.properties ?? {}).map(
    ([name, property]) =>
      [name, fileSchema(property, fileKind(property, schemas, content, name), schemas)] as const,
  );
  const replaced: SchemaDraft = { ...target };
  if (properties.length > 0) replaced.properties = Object.fromEntries(properties);
  for (const key of COMPOSITION_KEYWORDS) {
    const parts = target[key];
    if (!parts) continue;
    replaced[key] = parts.map((part) =>
      isObject(part) ? replaceFileSchemas(part as JsonSchema, content, schemas, depth + 1) : part,
    );
  }
  return replaced;
}

/** Schema of an item that is a file. */
export const fileItem = (schema: AnySchema): AnySchema => fileSchema(schema, "one", {});

function fileSchema(
  property: AnySchema,
  kind: "one" | "many" | undefined,
  schemas: Schemas,
): AnySchema {
  if (kind === undefined) return property;
  const description = isObject(property)
    ? (property.description ?? resolveSchema(schemas, property as JsonSchema).description)
    : undefined;
  const note = kind === "one" ? "File content as base64." : "Files, each as base64.";
  return {
    ...FILE_SCHEMAS[kind],
    description: description === undefined ? note : `${description} ${note}`,
  };
}
