import { isObject } from "../../json.js";
import type { Context } from "../context.js";
import { describeType, type Problem, quote } from "../diagnostics.js";
import type { Pointer } from "../pointer.js";
import { describeBrokenReference } from "../references.js";

/**
 * The reason why nothing is known of a schema: it is not a schema, or its reference leads nowhere
 * or back to itself. Undefined for a usable or absent schema. Parts of it may still be broken.
 */
export function findSchemaProblem(c: Context, raw: unknown, pointer: Pointer): Problem | undefined {
  if (raw === undefined || raw === null || typeof raw === "boolean") return undefined;
  if (!isObject(raw))
    return {
      code: "model-schema-keyword",
      location: pointer.location,
      message: `A schema must be an object, but this is ${describeType(raw)}`,
    };
  const target = c.references.follow(raw, pointer);
  if ("reason" in target) return describeBrokenReference(c, target, "schema");
  if (!isObject(target.value) && typeof target.value !== "boolean")
    return {
      code: "model-ref-target",
      location: pointer.child("$ref").location,
      message: `\`$ref\` ${quote(String(raw.$ref))} points to ${describeType(target.value)}, not to a schema`,
    };
  return isObject(target.value)
    ? findSelfInclusion(c, target.value.allOf, target.pointer)
    : undefined;
}

/** A member of `allOf` that `load` has found to include the schema itself. */
function findSelfInclusion(c: Context, allOf: unknown, pointer: Pointer): Problem | undefined {
  if (!Array.isArray(allOf)) return undefined;
  for (const [index, member] of allOf.entries()) {
    const ref: unknown = isObject(member) ? member.$ref : undefined;
    if (typeof ref !== "string") continue;
    if (c.document.brokenRefs?.get(ref)?.code === "load-ref-circular")
      return describeBrokenReference(
        c,
        { reason: "circular", chain: [ref], pointer: pointer.child("allOf").child(index) },
        "schema",
      );
  }
  return undefined;
}
