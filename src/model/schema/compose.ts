import type { JsonSchema } from "../../json.js";
import { isObject } from "../../json.js";
import type { Context } from "../context.js";
import { isPolymorphic } from "./family.js";
import { Merger } from "./merge.js";
import type { Entry } from "./registry.js";
import { addsNothing, isPlain, valuesThrough } from "./targets.js";
import { annotationsOf, constraintsOf, onlyDescribes } from "./types.js";

/** One thing that a schema must satisfy as well: a named schema (not yet used) or one in place. */
export type Part =
  | { readonly entry: Entry; readonly schema?: undefined }
  | { readonly schema: JsonSchema; readonly entry?: undefined };

/**
 * A schema and its `allOf`. Plain members are merged into one schema, named ones inlined for it; a
 * single reference with nothing but annotations beside it stays a reference; what cannot be merged
 * stays in `allOf`.
 * @param own the schema's own keywords
 * @param owner the entry whose schema this is, when it is one: it may extend a base
 */
export function compose(
  c: Context,
  own: JsonSchema,
  parts: readonly Part[],
  owner: Entry | undefined,
): JsonSchema {
  const notes = parts.filter((part) => part.schema && onlyDescribes(part.schema));
  const live = parts.filter((part) => !notes.includes(part)).map((part) => unwrapped(c, part));
  const host: JsonSchema = Object.assign(
    {} as JsonSchema,
    ...notes.map((part) => part.schema),
    ...live.map((part) => part.notes),
    own,
  );
  return asReference(c, host, live, owner) ?? merged(c, host, live, owner);
}

interface LivePart {
  readonly entry?: Entry;
  readonly schema?: JsonSchema;
  readonly notes?: JsonSchema;
}

/**
 * `{ $ref, description }` of 3.1: the reference is what counts, its annotations describe the whole.
 */
function unwrapped(c: Context, part: Part): LivePart {
  const ref = part.schema?.$ref;
  const entry = ref === undefined ? undefined : c.schemas.named(ref.slice("#/$defs/".length));
  return part.schema && entry ? { entry, notes: annotationsOf(part.schema) } : part;
}

/**
 * The reference and annotations that say it all, when there is one reference and nothing beside it
 * adds a constraint.
 */
function asReference(
  c: Context,
  host: JsonSchema,
  live: readonly LivePart[],
  owner: Entry | undefined,
): JsonSchema | undefined {
  const entries = live.flatMap((part) => part.entry ?? []);
  const [entry] = entries;
  if (!entry || entries.length > 1 || (owner && seenAsBase(c, entry, owner))) return undefined;
  const others = live.map((part) => part.schema).filter((schema) => schema !== undefined);
  const alone = others.length === 0 && onlyDescribes(host);
  const reference = { $ref: `#/$defs/${entry.key}` };
  if (!alone && ![...others, host].every((schema) => addsNothing(c, schema, reference)))
    return undefined;
  const all: JsonSchema = Object.assign({} as JsonSchema, ...others, host);
  const notes = annotationsOf(all);
  return Object.keys(notes).length === 0
    ? c.schemas.use(entry)
    : { ...c.schemas.use(entry), ...notes };
}

function merged(
  c: Context,
  host: JsonSchema,
  live: readonly LivePart[],
  owner: Entry | undefined,
): JsonSchema {
  const merger = new Merger(c);
  const left: LivePart[] = [];
  for (const part of live) {
    const body = part.entry ? inlined(c, part.entry, owner) : part.schema;
    if (!body || !merger.absorb(body, part.entry ? "inherited" : "member")) left.push(part);
  }
  if (!merger.absorb(host, "host")) {
    left.push({ schema: constraintsOf(host) });
    merger.annotate(host, "host");
  }
  const kept = left
    .filter((part) => !merger.narrow(valuesOf(c, part)))
    .map((part) => (part.entry ? keep(c, part.entry, owner) : (part.schema ?? {})));
  return withKept(merger.draft, kept);
}

/**
 * The values that a member which cannot be merged allows, when it is a list of values (`oneOf: [{
 * const: 1 }, …]`).
 */
function valuesOf(c: Context, part: LivePart): readonly unknown[] | undefined {
  const schema = part.entry ? c.schemas.schemaOf(c, part.entry) : part.schema;
  return schema && valuesThrough(c, schema);
}

function withKept(draft: JsonSchema, kept: readonly JsonSchema[]): JsonSchema {
  if (kept.length === 0) return draft;
  if (kept.length === 1 && onlyDescribes(draft)) return { ...kept[0], ...draft };
  return { ...draft, allOf: [...(draft.allOf ?? []), ...kept] };
}

function inlined(c: Context, entry: Entry, owner: Entry | undefined): JsonSchema | undefined {
  const schema = c.schemas.schemaOf(c, formOf(c, entry, owner));
  return schema && isPlain(schema) ? schema : undefined;
}

function keep(c: Context, entry: Entry, owner: Entry | undefined): JsonSchema {
  const form = formOf(c, entry, owner);
  c.tags.neverInPlace(form);
  return c.schemas.use(form);
}

function formOf(c: Context, entry: Entry, owner: Entry | undefined): Entry {
  return isPolymorphic(c, entry) || (owner && listsAsAlternative(c, entry, owner))
    ? c.schemas.baseOf(entry)
    : entry;
}

/**
 * `owner` extends `entry`, which stands for `owner` among others: seen from there it is only a
 * base.
 */
function seenAsBase(c: Context, entry: Entry, owner: Entry): boolean {
  return isPolymorphic(c, entry) || listsAsAlternative(c, entry, owner);
}

/**
 * `Pet: { oneOf: [Cat, …] }` and `Cat: { allOf: [Pet, …] }`: taken literally, both refer to
 * themselves.
 */
function listsAsAlternative(c: Context, { raw, at }: Entry, owner: Entry): boolean {
  if (typeof raw === "boolean") return false;
  return [raw.oneOf, raw.anyOf].some(
    (members) =>
      Array.isArray(members) &&
      members.some(
        (member) =>
          isObject(member) &&
          typeof member.$ref === "string" &&
          c.refs.find(member.$ref, at)?.at.pointer === owner.at.pointer,
      ),
  );
}
