import { isObject, type JsonSchema } from "../../json.js";
import { type Conjunction, equalJson, isAnnotation, type SchemaVersion } from "./schema-version.js";

/** Value types as bits. A number is an integer or a fraction. */
const bits: Readonly<Record<string, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 4 | 8,
  string: 16,
  array: 32,
  object: 64,
};
export const INTEGER = 4;
const FRACTION = 8;
export const NUMBER = 12;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;
const EVERY = 127;

/** Maximum nesting of alternatives inspected. */
const DEPTH = 3;

/** The types that values of a schema may have, as bits. */
export function possibleTypes(
  conjunction: Conjunction,
  version: SchemaVersion,
  depth = DEPTH,
): number {
  if (conjunction === "never") return 0;
  return conjunction.reduce((types, part) => types & typesOfPart(part, version, depth), EVERY);
}

function typesOfPart(part: JsonSchema, version: SchemaVersion, depth: number): number {
  let types = part.type === undefined ? EVERY : typeBits(part.type);
  if (Array.isArray(part.enum))
    types &= part.enum.reduce((sum: number, value) => sum | typeOf(value), 0);
  if (part.const !== undefined) types &= typeOf(part.const);
  for (const branches of depth > 0 ? [part.anyOf, part.oneOf] : []) {
    if (Array.isArray(branches))
      types &= branches.reduce(
        (sum: number, branch: JsonSchema | boolean) =>
          sum | possibleTypes(version.conjunctionOf(branch), version, depth - 1),
        0,
      );
  }
  return types;
}

/** Type bits of a `type` keyword. An unknown name may mean any type. */
function typeBits(type: unknown): number {
  const names = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  return names.reduce(
    (sum: number, name) =>
      sum | (typeof name === "string" && Object.hasOwn(bits, name) ? bits[name]! : EVERY),
    0,
  );
}

export function typeOf(value: unknown): number {
  if (value === null) return 1;
  if (Array.isArray(value)) return ARRAY;
  if (typeof value === "number") return Number.isInteger(value) ? INTEGER : 8;
  return bits[typeof value] ?? OBJECT;
}

/** The shortest list of JSON Schema type names that covers the bits. */
export function typeNamesOf(types: number): readonly string[] {
  return Object.keys(bits).filter((name) =>
    name === "integer"
      ? (types & NUMBER) === INTEGER
      : name === "number"
        ? (types & FRACTION) !== 0
        : (types & bits[name]!) !== 0,
  );
}

/**
 * All values of an enumerable schema, possibly with others.
 * @returns undefined when they cannot be enumerated
 */
export function possibleValues(
  conjunction: Conjunction,
  version: SchemaVersion,
  depth = DEPTH,
): readonly unknown[] | undefined {
  if (conjunction === "never") return [];
  const types = possibleTypes(conjunction, version);
  const lists = conjunction.flatMap((part) => listsOf(part, version, depth));
  if (lists.length === 0)
    return (types & ~3) === 0
      ? [null, true, false].filter((value) => typeOf(value) & types)
      : undefined;
  const [first, ...others] = lists as [readonly unknown[], ...(readonly unknown[])[]];
  return first.filter(
    (value) =>
      (typeOf(value) & types) !== 0 &&
      others.every((list) => list.some((item) => equalJson(item, value))),
  );
}

/** The lists of values that a part allows. */
function listsOf(
  part: JsonSchema,
  version: SchemaVersion,
  depth: number,
): readonly (readonly unknown[])[] {
  const lists: (readonly unknown[])[] = part.const === undefined ? [] : [[part.const]];
  if (Array.isArray(part.enum)) lists.push(part.enum);
  for (const branches of depth > 0 ? [part.anyOf, part.oneOf] : []) {
    const values = Array.isArray(branches)
      ? branches.map((branch: JsonSchema | boolean) =>
          possibleValues(version.conjunctionOf(branch), version, depth - 1),
        )
      : [];
    if (values.length > 0 && values.every((list) => list !== undefined)) lists.push(values.flat());
  }
  return lists;
}

/**
 * True when a scalar value is certainly valid.
 * @returns false for objects, arrays and undecidable cases
 */
export function certainlyAccepts(
  conjunction: Conjunction,
  value: unknown,
  version: SchemaVersion,
  depth = DEPTH,
): boolean {
  if (conjunction === "never" || isObject(value) || Array.isArray(value)) return false;
  return conjunction.every((part) =>
    Object.keys(part).every((keyword) => keywordAccepts(keyword, part, value, version, depth)),
  );
}

function keywordAccepts(
  keyword: string,
  part: JsonSchema,
  value: unknown,
  version: SchemaVersion,
  depth: number,
): boolean {
  const expected = part[keyword];
  switch (keyword) {
    case "type":
      return (typeBits(expected) & typeOf(value)) !== 0 && knownTypes(expected);
    case "enum":
      return Array.isArray(expected) && expected.some((candidate) => equalJson(candidate, value));
    case "const":
      return equalJson(expected, value);
    case "minimum":
      return typeof value !== "number" || (typeof expected === "number" && value >= expected);
    case "maximum":
      return typeof value !== "number" || (typeof expected === "number" && value <= expected);
    case "exclusiveMinimum":
      return typeof value !== "number" || (typeof expected === "number" && value > expected);
    case "exclusiveMaximum":
      return typeof value !== "number" || (typeof expected === "number" && value < expected);
    case "minLength":
      return (
        typeof value !== "string" || (typeof expected === "number" && [...value].length >= expected)
      );
    case "maxLength":
      return (
        typeof value !== "string" || (typeof expected === "number" && [...value].length <= expected)
      );
    case "anyOf":
      return (
        depth > 0 &&
        Array.isArray(expected) &&
        expected.some((branch: JsonSchema | boolean) =>
          certainlyAccepts(version.conjunctionOf(branch), value, version, depth - 1),
        )
      );
    default:
      return isIrrelevantKeyword(keyword, value);
  }
}

const knownTypes = (type: unknown): boolean =>
  (Array.isArray(type) ? (type as unknown[]) : [type]).every(
    (name) => typeof name === "string" && Object.hasOwn(bits, name),
  );

const structuralKeywords = new Set(
  (
    "properties required additionalProperties patternProperties propertyNames minProperties " +
    "maxProperties dependentRequired dependentSchemas items prefixItems contains " +
    "minContains maxContains minItems maxItems uniqueItems allOf $ref"
  ).split(" "),
);

/**
 * True for keywords that do not constrain this scalar value. The conjunction itself contains the
 * parts of `allOf` and `$ref`.
 */
function isIrrelevantKeyword(keyword: string, value: unknown): boolean {
  if (structuralKeywords.has(keyword) || isAnnotation(keyword)) return true;
  if (keyword === "pattern" || keyword === "contentEncoding" || keyword === "contentMediaType")
    return typeof value !== "string";
  if (keyword === "multipleOf") return typeof value !== "number";
  return keyword === "format" && typeof value !== "string" && typeof value !== "number";
}
