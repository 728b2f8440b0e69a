import { isObject, type JsonSchema } from "../json.js";
import { unescapePointerToken } from "../json-pointer.js";

const PREFIX = "#/schemas/";
/** Keywords that references to shared schemas stand in: one schema, a list, or a map. */
const SCHEMA_KEYWORDS = ["items", "additionalProperties", "anyOf", "allOf", "properties", "$defs"];
/** Maximum schemas of a lock with all references replaced. Large APIs have a tenth of it. */
const MAX_SCHEMAS = 2_000_000;

/** Number and nesting of the schemas in a schema, itself included. */
interface Measure {
  readonly count: number;
  readonly depth: number;
}
const NOTHING: Measure = { count: 0, depth: 0 };

/** Replaces references to the shared schemas of a lock by these schemas. */
export class ReferenceExpander {
  /** Names of shared schemas, by the object that replaces references to them. */
  readonly names = new Map<object, string>();
  readonly #measures = new Map<unknown, Measure>();
  readonly #expanded = new Map<string, JsonSchema>();
  readonly #pending = new Set<string>();
  #total = 0;

  /** @param maxDepth maximum nesting of schemas */
  constructor(
    private readonly shared: Readonly<Record<string, unknown>>,
    private readonly maxDepth: number,
  ) {}

  /**
   * Replaces the references in a schema of a tool. The result may contain one object in several
   * places.
   * @throws ExpansionError for a reference without a target, and for one that is part of its target
   */
  expand(schema: JsonSchema): JsonSchema {
    const expanded = this.#schema(schema);
    this.#total += this.#measures.get(expanded)!.count;
    if (this.#total > MAX_SCHEMAS) throw new ExpansionError("refers to too many shared schemas");
    return expanded;
  }

  #schema(schema: JsonSchema): JsonSchema {
    const name = sharedName(schema.$ref);
    if (name !== undefined) return this.#target(name);
    const expanded: { [keyword: string]: unknown } = { ...schema };
    const parts: unknown[] = [];
    const part = (value: unknown): unknown => {
      const replaced = isObject(value) ? this.#schema(value) : value;
      parts.push(replaced);
      return replaced;
    };
    for (const keyword of SCHEMA_KEYWORDS)
      if (schema[keyword] !== undefined)
        expanded[keyword] = mapParts(schema[keyword], keyword, part);
    this.#measures.set(expanded, this.#measure(parts));
    return expanded;
  }

  #measure(parts: readonly unknown[]): Measure {
    let [count, depth] = [1, 0];
    for (const part of parts) {
      const measure = this.#measures.get(part) ?? NOTHING;
      count = Math.min(count + measure.count, MAX_SCHEMAS + 1);
      depth = Math.max(depth, measure.depth);
    }
    if (depth >= this.maxDepth)
      throw new ExpansionError(`is nested deeper than ${this.maxDepth} levels`);
    return { count, depth: depth + 1 };
  }

  #target(name: string): JsonSchema {
    const known = this.#expanded.get(name);
    if (known) return known;
    const target = Object.hasOwn(this.shared, name) ? this.shared[name] : undefined;
    if (!isObject(target) || this.#pending.has(name) || this.#pending.size > this.maxDepth)
      throw new ExpansionError(`has an invalid reference to the schema ${JSON.stringify(name)}`);
    this.#pending.add(name);
    const expanded = this.#schema(target);
    this.#pending.delete(name);
    this.#expanded.set(name, expanded);
    this.names.set(expanded, name);
    return expanded;
  }
}

/** A reference that cannot be replaced. The message is a clause about the lock. */
export class ExpansionError extends Error {
  override readonly name = "ExpansionError";
}

/** Maps the schemas in the value of a keyword: one, a list, or a map. */
function mapParts(value: unknown, keyword: string, part: (value: unknown) => unknown): unknown {
  if (keyword === "items" || keyword === "additionalProperties") return part(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map(part)
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, part(item)]));
}

function sharedName(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(PREFIX)
    ? unescapePointerToken(ref.slice(PREFIX.length))
    : undefined;
}
