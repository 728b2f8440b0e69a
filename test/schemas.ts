import fc from "fast-check";
import type { JsonSchema } from "../src/json.js";

/** Options of generated schemas, in addition to the common keywords. */
export interface SchemaOptions {
  /** Values of `$ref`. */
  readonly refs: readonly string[];
  readonly extraKeywords?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

/** A small set of names and values, so that values often match schemas. */
const name = fc.constantFrom("a", "b", "c");
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.constantFrom(-1, 0, 1, 2, 3, 1.5),
  fc.constantFrom("", "x", "xy", "abc"),
);

/** Any JSON value. */
export const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const types = fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object");
const small = fc.integer({ min: -1, max: 3 });

const leafKeywords = {
  type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 3 }),
  const: leaf,
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  exclusiveMaximum: small,
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minLength: fc.nat(2),
  maxLength: fc.nat(2),
  pattern: fc.constantFrom("^x", "y$", "^[a-z]*$"),
  minItems: fc.nat(2),
  maxItems: fc.nat(2),
  uniqueItems: fc.boolean(),
  required: fc.uniqueArray(name, { maxLength: 2 }),
  minProperties: fc.nat(2),
  maxProperties: fc.nat(2),
  dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
};

/** Schemas with one keyword that contains subschemas. */
function nestedSchemas(
  inner: fc.Arbitrary<JsonSchema | boolean>,
): readonly fc.Arbitrary<JsonSchema>[] {
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const map = (keys: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
    fc.dictionary(keys, inner, { maxKeys: 3, noNullPrototype: true });
  return keywordsOf({
    items: inner,
    prefixItems: list,
    contains: inner,
    properties: map(name),
    patternProperties: map(fc.constantFrom("^a", "b|c")),
    additionalProperties: inner,
    propertyNames: fc.constantFrom({ pattern: "^[ab]$" }, { maxLength: 1 }),
    dependentSchemas: map(name),
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
  });
}

function keywordsOf(
  keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): readonly fc.Arbitrary<JsonSchema>[] {
  return Object.entries(keywords).map(([keyword, rule]) =>
    rule.map((constraint) => ({ [keyword]: constraint })),
  );
}

/** Arbitrary schemas with at most the given nesting depth. */
export function schemaOf(
  depth: number,
  options: SchemaOptions,
): fc.Arbitrary<JsonSchema | boolean> {
  const singleKeyword = fc.oneof(
    ...keywordsOf({
      ...leafKeywords,
      $ref: fc.constantFrom(...options.refs),
      ...options.extraKeywords,
    }),
  );
  const simple = fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 20, arbitrary: singleKeyword },
    { weight: 1, arbitrary: mergeSchemas(singleKeyword, singleKeyword) },
  );
  if (depth === 0) return simple;
  const nested = fc.oneof(...nestedSchemas(schemaOf(depth - 1, options)));
  return fc.oneof(
    { weight: 1, arbitrary: simple },
    { weight: 4, arbitrary: mergeSchemas(nested, nested, singleKeyword) },
  );
}

function mergeSchemas(...parts: readonly fc.Arbitrary<JsonSchema>[]): fc.Arbitrary<JsonSchema> {
  return fc.tuple(...parts).map((schemas) => Object.assign({}, ...schemas) as JsonSchema);
}

type Json = unknown;

/**
 * Mutations of a schema: one keyword is removed, replaced or added. The result stays comparable
 * with the original, unlike most pairs of unrelated schemas.
 */
export function mutationsOf(
  schema: JsonSchema | boolean,
  options: SchemaOptions,
): fc.Arbitrary<JsonSchema | boolean> {
  return fc
    .tuple(fc.nat(1000), fc.nat(3), schemaOf(0, options), schemaOf(1, options))
    .map(
      ([offset, mutation, simple, other]) =>
        mutate(schema, offset, mutation, simple, other) as JsonSchema | boolean,
    );
}

function mutate(schema: Json, offset: number, mutation: number, simple: Json, other: Json): Json {
  const copy = structuredClone(schema);
  const objects = subschemasOf(copy);
  const target = objects[offset % Math.max(1, objects.length)];
  if (!target) return other;
  const keys = Object.keys(target);
  const key = keys[offset % Math.max(1, keys.length)];
  if (mutation === 0 && key !== undefined) delete target[key];
  else if (mutation === 1 && key !== undefined) Object.assign(target, pick(simple, key));
  else if (mutation === 2) Object.assign(target, typeof simple === "object" ? simple : { not: {} });
  else Object.assign(target, typeof other === "object" ? other : {});
  return copy;
}

function pick(from: Json, key: string): object {
  return typeof from === "object" && from !== null && key in from
    ? { [key]: (from as Record<string, unknown>)[key] }
    : (from as object);
}

function subschemasOf(value: Json): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(subschemasOf);
  return [
    value as Record<string, unknown>,
    ...Object.entries(value).flatMap(([key, part]) =>
      ["enum", "const", "required", "dependentRequired"].includes(key) ? [] : subschemasOf(part),
    ),
  ];
}
