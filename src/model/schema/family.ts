import { escapeToken, isObject, unescapeToken } from "../../json.js";
import { At } from "../at.js";
import type { Context } from "../context.js";
import { own, type Raw } from "../read.js";
import { readMapping, type Mapping } from "./mapping.js";
import type { Entry } from "./registry.js";

/**
 * A base with a discriminator and the schemas that extend it through `allOf` (or that its mapping
 * names): OpenAPI 3.0, "Discriminator Object", and `discriminator` of Swagger 2.0.
 */
export interface Family {
  readonly property: string;
  readonly members: readonly FamilyMember[];
  readonly mapping: Mapping;
  /** No member extends the base; its fields are those of all the same. */
  readonly mappedOnly: boolean;
}
export interface FamilyMember {
  readonly entry: Entry;
  /** It has a discriminator of its own, over another property: it stands for its own family. */
  readonly ownFamily: boolean;
}

/** A union of more is of no use to anybody. */
const LARGEST = 500;

/** Finds families. Looks through the components once, when the first discriminator is met. */
export class Families {
  private readonly known = new Map<Entry, Family | undefined>();
  private children: ReadonlyMap<string, readonly string[]> | undefined;

  of(c: Context, entry: Entry): Family | undefined {
    if (!this.known.has(entry)) {
      this.known.set(entry, undefined);
      this.known.set(entry, this.read(c, entry));
    }
    return this.known.get(entry);
  }

  private read(c: Context, entry: Entry): Family | undefined {
    if (entry.form === "base" || typeof entry.raw === "boolean" || hasAlternatives(entry.raw))
      return undefined;
    const found = discriminatorIn(entry.raw, entry.at);
    const property = found && propertyOf(found.value);
    if (!found || property === undefined) return undefined;
    const mapping = readMapping(c, found.value, found.at);
    const children = this.descendants(c, entry, property);
    const mapped = [...mapping.values.keys()].filter(
      (target) => target !== entry && !children.some((child) => child.entry === target),
    );
    if (children.length > LARGEST) {
      c.findings.add(
        "model-discriminator",
        found.at,
        `More than ${LARGEST} schemas extend this one; a reference to it means its own fields only.`,
      );
      return undefined;
    }
    const members = [...children, ...mapped.map((target) => ({ entry: target, ownFamily: false }))];
    const family = { property, members, mapping, mappedOnly: children.length === 0 };
    for (const member of members) tagMember(c, family, member, entry.at.child("discriminator"));
    return members.length === 0 ? undefined : family;
  }

  private descendants(c: Context, base: Entry, property: string): readonly FamilyMember[] {
    const index = (this.children ??= indexChildren(c));
    const found = new Map<string, FamilyMember>();
    const open = [...(index.get(base.at.pointer) ?? [])].reverse();
    for (
      let pointer = open.pop();
      pointer !== undefined && found.size <= LARGEST;
      pointer = open.pop()
    ) {
      const entry =
        found.has(pointer) || pointer === base.at.pointer
          ? undefined
          : c.schemas.find(c, pointer, At.root);
      if (!entry) continue;
      const other =
        typeof entry.raw === "boolean" ? undefined : discriminatorIn(entry.raw, entry.at);
      const ownFamily = other !== undefined && propertyOf(other.value) !== property;
      found.set(pointer, { entry, ownFamily });
      if (!ownFamily) open.push(...[...(index.get(pointer) ?? [])].reverse());
    }
    return [...found.values()];
  }
}

/**
 * Notes the value that tells a member from the others, whether or not anything refers to the base.
 */
function tagMember(
  c: Context,
  { property, mapping }: Family,
  { entry, ownFamily }: FamilyMember,
  at: At,
): void {
  if (ownFamily) return;
  if (entry === mapping.fallback) c.tags.exempt(concrete(c, entry), property);
  else
    c.tags.add(
      concrete(c, entry),
      property,
      mapping.values.get(entry),
      nameOf(entry.at.pointer),
      at,
    );
}

/** The schema of just this member: one that is a base itself stands for its own members too. */
export function concrete(c: Context, entry: Entry): Entry {
  return isPolymorphic(c, entry) ? c.schemas.baseOf(entry) : entry;
}

/** The value that stands for a schema without a mapping: its name. */
export function nameOf(ref: string): string {
  const name = unescapeToken(ref.slice(ref.lastIndexOf("/") + 1));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** True for a base that others extend: a reference to it means one of them. */
export function isPolymorphic(c: Context, entry: Entry): boolean {
  return c.families.of(c, entry) !== undefined;
}

export function hasAlternatives(raw: Raw): boolean {
  return [raw.oneOf, raw.anyOf].some((members) => Array.isArray(members) && members.length > 0);
}

/** The name of the discriminating property: an object in 3.x, the name itself in 2.0. */
export function propertyOf(discriminator: unknown): string | undefined {
  const name = isObject(discriminator) ? discriminator.propertyName : discriminator;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The discriminator of a schema, which may stand in a member of its `allOf`. */
function discriminatorIn(
  raw: Raw,
  at: At,
): { readonly value: unknown; readonly at: At } | undefined {
  if (raw.discriminator !== undefined)
    return { value: raw.discriminator, at: at.child("discriminator") };
  if (!Array.isArray(raw.allOf)) return undefined;
  const index = raw.allOf.findIndex(
    (member) => isObject(member) && member.discriminator !== undefined && !hasAlternatives(member),
  );
  return index < 0
    ? undefined
    : {
        value: (raw.allOf[index] as Raw).discriminator,
        at: at.child("allOf").child(index).child("discriminator"),
      };
}

/** Pointer of each component → pointers of those that extend it, in document order. */
function indexChildren(c: Context): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const { prefix, schemas } = namedSchemas(c);
  for (const name of Object.keys(schemas)) {
    const raw = schemas[name];
    if (!isObject(raw) || !Array.isArray(raw.allOf)) continue;
    for (const member of raw.allOf) {
      if (!isObject(member) || typeof member.$ref !== "string") continue;
      const base = c.refs.find(member.$ref, At.of(prefix))?.at.pointer;
      if (base === undefined) continue;
      const children = index.get(base) ?? [];
      children.push(`${prefix}/${escapeToken(name)}`);
      index.set(base, children);
    }
  }
  return index;
}

/** `#/components/schemas` or, in 2.0, `#/definitions`. */
export function namedSchemas(c: Context): { readonly prefix: string; readonly schemas: Raw } {
  const old = c.version === "2.0";
  const components = own(c.document.root, "components");
  const container = old
    ? own(c.document.root, "definitions")
    : isObject(components)
      ? own(components, "schemas")
      : undefined;
  return {
    prefix: old ? "#/definitions" : "#/components/schemas",
    schemas: isObject(container) ? container : {},
  };
}
