import { type Check, type Problem, report, type ValidationContext } from "./check.js";
import type { Compilation, KeywordCompiler } from "./compile.js";

/** Keywords that put schemas together. */
export const combinatorKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
  ["if", conditional],
];

function allOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) => {
    let fine = true;
    for (const check of checks) fine = check(value, trace) && fine;
    return fine;
  };
}

function anyOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) =>
    countMatches(checks, value, trace, 1) > 0 || report(trace, "anyOf", rule, value);
}

function oneOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) => {
    const matching = countMatches(checks, value, trace, 2);
    if (matching === 1) return true;
    return report(trace, matching === 0 ? "anyOf" : "oneOf", rule, value);
  };
}

function not(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return (value, trace) => !checkSilently(check, value, trace) || report(trace, "not", rule, value);
}

function conditional(rule: unknown, { compile, schema }: Compilation): Check {
  const [test, then, otherwise] = [compile(rule), compile(schema["then"]), compile(schema["else"])];
  return (value, trace) => (checkSilently(test, value, trace) ? then : otherwise)(value, trace);
}

function checkSilently(check: Check, value: unknown, trace: ValidationContext): boolean {
  const before = trace.problems.length;
  const fine = check(value, trace);
  trace.problems.length = before;
  return fine;
}

/**
 * How many of the alternatives the value satisfies; it stops at `enough`. When it satisfies none,
 * the problems of the one that it most likely means stay in the trace, ahead of the `anyOf` that
 * the caller adds.
 */
function countMatches(
  checks: readonly Check[],
  value: unknown,
  trace: ValidationContext,
  enough: number,
): number {
  const before = trace.problems.length;
  let matching = 0;
  let closest: readonly Problem[] | undefined;
  for (const check of checks) {
    if (check(value, trace) && ++matching === enough) break;
    const found = trace.problems.splice(before);
    if (found.length > 0 && (!closest || distance(found, trace) < distance(closest, trace)))
      closest = found;
  }
  trace.problems.length = before;
  if (matching === 0 && closest && distance(closest, trace) < Infinity)
    trace.problems.push(...closest.slice(0, 100));
  return matching;
}

/**
 * Infinite when the value is not of this kind at all; far when a tag says that it is another member
 * of the union.
 */
function distance(problems: readonly Problem[], { path }: ValidationContext): number {
  const here = problems.some(
    (problem) =>
      problem.path.length === path.length && ["type", "const", "enum"].includes(problem.keyword),
  );
  if (here) return Infinity;
  const tagged = problems.some(
    (problem) => problem.path.length === path.length + 1 && problem.keyword === "const",
  );
  return problems.length + (tagged ? 1000 : 0);
}

/**
 * A value that follows more references than this is nested beyond use, or its schema refers to
 * itself without end.
 */
const maxRefDepth = 200;

/** References that are followed without remembering what came of them: most values have no more. */
const maxUncachedRefs = 1000;

/** Problems of one part that are remembered. */
const maxCachedProblems = 100;

/**
 * References within the schema: `#`, `#/$defs/Pet`. Others are notes; the generator writes none.
 */
export const refKeywords: readonly (readonly [string, KeywordCompiler])[] = [["$ref", ref]];

function ref(rule: unknown, { refs, root, compile }: Compilation): Check | undefined {
  if (typeof rule !== "string" || !rule.startsWith("#")) return undefined;
  let target = refs.get(rule);
  return (value, trace) => {
    if (!target) refs.set(rule, (target = compile(resolveFragment(root, rule))));
    if (trace.refDepth >= maxRefDepth) return report(trace, "depth", maxRefDepth, value);
    return ++trace.cost.followedRefs > maxUncachedRefs
      ? followRefCached(target, value, trace)
      : followRef(target, value, trace);
  };
}

function followRef(target: Check, value: unknown, trace: ValidationContext): boolean {
  trace.refDepth++;
  const fine = target(value, trace);
  trace.refDepth--;
  return fine;
}

/**
 * The same as `followed`, but asked once only: alternatives that all lead on to the same part would
 * double the work on every level.
 */
function followRefCached(target: Check, value: unknown, trace: ValidationContext): boolean {
  const { problems, path, cost: spent } = trace;
  const known = spent.cachedProblems.get(target) ?? new Map<unknown, readonly Problem[]>();
  spent.cachedProblems.set(target, known);
  const again = known.get(value);
  if (again) {
    // An object is a part in one place; the same text or number can be in many.
    problems.push(
      ...(typeof value === "object"
        ? again
        : again.map((problem) => ({ ...problem, path: [...path] }))),
    );
    return again.length === 0;
  }
  const before = problems.length;
  const fine = followRef(target, value, trace);
  known.set(value, fine ? [] : problems.slice(before, before + maxCachedProblems));
  return fine;
}

/** The schema at a JSON pointer fragment; one that leads nowhere allows everything. RFC 6901. */
function resolveFragment(root: Compilation["root"], fragment: string): unknown {
  let at: unknown = root;
  for (const step of fragment.split("/").slice(1)) {
    const key = unescapeToken(step);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return true;
    at = at[key as keyof typeof at];
  }
  return at;
}

function unescapeToken(step: string): string {
  const pointer = /%[^0-9a-f]|%.?$/i.test(step) ? step : decodeURIComponent(step);
  return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}
