import type { JsonSchema } from "../../json.js";
import type { Pointer } from "../pointer.js";
import type { Context } from "../context.js";
import { quote } from "../diagnostics.js";
import { emptyRecord } from "../raw-object.js";
import type { SchemaEntry } from "./registry.js";
import { inlinableSchema } from "./resolved-schema.js";
import { annotationsOf, typesOf, type DraftSchema } from "./schema-object.js";
import { coerceValue } from "./json-values.js";

interface DiscriminatorTag {
  readonly mapped: Set<string>;
  readonly implied: Set<string>;
  readonly pointer: Pointer;
}

/**
 * The discriminator values of schemas. They are collected while schemas are read. `apply` adds them
 * at the end as `const` or `enum` of a required property.
 */
export class DiscriminatorTags {
  private readonly tags = new Map<SchemaEntry, Map<string, DiscriminatorTag>>();
  private readonly exempted = new Map<SchemaEntry, Set<string>>();
  private readonly composed = new Set<SchemaEntry>();

  /**
   * Adds values for a schema.
   * @param values the mapped values; without a mapping, `name` is the value
   */
  add(
    entry: SchemaEntry,
    property: string,
    values: readonly string[] | undefined,
    name: string,
    pointer: Pointer,
  ): void {
    const ofEntry = this.tags.get(entry) ?? new Map<string, DiscriminatorTag>();
    this.tags.set(entry, ofEntry);
    const tag = ofEntry.get(property) ?? { mapped: new Set(), implied: new Set(), pointer };
    ofEntry.set(property, tag);
    for (const value of values ?? []) tag.mapped.add(value);
    if (values === undefined) tag.implied.add(name);
  }

  /** Excludes the schema of `defaultMapping` (3.2): it stands for all other values. */
  exempt(entry: SchemaEntry, property: string): void {
    const properties = this.exempted.get(entry) ?? new Set();
    this.exempted.set(entry, properties.add(property));
  }

  /** Marks a schema that others reference in `allOf`. A tag on it would bind them too. */
  markComposed(entry: SchemaEntry): void {
    this.composed.add(entry);
  }

  /** Applies the tags. Call it when all schemas are read. */
  apply(c: Context): void {
    for (const [entry, properties] of this.tags) {
      if (!c.schemas.isReferenced(entry)) continue;
      for (const [property, tag] of properties)
        if (!this.exempted.get(entry)?.has(property)) this.applyTag(c, entry, property, tag);
    }
  }

  private applyTag(c: Context, entry: SchemaEntry, property: string, tag: DiscriminatorTag): void {
    const converted = c.schemas.schemaOf(c, entry);
    // A schema that only renames another gets the tag itself; its target stays unchanged.
    const schema = converted && inlinableSchema(c, converted);
    if (!schema || !isTaggable(schema)) return;
    if (this.composed.has(entry)) {
      c.diagnostics.add(
        "model-discriminator",
        tag.pointer,
        `${quote(entry.key)} is part of other schemas, so ${quote(property)} cannot have a ` +
          "fixed value in it; the alternatives differ only by their fields.",
      );
      return;
    }
    const properties = Object.assign(emptyRecord<JsonSchema | boolean>(), schema.properties);
    const tagged = tagProperty(c, properties[property] ?? true, entry, property, tag);
    if (!tagged) return;
    properties[property] = tagged;
    const required = schema.required?.includes(property)
      ? schema.required
      : [...(schema.required ?? []), property];
    c.schemas.replace(entry, { ...schema, properties, required });
  }
}

/** True for objects. Members of unions have tags of their own. */
function isTaggable(schema: JsonSchema): boolean {
  return (
    schema.properties !== undefined ||
    (typesOf(schema)?.includes("object") ?? false) ||
    schema.allOf !== undefined
  );
}

function tagProperty(
  c: Context,
  existing: JsonSchema | boolean,
  entry: SchemaEntry,
  property: string,
  tag: DiscriminatorTag,
): JsonSchema | undefined {
  const schema = typeof existing === "boolean" ? {} : existing;
  const target = schema.$ref === undefined ? schema : (referencedSchema(c, schema.$ref) ?? {});
  const allowed =
    "const" in target ? [target.const] : target.enum?.filter((value) => value !== null);
  const values = [...(tag.mapped.size > 0 ? tag.mapped : tag.implied)]
    .sort()
    .map((value) => coerceValue(value, typesOf(target)) ?? value);
  const valid = allowed ? values.filter((value) => allowed.includes(value)) : values;
  if (valid.length > 0) return restrictToValues(schema, valid);
  // The schema states the property's value itself. Many documents have invalid mappings.
  const [only] = allowed ?? [];
  if (tag.mapped.size > 0) reportUnmatchedMapping(c, entry, property, tag, values);
  return allowed?.length === 1 ? restrictToValues(schema, [only]) : undefined;
}

function restrictToValues(schema: JsonSchema, values: readonly unknown[]): JsonSchema {
  const restricted: DraftSchema = annotationsOf(schema);
  if ("default" in restricted && !values.includes(restricted.default)) delete restricted.default;
  if (restricted.examples)
    restricted.examples = restricted.examples.filter((example) => values.includes(example));
  if (restricted.examples?.length === 0) delete restricted.examples;
  if (values.every((value) => typeof value === "string")) restricted.type = "string";
  if (values.length === 1) restricted.const = values[0];
  else restricted.enum = values;
  return restricted;
}

function reportUnmatchedMapping(
  c: Context,
  entry: SchemaEntry,
  property: string,
  tag: DiscriminatorTag,
  values: readonly unknown[],
): void {
  const list = values.map((value) => quote(String(value))).join(", ");
  c.diagnostics.add(
    "model-discriminator",
    tag.pointer,
    `The mapping assigns ${list} to ${quote(entry.key)}, but its ${quote(property)} ` +
      "does not allow that value; its own values are kept.",
  );
}

function referencedSchema(c: Context, ref: string): JsonSchema | undefined {
  const entry = c.schemas.entryOf(ref.slice("#/$defs/".length));
  return entry && c.schemas.schemaOf(c, entry);
}
