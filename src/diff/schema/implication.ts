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

/** True when a keyword does not apply to any value that `parts` allow. */
export function isInapplicableKeyword(
  keyword: string,
  parts: readonly JsonSchema[],
  version: SchemaVersion,
): boolean {
  const types = Object.hasOwn(applicableTypes, keyword) ? applicableTypes[keyword] : undefined;
  return types !== undefined && (possibleTypes(parts, version) & types) === 0;
}

/** Schemas that a value meets, all of them. */
interface Premises {
  readonly parts: readonly JsonSchema[];
  readonly version: SchemaVersion;
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
  const premises = { parts, version };
  if (Object.hasOwn(numericImplications, keyword))
    return typeof value === "number" ? numericImplications[keyword]!(value, premises) : undefined;
  return Object.hasOwn(otherImplications, keyword)
    ? otherImplications[keyword]!(value, premises)
    : undefined;
}

type Implication<Value> = (value: Value, premises: Premises) => boolean;

const impliesMinimumSize =
  (keyword: "minLength" | "minItems"): Implication<number> =>
  (bound, { parts }) =>
    bound <= 0 || parts.some((part) => atLeast(part[keyword], bound));

const impliesMaximumSize =
  (keyword: "maxLength" | "maxItems" | "maxProperties"): Implication<number> =>
  (bound, { parts }) =>
    parts.some((part) => atMost(part[keyword], bound));

/** Keywords with a number as value. */
const numericImplications: Readonly<Record<string, Implication<number>>> = {
  minimum: (bound, { parts }) =>
    parts.some((part) => atLeast(part.minimum, bound) || atLeast(part["exclusiveMinimum"], bound)),
  exclusiveMinimum: (bound, { parts }) =>
    parts.some(
      (part) =>
        atLeast(part["exclusiveMinimum"], bound) ||
        (typeof part.minimum === "number" && part.minimum > bound),
    ),
  maximum: (bound, { parts }) =>
    parts.some((part) => atMost(part.maximum, bound) || atMost(part["exclusiveMaximum"], bound)),
  exclusiveMaximum: (bound, { parts }) =>
    parts.some(
      (part) =>
        atMost(part["exclusiveMaximum"], bound) ||
        (typeof part.maximum === "number" && part.maximum < bound),
    ),
  multipleOf: (divisor, { parts, version }) =>
    parts.some((part) => isMultiple(part["multipleOf"], divisor)) ||
    (divisor === 1 && (possibleTypes(parts, version) & (NUMBER & ~INTEGER)) === 0),
  minLength: impliesMinimumSize("minLength"),
  minItems: impliesMinimumSize("minItems"),
  minProperties: (bound, { parts }) =>
    bound <= 0 ||
    parts.some((part) => atLeast(part["minProperties"], bound)) ||
    requiredBy(parts).size >= bound,
  maxLength: impliesMaximumSize("maxLength"),
  maxItems: impliesMaximumSize("maxItems"),
  maxProperties: impliesMaximumSize("maxProperties"),
};

/** Keywords with other values. */
const otherImplications: Readonly<Record<string, Implication<unknown>>> = {
  type: (type, { parts, version }) =>
    (possibleTypes(parts, version) & ~possibleTypes([{ type } as JsonSchema], version)) === 0,
  enum: (values, { parts, version }) => Array.isArray(values) && isAmong(values, parts, version),
  const: (value, { parts, version }) => isAmong([value], parts, version),
  uniqueItems: (value, { parts }) =>
    value === false ||
    parts.some((part) => part["uniqueItems"] === true || atMost(part.maxItems, 1)),
  required: (names, { parts }) =>
    Array.isArray(names) && names.every((name) => requiredBy(parts).has(name)),
};

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
