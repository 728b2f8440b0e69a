import { isObject, type JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import { isModern, type Context } from "../context.js";
import { reportIgnoredSiblings } from "../deref.js";
import { kindOf } from "../findings.js";
import { isExtension, type Raw } from "../read.js";
import { withoutShutting } from "./closed.js";
import { compose, type Part } from "./compose.js";
import { asPolymorphic, discriminated } from "./discriminator.js";
import { hasAlternatives } from "./family.js";
import { readKeywords } from "./keywords.js";
import { isPlainLeaf } from "./leaf.js";
import { orNull } from "./nullable.js";
import type { Entry } from "./registry.js";
import { isNullable } from "./settle.js";

/** A schema of the document in model form. `true` becomes `{}`, `false` becomes `{ not: {} }`. */
export function toSchema(c: Context, raw: unknown, at: At): JsonSchema {
  return asObject(convert(c, raw, at));
}

/** Reads an entry of the registry. */
export function readEntry(c: Context, entry: Entry): JsonSchema {
  if (typeof entry.raw === "boolean") return asObject(entry.raw);
  const polymorphic = entry.form === "whole" ? asPolymorphic(c, entry) : undefined;
  return polymorphic ?? asObject(convert(c, entry.raw, entry.at, entry));
}

/**
 * One schema, with everything in it, in model form.
 * @param owner the entry whose own schema this is, when it is one
 */
export function convert(c: Context, raw: unknown, at: At, owner?: Entry): JsonSchema | boolean {
  if (typeof raw === "boolean" || isPlainLeaf(raw)) return raw;
  if (isObject(raw)) {
    if (!c.schemas.enter(c, at)) return true;
    const schema = convertObject(c, raw, at, owner);
    c.schemas.leave();
    return schema;
  }
  if (raw !== undefined)
    c.findings.add(
      "model-schema-keyword",
      at,
      `A schema must be an object, but this is ${kindOf(raw)}; anything is accepted here.`,
    );
  return true;
}

function convertObject(c: Context, raw: Raw, at: At, owner: Entry | undefined): JsonSchema {
  const nullable = isNullable(c, raw);
  if (nullable && isModern(c))
    c.findings.add(
      "model-schema-nullable",
      at.child("nullable"),
      `\`nullable\` is not a keyword of OpenAPI ${c.version}; it is taken as it was meant in 3.0.`,
    );
  if (typeof raw.$dynamicRef === "string")
    c.findings.add(
      "model-dynamic-ref",
      at.child("$dynamicRef"),
      "`$dynamicRef` is taken as a `$ref`: which schema it means does not change with the way to it.",
    );
  if (typeof raw.$ref === "string" && !isModern(c))
    return reference(c, raw, raw.$ref, at, nullable);
  const pure = owner ? undefined : pureReference(c, raw, at);
  if (pure) return pure === "broken" ? {} : c.schemas.use(pure);
  const isBase = owner?.form === "base";
  const parts = partsOf(c, raw, at, owner);
  const own = readKeywords(
    c,
    isBase ? withoutAlternatives(raw) : withoutShutting(c, raw, at),
    at,
    convert,
  );
  const composed = parts.length === 0 ? own : compose(c, own, parts, owner);
  const schema =
    "discriminator" in raw && !isBase ? discriminated(c, raw, composed, at, owner) : composed;
  return nullable ? orNull(schema) : schema;
}

/**
 * 2.0 and 3.0: nothing beside a `$ref` counts. `nullable` does: it is there because the API sends
 * null.
 */
function reference(c: Context, raw: Raw, ref: string, at: At, nullable: boolean): JsonSchema {
  const ignored = Object.keys(raw).filter(
    (key) => key !== "$ref" && key !== "nullable" && !isExtension(key),
  );
  if (ignored.length > 0) reportIgnoredSiblings(c, ignored, at);
  const entry = c.schemas.find(c, ref, at);
  if (!entry) return {};
  return nullable ? orNull(c.schemas.use(entry)) : c.schemas.use(entry);
}

const NONE: readonly Part[] = [];

/**
 * What a schema must satisfy besides its own keywords: references, `allOf`, and a single
 * alternative.
 */
function partsOf(c: Context, raw: Raw, at: At, owner: Entry | undefined): readonly Part[] {
  if (
    !(
      "allOf" in raw ||
      "$ref" in raw ||
      "oneOf" in raw ||
      "anyOf" in raw ||
      "$dynamicRef" in raw ||
      "$recursiveRef" in raw
    )
  )
    return NONE;
  const parts: Part[] = [];
  for (const key of ["$ref", "$dynamicRef"])
    if (typeof raw[key] === "string") addPart(c, parts, { $ref: raw[key] }, at);
  if (raw.$recursiveRef === "#") addPart(c, parts, { $ref: c.refs.recursiveAnchor(at) ?? "#" }, at);
  if (Array.isArray(raw.allOf))
    for (const [index, member] of raw.allOf.entries()) {
      addPart(
        c,
        parts,
        owner ? withoutDiscriminator(member) : member,
        at.child("allOf").child(index),
      );
    }
  if (owner?.form === "base") return parts;
  for (const key of ["oneOf", "anyOf"]) {
    const members = raw[key];
    if (Array.isArray(members) && members.length === 1)
      addPart(c, parts, members[0], at.child(key).child(0));
  }
  return parts;
}

function addPart(c: Context, parts: Part[], member: unknown, at: At): void {
  const entry = pureReference(c, member, at);
  if (entry === "broken") return;
  if (entry) {
    parts.push({ entry });
    return;
  }
  const schema = convert(c, member, at);
  if (schema !== true) parts.push({ schema: asObject(schema) });
}

/**
 * The entry of a member that is a reference and nothing else; it is not used until somebody says
 * so.
 */
function pureReference(c: Context, member: unknown, at: At): Entry | "broken" | undefined {
  if (!isObject(member) || typeof member.$ref !== "string" || isNullable(c, member))
    return undefined;
  const siblings = Object.keys(member).filter((key) => key !== "$ref" && !isExtension(key));
  if (siblings.length > 0 && isModern(c)) return undefined;
  if (siblings.length > 0) reportIgnoredSiblings(c, siblings, at);
  return c.schemas.find(c, member.$ref, at) ?? "broken";
}

/**
 * A discriminator in the `allOf` of a named schema is that schema's: `asPolymorphic` has dealt with
 * it, or there are too many members.
 */
function withoutDiscriminator(member: unknown): unknown {
  if (!isObject(member) || !("discriminator" in member) || hasAlternatives(member)) return member;
  const { discriminator: _, ...rest } = member;
  return rest;
}

function withoutAlternatives(raw: Raw): Raw {
  const { oneOf: _1, anyOf: _2, discriminator: _3, ...rest } = raw;
  return rest;
}

function asObject(schema: JsonSchema | boolean): JsonSchema {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : { not: {} };
}
