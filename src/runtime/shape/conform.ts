import { type Problem, type Step, worthTelling } from "../schema/index.js";
import type { JsonSchema } from "../types.js";
import { validatorOf } from "../validate.js";

/** A value that satisfies the schema, and where the API's value did not. */
export type Conformed = { readonly ok: true; readonly value: unknown; readonly differences: readonly Problem[] } | { readonly ok: false; readonly differences: readonly Problem[] };

const mostRounds = 16;

/**
 * Makes the API's answer satisfy the tool's output schema, because clients refuse a result that does not. A part that differs becomes
 * null where null is allowed, else it is left out, else the part around it. **Changes the value in place.**
 */
export function conform(value: unknown, schema: JsonSchema): Conformed {
  const check = validatorOf(schema);
  const differences = worthTelling(check(value));
  const tried = new Set<string>();
  let open = differences;
  for (let round = 0; open.length > 0 && round < mostRounds; round++) {
    // From the last to the first: an item that is taken out of a list must not move the ones still to be mended.
    if (!open.toReversed().every((problem) => mend(value, problem, tried))) break;
    open = worthTelling(check(value));
  }
  return open.length === 0 ? { ok: true, value, differences } : { ok: false, differences };
}

/** False when nothing is left to try: the whole value is at fault. */
function mend(root: unknown, { path, keyword }: Problem, tried: Set<string>): boolean {
  const step = path.at(-1);
  const parent = parentOf(root, path);
  if (step === undefined || parent === undefined) return step !== undefined;
  const attempt = JSON.stringify(path);
  if (keyword === "additionalProperties" || keyword === "propertyNames") return remove(parent, step);
  if (!tried.has(attempt) && parent[step] !== null) {
    tried.add(attempt);
    return define(parent, step, null);
  }
  if (keyword === "required") return mend(root, { path: path.slice(0, -1), keyword: "", rule: undefined, value: undefined }, tried);
  return remove(parent, step);
}

function parentOf(root: unknown, path: readonly Step[]): Record<Step, unknown> | undefined {
  let at = root;
  for (const step of path.slice(0, -1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<Step, unknown>)[step];
  }
  return typeof at === "object" && at !== null ? (at as Record<Step, unknown>) : undefined;
}

function remove(parent: Record<Step, unknown>, step: Step): true {
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else delete parent[step];
  return true;
}

/** Defines rather than assigns, so that a key such as __proto__ is a key. */
function define(parent: Record<Step, unknown>, step: Step, value: unknown): true {
  Object.defineProperty(parent, step, { value, writable: true, enumerable: true, configurable: true });
  return true;
}
