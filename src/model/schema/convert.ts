import { describeType } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
import { type Context, isOpenApi31OrLater, type SchemaEntry } from "../context.js";
import type { Pointer } from "../pointer.js";
import {
  isExtension,
  isTextBoolean,
  ownProperty,
  type RawObject,
  readTextBoolean,
} from "../raw-object.js";
import { reportIgnoredSiblings } from "../references.js";
import { composeAllOf, type SchemaPart } from "./compose.js";
import { hasAlternatives } from "./discriminator-hierarchy.js";
import { applyDiscriminator, convertPolymorphic } from "./discriminator.js";
import { readKeywords } from "./keywords.js";
import { isInModelForm, isNullable, makeNullable } from "./schema-object.js";

/**
 * Converts a schema of the document to model form. `true` becomes `{}`, `false` becomes `{ not: {}
 * }`.
 */
export function convertSchema(c: Context, raw: unknown, pointer: Pointer): JsonSchema {
  return toObjectSchema(convertSchemaOrBoolean(c, raw, pointer));
}

/** Converts an entry of the registry. */
export function convertEntry(c: Context, entry: SchemaEntry): JsonSchema {
  if (typeof entry.raw === "boolean") return toObjectSchema(entry.raw);
  const union = entry.form === "whole" ? convertPolymorphic(c, entry) : undefined;
  return union ?? toObjectSchema(convertSchemaOrBoolean(c, entry.raw, entry.pointer, entry));
}

/**
 * Converts one schema and all its subschemas to model form.
 * @param owner the registry entry that has this schema, if any
 */
function convertSchemaOrBoolean(
  c: Context,
  raw: unknown,
  pointer: Pointer,
  owner?: SchemaEntry,
): JsonSchema | boolean {
  if (typeof raw === "boolean" || isInModelForm(raw)) return raw;
  if (isObject(raw)) {
    if (!c.schemas.enter(c, pointer)) return true;
    const schema = convertObject(c, raw, pointer, owner);
    c.schemas.leave();
    return schema;
  }
  if (isTextBoolean(raw)) return readTextBoolean(c, raw, pointer) === true;
  if (raw !== undefined)
    c.diagnostics.add(
      "model-schema-keyword",
      pointer,
      `A schema must be an object, but this is ${describeType(raw)}; any value is accepted.`,
    );
  return true;
}

function convertObject(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  owner: SchemaEntry | undefined,
): JsonSchema {
  const isNull = isNullable(c, raw);
  if ("nullable" in raw) readTextBoolean(c, raw.nullable, pointer.child("nullable"));
  if (isNull && isOpenApi31OrLater(c))
    c.diagnostics.add(
      "model-schema-nullable",
      pointer.child("nullable"),
      `\`nullable\` is not a keyword of OpenAPI ${c.version}; it is read as in OpenAPI 3.0.`,
    );
  if (typeof raw.$ref === "string" && !isOpenApi31OrLater(c))
    return convertReference(c, raw, raw.$ref, pointer, isNull);
  const target = owner ? undefined : resolvePureReference(c, raw, pointer);
  if (target) return target === "broken" ? {} : c.schemas.reference(target);
  const isBase = owner?.form === "base";
  const parts = collectParts(c, raw, pointer, owner);
  const keywords = readKeywords(
    c,
    isBase ? withoutAlternatives(raw) : relaxClosedAlternatives(c, raw, pointer),
    pointer,
    convertSchemaOrBoolean,
  );
  const composed = parts.length === 0 ? keywords : composeAllOf(c, keywords, parts, owner);
  const schema =
    "discriminator" in raw && !isBase
      ? applyDiscriminator(c, raw, composed, pointer, owner)
      : composed;
  return isNull ? makeNullable(schema) : schema;
}

/**
 * Converts a reference of 2.0 or 3.0. Siblings of `$ref` are ignored, except `nullable`: it is
 * there because the API sends null.
 */
function convertReference(
  c: Context,
  raw: RawObject,
  ref: string,
  pointer: Pointer,
  isNull: boolean,
): JsonSchema {
  const ignored = Object.keys(raw).filter(
    (key) => key !== "$ref" && key !== "nullable" && !isExtension(key),
  );
  if (ignored.length > 0) reportIgnoredSiblings(c, ignored, pointer);
  const entry = c.schemas.find(c, ref, pointer);
  if (!entry) return {};
  return isNull ? makeNullable(c.schemas.reference(entry)) : c.schemas.reference(entry);
}

const NO_PARTS: readonly SchemaPart[] = [];
const PART_KEYWORDS = ["allOf", "$ref", "oneOf", "anyOf", "$dynamicRef", "$recursiveRef"];

/**
 * Additional schemas that must be satisfied, next to the own keywords: references, `allOf`, and a
 * single alternative.
 */
