import { isObject } from "../../json.js";
import type { At } from "../at.js";
import type { Context } from "../context.js";
import { own, type Raw } from "../read.js";

const NOTHING: Raw = {};

/**
 * A schema whose alternatives may have the fields that they declare. `additionalProperties: false`
 * beside `oneOf` or `anyOf` sees only the properties that stand beside it (JSON Schema core,
 * 10.3.2.3), so that taken literally such a schema allows next to nothing; what people mean by it
 * are the properties of all, as beside `allOf`.
 */
export function withoutShutting(c: Context, raw: Raw, at: At): Raw {
  if (raw.additionalProperties !== false) return raw;
  const known = isObject(raw.properties) ? raw.properties : NOTHING;
  // One alone is merged as a member of `allOf` is.
  const alternatives = [raw.oneOf, raw.anyOf].flatMap((members): readonly unknown[] =>
    Array.isArray(members) && members.length > 1 ? members : [],
  );
  const declared = alternatives.flatMap((member) => namesOf(c, member, at));
  if (declared.every((name) => Object.hasOwn(known, name))) return raw;
  c.findings.add(
    "model-schema-closed",
    at.child("additionalProperties"),
    "`additionalProperties: false` would shut out the properties of the alternatives; it is left out.",
  );
  const { additionalProperties: _, ...rest } = raw;
  return rest;
}

/** The properties that one alternative declares itself. */
function namesOf(c: Context, member: unknown, at: At): readonly string[] {
  const target =
    isObject(member) && typeof member.$ref === "string"
      ? c.refs.find(member.$ref, at)?.value
      : member;
  const properties = isObject(target) ? own(target, "properties") : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}
