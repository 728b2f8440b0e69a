import { type Problem, type Step, type Validator, worthTelling } from "../schema/index.js";
import type { JsonSchema } from "../types.js";
import { validatorOf } from "../validate.js";

/** A value that satisfies the schema, and where the API's value did not. */
export type Conformed = { readonly ok: true; readonly value: unknown; readonly differences: readonly Problem[] } | { readonly ok: false; readonly differences: readonly Problem[] };

const mostRounds = 16;

/**
 * Makes the API's answer satisfy the tool's output schema, because clients refuse a result that does not. A part that differs is
 * written as the type that is wanted, becomes null where null is allowed, else it is left out, else the part around it. **Changes the value in place.**
 */
export function conform(value: unknown, schema: JsonSchema): Conformed {
  const check = validatorOf(schema);
  const differences = worthTelling(leaveOutNulls(value, check));
  const tried = new Set<string>();
  let open = differences;
  for (let round = 0; open.length > 0 && round < mostRounds; round++) {
    // From the last to the first: an item that is taken out of a list must not move the ones still to be mended.
    if (!open.toReversed().every((problem) => mend(value, problem, tried))) break;
    open = worthTelling(check(value));
  }
  return open.length === 0 ? { ok: true, value, differences } : { ok: false, differences };
}

/** APIs write null for what is not there; where the schema does not allow that, the property goes, and nobody needs to hear of it. */
function leaveOutNulls(root: unknown, check: Validator): readonly Problem[] {
  const problems = check(root);
  const nulls = problems.filter(({ path, value }) => value === null && typeof path.at(-1) === "string");
  for (const { path } of nulls) {
    const parent = parentOf(root, path);
    if (parent) delete parent[path.at(-1) as Step];
  }
  return nulls.length === 0 ? problems : check(root);
}

/** False when nothing is left to try: the whole value is at fault. */
function mend(root: unknown, problem: Problem, tried: Set<string>): boolean {
  const { path, keyword } = problem;
  const step = path.at(-1);
  const parent = parentOf(root, path);
  if (step === undefined || parent === undefined) return step !== undefined;
  const attempt = JSON.stringify(path);
  if (keyword === "additionalProperties" || keyword === "propertyNames") return remove(parent, step);
  if (!tried.has(attempt) && parent[step] !== null) {
    tried.add(attempt);
    return define(parent, step, asWanted(problem));
  }
  if (keyword === "required") return mend(root, { path: path.slice(0, -1), keyword: "", rule: undefined, value: undefined }, tried);
  return remove(parent, step);
}

/** The same value as the type that the schema wants, where nothing is lost: `42` for `"42"`. Otherwise null. */
function asWanted({ keyword, rule, value }: Problem): unknown {
  const types = keyword === "type" ? [rule].flat() : [];
  if (types.includes("string") && ["number", "boolean"].includes(typeof value)) return String(value);
  const isNumber = typeof value === "string" && value.trim() !== "" && String(Number(value)) === value;
  return isNumber && (types.includes("number") || (types.includes("integer") && Number.isInteger(Number(value)))) ? Number(value) : null;
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
