import { describeType } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { Context, SchemaEntry, SchemaRegistry } from "../context.js";
import { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { emptyRecord, isExtension, isTrue, ownProperty, type RawObject } from "../raw-object.js";
import {
  circularReferenceMessage,
  reportBrokenReference,
  reportIgnoredSiblings,
} from "../references.js";
import type { ReferenceTarget } from "../reference-resolver.js";
import { nameFromPointer, TypeNameAllocator } from "./schema-names.js";

/** Converts an entry to model form. `convert.ts` provides it. */
type EntryConverter = (c: Context, entry: SchemaEntry) => JsonSchema;

/** Effect of a broken reference to a schema. */
const ANY_VALUE = "any value is accepted";

/** Maximum nesting of schemas. Real documents stay below 40. */
const MAX_DEPTH = 200;
/**
 * Maximum number of schemas with subschemas. The largest documents have some ten thousand, but YAML
 * aliases can multiply them.
 */
const MAX_SCHEMAS = 400_000;

/**
 * The named schemas of one model. Each distinct target of a `$ref` has one entry, which is
 * converted once, at its first use. Components are named first, in document order, so that their
 * names do not depend on the operations.
 */
export class NamedSchemas implements SchemaRegistry {
  private readonly entries = new Map<string, SchemaEntry>();
  private readonly byKey = new Map<string, SchemaEntry>();
  private readonly bases = new Map<SchemaEntry, SchemaEntry>();
  private readonly reservedNames = new Map<string, string>();
  private readonly names = new TypeNameAllocator();
  private readonly entriesByTarget = new Map<string, SchemaEntry | undefined>();
  private readonly references = new Map<SchemaEntry, JsonSchema>();
  private readonly schemas = new Map<SchemaEntry, JsonSchema | "reading">();
  private readonly pending: SchemaEntry[] = [];
  private depth = 0;
  private count = 0;

  constructor(private readonly convert: EntryConverter) {}

  /**
   * Reserves the names of the components.
   * @param prefix the pointer of their container
   */
  reserve(prefix: string, names: readonly string[]): void {
    const container = Pointer.of(prefix);
    const unnamed = names.filter(
      (name) => !this.reserveName(container, name, this.names.allocateExact(name)),
    );
    for (const name of unnamed) this.reserveName(container, name, this.names.allocate(name));
  }

  find(c: Context, ref: string, from: Pointer): SchemaEntry | undefined {
    const first = c.references.find(ref, from);
    if (!first)
      return reportBrokenReference(
        c,
        { reason: "missing", chain: [ref], pointer: from },
        "schema",
        ANY_VALUE,
      );
    const pointer = first.pointer.text;
    if (!this.entriesByTarget.has(pointer))
      this.entriesByTarget.set(pointer, this.resolve(c, ref, from, first));
    return this.entriesByTarget.get(pointer);
  }

  entryOf(key: string): SchemaEntry | undefined {
    return this.byKey.get(key);
  }

  reference(entry: SchemaEntry): JsonSchema {
    const existing = this.references.get(entry);
    if (existing) return existing;
    const reference = { $ref: `#/$defs/${entry.key}` };
    this.references.set(entry, reference);
    this.pending.push(entry);
    return reference;
  }

  isReferenced(entry: SchemaEntry): boolean {
    return this.references.has(entry);
  }

  schemaOf(c: Context, entry: SchemaEntry): JsonSchema | undefined {
    const known = this.schemas.get(entry);
    if (known !== undefined) return known === "reading" ? undefined : known;
    if (this.depth > MAX_DEPTH / 2) return undefined;
    this.schemas.set(entry, "reading");
    const schema = this.convert(c, entry);
    this.schemas.set(entry, schema);
    return schema;
  }

  dereference(c: Context, schema: JsonSchema | undefined): JsonSchema | undefined {
    const entry =
      schema?.$ref === undefined ? undefined : this.byKey.get(schema.$ref.slice("#/$defs/".length));
    return entry ? this.schemaOf(c, entry) : schema;
  }

  baseOf(entry: SchemaEntry): SchemaEntry {
    if (entry.form === "base") return entry;
    const existing = this.bases.get(entry);
    if (existing) return existing;
    const base: SchemaEntry = {
      ...entry,
      key: this.names.allocate(`${entry.key}Base`),
      form: "base",
    };
    this.bases.set(entry, base);
    this.byKey.set(base.key, base);
    return base;
  }

  replace(entry: SchemaEntry, schema: JsonSchema): void {
    this.schemas.set(entry, schema);
  }

  /** Converts all referenced entries, including those that they refer to. */
  convertPending(c: Context): void {
    // Conversion appends entries, and `for … of` visits appended ones.
    for (const entry of this.pending) this.schemaOf(c, entry);
    this.pending.length = 0;
  }

  /** The referenced schemas, sorted by key. Null prototype. */
  referencedSchemas(c: Context): Record<string, JsonSchema> {
    const used = [...this.references.keys()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const result = emptyRecord<JsonSchema>();
    for (const entry of used) result[entry.key] = this.schemaOf(c, entry) ?? {};
    return result;
  }

  /** Key → original name of the referenced components that were renamed. Null prototype. */
  renamedComponents(): Record<string, string> {
    const names = emptyRecord<string>();
    for (const { key, pointer, form } of this.references.keys()) {
      const name =
        form === "whole" && /^#\/(components\/schemas|definitions)\/[^/]*$/.test(pointer.text)
          ? pointer.key
          : key;
      if (name !== key) names[key] = name;
    }
    return names;
  }

  enter(c: Context, pointer: Pointer): boolean {
    if (this.depth >= MAX_DEPTH) {
      c.diagnostics.add(
        "model-nesting",
        Pointer.of(shortPointer(pointer.text)),
        `Schemas are nested more than ${MAX_DEPTH} levels deep; below, ${ANY_VALUE}.`,
      );
      return false;
    }
    if (++this.count > MAX_SCHEMAS) {
      c.diagnostics.add(
        "model-too-large",
        Pointer.root,
        `The document has more than ${MAX_SCHEMAS} schemas.`,
      );
      return false;
    }
    this.depth++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  private reserveName(container: Pointer, name: string, key: string | undefined): boolean {
    if (key !== undefined) this.reservedNames.set(container.child(name).text, key);
    return key !== undefined;
  }

  private resolve(
    c: Context,
    ref: string,
    from: Pointer,
    first: ReferenceTarget,
  ): SchemaEntry | undefined {
    const chain = new Set([ref]);
    let target = first;
    let pointer = from;
    let lastRef = ref;
    while (isAlias(c, target.value)) {
      const next = target.value.$ref;
      reportSiblings(c, target.value, target.pointer);
      if (chain.has(next)) {
        c.diagnostics.add(
          "model-ref-circular",
          from.child("$ref"),
          `${circularReferenceMessage([...chain, next])}; ${ANY_VALUE}.`,
        );
        return undefined;
      }
      chain.add(next);
      pointer = target.pointer;
      const found = c.references.find(next, pointer);
      if (!found)
        return reportBrokenReference(
          c,
          { reason: "missing", chain: [...chain], pointer },
          "schema",
          ANY_VALUE,
        );
      target = found;
      lastRef = next;
    }
    return this.entryAt(c, target, lastRef, pointer);
  }

  private entryAt(
    c: Context,
    { value, pointer }: ReferenceTarget,
    ref: string,
    from: Pointer,
  ): SchemaEntry | undefined {
    if (!isObject(value) && typeof value !== "boolean") {
      c.diagnostics.add(
        "model-ref-target",
        from.child("$ref"),
        `\`$ref\` ${quote(ref)} points to ${describeType(value)}, not to a schema; ${ANY_VALUE}.`,
      );
      return undefined;
    }
    const known = this.entries.get(pointer.text);
    if (known) return known;
    const key =
      this.reservedNames.get(pointer.text) ?? this.names.allocate(nameFromPointer(pointer.text));
    const entry: SchemaEntry = { key, pointer, raw: value, form: "whole" };
    this.entries.set(pointer.text, entry);
    this.byKey.set(key, entry);
    return entry;
  }
}

/** True for `{ $ref }` alone. Before 3.1 siblings are ignored, except `nullable`. */
function isAlias(c: Context, raw: unknown): raw is { readonly $ref: string } {
  if (!isObject(raw) || typeof raw.$ref !== "string") return false;
  if (c.version === "2.0" || c.version === "3.0")
    return !isTrue(raw.nullable) && !isTrue(raw["x-nullable"]);
  return Object.keys(raw).every((key) => key === "$ref" || isExtension(key));
}

function reportSiblings(c: Context, raw: RawObject, pointer: Pointer): void {
  const keys = Object.keys(raw).filter(
    (key) => key !== "$ref" && key !== "nullable" && !isExtension(key),
  );
  if (keys.length > 0) reportIgnoredSiblings(c, keys, pointer);
}

/** The first segments of a pointer. One of 200 levels is unreadable. */
function shortPointer(pointer: string): string {
  return pointer.split("/").slice(0, 10).join("/");
}

/** The schema components: `#/components/schemas` or, in 2.0, `#/definitions`. */
export function componentSchemas(c: Context): {
  readonly prefix: string;
  readonly schemas: RawObject;
} {
  const old = c.version === "2.0";
  const components = ownProperty(c.document.root, "components");
  const container = old
    ? ownProperty(c.document.root, "definitions")
    : isObject(components)
      ? ownProperty(components, "schemas")
      : undefined;
  return {
    prefix: old ? "#/definitions" : "#/components/schemas",
    schemas: isObject(container) ? container : {},
  };
}
