import { didYouMean } from "../diagnostics/index.js";

/** Notes what is wrong with an overlay, where, and what to do. */
export type Fault = (message: string, pointer: string, hint?: string) => void;

/**
 * Reports fields that an object does not have in this version of the specification. Those that
 * start with `x-` are anybody's, and `$schema` is for editors.
 * @param known the fields, each with the minor version that it came with
 */
export function checkFields(
  object: Record<string, unknown>,
  known: Readonly<Record<string, number>>,
  minor: number,
  pointer: string,
  fault: Fault,
): void {
  const there = Object.keys(known).filter((key) => (known[key] ?? 0) <= minor && key !== "$schema");
  for (const key of Object.keys(object)) {
    const since = Object.hasOwn(known, key) ? (known[key] as number) : undefined;
    if (key.startsWith("x-") || (since !== undefined && since <= minor)) continue;
    if (since === undefined)
      fault(
        `Unknown field \`${key}\`${didYouMean(key, there) || `; known are ${there.join(", ")}`}`,
        pointer,
      );
    else
      fault(
        `Unknown field \`${key}\`: it came with Overlay 1.${since}, and this is 1.${minor}`,
        pointer,
        `Write overlay: 1.${since}.0 at the top, or remove it.`,
      );
  }
}

/** `update`, `copy`, `remove` and what may stand beside them. */
export function checkModifiers(
  action: Record<string, unknown>,
  beside: Readonly<Record<string, number>>,
  minor: number,
  pointer: string,
  fault: Fault,
): void {
  checkFields(
    action,
    { ...beside, description: 0, update: 0, remove: 0, copy: 1 },
    minor,
    pointer,
    fault,
  );
  if ("description" in action && typeof action["description"] !== "string")
    fault("`description` of an action must be a string", `${pointer}/description`);
  if ("remove" in action && typeof action["remove"] !== "boolean")
    fault("`remove` must be true or false", `${pointer}/remove`);
  if ("copy" in action && typeof action["copy"] !== "string")
    fault("`copy` must be a JSONPath", `${pointer}/copy`);
}
