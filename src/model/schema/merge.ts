import { isSameJson, type JsonSchema, typesOf } from "../../json.js";
import type { Context } from "../context.js";
import { emptyRecord } from "../raw-object.js";
import { addsNoConstraint, inlinableSchema, allowedValues } from "./resolved-schema.js";
import {
  ANNOTATIONS,
  annotationsOf,
  constraintsOf,
  isAnnotationOnly,
  toTypeKeyword,
  type DraftSchema,
} from "./schema-object.js";
import { valueKey } from "./json-values.js";

type Schema = JsonSchema | boolean;

/** The origin of a merged schema. It decides which annotations are kept. */
type PartOrigin = "inherited" | "member" | "host";

/** Keywords that depend on each other. A group is merged only if one side has none of it. */
const DEPENDENT_KEYWORDS = [
  ["items", "prefixItems"],
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
] as const;

/** Annotations that describe only the base, not its extensions. */
const NOT_INHERITED = new Set(["title", "default", "examples", "deprecated", "xml"]);

const LOWER_BOUNDS = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
]);
const UPPER_BOUNDS = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
]);

/**
 * Merges schemas into one that is equivalent to their `allOf`. A schema that it rejects must stay
 * in an `allOf`. One deviation is deliberate: `additionalProperties` of one member sees the
 * properties of all, as authors expect.
 */
export class SchemaMerger {
  readonly draft: DraftSchema = {};
  private ownsProperties = false;

  constructor(private readonly c: Context) {}

  /**
   * Merges a schema. Returns false, without changes, when the conjunction is not a single plain
   * schema.
   */
  tryAdd(schema: JsonSchema, origin: PartOrigin): boolean {
    const changes: DraftSchema = {};
    for (const key in schema) {
      if (ANNOTATIONS.has(key) || key === "properties") continue;
      const combined = this.combineKeyword(key, schema, origin);
      if (combined === undefined) return false;
      changes[key] = combined;
    }
    this.addAnnotations(schema, origin);
    Object.assign(this.draft, changes);
    if (schema.properties) this.addProperties(schema.properties);
    this.dropRedundantEnum();
    return true;
  }

  /** Adds annotations. Later ones override earlier ones; those of a base only fill gaps. */
  addAnnotations(schema: JsonSchema, origin: PartOrigin): void {
    for (const key in schema) {
      if (!ANNOTATIONS.has(key)) continue;
      if (origin === "inherited" && (NOT_INHERITED.has(key) || key in this.draft)) continue;
      this.draft[key] = schema[key];
    }
  }

  /**
   * Keeps only the values that another schema also allows. False when this schema has no list of
   * values, or none remains.
   */
  restrictValues(allowed: readonly unknown[] | undefined): boolean {
    const { draft } = this;
    const values = "const" in draft ? [draft.const] : draft.enum;
    const common = allowed && values && commonValues(values, allowed);
    if (!common) return false;
    if (draft.enum) draft.enum = common;
    return true;
  }

  private combineKeyword(key: string, schema: JsonSchema, origin: PartOrigin): unknown {
    const { draft } = this;
    if (key.startsWith("unevaluated") && origin !== "host") return undefined;
    if (hasGroupConflict(draft, schema, key)) return undefined;
    return key in draft ? intersectKeyword(this.c, key, draft[key], schema[key]) : schema[key];
  }

  private addProperties(added: Readonly<Record<string, Schema>>): void {
    const { draft } = this;
    if (draft.properties === undefined) {
      draft.properties = added;
      return;
    }
    const all: Record<string, Schema> = this.ownsProperties
      ? (draft.properties as Record<string, Schema>)
      : Object.assign(emptyRecord<Schema>(), draft.properties);
    this.ownsProperties = true;
    for (const [name, property] of Object.entries(added))
      all[name] = name in all ? intersectSchemas(this.c, all[name] ?? true, property) : property;
    draft.properties = all;
  }

  private dropRedundantEnum(): void {
    const { draft } = this;
    if ("const" in draft && draft.enum?.some((value) => isSameJson(value, draft.const)))
      delete draft.enum;
  }
}

