import { subschemasOf, toList, withoutExamples } from "./inspect-schema.js";
import { mergeSchemas } from "./merge-schemas.js";
import { sampleNumber } from "./sample-number.js";
import { sampleText } from "./sample-text.js";
import { type AnySchema, isSchema, type SchemaSet } from "./schema-set.js";
import type { Schema } from "./types.js";

export interface SampleOptions {
  /**
   * `required`: required properties only, and one value in each nested array and object, because an
   * empty one often cannot be sent. `all`: every property, down to a few levels. Default: `all`.
   */
  readonly fill?: "required" | "all";
  /** Prefer `examples` and `default` over generated values. Default: true. */
  readonly examples?: boolean;
  /** Text for strings without any constraint. Default: `text`. */
  readonly hint?: string;
}

/** Levels with optional properties. */
const OPTIONAL_LEVELS = 4;
/** Levels without empty arrays and objects. */
const FILLED_LEVELS = 8;
const MAX_DEPTH = 12;
/** Maximum number of values in a sample. */
const MAX_VALUES = 300;

/**
 * A valid value of a schema, always the same: its example when it is valid, otherwise a value
 * generated from types, formats, bounds and patterns. Depth and size are limited. Keywords such as
 * `not` and `if` may be violated; check with `schemas.accepts`.
 */
export function sample(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  options: SampleOptions = {},
): unknown {
  return new Sampler(schemas, options).value(schema, {
    depth: 0,
    n: 0,
    hint: options.hint ?? "text",
  });
}

interface SamplePosition {
  readonly depth: number;
  /** Index in the array around it. It makes items differ. */
  readonly n: number;
  /** Name of the property. */
  readonly hint: string;
}

class Sampler {
  readonly #schemas: SchemaSet;
  #all: boolean;
  readonly #examples: boolean;
  #left = MAX_VALUES;
  /** Attempts to satisfy combinators. Each one costs a validation. */
  #attempts = 2_000;

  constructor(schemas: SchemaSet, options: SampleOptions) {
    this.#schemas = schemas;
    this.#all = options.fill !== "required";
    this.#examples = options.examples !== false;
  }

