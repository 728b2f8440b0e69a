import { isObject, type JsonSchema } from "../../json.js";
import { At } from "../at.js";
import type { Context } from "../context.js";
import { circularMessage, reportBroken, reportIgnoredSiblings } from "../deref.js";
import { kindOf, quote } from "../findings.js";
import { bare, isExtension, type Raw } from "../read.js";
import type { Target } from "../refs.js";
import { nameAt, TypeNames } from "./names.js";

/** A schema that something refers to, and so has a name. */
export interface Entry {
  readonly key: string;
  readonly at: At;
  readonly raw: Raw | boolean;
  /** `base`: without its alternatives, as the schemas that extend it see it. */
  readonly form: "whole" | "base";
}

/** Turns an entry into model form. Given by `convert.ts`. */
export type ReadEntry = (c: Context, entry: Entry) => JsonSchema;

/** Levels of schemas inside schemas. Documents in the wild stay below 40. */
const DEEPEST = 200;
/**
 * Schemas with schemas inside. YAML aliases can make few into many; the largest documents have some
 * ten thousand.
 */
const MOST = 400_000;

/**
 * The named schemas of one model. An entry is made for each distinct target of a `$ref`, and read
 * when it is first used, once. Names of components are given out first, in document order, so that
 * they do not depend on which operations exist.
 */
export class SchemaRegistry {
  private readonly entries = new Map<string, Entry>();
  private readonly byKey = new Map<string, Entry>();
  private readonly bases = new Map<Entry, Entry>();
  private readonly reserved = new Map<string, string>();
  private readonly names = new TypeNames();
  private readonly resolved = new Map<string, Entry | undefined>();
  private readonly references = new Map<Entry, JsonSchema>();
  private readonly schemas = new Map<Entry, JsonSchema | "reading">();
  private readonly waiting: Entry[] = [];
  private depth = 0;
  private count = 0;

  constructor(private readonly read: ReadEntry) {}

  /** Gives the named components their names. `prefix` is the pointer of their container. */
  reserve(prefix: string, names: readonly string[]): void {
    const container = At.of(prefix);
    const left = names.filter((name) => !this.keep(container, name, this.names.takeExact(name)));
    for (const name of left) this.keep(container, name, this.names.take(name));
  }

  /**
   * The entry that a `$ref` leads to, through any chain of pure aliases. Reports a chain that leads
   * nowhere.
   */
  find(c: Context, ref: string, from: At): Entry | undefined {
    const first = c.refs.find(ref, from);
    if (!first)
      return reportBroken(c, { broken: "missing", chain: [ref], at: from }, "schema", true);
    const pointer = first.at.pointer;
    if (!this.resolved.has(pointer)) this.resolved.set(pointer, this.resolve(c, ref, from, first));
    return this.resolved.get(pointer);
  }

  /** The entry of a key of `ApiModel.schemas`. */
  named(key: string): Entry | undefined {
    return this.byKey.get(key);
  }

  /** `{ $ref }` to an entry, which is thereby part of the model. */
  use(entry: Entry): JsonSchema {
    const made = this.references.get(entry);
    if (made) return made;
    const reference = { $ref: `#/$defs/${entry.key}` };
    this.references.set(entry, reference);
    this.waiting.push(entry);
    return reference;
  }

  /** True when something in the model refers to the entry. */
  isUsed(entry: Entry): boolean {
    return this.references.has(entry);
  }

  /**
   * What the entry is in model form; undefined while it is being read, or when too much is being
   * read at once.
   */
  schemaOf(c: Context, entry: Entry): JsonSchema | undefined {
    const known = this.schemas.get(entry);
    if (known !== undefined) return known === "reading" ? undefined : known;
    if (this.depth > DEEPEST / 2) return undefined;
    this.schemas.set(entry, "reading");
    const schema = this.read(c, entry);
    this.schemas.set(entry, schema);
    return schema;
  }

  /** What a schema in model form refers to; itself when it is no reference. */
  target(c: Context, schema: JsonSchema | undefined): JsonSchema | undefined {
    const entry =
      schema?.$ref === undefined ? undefined : this.byKey.get(schema.$ref.slice("#/$defs/".length));
    return entry ? this.schemaOf(c, entry) : schema;
  }

  /** The entry as those that extend it see it: its own fields, without its alternatives. */
  baseOf(entry: Entry): Entry {
    if (entry.form === "base") return entry;
    const made = this.bases.get(entry);
    if (made) return made;
    const base: Entry = { ...entry, key: this.names.take(`${entry.key}Base`), form: "base" };
    this.bases.set(entry, base);
    this.byKey.set(base.key, base);
    return base;
  }

