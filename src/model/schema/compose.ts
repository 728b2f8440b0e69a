import { type JsonSchema, isObject } from "../../json.js";
import type { Context, SchemaEntry } from "../context.js";
import { isPolymorphic } from "./discriminator-hierarchy.js";
import { SchemaMerger } from "./merge.js";
import { addsNoConstraint, isInlinable, allowedValues } from "./resolved-schema.js";
import { annotationsOf, constraintsOf, isAnnotationOnly } from "./schema-object.js";

/**
 * An additional schema that must be satisfied: a named schema (not yet referenced) or an inline
 * one.
 */
export type SchemaPart =
  | { readonly entry: SchemaEntry; readonly schema?: undefined }
  | { readonly schema: JsonSchema; readonly entry?: undefined };

/**
 * Combines a schema with its `allOf`.
 * - Plain members are merged into one schema; named ones are inlined for it.
 * - A single reference with only annotations next to it remains a reference.
 * - Members that cannot be merged remain in `allOf`.
 *
 * @param keywords the schema's own keywords
 * @param owner the registry entry that has this schema, if any; it may extend a base
 */
export function composeAllOf(
  c: Context,
  keywords: JsonSchema,
  parts: readonly SchemaPart[],
  owner: SchemaEntry | undefined,
): JsonSchema {
  const annotationParts = parts.filter((part) => part.schema && isAnnotationOnly(part.schema));
  const constraining = parts
    .filter((part) => !annotationParts.includes(part))
    .map((part) => unwrapReference(c, part));
  const host: JsonSchema = Object.assign(
    {} as JsonSchema,
    ...annotationParts.map((part) => part.schema),
    ...constraining.map((part) => part.annotations),
    keywords,
  );
  return asReference(c, host, constraining, owner) ?? mergeParts(c, host, constraining, owner);
}

interface ConstrainingPart {
  readonly entry?: SchemaEntry;
  readonly schema?: JsonSchema;
  readonly annotations?: JsonSchema;
}

/** Treats `{ $ref, description }` of 3.1 as the reference, with its annotations for the whole. */
function unwrapReference(c: Context, part: SchemaPart): ConstrainingPart {
  const ref = part.schema?.$ref;
  const entry = ref === undefined ? undefined : c.schemas.entryOf(ref.slice("#/$defs/".length));
  return part.schema && entry ? { entry, annotations: annotationsOf(part.schema) } : part;
}

/** Returns a reference with annotations, when there is one reference and no further constraint. */
function asReference(
  c: Context,
  host: JsonSchema,
  constraining: readonly ConstrainingPart[],
  owner: SchemaEntry | undefined,
): JsonSchema | undefined {
  const entries = constraining.flatMap((part) => part.entry ?? []);
  const [entry] = entries;
  if (!entry || entries.length > 1 || (owner && isSeenAsBase(c, entry, owner))) return undefined;
  const others = constraining.map((part) => part.schema).filter((schema) => schema !== undefined);
  const isAlone = others.length === 0 && isAnnotationOnly(host);
  const reference = { $ref: `#/$defs/${entry.key}` };
  if (!isAlone && ![...others, host].every((schema) => addsNoConstraint(c, schema, reference)))
    return undefined;
  const merged: JsonSchema = Object.assign({} as JsonSchema, ...others, host);
  const annotations = annotationsOf(merged);
  return Object.keys(annotations).length === 0
    ? c.schemas.reference(entry)
    : { ...c.schemas.reference(entry), ...annotations };
}

function mergeParts(
  c: Context,
  host: JsonSchema,
  constraining: readonly ConstrainingPart[],
  owner: SchemaEntry | undefined,
): JsonSchema {
  const merger = new SchemaMerger(c);
  const unmerged: ConstrainingPart[] = [];
  for (const part of constraining) {
    const body = part.entry ? inlineEntry(c, part.entry, owner) : part.schema;
    if (!body || !merger.tryAdd(body, part.entry ? "inherited" : "member")) unmerged.push(part);
  }
  if (!merger.tryAdd(host, "host")) {
    unmerged.push({ schema: constraintsOf(host) });
    merger.addAnnotations(host, "host");
  }
  const remaining = unmerged
    .filter((part) => !merger.restrictValues(partValues(c, part)))
    .map((part) => (part.entry ? referenceEntry(c, part.entry, owner) : (part.schema ?? {})));
  return appendAllOf(merger.draft, remaining);
}

/**
 * The values that an unmergeable member allows, when it is a list of values (`oneOf: [{ const: 1 },
 * …]`).
 */
function partValues(c: Context, part: ConstrainingPart): readonly unknown[] | undefined {
  const schema = part.entry ? c.schemas.schemaOf(c, part.entry) : part.schema;
  return schema && allowedValues(c, schema);
}

function appendAllOf(draft: JsonSchema, members: readonly JsonSchema[]): JsonSchema {
  if (members.length === 0) return draft;
  if (members.length === 1 && isAnnotationOnly(draft)) return { ...members[0], ...draft };
  return { ...draft, allOf: [...(draft.allOf ?? []), ...members] };
}

function inlineEntry(
  c: Context,
  entry: SchemaEntry,
  owner: SchemaEntry | undefined,
): JsonSchema | undefined {
  const schema = c.schemas.schemaOf(c, visibleEntry(c, entry, owner));
  return schema && isInlinable(schema) ? schema : undefined;
}

function referenceEntry(
  c: Context,
  entry: SchemaEntry,
  owner: SchemaEntry | undefined,
): JsonSchema {
  const form = visibleEntry(c, entry, owner);
  c.discriminatorTags.markComposed(form);
  return c.schemas.reference(form);
}

function visibleEntry(c: Context, entry: SchemaEntry, owner: SchemaEntry | undefined): SchemaEntry {
  return isPolymorphic(c, entry) || (owner && listsAsAlternative(c, entry, owner))
    ? c.schemas.baseOf(entry)
    : entry;
}

/**
 * True when `owner` extends `entry`, which lists `owner` as an alternative. For `owner`, `entry` is
 * only a base.
 */
function isSeenAsBase(c: Context, entry: SchemaEntry, owner: SchemaEntry): boolean {
  return isPolymorphic(c, entry) || listsAsAlternative(c, entry, owner);
}

/**
 * `Pet: { oneOf: [Cat, …] }` and `Cat: { allOf: [Pet, …] }`: taken literally, both refer to
 * themselves.
 */
function listsAsAlternative(
  c: Context,
  { raw, pointer }: SchemaEntry,
  owner: SchemaEntry,
): boolean {
  if (typeof raw === "boolean") return false;
  return [raw.oneOf, raw.anyOf].some(
    (members) =>
      Array.isArray(members) &&
      members.some(
        (member) =>
          isObject(member) &&
          typeof member.$ref === "string" &&
          c.references.find(member.$ref, pointer)?.pointer.text === owner.pointer.text,
      ),
  );
}
