import { escapeToken, isObject } from "../../json.js";
import { At } from "../at.js";
import type { Context } from "../context.js";
import { quote } from "../findings.js";
import { bare } from "../read.js";
import { namedSchemas } from "./family.js";
import type { Entry } from "./registry.js";

/**
 * `mapping` of a Discriminator Object, by the schema it leads to; and, in 3.2, the one for all
 * other values.
 */
export interface Mapping {
  readonly values: ReadonlyMap<Entry, readonly string[]>;
  readonly fallback?: Entry;
}

/**
 * Reads a Discriminator Object's mapping. An entry that leads nowhere is left out with a warning.
 */
export function readMapping(c: Context, discriminator: unknown, at: At): Mapping {
  const values = new Map<Entry, string[]>();
  if (!isObject(discriminator)) return { values };
  const mapping = isObject(discriminator.mapping) ? discriminator.mapping : bare<unknown>();
  for (const [value, target] of Object.entries(mapping)) {
    const entry = targetOf(c, target, at.child("mapping").child(value));
    if (!entry) continue;
    const known = values.get(entry) ?? [];
    known.push(value);
    values.set(entry, known);
  }
  const { defaultMapping } = discriminator;
  const fallback =
    defaultMapping === undefined
      ? undefined
      : targetOf(c, defaultMapping, at.child("defaultMapping"));
  return fallback ? { values, fallback } : { values };
}

/**
 * A schema by its name, by a reference, or by the name of the file it was in before the document
 * was bundled.
 */
function targetOf(c: Context, target: unknown, at: At): Entry | undefined {
  if (typeof target === "string") {
    const { prefix, schemas } = namedSchemas(c);
    const file = target.slice(target.lastIndexOf("/") + 1).replace(/\.(json|ya?ml)$/i, "");
    const named = [target, file].find((name) => Object.hasOwn(schemas, name));
    const isName = named === target || c.refs.find(target, at) === undefined;
    if (!isName) return c.schemas.find(c, target, at);
    if (named !== undefined)
      return c.schemas.find(c, `${prefix}/${escapeToken(named)}`, At.of(prefix));
  }
  const shown = typeof target === "string" ? ` ${quote(target)}` : "";
  c.findings.add(
    "model-discriminator",
    at,
    `The mapping${shown} leads to no schema of the document; it is left out.`,
  );
  return undefined;
}
