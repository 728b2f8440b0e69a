import { isObject, type JsonSchema } from "../../json.js";
import { unescapePointerToken } from "../../json-pointer.js";

/** A conjunction of schemas. Nothing satisfies `never`. */
export type Conjunction = readonly JsonSchema[] | "never";

/**
 * One version of a schema, which resolves references and flattens `allOf`. Parts are identified by
 * object identity, so each version needs its own copy of the data.
 */
export class SchemaVersion {
  readonly #root: JsonSchema | boolean;
  readonly #numbers = new Map<object, number>();
  readonly #conjunctions = new Map<object, Conjunction>();
  readonly #reduced = new Map<object, JsonSchema>();
  /**
   * The named schemas as JSON text. Equal references are only equivalent when these texts are
   * equal. Undefined if there are references to other targets.
   */
  readonly definitions: string | undefined;

  constructor(root: JsonSchema | boolean) {
    this.#root = root;
    const definitions = typeof root === "boolean" ? undefined : root.$defs;
    this.definitions = hasForeignReference(definitions)
      ? undefined
      : JSON.stringify(definitions ?? null);
  }

  /** Flattens a schema into its conjunction. An opaque schema stays one part. */
  conjunctionOf(schema: JsonSchema | boolean): Conjunction {
    if (typeof schema === "boolean") return schema ? [] : "never";
    const cached = this.#conjunctions.get(schema);
    if (cached !== undefined) return cached;
    const found: JsonSchema[] = [];
    const conjunction = this.#collect(schema, found, new Set()) ? found : "never";
    this.#conjunctions.set(schema, conjunction);
    return conjunction;
  }

  /** @returns false when nothing can satisfy the schema */
  #collect(schema: unknown, found: JsonSchema[], visited: Set<unknown>): boolean {
    if (schema === true || visited.has(schema)) return true;
    if (schema === false) return false;
    visited.add(schema);
    if (!isObject(schema)) return (found.push({ "not a schema": schema }), true);
    found.push(schema);
    if (isOpaque(schema)) return true;
    const parts: unknown[] = Array.isArray(schema["allOf"])
      ? [...(schema["allOf"] as unknown[])]
      : [];
    if (schema["$ref"] !== undefined) parts.push(this.#target(schema["$ref"]));
    return parts.every((part) => this.#collect(part, found, visited));
  }

  /** Resolves a reference. A dangling one becomes an unknown constraint. */
  #target(ref: unknown): unknown {
    if (ref === "#") return this.#root;
    const unknown = { "unknown reference": ref };
    if (typeof ref !== "string" || !ref.startsWith("#/")) return unknown;
    let target: unknown = this.#root;
    for (const segment of ref.slice(2).split("/")) {
      const name = unescapePointerToken(decodeStep(segment));
      if (typeof target !== "object" || target === null || !Object.hasOwn(target, name))
        return unknown;
      target = (target as Record<string, unknown>)[name];
    }
    return target;
  }

  /** A number that identifies a part in cache keys. */
  numberOf(part: JsonSchema): number {
    const number = this.#numbers.get(part) ?? this.#numbers.size;
    this.#numbers.set(part, number);
    return number;
  }

  /** The part without its alternatives. Returns the same object each time. */
  withoutAlternatives(part: JsonSchema): JsonSchema {
    const { anyOf: _any, oneOf: _one, ...rest } = part;
    const reduced = this.#reduced.get(part) ?? rest;
    this.#reduced.set(part, reduced);
    return reduced;
  }
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Keywords that depend on surrounding or referring schemas. */
const contextDependentKeywords =
  "unevaluatedProperties unevaluatedItems $dynamicRef $dynamicAnchor $anchor $id $recursiveRef".split(
    " ",
  );

/** True for a schema that can only be compared as a whole. */
export function isOpaque(schema: JsonSchema): boolean {
  return contextDependentKeywords.some((keyword) => schema[keyword] !== undefined);
}

/** Annotation keywords. JSON Schema Validation 2020-12, section 9. */
const annotations = new Set(
  (
    "title description examples example default deprecated readOnly writeOnly $comment " +
    "$schema $defs definitions"
  ).split(" "),
);

export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword);
}

