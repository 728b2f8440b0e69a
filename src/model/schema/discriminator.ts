import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type {
  Context,
  DiscriminatorHierarchy,
  DiscriminatorTags,
  SchemaEntry,
} from "../context.js";
import type { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { emptyRecord, type RawObject } from "../raw-object.js";
import {
  concreteEntry,
  discriminatorProperty,
  hasAlternatives,
  impliedValue,
  isPolymorphic,
  readMapping,
} from "./discriminator-hierarchy.js";
import { coerceValue } from "./json-values.js";
import { inlinableSchema } from "./resolved-schema.js";
import { annotationsOf, type DraftSchema, isNullable, makeNullable } from "./schema-object.js";

/** Applies the discriminator of a schema that is not a base of others. */
export function applyDiscriminator(
  c: Context,
  raw: RawObject,
  schema: JsonSchema,
  pointer: Pointer,
  owner: SchemaEntry | undefined,
): JsonSchema {
  const property = discriminatorProperty(raw.discriminator);
  if (property === undefined) {
    c.diagnostics.add(
      "model-discriminator",
      pointer.child("discriminator"),
      "`discriminator` has no property name; it is left out.",
    );
    return schema;
  }
  if (!hasAlternatives(raw)) return applyMapping(c, raw, schema, property, pointer, owner);
  tagAlternatives(c, raw, property, pointer);
  return schema;
}

/**
 * Records the discriminator value of each named alternative of `oneOf` or `anyOf`. The keyword
 * itself is removed, and `DiscriminatorTags` tags the alternatives at the end. Inline
 * alternatives have no name and so no tag (OpenAPI 3.1, "Discriminator Object").
 */
function tagAlternatives(c: Context, raw: RawObject, property: string, pointer: Pointer): void {
  const discriminatorPointer = pointer.child("discriminator");
  const mapping = readMapping(c, raw.discriminator, discriminatorPointer);
  for (const key of ["oneOf", "anyOf"]) {
    const members = Array.isArray(raw[key]) ? raw[key] : [];
    for (const [index, member] of members.entries()) {
      const ref = isObject(member) && typeof member.$ref === "string" ? member.$ref : undefined;
      const entry =
        ref === undefined ? undefined : c.schemas.find(c, ref, pointer.child(key).child(index));
      if (!entry || isPolymorphic(c, entry)) continue;
      if (entry === mapping.fallback) c.discriminatorTags.exempt(entry, property);
      else
        c.discriminatorTags.add(
          entry,
          property,
          mapping.values.get(entry),
          impliedValue(ref ?? ""),
          discriminatorPointer,
        );
    }
  }
}

/**
 * Converts a base that others extend to a union of its members, distinguished by their tags. The
 * base is a member if its own name is a value of the property. Its own fields become `<Name>Base`.
 * @returns undefined when the entry is not such a base
 */
export function convertPolymorphic(c: Context, entry: SchemaEntry): JsonSchema | undefined {
  const hierarchy = c.hierarchies.hierarchyOf(c, entry);
  if (!hierarchy || typeof entry.raw === "boolean") return undefined;
  const alternatives = hierarchy.members.map((member) =>
    c.schemas.reference(member.hasOwnHierarchy ? member.entry : concreteEntry(c, member.entry)),
  );
  if (isOwnAlternative(c, entry, hierarchy)) {
    const base = c.schemas.baseOf(entry);
    if (entry === hierarchy.mapping.fallback) c.discriminatorTags.exempt(base, hierarchy.property);
    else
      c.discriminatorTags.add(
        base,
        hierarchy.property,
        hierarchy.mapping.values.get(entry),
        impliedValue(entry.pointer.text),
        entry.pointer.child("discriminator"),
      );
    alternatives.push(c.schemas.reference(base));
  }
  const schema: DraftSchema = hierarchy.isMappingOnly
    ? { ...c.schemas.schemaOf(c, c.schemas.baseOf(entry)) }
    : {};
  for (const key of ["title", "description"])
    if (typeof entry.raw[key] === "string") schema[key] = entry.raw[key];
  schema.anyOf = alternatives;
  return isNullable(c, entry.raw) ? makeNullable(schema) : schema;
}

/**
 * Applies a discriminator with a mapping on a schema that is not a base. An unnamed schema must
 * also match one of the mapped schemas. A named one keeps only its own fields: it is its only
 * member, or it has too many members, and those refer back to it.
 */
function applyMapping(
  c: Context,
  raw: RawObject,
  schema: JsonSchema,
  property: string,
  pointer: Pointer,
  owner: SchemaEntry | undefined,
): JsonSchema {
  if (schema.anyOf) return schema;
  const mapping = readMapping(c, raw.discriminator, pointer.child("discriminator"));
  if (mapping.values.size === 0) {
    c.diagnostics.add(
      "model-discriminator-unused",
      pointer.child("discriminator"),
      "`discriminator` has no effect: the schema has no alternatives, no mapping and no extensions.",
    );
    return schema;
  }
  for (const [entry, values] of mapping.values)
    c.discriminatorTags.add(entry, property, values, "", pointer.child("discriminator"));
  const { fallback } = mapping;
  if (fallback) c.discriminatorTags.exempt(fallback, property);
  const alternatives = new Set([...mapping.values.keys(), ...(fallback ? [fallback] : [])]);
  return owner
    ? schema
    : { ...schema, anyOf: [...alternatives].map((entry) => c.schemas.reference(entry)) };
}

function isOwnAlternative(
  c: Context,
  entry: SchemaEntry,
  { property, mapping }: DiscriminatorHierarchy,
): boolean {
  if (mapping.values.size > 0) return mapping.values.has(entry) || mapping.fallback === entry;
  const base = c.schemas.schemaOf(c, c.schemas.baseOf(entry));
  const tag =
    base?.properties && Object.hasOwn(base.properties, property)
      ? base.properties[property]
      : undefined;
  const values = isObject(tag) && Array.isArray(tag.enum) ? tag.enum : undefined;
  return values === undefined || values.includes(impliedValue(entry.pointer.text));
}

interface DiscriminatorTag {
  readonly mapped: Set<string>;
  readonly implied: Set<string>;
  readonly pointer: Pointer;
}

/**
 * The discriminator values of schemas. They are collected while schemas are read. `apply` adds them
 * at the end as `const` or `enum` of a required property.
 */
export class TagCollector implements DiscriminatorTags {
  private readonly tags = new Map<SchemaEntry, Map<string, DiscriminatorTag>>();
  private readonly exempted = new Map<SchemaEntry, Set<string>>();
  private readonly composed = new Set<SchemaEntry>();

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

  exempt(entry: SchemaEntry, property: string): void {
    const properties = this.exempted.get(entry) ?? new Set();
    this.exempted.set(entry, properties.add(property));
  }

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
    typesOf(schema).includes("object") ||
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
  const target = c.schemas.dereference(c, schema) ?? {};
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
