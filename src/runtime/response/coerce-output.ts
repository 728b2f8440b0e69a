import {
  type Problem,
  type PathSegment,
  type Validator,
  relevantProblems,
} from "../schema/index.js";
import type { JsonSchema } from "../types.js";
import { validatorFor } from "../schema/compile.js";

/** A value that satisfies the schema, and where the API's value did not. */
export type CoercionResult =
  | { readonly ok: true; readonly value: unknown; readonly differences: readonly Problem[] }
  | { readonly ok: false; readonly differences: readonly Problem[] };

const MAX_ROUNDS = 16;

/**
 * Makes the API's answer satisfy the tool's output schema, because clients refuse a result that
 * does not. A part that differs is written as the type that is wanted, becomes null where null is
 * allowed, else it is left out, else the part around it. **Changes the value in place.**
 */
export function coerceOutput(value: unknown, schema: JsonSchema): CoercionResult {
  const check = validatorFor(schema);
  const differences = relevantProblems(removeUnexpectedNulls(value, check));
  const tried = new Set<string>();
  let open = differences;
  for (let round = 0; open.length > 0 && round < MAX_ROUNDS; round++) {
    // From the last to the first: an item that is taken out of a list must not move the ones still
    // to be mended.
    if (!open.toReversed().every((problem) => repair(value, problem, tried))) break;
    open = relevantProblems(check(value));
  }
  return open.length === 0 ? { ok: true, value, differences } : { ok: false, differences };
}

/**
 * APIs write null for what is not there; where the schema does not allow that, the property goes,
 * and nobody needs to hear of it.
 */
function removeUnexpectedNulls(root: unknown, check: Validator): readonly Problem[] {
  const problems = check(root);
  const nulls = problems.filter(
    ({ path, value }) => value === null && typeof path.at(-1) === "string",
  );
  for (const { path } of nulls) {
    const parent = parentOf(root, path);
    if (parent) delete parent[path.at(-1) as PathSegment];
  }
  return nulls.length === 0 ? problems : check(root);
}

/** False when nothing is left to try: the whole value is at fault. */
function repair(root: unknown, problem: Problem, tried: Set<string>): boolean {
  const { path, keyword } = problem;
  const step = path.at(-1);
  const parent = parentOf(root, path);
  if (step === undefined || parent === undefined) return step !== undefined;
  const attempt = JSON.stringify(path);
  if (keyword === "additionalProperties" || keyword === "propertyNames")
    return remove(parent, step);
  if (!tried.has(attempt) && parent[step] !== null) {
    tried.add(attempt);
    return define(parent, step, coerceValue(problem));
  }
  if (keyword === "required")
    return repair(
      root,
      { path: path.slice(0, -1), keyword: "", rule: undefined, value: undefined },
      tried,
    );
  return remove(parent, step);
}

/**
 * The same value as the type that the schema wants, where that says the same: `42` for `"42"`,
 * `true` for `"true"` and `1`, a list of one for one, text for anything. Otherwise null.
 */
function coerceValue({ keyword, rule, value }: Problem): unknown {
  const types = keyword === "type" ? [rule].flat() : [];
  if (types.includes("string")) return toText(value);
  if (types.includes("number") || types.includes("integer"))
    return toNumber(value, !types.includes("number"));
  if (types.includes("boolean")) return BOOLEANS.has(value) ? BOOLEANS.get(value) : null;
  if (types.includes("array")) return Array.isArray(value) || value === null ? null : [value];
  return types.includes("object") &&
    Array.isArray(value) &&
    value.length === 1 &&
    typeof value[0] === "object"
    ? (value[0] as unknown)
    : null;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
  [1, true],
  [0, false],
  ["1", true],
  ["0", false],
]);

function toText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null && Object.keys(value).length > 0
    ? JSON.stringify(value)
    : null;
}

/**
 * `"12.50"` is 12.5. Digits that a number would lose are none: `"007"`, and integers beyond 2^53.
 */
function toNumber(value: unknown, whole: boolean): number | null {
  if (
    typeof value !== "string" ||
    !/^\s*-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?\s*$/.test(value)
  )
    return null;
  const number = Number(value);
  const fits = Number.isInteger(number)
    ? Number.isSafeInteger(number)
    : !whole && Number.isFinite(number);
  return fits ? number : null;
}

function parentOf(
  root: unknown,
  path: readonly PathSegment[],
): Record<PathSegment, unknown> | undefined {
  let at = root;
  for (const step of path.slice(0, -1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PathSegment, unknown>)[step];
  }
  return typeof at === "object" && at !== null ? (at as Record<PathSegment, unknown>) : undefined;
}

function remove(parent: Record<PathSegment, unknown>, step: PathSegment): true {
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else delete parent[step];
  return true;
}

/** Defines rather than assigns, so that a key such as __proto__ is a key. */
function define(parent: Record<PathSegment, unknown>, step: PathSegment, value: unknown): true {
  Object.defineProperty(parent, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return true;
}