function collectParts(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  owner: SchemaEntry | undefined,
): readonly SchemaPart[] {
  if (!PART_KEYWORDS.some((key) => key in raw)) return NO_PARTS;
  const parts: SchemaPart[] = [];
  if (typeof raw.$ref === "string") addPart(c, parts, { $ref: raw.$ref }, pointer);
  if (typeof raw.$dynamicRef === "string") addDynamicPart(c, parts, raw.$dynamicRef, pointer);
  if (raw.$recursiveRef === "#")
    addPart(c, parts, { $ref: c.references.recursiveAnchor(pointer) ?? "#" }, pointer);
  if (Array.isArray(raw.allOf))
    for (const [index, member] of raw.allOf.entries()) {
      addPart(
        c,
        parts,
        owner ? withoutDiscriminator(member) : member,
        pointer.child("allOf").child(index),
      );
    }
  if (owner?.form === "base") return parts;
  for (const key of ["oneOf", "anyOf"]) {
    const members = raw[key];
    if (Array.isArray(members) && members.length === 1)
      addPart(c, parts, members[0], pointer.child(key).child(0));
  }
  return parts;
}

function addPart(c: Context, parts: SchemaPart[], member: unknown, pointer: Pointer): void {
  const entry = resolvePureReference(c, member, pointer);
  if (entry === "broken") return;
  if (entry) {
    parts.push({ entry });
    return;
  }
  const schema = convertSchemaOrBoolean(c, member, pointer);
  if (schema !== true) parts.push({ schema: toObjectSchema(schema) });
}

/**
 * Adds the target of a `$dynamicRef` as if it were a `$ref`. A target that allows nothing (`not:
 * {}`) is a type parameter, which the schemas that use this one replace: it is left out.
 */
function addDynamicPart(c: Context, parts: SchemaPart[], ref: string, pointer: Pointer): void {
  const target = c.references.find(ref, pointer)?.value;
  const isTypeParameter = isObject(target) && (target.not === true || isEmptyObject(target.not));
  c.diagnostics.add(
    "model-dynamic-ref",
    pointer.child("$dynamicRef"),
    isTypeParameter
      ? "The target of `$dynamicRef` depends on the dynamic scope; any value is accepted."
      : "`$dynamicRef` is read as a `$ref`: its target does not depend on the dynamic scope.",
  );
  if (!isTypeParameter) addPart(c, parts, { $ref: ref }, pointer);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The entry of a member that is only a reference. The entry is not yet marked as referenced. */
function resolvePureReference(
  c: Context,
  member: unknown,
  pointer: Pointer,
): SchemaEntry | "broken" | undefined {
  if (!isObject(member) || typeof member.$ref !== "string" || isNullable(c, member))
    return undefined;
  const siblings = Object.keys(member).filter((key) => key !== "$ref" && !isExtension(key));
  if (siblings.length > 0 && isOpenApi31OrLater(c)) return undefined;
  if (siblings.length > 0) reportIgnoredSiblings(c, siblings, pointer);
  return c.schemas.find(c, member.$ref, pointer) ?? "broken";
}

/**
 * Removes the discriminator from an `allOf` member of a named schema. `convertPolymorphic` has
 * handled it, or it has too many members.
 */
function withoutDiscriminator(member: unknown): unknown {
  if (!isObject(member) || !("discriminator" in member) || hasAlternatives(member)) return member;
  const { discriminator: _, ...rest } = member;
  return rest;
}

function withoutAlternatives(raw: RawObject): RawObject {
  const { oneOf: _1, anyOf: _2, discriminator: _3, ...rest } = raw;
  return rest;
}

function toObjectSchema(schema: JsonSchema | boolean): JsonSchema {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : { not: {} };
}

const NO_PROPERTIES: RawObject = {};

/**
 * Drops `additionalProperties: false` that would exclude properties of `oneOf` or `anyOf`. It
 * applies only to the properties next to it (JSON Schema core, 10.3.2.3), so literally such a
 * schema allows almost nothing. Authors mean the properties of all alternatives, as with `allOf`.
 */
function relaxClosedAlternatives(c: Context, raw: RawObject, pointer: Pointer): RawObject {
  if (raw.additionalProperties !== false) return raw;
  const known = isObject(raw.properties) ? raw.properties : NO_PROPERTIES;
  // A single alternative is merged like a member of `allOf`.
  const alternatives = [raw.oneOf, raw.anyOf].flatMap((members): readonly unknown[] =>
    Array.isArray(members) && members.length > 1 ? members : [],
  );
  const declared = alternatives.flatMap((member) => declaredProperties(c, member, pointer));
  if (declared.every((name) => Object.hasOwn(known, name))) return raw;
  c.diagnostics.add(
    "model-schema-additional-properties",
    pointer.child("additionalProperties"),
    "`additionalProperties: false` would exclude the properties of the alternatives; it is left out.",
  );
  const { additionalProperties: _, ...rest } = raw;
  return rest;
}

/** The properties that one alternative declares itself. */
function declaredProperties(c: Context, member: unknown, pointer: Pointer): readonly string[] {
  const target =
    isObject(member) && typeof member.$ref === "string"
      ? c.references.find(member.$ref, pointer)?.value
      : member;
  const properties = isObject(target) ? ownProperty(target, "properties") : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}
