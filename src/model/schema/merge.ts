import type { JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import { bare } from "../read.js";
import { addsNothing, plainBody, valuesThrough } from "./targets.js";
import {
  ANNOTATIONS,
  annotationsOf,
  constraintsOf,
  onlyDescribes,
  typeKeyword,
  typesOf,
  type Draft,
} from "./types.js";
import { sameJson, valueKey } from "./values.js";

type Schema = JsonSchema | boolean;

/** Where a schema that is merged comes from: that decides about its annotations. */
export type Origin = "inherited" | "member" | "host";

/** Keywords whose meaning hangs on each other: merged only when one side has none of the group. */
const GROUPS = [
  ["items", "prefixItems"],
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
] as const;

/** Annotations that describe the base itself, not what extends it. */
const NOT_INHERITED = new Set(["title", "default", "examples", "deprecated", "xml"]);

const LARGER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const SMALLER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);

/**
 * One schema that means the same as an `allOf` of those it absorbed. What it refuses must stay in
 * an `allOf`. The one liberty: `additionalProperties` of one member sees the properties of all,
 * which is what people mean by it.
 */
export class Merger {
  readonly draft: Draft = {};
  private ownsProperties = false;

  constructor(private readonly c: Context) {}

  /**
   * Takes a schema in. Gives false, and changes nothing, when a conjunction of the two is not one
   * plain schema.
   */
  absorb(schema: JsonSchema, origin: Origin): boolean {
    const changes: Draft = {};
    for (const key in schema) {
      if (ANNOTATIONS.has(key) || key === "properties") continue;
      const combined = this.combined(key, schema, origin);
      if (combined === undefined) return false;
      changes[key] = combined;
    }
    this.annotate(schema, origin);
    Object.assign(this.draft, changes);
    if (schema.properties) this.addProperties(schema.properties);
    this.narrowEnum();
    return true;
  }

  /** Later annotations win over earlier ones; those of a base only fill gaps. */
  annotate(schema: JsonSchema, origin: Origin): void {
    for (const key in schema) {
      if (!ANNOTATIONS.has(key)) continue;
      if (origin === "inherited" && (NOT_INHERITED.has(key) || key in this.draft)) continue;
      this.draft[key] = schema[key];
    }
  }

  /**
   * Leaves only those values that a further schema allows as well; false when this one has no list
   * of values, or none is left.
   */
  narrow(allowed: readonly unknown[] | undefined): boolean {
    const { draft } = this;
    const own = "const" in draft ? [draft.const] : draft.enum;
    const common = allowed && own && commonValues(own, allowed);
    if (!common) return false;
    if (draft.enum) draft.enum = common;
    return true;
  }

  private combined(key: string, schema: JsonSchema, origin: Origin): unknown {
    const { draft } = this;
    if (key.startsWith("unevaluated") && origin !== "host") return undefined;
    if (clashes(draft, schema, key)) return undefined;
    return key in draft ? combine(this.c, key, draft[key], schema[key]) : schema[key];
  }

  private addProperties(added: Readonly<Record<string, Schema>>): void {
    const { draft } = this;
    if (draft.properties === undefined) {
      draft.properties = added;
      return;
    }
    const all: Record<string, Schema> = this.ownsProperties
      ? (draft.properties as Record<string, Schema>)
      : Object.assign(bare<Schema>(), draft.properties);
    this.ownsProperties = true;
    for (const [name, property] of Object.entries(added))
      all[name] = name in all ? both(this.c, all[name] ?? true, property) : property;
    draft.properties = all;
  }

  private narrowEnum(): void {
    const { draft } = this;
    if ("const" in draft && draft.enum?.some((value) => sameJson(value, draft.const)))
      delete draft.enum;
  }
}

/**
 * The conjunction of two schemas of one property: a single schema where that says the same, else
 * `allOf`.
 */
export function both(c: Context, first: Schema, second: Schema): Schema {
  if (first === true || second === false || sameJson(first, second)) return second;
  if (second === true || first === false) return first;
  if (onlyDescribes(second)) return { ...first, ...second };
  if (onlyDescribes(first)) return { ...first, ...second };
  const narrowed = refine(c, first, second);
  if (narrowed) return narrowed;
  const merger = new Merger(c);
  const [a, b] = [plainBody(c, first), plainBody(c, second)];
  if (a && b && merger.absorb(a, "member") && merger.absorb(b, "member")) return merger.draft;
  const listed = narrowedTo(c, first, second) ?? narrowedTo(c, second, first);
  if (listed) return listed;
  return { ...annotationsOf(second), allOf: [first, constraintsOf(second)] };
}

/**
 * A list of values that a union of values (which is not plain) allows: what is left of the list.
 */
function narrowedTo(c: Context, union: JsonSchema, list: JsonSchema): JsonSchema | undefined {
  const merger = new Merger(c);
  return list.$ref === undefined &&
    merger.absorb(list, "member") &&
    merger.narrow(valuesThrough(c, union))
    ? merger.draft
    : undefined;
}

/** A reference stays one when the other schema adds no constraint to its target. */
function refine(c: Context, first: JsonSchema, second: JsonSchema): JsonSchema | undefined {
  if (typeof first.$ref === "string" && addsNothing(c, second, first))
    return { ...first, ...annotationsOf(second) };
  if (typeof second.$ref === "string" && addsNothing(c, first, second))
    return { ...annotationsOf(first), ...second };
  return undefined;
}

function clashes(a: JsonSchema, b: JsonSchema, key: string): boolean {
  const group: readonly string[] | undefined = GROUPS.find((keys) =>
    (keys as readonly string[]).includes(key),
  );
  if (!group) return false;
  return group.some((name) => name in a) && group.some((name) => name in a !== name in b);
}

/**
 * The conjunction of two values of one keyword; undefined when there is no single value that says
 * it.
 */
function combine(c: Context, key: string, a: unknown, b: unknown): unknown {
  if (sameJson(a, b)) return a;
  if (LARGER.has(key)) return Math.max(a as number, b as number);
  if (SMALLER.has(key)) return Math.min(a as number, b as number);
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
      return both(c, a as Schema, b as Schema);
    case "patternProperties":
      return byName(c, a as Record<string, Schema>, b as Record<string, Schema>);
    case "uniqueItems":
      return a === true || b === true;
    case "allOf":
      return [...(a as unknown[]), ...(b as unknown[])];
    default:
      return undefined;
  }
}

function byName(
  c: Context,
  a: Readonly<Record<string, Schema>>,
  b: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const all = Object.assign(bare<Schema>(), a);
  for (const [name, schema] of Object.entries(b))
    all[name] = name in all ? both(c, all[name] ?? true, schema) : schema;
  return all;
}

function commonTypes(a: string | readonly string[], b: string | readonly string[]): unknown {
  const [left, right] = [typesOf({ type: a }) ?? [], typesOf({ type: b }) ?? []];
  const accepts = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const common = [
    ...left.filter((type) => accepts(right, type)),
    ...right.filter((type) => !left.includes(type) && accepts(left, type)),
  ];
  return common.length === 0 ? undefined : typeKeyword(common);
}

function commonValues(
  a: readonly unknown[],
  b: readonly unknown[],
): readonly unknown[] | undefined {
  const others = new Set(b.map((value) => valueKey(value)));
  const common = a.filter((value) => others.has(valueKey(value)));
  return common.length === 0 ? undefined : common;
}
