import { escapePointerToken, unescapePointerToken } from "../../json-pointer.js";
import { isObject } from "../../json.js";
import type {
  Context,
  DiscriminatorHierarchies,
  DiscriminatorHierarchy,
  DiscriminatorMapping,
  HierarchyMember,
  SchemaEntry,
} from "../context.js";
import { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { emptyRecord, type RawObject } from "../raw-object.js";
import { componentSchemas } from "./registry.js";

/** Maximum members of a union. A larger one is useless to clients. */
const MAX_MEMBERS = 500;

/** Finds hierarchies. Indexes the components once, at the first discriminator. */
export class HierarchyFinder implements DiscriminatorHierarchies {
  private readonly cache = new Map<SchemaEntry, DiscriminatorHierarchy | undefined>();
  private children: ReadonlyMap<string, readonly string[]> | undefined;

  hierarchyOf(c: Context, entry: SchemaEntry): DiscriminatorHierarchy | undefined {
    if (!this.cache.has(entry)) {
      this.cache.set(entry, undefined);
      this.cache.set(entry, this.read(c, entry));
    }
    return this.cache.get(entry);
  }

  private read(c: Context, entry: SchemaEntry): DiscriminatorHierarchy | undefined {
    if (entry.form === "base" || typeof entry.raw === "boolean" || hasAlternatives(entry.raw))
      return undefined;
    const found = findDiscriminator(entry.raw, entry.pointer);
    const property = found && discriminatorProperty(found.value);
    if (!found || property === undefined) return undefined;
    const mapping = readMapping(c, found.value, found.at);
    const children = this.descendants(c, entry, property);
    const mapped = [...mapping.values.keys()].filter(
      (target) => target !== entry && !children.some((child) => child.entry === target),
    );
    if (children.length > MAX_MEMBERS) {
      c.diagnostics.add(
        "model-discriminator",
        found.at,
        `More than ${MAX_MEMBERS} schemas extend this one; a reference to it includes its own fields only.`,
      );
      return undefined;
    }
    const members = [
      ...children,
      ...mapped.map((target) => ({ entry: target, hasOwnHierarchy: false })),
    ];
    const hierarchy = { property, members, mapping, isMappingOnly: children.length === 0 };
    for (const member of members)
      tagMember(c, hierarchy, member, entry.pointer.child("discriminator"));
    return members.length === 0 ? undefined : hierarchy;
  }

  private descendants(c: Context, base: SchemaEntry, property: string): readonly HierarchyMember[] {
    const index = (this.children ??= indexSubtypes(c));
    const found = new Map<string, HierarchyMember>();
    const stack = [...(index.get(base.pointer.text) ?? [])].reverse();
    for (
      let pointer = stack.pop();
      pointer !== undefined && found.size <= MAX_MEMBERS;
      pointer = stack.pop()
    ) {
      const entry =
        found.has(pointer) || pointer === base.pointer.text
          ? undefined
          : c.schemas.find(c, pointer, Pointer.root);
      if (!entry) continue;
      const nested =
        typeof entry.raw === "boolean" ? undefined : findDiscriminator(entry.raw, entry.pointer);
      const hasOwnHierarchy =
        nested !== undefined && discriminatorProperty(nested.value) !== property;
      found.set(pointer, { entry, hasOwnHierarchy });
      if (!hasOwnHierarchy) stack.push(...[...(index.get(pointer) ?? [])].reverse());
    }
    return [...found.values()];
  }
}

/** Records the discriminator value of a member, even when nothing refers to the base. */
function tagMember(
  c: Context,
  { property, mapping }: DiscriminatorHierarchy,
  { entry, hasOwnHierarchy }: HierarchyMember,
  pointer: Pointer,
): void {
  if (hasOwnHierarchy) return;
  if (entry === mapping.fallback) c.discriminatorTags.exempt(concreteEntry(c, entry), property);
  else
    c.discriminatorTags.add(
      concreteEntry(c, entry),
      property,
      mapping.values.get(entry),
      impliedValue(entry.pointer.text),
      pointer,
    );
}

/**
 * The schema of this member alone. A member that is itself a base also represents its own members.
 */
export function concreteEntry(c: Context, entry: SchemaEntry): SchemaEntry {
  return isPolymorphic(c, entry) ? c.schemas.baseOf(entry) : entry;
}

/** The discriminator value without a mapping: the schema's name. */
export function impliedValue(ref: string): string {
  const name = unescapePointerToken(ref.slice(ref.lastIndexOf("/") + 1));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** True for a base that others extend. A reference to it means one of them. */
export function isPolymorphic(c: Context, entry: SchemaEntry): boolean {
  return c.hierarchies.hierarchyOf(c, entry) !== undefined;
}

export function hasAlternatives(raw: RawObject): boolean {
  return [raw.oneOf, raw.anyOf].some((members) => Array.isArray(members) && members.length > 0);
}

/** The name of the discriminator property: `propertyName` in 3.x, the value itself in 2.0. */
export function discriminatorProperty(discriminator: unknown): string | undefined {
  const name = isObject(discriminator) ? discriminator.propertyName : discriminator;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The discriminator of a schema, which may be in a member of its `allOf`. */
function findDiscriminator(
  raw: RawObject,
  pointer: Pointer,
): { readonly value: unknown; readonly at: Pointer } | undefined {
  if (raw.discriminator !== undefined)
    return { value: raw.discriminator, at: pointer.child("discriminator") };
  if (!Array.isArray(raw.allOf)) return undefined;
  const index = raw.allOf.findIndex(
    (member) => isObject(member) && member.discriminator !== undefined && !hasAlternatives(member),
  );
  return index < 0
    ? undefined
    : {
        value: (raw.allOf[index] as RawObject).discriminator,
        at: pointer.child("allOf").child(index).child("discriminator"),
      };
}

/** Pointer of each component → pointers of those that extend it, in document order. */
function indexSubtypes(c: Context): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const { prefix, schemas } = componentSchemas(c);
  for (const name of Object.keys(schemas)) {
    const raw = schemas[name];
    if (!isObject(raw) || !Array.isArray(raw.allOf)) continue;
    for (const member of raw.allOf) {
      if (!isObject(member) || typeof member.$ref !== "string") continue;
      const base = c.references.find(member.$ref, Pointer.of(prefix))?.pointer.text;
      if (base === undefined) continue;
      const children = index.get(base) ?? [];
      children.push(`${prefix}/${escapePointerToken(name)}`);
      index.set(base, children);
    }
  }
  return index;
}

/** Reads a Discriminator Object's mapping. An entry without a target is left out with a warning. */
export function readMapping(
  c: Context,
  discriminator: unknown,
  pointer: Pointer,
): DiscriminatorMapping {
  const values = new Map<SchemaEntry, string[]>();
  if (!isObject(discriminator)) return { values };
  const mapping = isObject(discriminator.mapping) ? discriminator.mapping : emptyRecord<unknown>();
  for (const [value, target] of Object.entries(mapping)) {
    const entry = resolveMappingTarget(c, target, pointer.child("mapping").child(value));
    if (!entry) continue;
    const mapped = values.get(entry) ?? [];
    mapped.push(value);
    values.set(entry, mapped);
  }
  const { defaultMapping } = discriminator;
  const fallback =
    defaultMapping === undefined
      ? undefined
      : resolveMappingTarget(c, defaultMapping, pointer.child("defaultMapping"));
  return fallback ? { values, fallback } : { values };
}

/**
 * Resolves a mapping target: a schema name, a reference, or the name of the file that held the
 * schema before bundling.
 */
function resolveMappingTarget(
  c: Context,
  target: unknown,
  pointer: Pointer,
): SchemaEntry | undefined {
  if (typeof target === "string") {
    const { prefix, schemas } = componentSchemas(c);
    const file = target.slice(target.lastIndexOf("/") + 1).replace(/\.(json|ya?ml)$/i, "");
    const component = [target, file].find((name) => Object.hasOwn(schemas, name));
    const isName = component === target || c.references.find(target, pointer) === undefined;
    if (!isName) return c.schemas.find(c, target, pointer);
    if (component !== undefined)
      return c.schemas.find(c, `${prefix}/${escapePointerToken(component)}`, Pointer.of(prefix));
  }
  const quoted = typeof target === "string" ? ` ${quote(target)}` : "";
  c.diagnostics.add(
    "model-discriminator",
    pointer,
    `The mapping${quoted} does not refer to a schema of the document; it is left out.`,
  );
  return undefined;
}
