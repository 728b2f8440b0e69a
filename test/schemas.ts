import fc from "fast-check";
import type { JsonSchema } from "../src/json.js";

/** What a family of schemas has beside the keywords that all have. */
export interface Family {
  /** What `$ref` may be. */
  readonly refs: readonly string[];
  readonly more?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

/** Few names and values, so that schemas and values meet often. */
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

const plain = {
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

/** Schemas with one keyword that holds schemas. */
function nesting(inner: fc.Arbitrary<JsonSchema | boolean>): readonly fc.Arbitrary<JsonSchema>[] {
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  const named = (keys: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
    fc.dictionary(keys, inner, { maxKeys: 3, noNullPrototype: true });
  return keywordsOf({
    items: inner,
    prefixItems: some,
    contains: inner,
    properties: named(name),
    patternProperties: named(fc.constantFrom("^a", "b|c")),
    additionalProperties: inner,
    propertyNames: fc.constantFrom({ pattern: "^[ab]$" }, { maxLength: 1 }),
    dependentSchemas: named(name),
    allOf: some,
    anyOf: some,
    oneOf: some,
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
    rule.map((made) => ({ [keyword]: made })),
  );
}

/** Any schema of a family, so many levels deep. */
export function schemaOf(depth: number, family: Family): fc.Arbitrary<JsonSchema | boolean> {
  const one = fc.oneof(
    ...keywordsOf({ ...plain, $ref: fc.constantFrom(...family.refs), ...family.more }),
  );
  const simple = fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 20, arbitrary: one },
    { weight: 1, arbitrary: merged(one, one) },
  );
  if (depth === 0) return simple;
  const nested = fc.oneof(...nesting(schemaOf(depth - 1, family)));
  return fc.oneof(
    { weight: 1, arbitrary: simple },
    { weight: 4, arbitrary: merged(nested, nested, one) },
  );
}

function merged(...parts: readonly fc.Arbitrary<JsonSchema>[]): fc.Arbitrary<JsonSchema> {
  return fc.tuple(...parts).map((made) => Object.assign({}, ...made) as JsonSchema);
}

type Json = unknown;

/**
 * The same schema with something changed somewhere: a keyword taken away, given another value, or
 * added. Most pairs of unrelated schemas have nothing to do with each other; these do.
 */
export function changed(
  schema: JsonSchema | boolean,
  family: Family,
): fc.Arbitrary<JsonSchema | boolean> {
  return fc
    .tuple(fc.nat(1000), fc.nat(3), schemaOf(0, family), schemaOf(1, family))
    .map(
      ([at, how, simple, other]) =>
        changeAt(schema, at, how, simple, other) as JsonSchema | boolean,
    );
}

function changeAt(schema: Json, at: number, how: number, simple: Json, other: Json): Json {
  const copy = structuredClone(schema);
  const objects = partsOf(copy);
  const target = objects[at % Math.max(1, objects.length)];
  if (!target) return other;
  const keys = Object.keys(target);
  const key = keys[at % Math.max(1, keys.length)];
  if (how === 0 && key !== undefined) delete target[key];
  else if (how === 1 && key !== undefined) Object.assign(target, pick(simple, key));
  else if (how === 2) Object.assign(target, typeof simple === "object" ? simple : { not: {} });
  else Object.assign(target, typeof other === "object" ? other : {});
  return copy;
}

function pick(from: Json, key: string): object {
  return typeof from === "object" && from !== null && key in from
    ? { [key]: (from as Record<string, unknown>)[key] }
    : (from as object);
}

function partsOf(value: Json): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return [
    value as Record<string, unknown>,
    ...Object.entries(value).flatMap(([key, part]) =>
      ["enum", "const", "required", "dependentRequired"].includes(key) ? [] : partsOf(part),
    ),
  ];
}
