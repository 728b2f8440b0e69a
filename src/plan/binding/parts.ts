import { isObject, type JsonSchema } from "../../json.js";
import type { Content, Encoding, PartEncodings as ModelEncodings } from "../../model/types.js";
import type { FieldEncoding, PartEncodings } from "../../runtime/types.js";
import { type AnySchema, resolve, typesOf, type Schemas } from "../schema/refs.js";
import { isBytes } from "./media.js";
import { xmlRoot } from "./xml.js";

/** What parts are read with: the named schemas, and the names of XML elements. */
export interface PartContext {
  readonly schemas: Schemas;
  readonly elements: Content["elements"];
}

/**
 * How one part is written, as its schema and its Encoding Object say together; `{}` when both say
 * nothing.
 */
export function partEncoding(
  schema: AnySchema | undefined,
  encoding: Encoding,
  context: PartContext,
): FieldEncoding {
  const { contentType, style, explode, allowReserved, headers, encoded } = encoding;
  const target = isObject(schema) ? resolve(context.schemas, schema as JsonSchema) : {};
  const isXml = contentType !== undefined && /[/+]xml\b/.test(contentType) && isObject(schema);
  const xml = isXml ? xmlRoot(schema as JsonSchema, context.schemas, context.elements) : {};
  return {
    ...(contentType !== undefined && { contentType }),
    ...(style !== undefined && { style }),
    ...(explode !== undefined && { explode }),
    ...(allowReserved !== undefined && { allowReserved }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(encoded && { file: false }),
    ...(Object.keys(xml).length > 0 && { xml }),
    ...(contentType?.startsWith("multipart/") && innerEncodings(target, encoding, context)),
  };
}

/** The encodings of what has parts itself. */
function innerEncodings(
  target: JsonSchema,
  encodings: ModelEncodings,
  context: PartContext,
): PartEncodings {
  const properties = target.properties ?? {};
  const named = Object.entries(encodings.encoding ?? {}).map(
    ([name, one]) =>
      [
        name,
        withFile(Object.hasOwn(properties, name) ? properties[name] : undefined, one, context),
      ] as const,
  );
  return {
    ...(named.length > 0 && { encoding: Object.fromEntries(named) }),
    ...positionalEncodings(target, encodings, context),
  };
}

/** The encodings of a list of parts. The model has one for each place that has something to say. */
export function positionalEncodings(
  schema: JsonSchema,
  { prefixEncoding = [], itemEncoding }: ModelEncodings,
  context: PartContext,
): Pick<PartEncodings, "prefixEncoding" | "itemEncoding"> {
  const target = resolve(context.schemas, schema);
  const places = prefixEncoding.map((one, index) =>
    withFile(schemaAt(target, index), one, context),
  );
  const rest =
    itemEncoding && withFile(target.items as AnySchema | undefined, itemEncoding, context);
  return {
    ...(places.length > 0 && { prefixEncoding: places }),
    ...(rest && { itemEncoding: rest }),
  };
}

function schemaAt({ prefixItems, items }: JsonSchema, index: number): AnySchema | undefined {
  return prefixItems?.[index] ?? (items as AnySchema | undefined);
}

function withFile(
  schema: AnySchema | undefined,
  encoding: Encoding,
  context: PartContext,
): FieldEncoding {
  const one = partEncoding(schema, encoding, context);
  return isFilePart(schema, encoding, context.schemas) ? { ...one, file: true } : one;
}

/** Bytes, which a tool holds as base64; not text that is base64 to the API. */
export function isFilePart(
  schema: AnySchema | undefined,
  { contentType, encoded }: Encoding,
  schemas: Schemas,
): boolean {
  if (encoded || contentType?.startsWith("multipart/")) return false;
  return isBytes(isObject(schema) ? resolve(schemas, schema as JsonSchema) : {}, contentType);
}

/** A list of parts with its files as a tool holds them. */
export function withFileItems(
  schema: JsonSchema,
  content: Content,
  schemas: Schemas,
  file: (schema: AnySchema) => AnySchema,
): JsonSchema {
  const target = resolve(schemas, schema);
  const { prefixEncoding = [], itemEncoding } = content;
  if (!typesOf(target).includes("array") && !target.prefixItems) return schema;
  const isFileAt = (index: number): boolean =>
    isFilePart(schemaAt(target, index), prefixEncoding[index] ?? itemEncoding ?? {}, schemas);
  const prefixItems = Array.from(
    { length: Math.max(target.prefixItems?.length ?? 0, prefixEncoding.length) },
    (_, index) => place(schemaAt(target, index) ?? true, isFileAt(index), file),
  );
  const items =
    itemEncoding || target.items !== undefined
      ? place(
          (target.items as AnySchema | undefined) ?? true,
          isFilePart(target.items as AnySchema | undefined, itemEncoding ?? {}, schemas),
          file,
        )
      : undefined;
  return {
    ...target,
    ...(prefixItems.length > 0 && { prefixItems }),
    ...(items !== undefined && { items }),
  };
}

function place(
  schema: AnySchema,
  isFile: boolean,
  file: (schema: AnySchema) => AnySchema,
): AnySchema {
  return isFile ? file(schema) : schema;
}