/** The conjunction of two schemas of one property: a single schema if possible, else `allOf`. */
function intersectSchemas(c: Context, first: Schema, second: Schema): Schema {
  if (first === true || second === false || isSameJson(first, second)) return second;
  if (second === true || first === false) return first;
  if (isAnnotationOnly(second)) return { ...first, ...second };
  if (isAnnotationOnly(first)) return { ...first, ...second };
  const refined = refineReference(c, first, second);
  if (refined) return refined;
  const merger = new SchemaMerger(c);
  const [a, b] = [inlinableSchema(c, first), inlinableSchema(c, second)];
  if (a && b && merger.tryAdd(a, "member") && merger.tryAdd(b, "member")) return merger.draft;
  const filtered = intersectWithUnion(c, first, second) ?? intersectWithUnion(c, second, first);
  if (filtered) return filtered;
  return { ...annotationsOf(second), allOf: [first, constraintsOf(second)] };
}

/** Filters a list of values by a union that cannot be merged. */
function intersectWithUnion(
  c: Context,
  union: JsonSchema,
  list: JsonSchema,
): JsonSchema | undefined {
  const merger = new SchemaMerger(c);
  return list.$ref === undefined &&
    merger.tryAdd(list, "member") &&
    merger.restrictValues(allowedValues(c, union))
    ? merger.draft
    : undefined;
}

/** Keeps a reference when the other schema adds no constraint to its target. */
function refineReference(
  c: Context,
  first: JsonSchema,
  second: JsonSchema,
): JsonSchema | undefined {
  if (typeof first.$ref === "string" && addsNoConstraint(c, second, first))
    return { ...first, ...annotationsOf(second) };
  if (typeof second.$ref === "string" && addsNoConstraint(c, first, second))
    return { ...annotationsOf(first), ...second };
  return undefined;
}

function hasGroupConflict(a: JsonSchema, b: JsonSchema, key: string): boolean {
  const group: readonly string[] | undefined = DEPENDENT_KEYWORDS.find((keys) =>
    (keys as readonly string[]).includes(key),
  );
  if (!group) return false;
  return group.some((name) => name in a) && group.some((name) => name in a !== name in b);
}

/**
 * The conjunction of two values of one keyword.
 * @returns undefined when no single value expresses it
 */
function intersectKeyword(c: Context, key: string, a: unknown, b: unknown): unknown {
  if (isSameJson(a, b)) return a;
  if (LOWER_BOUNDS.has(key)) return Math.max(a as number, b as number);
  if (UPPER_BOUNDS.has(key)) return Math.min(a as number, b as number);
  switch (key) {
    case "type":
      return commonTypes(a as string, b as string);
    case "required":
      return [...new Set([...(a as string[]), ...(b as string[])])];
    case "enum":
      return commonValues(a as unknown[], b as unknown[]);
    case "additionalProperties":
    case "items":
    case "propertyNames":
      return intersectSchemas(c, a as Schema, b as Schema);
    case "patternProperties":
      return intersectByName(c, a as Record<string, Schema>, b as Record<string, Schema>);
    case "uniqueItems":
      return a === true || b === true;
    case "allOf":
      return [...(a as unknown[]), ...(b as unknown[])];
    default:
      return undefined;
  }
}

function intersectByName(
  c: Context,
  a: Readonly<Record<string, Schema>>,
  b: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const all = Object.assign(emptyRecord<Schema>(), a);
  for (const [name, schema] of Object.entries(b))
    all[name] = name in all ? intersectSchemas(c, all[name] ?? true, schema) : schema;
  return all;
}

function commonTypes(a: string | readonly string[], b: string | readonly string[]): unknown {
  const [left, right] = [typesOf({ type: a }), typesOf({ type: b })];
  const accepts = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const common = [
    ...left.filter((type) => accepts(right, type)),
    ...right.filter((type) => !left.includes(type) && accepts(left, type)),
  ];
  return common.length === 0 ? undefined : toTypeKeyword(common);
}

function commonValues(
  a: readonly unknown[],
  b: readonly unknown[],
): readonly unknown[] | undefined {
  const keys = new Set(b.map((value) => valueKey(value)));
  const common = a.filter((value) => keys.has(valueKey(value)));
  return common.length === 0 ? undefined : common;
}
