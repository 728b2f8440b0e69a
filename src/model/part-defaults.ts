import { isObject, type JsonSchema } from "../json.js";
import { isModern, type Context } from "./context.js";
import { isToken } from "./header-names.js";
import { bare } from "./read.js";
import { typesOf } from "./schema/types.js";
import type { Encoding, PartEncodings } from "./types.js";

type AnySchema = JsonSchema | boolean | undefined;

/**
 * The encodings of multipart parts with what their schemas say about the media type since 3.1:
 * without a type it is bytes, and text in a `contentEncoding` stays as it is and is called so. By
 * position there is one encoding for each place with a schema. OpenAPI 3.2, "Encoding Object" and
 * "`Content-Transfer-Encoding` and `contentEncoding`".
 */
export function withPartDefaults(
  c: Context,
  schema: JsonSchema | undefined,
  given: PartEncodings,
): PartEncodings {
  const target = isModern(c) ? c.schemas.target(c, schema) : undefined;
  if (!target) return given;
  const encoding = byName(c, target, given);
  return { ...given, ...(encoding && { encoding }), ...byPosition(c, target, given) };
}

function byName(
  c: Context,
  { properties }: JsonSchema,
  { encoding }: PartEncodings,
): PartEncodings["encoding"] {
  const result = Object.assign(bare<Encoding>(), encoding);
  for (const [name, property] of Object.entries(properties ?? {})) {
    const target = targetOf(c, property);
    // Each item of a list is a part of its own.
    const item =
      isObject(target) && isOf("array", target as JsonSchema)
        ? ((target as JsonSchema).items ?? true)
        : target;
    const one = completed(
      c,
      item,
      encoding && Object.hasOwn(encoding, name) ? encoding[name] : undefined,
    );
    if (one) result[name] = one;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function byPosition(
  c: Context,
  schema: JsonSchema,
  { prefixEncoding = [], itemEncoding }: PartEncodings,
): Pick<PartEncodings, "prefixEncoding" | "itemEncoding"> {
  const { prefixItems = [], items } = schema;
  if (!isOf("array", schema) && prefixItems.length === 0) return {};
  const places = Array.from(
    { length: Math.max(prefixItems.length, prefixEncoding.length) },
    (_, index) =>
      completed(c, prefixItems[index] ?? items, prefixEncoding[index] ?? itemEncoding) ?? {},
  );
  const rest = completed(c, items, itemEncoding);
  return {
    ...(places.some((one) => Object.keys(one).length > 0) && { prefixEncoding: places }),
    ...(rest && { itemEncoding: rest }),
  };
}

function completed(
  c: Context,
  schema: AnySchema,
  encoding: Encoding | undefined,
): Encoding | undefined {
  const target = targetOf(c, schema);
  // A style leaves no room for a media type.
  if (
    encoding?.style !== undefined ||
    encoding?.allowReserved !== undefined ||
    target === undefined
  )
    return encoding;
  const inner =
    encoding?.contentType?.startsWith("multipart/") && isObject(target)
      ? withPartDefaults(c, target as JsonSchema, encoding)
      : undefined;
  if (isUntyped(target)) return { contentType: BYTES, ...encoding, ...inner };
  const contentEncoding =
    isObject(target) && isOf("string", target as JsonSchema)
      ? (target as JsonSchema).contentEncoding
      : undefined;
  if (typeof contentEncoding !== "string" || !isToken(contentEncoding))
    return inner ? { ...encoding, ...inner } : encoding;
  return {
    contentType: BYTES,
    ...encoding,
    headers: { "Content-Transfer-Encoding": contentEncoding, ...encoding?.headers },
    encoded: true,
  };
}

const isOf = (type: string, schema: JsonSchema): boolean =>
  typesOf(schema)?.includes(type) === true;

const BYTES = "application/octet-stream";

function targetOf(c: Context, schema: AnySchema): AnySchema {
  return isObject(schema) ? c.schemas.target(c, schema as JsonSchema) : schema;
}

/** What says nothing about the value but how many bytes it has. */
const SILENT: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentMediaType",
  "minLength",
  "maxLength",
]);

function isUntyped(schema: AnySchema): boolean {
  return (
    schema === true || (isObject(schema) && Object.keys(schema).every((key) => SILENT.has(key)))
  );
}
