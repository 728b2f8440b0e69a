import { itemOf, propertiesOf, typesOf } from "./inspect-schema.js";
import { readDeep } from "./deep-object.js";
import {
  append,
  type Decoder,
  noDecoding,
  type Pair,
  pairOf,
  type PairsReading,
  type RawValue,
} from "./pairs.js";
import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { Shape, Style } from "./types.js";

/**
 * Reads a path segment or a header value.
 * OpenAPI 3.2, "Style Examples": rows matrix, label and simple; the delimiters of Swagger 2.0.
 * @returns undefined when the text does not have this style and shape
 */
export function readText(
  text: string,
  name: string,
  style: Style,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  switch (style) {
    case "matrix":
      return text.startsWith(";")
        ? readMatrix(text.slice(1), name, explode, shape, decode)
        : undefined;
    case "label":
      return text.startsWith(".")
        ? readList(text.slice(1), explode ? "." : ",", explode, shape, decode)
        : undefined;
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      return shape === "scalar" ? decode(text) : readDelimited(text, style, shape, decode);
    default:
      return readList(text, ",", explode, shape, decode);
  }
}

function readList(
  text: string,
  separator: string,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  if (shape === "scalar") return decode(text);
  const parts =
    text === ""
      ? []
      : text.split(separator).map((part) => (decode === noDecoding ? part.trim() : part));
  if (shape === "array") return parts.map(decode);
  return explode ? objectOf(parts.map(pairOf), decode) : readAlternating(parts, decode);
}

function readMatrix(
  text: string,
  name: string,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  const pairs = text.split(";").map(pairOf);
  if (explode && shape === "object") return objectOf(pairs, decode);
  if (pairs.some(([key]) => decode(key) !== name)) return undefined;
  if (explode && shape === "array") return pairs.map(([, value]) => decode(value));
  return pairs.length === 1 ? readList(pairs[0]?.[1] ?? "", ",", false, shape, decode) : undefined;
}

function objectOf(pairs: readonly Pair[], decode: Decoder): RawValue | undefined {
  const out = new Map<string, RawValue>();
  for (const [key, value] of pairs) {
    if (out.has(decode(key))) return undefined;
    out.set(decode(key), decode(value));
  }
  return out;
}

function readAlternating(parts: readonly string[], decode: Decoder): RawValue | undefined {
  if (parts.length % 2 !== 0) return undefined;
  const out = new Map<string, RawValue>();
  for (let i = 0; i < parts.length; i += 2)
    out.set(decode(parts[i] ?? ""), decode(parts[i + 1] ?? ""));
  return out;
}

/**
 * Reads a parameter from the pairs of a query, a form or a cookie.
 * OpenAPI 3.2, "Style Examples": rows form, spaceDelimited, pipeDelimited, deepObject and cookie.
 * @param claims whether a name belongs to an exploded object
 * @returns undefined when no pair belongs to the parameter, or the pairs do not have this style and
 *   shape
 */
export function readPairs(
  pairs: readonly Pair[],
  name: string,
  style: Style,
  explode: boolean,
  shape: Shape,
  decode: Decoder,
  claims: (property: string) => boolean,
): PairsReading | undefined {
  // OpenAPI does not define `deepObject` for scalars. Servers accept the plain value.
  if (style === "deepObject" && shape !== "scalar") return readDeep(pairs, name, shape, decode);
  if (explode && shape === "object") {
    const used = pairs.filter(([key]) => claims(decode(key)));
    return used.length > 0 ? readingOf(groupRepeated(used, decode), used) : undefined;
  }
  const used = pairs.filter(([key]) => decode(key) === name);
  if (used.length === 0) return undefined;
  if (explode && shape === "array")
    return readingOf(
      used.map(([, value]) => decode(value)),
      used,
    );
  if (used.length > 1) return undefined;
  return readingOf(
    shape === "scalar"
      ? decode(used[0]?.[1] ?? "")
      : readDelimited(used[0]?.[1] ?? "", style, shape, decode),
    used,
  );
}

function readingOf(raw: RawValue | undefined, used: readonly Pair[]): PairsReading | undefined {
  return raw === undefined ? undefined : { raw, used };
}

const DELIMITERS: ReadonlyMap<Style, RegExp> = new Map([
  ["spaceDelimited", /%20|\+| /u],
  ["pipeDelimited", /%7C|\|/iu],
  ["tabDelimited", /%09|\t/u],
]);

/**
 * Splits at delimiters. Space and pipe are percent-encoded, because a URI must not contain them.
 */
function readDelimited(
  text: string,
  style: Style,
  shape: Shape,
  decode: Decoder,
): RawValue | undefined {
  const separator = DELIMITERS.get(style) ?? /,/u;
  const parts = text === "" ? [] : text.split(separator);
  return shape === "array" ? parts.map(decode) : readAlternating(parts, decode);
}

function groupRepeated(pairs: readonly Pair[], decode: Decoder): RawValue {
  const out = new Map<string, RawValue>();
  for (const [key, value] of pairs) append(out, decode(key), decode(value));
  return out;
}

/**
 * Converts text to the types of a schema: the first interpretation that the schema accepts,
 * otherwise the most literal one. `42` becomes a number or stays a string.
 */
export function coerce(
  raw: RawValue,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): unknown {
  if (typeof raw === "string") return coerceText(raw, schema, schemas);
  if (depth > 20) return undefined;
  if (Array.isArray(raw))
    return (raw as RawValue[]).map((item, index) =>
      coerce(item, itemOf(schema, index, schemas), schemas, depth + 1),
    );
  return coerceObject(raw as ReadonlyMap<string, RawValue>, schema, schemas, depth);
}

function coerceObject(
  raw: ReadonlyMap<string, RawValue>,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth: number,
): unknown {
  const { schemas: properties } = propertiesOf(schema, schemas);
  const target = schemas.resolve(schema);
  const rest =
    typeof target === "object"
      ? (target["additionalProperties"] as AnySchema | undefined)
      : undefined;
  return objectFrom(
    [...raw].map(([name, value]) => [
      name,
      coerce(value, properties.get(name) ?? rest, schemas, depth + 1),
    ]),
  );
}

/** `Object.fromEntries` for keys of a request, which may be `__proto__`. */
export function objectFrom(
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  return Object.fromEntries(entries);
}

export function coerceText(
  text: string,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
): unknown {
  const types = typesOf(schema, schemas);
  if (types.size === 0) return text;
  const readings = [...literalReadings(text, types), text];
  const typed = types.has("string") ? readings : readings.slice(0, -1);
  const accepted = typed.findIndex((reading) => schemas.accepts(reading, schema));
  return typed.length > 0 ? typed[Math.max(accepted, 0)] : text;
}

function literalReadings(text: string, types: ReadonlySet<string>): readonly unknown[] {
  const out: unknown[] = [];
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/u.test(text))
    out.push(Number(text));
  if (types.has("boolean") && (text === "true" || text === "false")) out.push(text === "true");
  if (types.has("null") && (text === "" || text === "null")) out.push(null);
  if (types.has("object") || types.has("array")) out.push(...jsonReadings(text));
  return out;
}

/**
 * JSON interpretation of objects and arrays inside a parameter. OpenAPI does not define their
 * format.
 */
function jsonReadings(text: string): readonly unknown[] {
  if (!/^\s*[[{]/u.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
