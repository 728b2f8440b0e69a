import {
  dereference,
  encodePointer,
  type OutputUnit,
  type Schema as ValidatorSchema,
  validate,
} from "@cfworker/json-schema";
import { mayTakeLong, runInTime } from "./time-limit.js";
import type { Schema, Violation } from "./types.js";

/** Direction of a value: requests have no `readOnly` properties, responses no `writeOnly` ones. */
export type Direction = "request" | "response";

/** A JSON Schema, including the boolean schemas. */
export type AnySchema = Schema | boolean;

const BASE = new URL("https://mock.invalid/");

/**
 * The schemas of an API in one direction: resolves references and validates values. Schemas are
 * prepared on first use, so that large APIs start fast.
 */
export class SchemaSet {
  readonly #named: ReadonlyMap<string, AnySchema>;
  readonly #direction: Direction;
  /** Schemas registered with the validator, by URI. */
  readonly #lookup: Record<string, ValidatorSchema | boolean> = Object.create(null) as Record<
    string,
    ValidatorSchema | boolean
  >;
  readonly #prepared = new Map<object, AnySchema>();
  readonly #resolved = new Map<object, AnySchema>();
  readonly #registered = new Set<string>();
  #inline = 0;
  /** True if a prepared schema has a pattern whose match can take long. */
  #hasSlowPatterns = false;

  constructor(schemas: Readonly<Record<string, AnySchema>>, direction: Direction) {
    this.#named = new Map(Object.entries(schemas));
    this.#direction = direction;
  }

  get direction(): Direction {
    return this.#direction;
  }

  /**
   * Resolves a chain of references. Siblings of a reference override its target. Cycles resolve to
   * `true`.
   */
  resolve(schema: AnySchema | undefined): AnySchema {
    if (typeof schema !== "object" || typeof schema["$ref"] !== "string") return schema ?? true;
    const known = this.#resolved.get(schema);
    if (known !== undefined) return known;
    const target = this.#follow(schema);
    this.#resolved.set(schema, target);
    return target;
  }

