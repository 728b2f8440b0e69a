import type { JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import type { Context } from "../context.js";
import { quote } from "../findings.js";
import { bare } from "../read.js";
import type { Entry } from "./registry.js";
import { plainBody } from "./targets.js";
import { annotationsOf, typesOf, type Draft } from "./types.js";
import { coerced } from "./values.js";

interface Tag {
  readonly mapped: Set<string>;
  readonly implied: Set<string>;
  readonly at: At;
}

/**
 * The values that discriminators give to schemas. They are collected while schemas are read and put
 * on at the end, as `const` (or `enum`, when there are several) of a required property.
 */
export class Tags {
  private readonly tags = new Map<Entry, Map<string, Tag>>();
  private readonly exempted = new Map<Entry, Set<string>>();
  private readonly composed = new Set<Entry>();

  /** @param values what a mapping says; without one, `name` is the value */
  add(
    entry: Entry,
    property: string,
    values: readonly string[] | undefined,
    name: string,
    at: At,
  ): void {
    const ofEntry = this.tags.get(entry) ?? new Map<string, Tag>();
    this.tags.set(entry, ofEntry);
    const tag = ofEntry.get(property) ?? { mapped: new Set(), implied: new Set(), at };
    ofEntry.set(property, tag);
    for (const value of values ?? []) tag.mapped.add(value);
    if (values === undefined) tag.implied.add(name);
  }

  /** The schema of `defaultMapping` (3.2) stands for every other value, and for none. */
  exempt(entry: Entry, property: string): void {
    const properties = this.exempted.get(entry) ?? new Set();
    this.exempted.set(entry, properties.add(property));
  }

  /** Others are composed with this schema by reference: a tag on it would bind them too. */
  neverInPlace(entry: Entry): void {
    this.composed.add(entry);
  }

  /** Puts the tags on. Call when all schemas are read. */
  apply(c: Context): void {
    for (const [entry, properties] of this.tags) {
      if (!c.schemas.isUsed(entry)) continue;
      for (const [property, tag] of properties)
        if (!this.exempted.get(entry)?.has(property)) this.put(c, entry, property, tag);
    }
  }

  private put(c: Context, entry: Entry, property: string, tag: Tag): void {
    const read = c.schemas.schemaOf(c, entry);
    // A schema that only renames another carries the tag itself; the other stays as it is.
    const schema = read && plainBody(c, read);
    if (!schema || !isTaggable(schema)) return;
    if (this.composed.has(entry)) {
      c.findings.add(
        "model-discriminator",
        tag.at,
        `${quote(entry.key)} is part of other schemas and cannot carry a value of ${quote(property)}; the alternatives are told apart by their fields.`,
      );
      return;
    }
    const properties = Object.assign(bare<JsonSchema | boolean>(), schema.properties);
    const tagged = taggedProperty(c, properties[property] ?? true, entry, property, tag);
    if (!tagged) return;
    properties[property] = tagged;
    const required = schema.required?.includes(property)
      ? schema.required
      : [...(schema.required ?? []), property];
    c.schemas.replace(entry, { ...schema, properties, required });
  }
}

/** Objects can carry a tag; unions have members with tags of their own. */
function isTaggable(schema: JsonSchema): boolean {
  return (
    schema.properties !== undefined ||
    (typesOf(schema)?.includes("object") ?? false) ||
    schema.allOf !== undefined
  );
}

function taggedProperty(
  c: Context,
  existing: JsonSchema | boolean,
  entry: Entry,
  property: string,
  tag: Tag,
): JsonSchema | undefined {
  const schema = typeof existing === "boolean" ? {} : existing;
  const target = schema.$ref === undefined ? schema : (targetOf(c, schema.$ref) ?? {});
  const allowed =
    "const" in target ? [target.const] : target.enum?.filter((value) => value !== null);
  const values = [...(tag.mapped.size > 0 ? tag.mapped : tag.implied)]
    .sort()
    .map((value) => coerced(value, typesOf(target)) ?? value);
  const fitting = allowed ? values.filter((value) => allowed.includes(value)) : values;
  if (fitting.length > 0) return withValues(schema, fitting);
  // The schema says itself what the property holds: documents are full of mappings that were never
  // written.
  const [only] = allowed ?? [];
  if (tag.mapped.size > 0) report(c, entry, property, tag, values);
  return allowed?.length === 1 ? withValues(schema, [only]) : undefined;
}

function withValues(schema: JsonSchema, values: readonly unknown[]): JsonSchema {
  const tagged: Draft = annotationsOf(schema);
  if ("default" in tagged && !values.includes(tagged.default)) delete tagged.default;
  if (tagged.examples)
    tagged.examples = tagged.examples.filter((example) => values.includes(example));
  if (tagged.examples?.length === 0) delete tagged.examples;
  if (values.every((value) => typeof value === "string")) tagged.type = "string";
  if (values.length === 1) tagged.const = values[0];
  else tagged.enum = values;
  return tagged;
}

function report(
  c: Context,
  entry: Entry,
  property: string,
  tag: Tag,
  values: readonly unknown[],
): void {
  const named = values.map((value) => quote(String(value))).join(", ");
  c.findings.add(
    "model-discriminator",
    tag.at,
    `The mapping gives ${quote(entry.key)} the value ${named}, which its own ${quote(property)} does not allow; its own values are kept.`,
  );
}

function targetOf(c: Context, ref: string): JsonSchema | undefined {
  const entry = c.schemas.named(ref.slice("#/$defs/".length));
  return entry && c.schemas.schemaOf(c, entry);
}
