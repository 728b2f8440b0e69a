import { isObject, type JsonSchema, typesOf } from "../json.js";
import { type Context, isOpenApi31OrLater } from "./context.js";
import { isToken } from "./header-names.js";
import { emptyRecord } from "./raw-object.js";
import type { Encoding, PartEncodings } from "./types.js";

type AnySchema = JsonSchema | boolean | undefined;

/**
 * Completes encodings of multipart parts with the defaults that their schemas imply since 3.1. A
 * part without a type is `application/octet-stream`. A string with a `contentEncoding` is sent
 * unchanged, with a `Content-Transfer-Encoding` header. Positional encodings get one entry per item
 * schema.
 * OpenAPI 3.2, "Encoding Object" and "`Content-Transfer-Encoding` and `contentEncoding`".
 */
export function addPartDefaults(
  c: Context,
  schema: JsonSchema | undefined,
  encodings: PartEncodings,
): PartEncodings {
  const target = isOpenApi31OrLater(c) ? c.schemas.dereference(c, schema) : undefined;
  if (!target) return encodings;
  const encoding = namedPartDefaults(c, target, encodings);
  return {
    ...encodings,
    ...(encoding && { encoding }),
    ...positionalPartDefaults(c, target, encodings),
  };
}

function namedPartDefaults(
  c: Context,
  { properties }: JsonSchema,
  { encoding }: PartEncodings,
): PartEncodings["encoding"] {
  const result = Object.assign(emptyRecord<Encoding>(), encoding);
  for (const [name, property] of Object.entries(properties ?? {})) {
    const target = resolveSchema(c, property);
    // Each item of an array is a separate part.
    const item =
      isObject(target) && allowsType("array", target as JsonSchema)
        ? ((target as JsonSchema).items ?? true)
        : target;
    const completed = completeEncoding(
      c,
      item,
      encoding && Object.hasOwn(encoding, name) ? encoding[name] : undefined,
    );
    if (completed) result[name] = completed;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function positionalPartDefaults(
  c: Context,
  schema: JsonSchema,
  { prefixEncoding = [], itemEncoding }: PartEncodings,
): Pick<PartEncodings, "prefixEncoding" | "itemEncoding"> {
  const { prefixItems = [], items } = schema;
  if (!allowsType("array", schema) && prefixItems.length === 0) return {};
  const completed = Array.from(
    { length: Math.max(prefixItems.length, prefixEncoding.length) },
    (_, index) =>
      completeEncoding(c, prefixItems[index] ?? items, prefixEncoding[index] ?? itemEncoding) ?? {},
  );
  const itemDefaults = completeEncoding(c, items, itemEncoding);
  return {
    ...(completed.some((encoding) => Object.keys(encoding).length > 0) && {
      prefixEncoding: completed,
    }),
    ...(itemDefaults && { itemEncoding: itemDefaults }),
  };
}

function completeEncoding(
  c: Context,
  schema: AnySchema,
  encoding: Encoding | undefined,
): Encoding | undefined {
  const target = resolveSchema(c, schema);
  // A style excludes a media type.
  if (
    encoding?.style !== undefined ||
    encoding?.allowReserved !== undefined ||
    target === undefined
  )
    return encoding;
  const inner =
    encoding?.contentType?.startsWith("multipart/") && isObject(target)
      ? addPartDefaults(c, target as JsonSchema, encoding)
      : undefined;
  if (isUntyped(target)) return { contentType: OCTET_STREAM, ...encoding, ...inner };
  const contentEncoding =
    isObject(target) && allowsType("string", target as JsonSchema)
      ? (target as JsonSchema).contentEncoding
      : undefined;
  if (typeof contentEncoding !== "string" || !isToken(contentEncoding))
    return inner ? { ...encoding, ...inner } : encoding;
  return {
    contentType: OCTET_STREAM,
    ...encoding,
    headers: { "Content-Transfer-Encoding": contentEncoding, ...encoding?.headers },
    isEncoded: true,
  };
}

const allowsType = (type: string, schema: JsonSchema): boolean => typesOf(schema).includes(type);

const OCTET_STREAM = "application/octet-stream";

function resolveSchema(c: Context, schema: AnySchema): AnySchema {
  return isObject(schema) ? c.schemas.dereference(c, schema as JsonSchema) : schema;
}

/** Keywords that do not restrict the type of a value. */
const TYPELESS_KEYWORDS: ReadonlySet<string> = new Set(
  (
    "title description examples deprecated readOnly writeOnly contentMediaType minLength " +
    "maxLength"
  ).split(" "),
);

function isUntyped(schema: AnySchema): boolean {
  return (
    schema === true ||
    (isObject(schema) && Object.keys(schema).every((key) => TYPELESS_KEYWORDS.has(key)))
  );
}