  #follow(schema: Schema): AnySchema {
    let current: Schema = schema;
    for (let hops = 0; hops < 20; hops++) {
      const { $ref, ...siblings } = current;
      if (typeof $ref !== "string") return current;
      const target = this.definition($ref) ?? true;
      const alone = Object.keys(siblings).length === 0;
      if (typeof target === "boolean") return target && !alone ? siblings : target;
      current = alone ? target : { ...target, ...siblings };
    }
    return true;
  }

  /** Target of `#/$defs/<name>`. */
  definition(ref: string): AnySchema | undefined {
    return this.#named.get(refName(ref));
  }

  /**
   * Parts of an `allOf`. Empty when their types contradict each other, because nothing could
   * satisfy them.
   */
  allOf(schema: Schema): readonly AnySchema[] {
    const parts = Array.isArray(schema["allOf"]) ? (schema["allOf"] as readonly AnySchema[]) : [];
    const types = [schema, ...parts.map((part) => this.resolve(part))].flatMap((part) =>
      typeof part === "object" && part["type"] !== undefined ? [[part["type"]].flat()] : [],
    );
    const widened = types.map((list) =>
      list.flatMap((type) => (type === "number" ? ["number", "integer"] : [type])),
    );
    return widened.length < 2 ||
      widened[0]?.some((type) => widened.every((list) => list.includes(type)))
      ? parts
      : [];
  }

  /** True if a property is omitted in this direction. */
  isHidden(schema: AnySchema): boolean {
    const target = this.resolve(schema);
    if (typeof target === "boolean") return false;
    return target[this.#direction === "request" ? "readOnly" : "writeOnly"] === true;
  }

  /** All violations of a schema. Empty for a valid value. */
  check(value: unknown, schema: AnySchema | undefined, at: string): readonly Violation[] {
    if (schema === undefined || schema === true) return [];
    const { valid, errors } = this.#validate(value, schema);
    return valid
      ? []
      : readableErrors(errors).map(({ pointer, problem }) => ({
          at: `${at}${pointer && ` ${pointer}`}`,
          problem,
        }));
  }

  accepts(value: unknown, schema: AnySchema | undefined): boolean {
    return schema === undefined || this.#validate(value, schema).valid;
  }

  #validate(value: unknown, schema: AnySchema): { valid: boolean; errors: OutputUnit[] } {
    const prepared = this.#prepare(schema, 0);
    if (typeof prepared === "object" && !("__absolute_uri__" in prepared))
      this.#register(prepared, `/inline/${this.#inline++}`);
    const run = () => validate(value, prepared as ValidatorSchema, "2020-12", this.#lookup, false);
    if (!this.#hasSlowPatterns) return run();
    return runInTime(run) ?? { valid: true, errors: [] };
  }

  /** Registers a schema and its references with the validator. */
  #register(schema: AnySchema, pointer: string): void {
    const pending: [AnySchema, string][] = [[schema, pointer]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      dereference(next[0] as ValidatorSchema, this.#lookup, BASE, next[1]);
      for (const name of referencesIn(next[0])) {
        if (this.#registered.has(name)) continue;
        this.#registered.add(name);
        pending.push([
          this.#prepare(this.#named.get(name) ?? true, 0),
          `/$defs/${encodePointer(name)}`,
        ]);
      }
    }
  }

  /**
   * A copy of a schema for this direction, because the validator adds properties to schemas. Hidden
   * properties are neither required nor allowed. Invalid patterns are dropped, because the
   * validator throws for them, and so is the format of enumerated values, which may contradict
   * them. `oneOf` is validated as `anyOf`: in real documents its alternatives overlap. A
   * contradictory `allOf` is ignored.
   */
  #prepare(schema: AnySchema, depth: number): AnySchema {
    if (typeof schema === "boolean") return schema;
    const known = this.#prepared.get(schema);
    if (known !== undefined) return known;
    if (depth > 200) return true;
    const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    this.#prepared.set(schema, copy);
    for (const [keyword, value] of Object.entries(schema)) {
      if (!NO_ASSERTION.has(keyword) && !(keyword === "format" && Array.isArray(schema["enum"])))
        define(copy, keyword, this.#prepareKeyword(schema, keyword, value, depth + 1));
    }
    return withoutOneOf(copy);
  }

  #prepareKeyword(schema: Schema, keyword: string, value: unknown, depth: number): unknown {
    if (keyword === "pattern") return isValidPattern(value) ? this.#pattern(value) : "";
    if (keyword === "required") return this.#required(schema, value);
    if (keyword === "properties")
      return mapValues(value, (s) => (this.isHidden(s) ? false : this.#prepare(s, depth)));
    if (keyword === "patternProperties")
      return mapValues(this.#patternKeys(value), (s) => this.#prepare(s, depth));
    if (MAPS.has(keyword)) return mapValues(value, (s) => this.#prepare(s, depth));
    if (keyword === "allOf") return this.allOf(schema).map((part) => this.#prepare(part, depth));
    if (LISTS.has(keyword) && Array.isArray(value))
      return value.map((s) => (isSchema(s) ? this.#prepare(s, depth) : s));
    return SINGLE.has(keyword) && isSchema(value) ? this.#prepare(value, depth) : value;
  }

  #pattern(pattern: string): string {
    this.#hasSlowPatterns ||= mayTakeLong(pattern);
    return pattern;
  }

  #patternKeys(map: unknown): object {
    const entries = Object.entries(map ?? {}).filter(([pattern]) => isValidPattern(pattern));
    for (const [pattern] of entries) this.#pattern(pattern);
    return Object.fromEntries(entries);
  }

  /**
   * Required names without hidden properties and without undeclared names, which are mistakes in
   * the document.
   */
  #required(schema: Schema, names: unknown): unknown {
    const properties = new Map(
      Object.entries((schema["properties"] ?? {}) as Record<string, AnySchema>),
    );
    const listed =
      properties.size > 0 &&
      schema["additionalProperties"] === undefined &&
      this.#direction === "request";
    return Array.isArray(names)
      ? names.filter(
          (n: string) =>
            (listed ? properties.has(n) : true) && !this.isHidden(properties.get(n) ?? true),
        )
      : names;
  }
}

/** `Pet` of `#/$defs/Pet`. */
export function refName(ref: string): string {
  const encoded = ref.startsWith("#/$defs/") ? ref.slice("#/$defs/".length) : ref;
  try {
    return decodeURIComponent(encoded).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return encoded;
  }
}

const NO_ASSERTION = new Set(
  (
    "examples default description title $comment readOnly writeOnly deprecated xml " +
    "externalDocs id $id $anchor $schema"
  ).split(" "),
);
const MAPS = new Set(["$defs", "dependentSchemas"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set(
  (
    "items contains additionalProperties unevaluatedProperties unevaluatedItems " +
    "propertyNames not if then else"
  ).split(" "),
);

/** Tests whether a value can be a schema. */
export function isSchema(value: unknown): value is AnySchema {
  return (
    typeof value === "boolean" ||
    (typeof value === "object" && value !== null && !Array.isArray(value))
  );
}

/** Sets a property whose key may be `__proto__`. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function mapValues(map: unknown, change: (schema: AnySchema) => AnySchema): unknown {
  const out = Object.create(null) as object;
  for (const [key, value] of Object.entries(map ?? {}))
    define(out, key, isSchema(value) ? change(value) : true);
  return out;
}

/** Tests whether a pattern is valid. JSON Schema patterns are ECMA-262 with the `u` flag. */
export function isValidPattern(pattern: unknown): pattern is string {
  try {
    return typeof pattern === "string" && new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function referencesIn(schema: AnySchema): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: unknown[] = [schema];
  const seen = new Set<object>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    const ref = (next as Schema)["$ref"];
    if (typeof ref === "string") found.add(refName(ref));
    for (const value of Object.values(next))
      if (typeof value === "object" && value !== null) pending.push(value);
  }
  return found;
}

/** Replaces `oneOf` by `anyOf`, in place: other schemas may refer to it already. */
function withoutOneOf(schema: Record<string, unknown>): AnySchema {
  const alternatives = schema["oneOf"];
  if (alternatives === undefined) return schema;
  delete schema["oneOf"];
  if (schema["anyOf"] === undefined) schema["anyOf"] = alternatives;
  else
    schema["allOf"] = [
      ...((schema["allOf"] as unknown[] | undefined) ?? []),
      { anyOf: alternatives },
    ];
  return schema;
}

/** Violations of the deepest level. The validator also reports every level above. */
function readableErrors(errors: readonly OutputUnit[]): { pointer: string; problem: string }[] {
  const leaves = errors.filter((e) => !LEVELS.has(e.keyword));
  return (leaves.length > 0 ? leaves : errors).slice(0, 10).map((e) => ({
    pointer: e.instanceLocation.replace(/^#/, ""),
    problem: e.keyword === "false" ? "is not allowed here" : e.error,
  }));
}

const LEVELS = new Set(
  "properties items $ref allOf prefixItems additionalProperties patternProperties".split(" "),
);

export function violation(problem: string, at = "body"): Violation {
  return { at, problem };
}