  /** Replaces what was read: discriminator tags come last. */
  replace(entry: Entry, schema: JsonSchema): void {
    this.schemas.set(entry, schema);
  }

  /** Reads everything that is used, and what that uses. */
  drain(c: Context): void {
    // Reading appends; `for … of` sees what is appended.
    for (const entry of this.waiting) this.schemaOf(c, entry);
    this.waiting.length = 0;
  }

  /** What is used, by key, in the order of the keys. Null prototype. */
  finished(c: Context): Record<string, JsonSchema> {
    const used = [...this.references.keys()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const result = bare<JsonSchema>();
    for (const entry of used) result[entry.key] = this.schemaOf(c, entry) ?? {};
    return result;
  }

  /** The names of used components that have other keys. Null prototype. */
  otherNames(): Record<string, string> {
    const names = bare<string>();
    for (const { key, at, form } of this.references.keys()) {
      const name =
        form === "whole" && /^#\/(components\/schemas|definitions)\/[^/]*$/.test(at.pointer)
          ? at.key
          : key;
      if (name !== key) names[key] = name;
    }
    return names;
  }

  /**
   * Goes one level deeper. False, with a diagnostic, when that is too deep; else `leave` must
   * follow.
   */
  enter(c: Context, at: At): boolean {
    if (this.depth >= DEEPEST) {
      c.findings.add(
        "model-nesting",
        At.of(shortened(at.pointer)),
        `Schemas are nested more than ${DEEPEST} levels here: nesting too deep.`,
      );
      return false;
    }
    if (++this.count > MOST) {
      c.findings.add(
        "model-nesting",
        At.root,
        `The document has more than ${MOST} schemas; they are not read any further.`,
      );
      return false;
    }
    this.depth++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  private keep(container: At, name: string, key: string | undefined): boolean {
    if (key !== undefined) this.reserved.set(container.child(name).pointer, key);
    return key !== undefined;
  }

  private resolve(c: Context, ref: string, from: At, first: Target): Entry | undefined {
    const chain = new Set([ref]);
    let target = first;
    let at = from;
    let last = ref;
    while (isAlias(c, target.value)) {
      const next = target.value.$ref;
      reportSiblings(c, target.value, target.at);
      if (chain.has(next)) {
        c.findings.add("model-ref-circular", from.child("$ref"), circularMessage([...chain, next]));
        return undefined;
      }
      chain.add(next);
      at = target.at;
      const found = c.refs.find(next, at);
      if (!found)
        return reportBroken(c, { broken: "missing", chain: [...chain], at }, "schema", true);
      target = found;
      last = next;
    }
    return this.entryAt(c, target, last, at);
  }

  private entryAt(c: Context, { value, at }: Target, ref: string, from: At): Entry | undefined {
    if (!isObject(value) && typeof value !== "boolean") {
      c.findings.add(
        "model-ref-target",
        from.child("$ref"),
        `\`$ref\` ${quote(ref)} points at ${kindOf(value)}, not at a schema.`,
      );
      return undefined;
    }
    const known = this.entries.get(at.pointer);
    if (known) return known;
    const key = this.reserved.get(at.pointer) ?? this.names.take(nameAt(at.pointer));
    const entry: Entry = { key, at, raw: value, form: "whole" };
    this.entries.set(at.pointer, entry);
    this.byKey.set(key, entry);
    return entry;
  }
}

/**
 * Nothing but another name: `{ $ref }`. Before 3.1 whatever stands beside it does not count, except
 * `nullable`.
 */
function isAlias(c: Context, raw: unknown): raw is { readonly $ref: string } {
  if (!isObject(raw) || typeof raw.$ref !== "string") return false;
  if (c.version === "2.0" || c.version === "3.0")
    return raw.nullable !== true && raw["x-nullable"] !== true;
  return Object.keys(raw).every((key) => key === "$ref" || isExtension(key));
}

function reportSiblings(c: Context, raw: Raw, at: At): void {
  const keys = Object.keys(raw).filter(
    (key) => key !== "$ref" && key !== "nullable" && !isExtension(key),
  );
  if (keys.length > 0) reportIgnoredSiblings(c, keys, at);
}

/** The pointer of something 200 levels down is unreadable; where it starts is what helps. */
function shortened(pointer: string): string {
  return pointer.split("/").slice(0, 10).join("/");
}
