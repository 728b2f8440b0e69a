import { coerce, objectFrom, readPairs } from "./deserialize.js";
import { decodeForm, type Pair, pairOf } from "./pairs.js";
import { propertiesOf, shapesOf, typesOf } from "./inspect-schema.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { MockContent, MockEncoding } from "./types.js";

/**
 * Decodes `application/x-www-form-urlencoded`: each property by its encoding (OpenAPI "Encoding
 * Object").
 */
export function parseForm(
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
  return objectFrom([...entries, ...groupPairs(rest)]);
}

interface FormFields {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly unread: readonly Pair[];
}

export function readFields(
  pairs: readonly Pair[],
  content: Pick<MockContent, "schema" | "encoding">,
  schemas: SchemaSet,
  decode: (text: string) => string,
): FormFields {
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
 * Reads one property. With `style`, `explode` or `allowReserved` it is serialized like a query
 * parameter, otherwise by its content type.
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

/** Reads a property as JSON, the default for objects and arrays of objects. */
function readJsonField(
  pairs: readonly Pair[],
  name: string,
  schema: AnySchema,
  schemas: SchemaSet,
  decode: (text: string) => string,
): { readonly value: unknown; readonly used: readonly Pair[] } | undefined {
  const used = pairs.filter(([key]) => decode(key) === name);
  const values = used.map(([, value]) => parseJsonOrText(decode(value)));
  const candidates = typesOf(schema, schemas).has("array") ? [values, values[0]] : [values[0]];
  const value = candidates.find(
    (candidate) => candidate !== undefined && schemas.accepts(candidate, schema),
  );
  return used.length > 0 && value !== undefined ? { value, used } : undefined;
}

export function parseJsonOrText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Fields without a schema: a string, or an array of strings for a repeated name. */
function groupPairs(
  pairs: readonly (readonly [string, unknown])[],
): readonly (readonly [string, unknown])[] {
  const groups = new Map<string, unknown[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return [...groups].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
}
