/** Projection of results to fields. */
import { dropFields, pickFields, renameFields } from "../data/field-paths.js";
import { omitUndefined } from "../data/values.js";
import type { FieldProjection } from "../types.js";

/** Keeps the projected fields of objects, under their new names. Other values stay unchanged. */
export function projectFields(
  result: unknown,
  { list, pick, drop, rename }: FieldProjection,
): unknown {
  if (list !== undefined) {
    if (typeof result !== "object" || result === null) return result;
    return Object.fromEntries(
      Object.entries(result).map(([name, value]) => [
        name,
        name === list ? projectFields(value, omitUndefined({ pick, drop, rename })) : value,
      ]),
    );
  }
  const picked = pick ? pickFields(result, pick) : result;
  const kept = drop ? dropFields(picked, drop) : picked;
  return rename ? renameFields(kept, rename) : kept;
}
