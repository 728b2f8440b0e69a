import { isObject, type JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import type { Pointer } from "../pointer.js";
import type { RawObject } from "../raw-object.js";
import {
  concreteEntry,
  type DiscriminatorHierarchy,
  discriminatorProperty,
  hasAlternatives,
  impliedValue,
  isPolymorphic,
  readMapping,
} from "./discriminator-hierarchy.js";
import { isNullable, makeNullable } from "./nullable.js";
import type { SchemaEntry } from "./registry.js";
import type { DraftSchema } from "./schema-object.js";

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
 * itself is removed, and `discriminator-tags.ts` tags the alternatives at the end. Inline
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
 * Converts a base that others extend to a union of its members, told apart by their tags. The base
 * is a member if its own name is a value of the property. Its own fields become `<Name>Base`.
 * @returns undefined when the entry is not such a base
 */
export function convertPolymorphic(c: Context, entry: SchemaEntry): JsonSchema | undefined {
  const family = c.hierarchies.hierarchyOf(c, entry);
  if (!family || typeof entry.raw === "boolean") return undefined;
  const alternatives = family.members.map((member) =>
    c.schemas.reference(member.hasOwnHierarchy ? member.entry : concreteEntry(c, member.entry)),
  );
  if (isOwnAlternative(c, entry, family)) {
    const base = c.schemas.baseOf(entry);
    if (entry === family.mapping.fallback) c.discriminatorTags.exempt(base, family.property);
    else
      c.discriminatorTags.add(
        base,
        family.property,
        family.mapping.values.get(entry),
        impliedValue(entry.pointer.text),
        entry.pointer.child("discriminator"),
      );
    alternatives.push(c.schemas.reference(base));
  }
  const schema: DraftSchema = family.isMappingOnly
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
  return owner
    ? schema
    : { ...schema, anyOf: [...mapping.values.keys()].map((entry) => c.schemas.reference(entry)) };
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