/**
 * True when two schemas, or two values of a keyword, are equivalent: equal except for annotations
 * and member order, without references to schemas that differ between the versions.
 */
export function isEquivalent(
  a: unknown,
  b: unknown,
  versions: readonly [SchemaVersion, SchemaVersion],
  keyword?: string,
): boolean {
  return isEqual(a, b, valueKindOf(keyword)) && referencesAgree(a, versions);
}

/** True when two schemas are identical, including annotations. */
export function isIdentical(
  a: JsonSchema,
  b: JsonSchema,
  versions: readonly [SchemaVersion, SchemaVersion],
): boolean {
  return equalJson(a, b) && referencesAgree(a, versions);
}

/** True when the references in a value have the same targets in both versions. */
function referencesAgree(a: unknown, versions: readonly [SchemaVersion, SchemaVersion]): boolean {
  const alike =
    versions[0].definitions !== undefined && versions[0].definitions === versions[1].definitions;
  return alike ? !hasForeignReference(a) : !hasReference(a);
}

/** The kind of a keyword's value: a schema, a list of schemas, schemas by name, or plain data. */
type ValueKind = "schema" | "schemas" | "named" | "value";

const valueKinds: Readonly<Record<string, ValueKind>> = {
  items: "schema",
  additionalProperties: "schema",
  not: "schema",
  if: "schema",
  then: "schema",
  else: "schema",
  contains: "schema",
  propertyNames: "schema",
  allOf: "schemas",
  anyOf: "schemas",
  oneOf: "schemas",
  prefixItems: "schemas",
  properties: "named",
  patternProperties: "named",
  dependentSchemas: "named",
};

function valueKindOf(keyword: string | undefined): ValueKind {
  return keyword === undefined
    ? "schema"
    : Object.hasOwn(valueKinds, keyword)
      ? valueKinds[keyword]!
      : "value";
}

function isEqual(a: unknown, b: unknown, kind: ValueKind): boolean {
  if (
    kind === "value" ||
    typeof a !== "object" ||
    typeof b !== "object" ||
    a === null ||
    b === null
  )
    return equalJson(a, b);
  if (Array.isArray(a) || Array.isArray(b))
    return kind === "schemas" && Array.isArray(a) && Array.isArray(b)
      ? a.length === b.length && a.every((item, i) => isEqual(item, b[i], "schema"))
      : equalJson(a, b);
  const [x, y] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const namesOf = (object: object): readonly string[] =>
    Object.keys(object).filter((name) => kind !== "schema" || !isAnnotation(name));
  const names = namesOf(x);
  return (
    names.length === namesOf(y).length &&
    names.every(
      (name) =>
        Object.hasOwn(y, name) &&
        isEqual(x[name], y[name], kind === "schema" ? valueKindOf(name) : "schema"),
    )
  );
}

const isReference = (name: string): boolean =>
  name === "$ref" || name === "$dynamicRef" || name === "$recursiveRef";
const hasReference = (value: unknown): boolean => someMember(value, isReference);
/** True for references to other schemas than the named ones. */
const hasForeignReference = (value: unknown): boolean =>
  someMember(
    value,
    (name, member) =>
      isReference(name) && (typeof member !== "string" || !member.startsWith("#/$defs/")),
  );

function someMember(value: unknown, test: (name: string, member: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => someMember(item, test));
  return Object.entries(value).some(
    ([name, member]) => test(name, member) || someMember(member, test),
  );
}

/** JSON equality, independent of member order. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== "object" ||
    typeof b !== "object" ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  const [x, y] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(x);
  return (
    names.length === Object.keys(y).length &&
    names.every((name) => Object.hasOwn(y, name) && equalJson(x[name], y[name]))
  );
}
