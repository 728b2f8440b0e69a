import type { JsonSchema } from "../../json.js";
import {
  typeOf,
  possibleTypes,
  INTEGER,
  NUMBER,
  OBJECT,
  ARRAY,
  STRING,
  possibleValues,
} from "./value-sets.js";
import { equalJson, type SchemaVersion } from "./schema-version.js";

/** One constraint: a keyword of a schema, with its value. */
interface Constraint {
  readonly keyword: string;
  readonly value: unknown;
  /** The schema that contains it. */
  readonly part: JsonSchema;
}

/** Types of values that a keyword applies to. It ignores others. */
const applicableTypes: Readonly<Record<string, number>> = {
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: NUMBER,
  minLength: STRING,
  maxLength: STRING,
  pattern: STRING,
  contentEncoding: STRING,
  contentMediaType: STRING,
  format: STRING | NUMBER,
  minItems: ARRAY,
  maxItems: ARRAY,
  uniqueItems: ARRAY,
  items: ARRAY,
  prefixItems: ARRAY,
  contains: ARRAY,
  required: OBJECT,
  minProperties: OBJECT,
  maxProperties: OBJECT,
  properties: OBJECT,
  patternProperties: OBJECT,
  additionalProperties: OBJECT,
  propertyNames: OBJECT,
  dependentRequired: OBJECT,
  dependentSchemas: OBJECT,
};

/** Keywords with a number as value. */
const numericKeywords = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);

/** True when a keyword does not apply to any value that `parts` allow. */
export function isInapplicableKeyword(
  keyword: string,
  parts: readonly JsonSchema[],
  version: SchemaVersion,
): boolean {
  const types = Object.hasOwn(applicableTypes, keyword) ? applicableTypes[keyword] : undefined;
  return types !== undefined && (possibleTypes(parts, version) & types) === 0;
}

/**
 * Decides if `parts` imply a constraint on scalar values or sizes.
 * @returns undefined for keywords of other kinds
 */
export function impliesConstraint(
  { keyword, value }: Constraint,
  parts: readonly JsonSchema[],
  version: SchemaVersion,
): boolean | undefined {
  const anyPart = (test: (part: JsonSchema) => boolean): boolean => parts.some(test);
  const bound = typeof value === "number" ? value : Number.NaN;
  if (numericKeywords.has(keyword) && typeof value !== "number") return undefined;
  switch (keyword) {
    case "type":
      return (
        (possibleTypes(parts, version) &
          ~possibleTypes([{ type: value } as JsonSchema], version)) ===
        0
      );
    case "enum":
      return Array.isArray(value) && isAmong(value, parts, version);
    case "const":
      return isAmong([value], parts, version);
    case "minimum":
      return anyPart(
        (part) => atLeast(part.minimum, bound) || atLeast(part["exclusiveMinimum"], bound),
      );
    case "exclusiveMinimum":
      return anyPart(
        (part) =>
          atLeast(part["exclusiveMinimum"], bound) ||
          (typeof part.minimum === "number" && part.minimum > bound),
      );
    case "maximum":
      return anyPart(
        (part) => atMost(part.maximum, bound) || atMost(part["exclusiveMaximum"], bound),
      );
    case "exclusiveMaximum":
      return anyPart(
        (part) =>
          atMost(part["exclusiveMaximum"], bound) ||
          (typeof part.maximum === "number" && part.maximum < bound),
      );
    case "multipleOf":
      return (
        anyPart((part) => isMultiple(part["multipleOf"], value)) ||
        (value === 1 && (possibleTypes(parts, version) & (NUMBER & ~INTEGER)) === 0)
      );
    case "minLength":
    case "minItems":
      return bound <= 0 || anyPart((part) => atLeast(part[keyword], bound));
    case "minProperties":
      return (
        bound <= 0 ||
        anyPart((part) => atLeast(part[keyword], bound)) ||
        requiredBy(parts).size >= bound
      );
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return anyPart((part) => atMost(part[keyword], bound));
    case "uniqueItems":
      return (
        value === false ||
        anyPart((part) => part["uniqueItems"] === true || atMost(part.maxItems, 1))
      );
    case "required":
      return Array.isArray(value) && value.every((name) => requiredBy(parts).has(name));
    default:
      return undefined;
  }
}

const atLeast = (value: unknown, bound: number): boolean =>
  typeof value === "number" && value >= bound;
const atMost = (value: unknown, bound: number): boolean =>
  typeof value === "number" && value <= bound;

/** True for exact multiples only, without floating-point tolerance. */
function isMultiple(value: unknown, divisor: unknown): boolean {
  return (
    value === divisor ||
    (Number.isSafeInteger(value) &&
      Number.isSafeInteger(divisor) &&
      Number(value) % Number(divisor) === 0)
  );
}

function isAmong(
  allowed: readonly unknown[],
  parts: readonly JsonSchema[],
  version: SchemaVersion,
): boolean {
  const values = possibleValues(parts, version);
  return (
    values !== undefined &&
    values.every((value) =>
      allowed.some(
        (candidate) => typeOf(candidate) === typeOf(value) && equalJson(candidate, value),
      ),
    )
  );
}

/** Names that every object valid for `parts` has. */
export function requiredBy(parts: readonly JsonSchema[]): ReadonlySet<unknown> {
  return new Set(
    parts.flatMap((part) =>
      Array.isArray(part.required) ? (part.required as readonly unknown[]) : [],
    ),
  );
}
