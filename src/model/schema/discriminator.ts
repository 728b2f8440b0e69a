import { isObject, type JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import type { Context } from "../context.js";
import type { Raw } from "../read.js";
import {
  concrete,
  hasAlternatives,
  isPolymorphic,
  nameOf,
  propertyOf,
  type Family,
} from "./family.js";
import { readMapping } from "./mapping.js";
import { orNull } from "./nullable.js";
import type { Entry } from "./registry.js";
import { isNullable } from "./settle.js";
import type { Draft } from "./types.js";

/** What a schema that has a discriminator, and is no base of others, becomes. */
export function discriminated(
  c: Context,
  raw: Raw,
  schema: JsonSchema,
  at: At,
  owner: Entry | undefined,
): JsonSchema {
  const property = propertyOf(raw.discriminator);
  if (property === undefined) {
    c.findings.add(
      "model-discriminator",
      at.child("discriminator"),
      "`discriminator` names no property; it is left out.",
    );
    return schema;
  }
  if (!hasAlternatives(raw)) return withMapped(c, raw, schema, property, at, owner);
  tagAlternatives(c, raw, property, at);
  return schema;
}

/**
 * A discriminator over `oneOf` or `anyOf`: notes the value that each named alternative is told by.
 * The keyword itself leaves; the tags are put on the alternatives at the end (`tags.ts`). In-place
 * alternatives have no name and so no tag (OpenAPI 3.1, "Discriminator Object").
 */
function tagAlternatives(c: Context, raw: Raw, property: string, at: At): void {
  const place = at.child("discriminator");
  const mapping = readMapping(c, raw.discriminator, place);
  for (const key of ["oneOf", "anyOf"]) {
    const members = Array.isArray(raw[key]) ? raw[key] : [];
    for (const [index, member] of members.entries()) {
      const ref = isObject(member) && typeof member.$ref === "string" ? member.$ref : undefined;
      const entry =
        ref === undefined ? undefined : c.schemas.find(c, ref, at.child(key).child(index));
      if (!entry || isPolymorphic(c, entry)) continue;
      if (entry === mapping.fallback) c.tags.exempt(entry, property);
      else c.tags.add(entry, property, mapping.values.get(entry), nameOf(ref ?? ""), place);
    }
  }
}

/**
 * A base that others extend, as what a reference to it means: any of them, told apart by their
 * tags. The base itself is one of them when its own name is a value of the property. Its fields
 * live on as `<Name>Base`.
 * @returns undefined when the entry is no such base
 */
export function asPolymorphic(c: Context, entry: Entry): JsonSchema | undefined {
  const family = c.families.of(c, entry);
  if (!family || typeof entry.raw === "boolean") return undefined;
  const alternatives = family.members.map((member) =>
    c.schemas.use(member.ownFamily ? member.entry : concrete(c, member.entry)),
  );
  if (standsForItself(c, entry, family)) {
    const base = c.schemas.baseOf(entry);
    if (entry === family.mapping.fallback) c.tags.exempt(base, family.property);
    else
      c.tags.add(
        base,
        family.property,
        family.mapping.values.get(entry),
        nameOf(entry.at.pointer),
        entry.at.child("discriminator"),
      );
    alternatives.push(c.schemas.use(base));
  }
  const schema: Draft = family.mappedOnly
    ? { ...c.schemas.schemaOf(c, c.schemas.baseOf(entry)) }
    : {};
  for (const key of ["title", "description"])
    if (typeof entry.raw[key] === "string") schema[key] = entry.raw[key];
  schema.anyOf = alternatives;
  return isNullable(c, entry.raw) ? orNull(schema) : schema;
}

/**
 * A discriminator with a mapping on a schema that is no base. One without a name must be one of
 * those as well. A named one is its own only member, or has more of them than a union may have:
 * what extends it refers back to it, so its fields are all that is said.
 */
function withMapped(
  c: Context,
  raw: Raw,
  schema: JsonSchema,
  property: string,
  at: At,
  owner: Entry | undefined,
): JsonSchema {
  if (schema.anyOf) return schema;
  const mapping = readMapping(c, raw.discriminator, at.child("discriminator"));
  if (mapping.values.size === 0) {
    c.findings.add(
      "model-discriminator-alone",
      at.child("discriminator"),
      "`discriminator` has nothing to tell apart: no alternatives, no mapping, nothing that extends this schema.",
    );
    return schema;
  }
  for (const [entry, values] of mapping.values)
    c.tags.add(entry, property, values, "", at.child("discriminator"));
  return owner
    ? schema
    : { ...schema, anyOf: [...mapping.values.keys()].map((entry) => c.schemas.use(entry)) };
}

function standsForItself(c: Context, entry: Entry, { property, mapping }: Family): boolean {
  if (mapping.values.size > 0) return mapping.values.has(entry) || mapping.fallback === entry;
  const base = c.schemas.schemaOf(c, c.schemas.baseOf(entry));
  const tag =
    base?.properties && Object.hasOwn(base.properties, property)
      ? base.properties[property]
      : undefined;
  const values = isObject(tag) && Array.isArray(tag.enum) ? tag.enum : undefined;
  return values === undefined || values.includes(nameOf(entry.at.pointer));
}