  value(schema: AnySchema | undefined, position: SamplePosition): unknown {
    const target = this.#schemas.resolve(schema);
    this.#left--;
    if (typeof target === "boolean") return position.hint;
    const merged = this.#mergeAllOf(target, 0);
    if ("const" in merged) return merged["const"];
    const suggested = this.#suggestedValues(merged, position.n);
    if (suggested.length > 0) return suggested[0];
    if (position.depth > MAX_DEPTH || this.#left < -MAX_VALUES)
      return isNullable(merged) ? null : this.#leaf(merged, position);
    const keyword = (["oneOf", "anyOf"] as const).find((name) => Array.isArray(merged[name]));
    if (!keyword) return this.#byType(merged, position);
    return this.#choose(merged, keyword, target, position);
  }

  /** Examples, the default and enumerated values that the schema accepts. */
  #suggestedValues(schema: Schema, n: number): readonly unknown[] {
    const values = toList(schema["enum"]);
    const suggestions = this.#examples
      ? [
          ...rotate(toList(schema["examples"]), n),
          ...("default" in schema ? [schema["default"]] : []),
        ]
      : [];
    const candidates = [...suggestions, ...rotate(values, n)].filter(
      (v) => v !== undefined && (v !== null || !this.#all || values.length === 1),
    );
    return candidates.filter((v) => isExact(v) && this.#schemas.accepts(v, schema)).slice(0, 1);
  }

  /** Merges `allOf` into one schema. */
  #mergeAllOf(schema: Schema, depth: number): Schema {
    if (!Array.isArray(schema["allOf"]) || depth > 10) return schema;
    const { allOf: _, ...rest } = schema;
    const parts = this.#schemas
      .allOf(schema)
      .map((part) => this.#schemas.resolve(part))
      .filter((part) => typeof part === "object");
    // An example of one part is not an example of the whole.
    const merged = parts.map((part) =>
      this.#mergeAllOf(parts.length > 1 ? withoutExamples(part) : part, depth + 1),
    );
    return merged.reduce(mergeSchemas, rest);
  }

  /** A value of the first alternative that makes the whole schema valid. */
  #choose(
    schema: Schema,
    keyword: "oneOf" | "anyOf",
    original: Schema,
    position: SamplePosition,
  ): unknown {
    const { [keyword]: alternatives, ...rest } = schema;
    const targets = orderAlternatives(alternatives as AnySchema[], this.#schemas, position.n)
      .slice(0, 12)
      .map((alternative) => this.#schemas.resolve(alternative));
    const values: unknown[] = [];
    for (const all of this.#all ? [true, false] : [false]) {
      for (const target of targets) {
        const value = this.#withOptional(all, () =>
          this.value(
            typeof target === "boolean" ? rest : mergeSchemas(rest, this.#mergeAllOf(target, 0)),
            position,
          ),
        );
        if (this.#attempts-- <= 0 || this.#schemas.accepts(value, original)) return value;
        values.push(value);
      }
    }
    return values.length > 0 ? values[0] : this.#byType(rest, position);
  }

  /**
   * Samples with or without optional properties. Schemas that forbid combinations of properties
   * accept only the smaller value.
   */
  #withOptional(all: boolean, make: () => unknown): unknown {
    const before = this.#all;
    this.#all = all;
    const value = make();
    this.#all = before;
    return value;
  }

  #byType(schema: Schema, position: SamplePosition): unknown {
    const types = toList(schema["type"]);
    const type = types.find((t) => t !== "null") ?? types[0] ?? impliedType(schema);
    switch (type) {
      case "object":
        return this.#object(schema, position);
      case "array":
        return this.#array(schema, position);
      default:
        return this.#leaf(schema, position);
    }
  }

  #leaf(schema: Schema, position: SamplePosition): unknown {
    const types = toList(schema["type"]);
    switch (types.find((t) => t !== "null") ?? types[0] ?? "string") {
      case "integer":
        return sampleNumber(schema, position.n, true);
      case "number":
        return sampleNumber(schema, position.n, false);
      case "boolean":
        return position.n % 2 === 0;
      case "null":
        return null;
      case "object":
        return {};
      case "array":
        return [];
      default:
        return sampleText(schema, position.n, position.hint);
    }
  }

  #array(schema: Schema, { depth, hint }: SamplePosition): unknown[] {
    const least = minimumCount(schema, "minItems");
    const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Infinity;
    const prefix = toList(schema["prefixItems"]) as readonly AnySchema[];
    const items = schema["items"] as AnySchema | undefined;
    const contains = schema["contains"] as AnySchema | undefined;
    const count = Math.max(least, prefix.length, depth < FILLED_LEVELS ? 1 : 0);
    const length = Math.min(count, most, items === false ? prefix.length : Infinity);
    return Array.from({ length }, (_, n) =>
      this.value(prefix[n] ?? (n === 0 && contains !== undefined ? contains : items), {
        depth: depth + 1,
        n,
        hint: singular(hint),
      }),
    );
  }

  #object(schema: Schema, { depth, n }: SamplePosition): Record<string, unknown> {
    const properties = new Map(
      Object.entries((schema["properties"] ?? {}) as Record<string, AnySchema>),
    );
    const required = new Set(toList(schema["required"]) as readonly string[]);
    const entries: [string, unknown][] = [];
    const least = Math.max(
      minimumCount(schema, "minProperties"),
      depth > 0 && depth < FILLED_LEVELS ? 1 : 0,
    );
    const visible = [...properties].filter(
      ([, property]) => property !== false && !this.#schemas.isHidden(property),
    );
    let spare = least - visible.filter(([name]) => required.has(name)).length;
    let room = maxPropertiesOf(schema) - required.size;
    for (const [name, property] of visible) {
      if (!required.has(name) && ((!this.#mayGrow(depth) && spare-- <= 0) || room-- <= 0)) continue;
      entries.push([name, this.value(property, { depth: depth + 1, n, hint: name })]);
    }
    for (const name of required)
      if (!properties.has(name))
        entries.push([name, this.#extra(schema, { depth, n, hint: name })]);
    return Object.fromEntries([...entries, ...this.#additional(schema, entries, depth)]);
  }

  /**
   * Additional properties: as many as `minProperties` needs, and one for a map without properties.
   */
  #additional(
    schema: Schema,
    entries: readonly [string, unknown][],
    depth: number,
  ): readonly [string, unknown][] {
    const least = minimumCount(schema, "minProperties");
    const isMap =
      typeof schema["additionalProperties"] === "object" && schema["properties"] === undefined;
    const count =
      Math.min(Math.max(least, isMap && this.#mayGrow(depth) ? 1 : 0), maxPropertiesOf(schema)) -
      entries.length;
    if (count <= 0 || schema["additionalProperties"] === false) return [];
    const names = schema["propertyNames"] as AnySchema | undefined;
    return Array.from({ length: count }, (_, n) => [
      this.#key(names, n),
      this.#extra(schema, { depth, n, hint: "value" }),
    ]);
  }

  #key(names: AnySchema | undefined, n: number): string {
    const key =
      names === undefined
        ? `key${n + 1}`
        : this.value(names === true ? { type: "string" } : names, {
            depth: MAX_DEPTH,
            n,
            hint: "key",
          });
    return typeof key === "string" ? key : `key${n + 1}`;
  }

  #extra(schema: Schema, position: SamplePosition): unknown {
    const rest = schema["additionalProperties"];
    return this.value(isSchema(rest) && rest !== false ? rest : true, {
      ...position,
      depth: position.depth + 1,
    });
  }

  #mayGrow(depth: number): boolean {
    return this.#all && depth < OPTIONAL_LEVELS && this.#left > 0;
  }
}

/** Tests whether all numbers are exact. Integers beyond 2^53 lose digits when they are parsed. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

function minimumCount(schema: Schema, keyword: "minItems" | "minProperties"): number {
  const least = schema[keyword];
  return typeof least === "number" ? Math.min(least, 100) : 0;
}

function maxPropertiesOf(schema: Schema): number {
  const most = schema["maxProperties"];
  return typeof most === "number" ? most : Number.POSITIVE_INFINITY;
}

function isNullable(schema: Schema): boolean {
  return toList(schema["type"]).includes("null");
}

function rotate<T>(values: readonly T[], n: number): readonly T[] {
  const at = values.length === 0 ? 0 : n % values.length;
  return [...values.slice(at), ...values.slice(0, at)];
}

/** Alternatives with `null` last, rotated so that items of an array differ. */
function orderAlternatives(
  alternatives: readonly AnySchema[],
  schemas: SchemaSet,
  n: number,
): readonly AnySchema[] {
  const isNull = (s: AnySchema): boolean => {
    const target = schemas.resolve(s);
    return typeof target === "object" && target["type"] === "null";
  };
  return [
    ...rotate(
      alternatives.filter((s) => !isNull(s)),
      n,
    ),
    ...alternatives.filter(isNull),
  ];
}

/** The type that the keywords of a schema without `type` imply. */
function impliedType(schema: Schema): string {
  const hasAny = (keywords: readonly string[]): boolean =>
    keywords.some((keyword) => schema[keyword] !== undefined);
  if (hasAny(["properties", "additionalProperties", "required", "minProperties"])) return "object";
  if (hasAny(["items", "prefixItems", "minItems"])) return "array";
  if (hasAny(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]))
    return "number";
  return subschemasOf(schema).length > 0 ? "object" : "string";
}

function singular(hint: string): string {
  return hint.length > 3 && hint.endsWith("s") ? hint.slice(0, -1) : hint;
}
