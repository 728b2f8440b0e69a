import {
  type Check,
  type Compilation,
  type KeywordCompiler,
  type Problem,
  report,
  type ValidationContext,
} from "./check.js";

/** Keywords that combine schemas. */
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
  return (value, context) => {
    let isValid = true;
    for (const check of checks) isValid = check(value, context) && isValid;
    return isValid;
  };
}

function anyOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) =>
    countMatches(checks, value, context, 1) > 0 || report(context, "anyOf", rule, value);
}

function oneOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) => {
    const matching = countMatches(checks, value, context, 2);
    if (matching === 1) return true;
    return report(context, matching === 0 ? "anyOf" : "oneOf", rule, value);
  };
}

function not(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return (value, context) =>
    !checkSilently(check, value, context) || report(context, "not", rule, value);
}

function conditional(rule: unknown, { compile, schema }: Compilation): Check {
  const [test, then, otherwise] = [compile(rule), compile(schema["then"]), compile(schema["else"])];
  return (value, context) =>
    (checkSilently(test, value, context) ? then : otherwise)(value, context);
}

function checkSilently(check: Check, value: unknown, context: ValidationContext): boolean {
  const before = context.problems.length;
  const isValid = check(value, context);
  context.problems.length = before;
  return isValid;
}

/**
 * Number of alternatives that a value satisfies, at most `enough`. Without a match, the problems of
 * the closest alternative stay in the context, before the problem that the caller adds.
 */
function countMatches(
  checks: readonly Check[],
  value: unknown,
  context: ValidationContext,
  enough: number,
): number {
  const before = context.problems.length;
  let matching = 0;
  let closest: readonly Problem[] | undefined;
  for (const check of checks) {
    if (check(value, context) && ++matching === enough) break;
    const problems = context.problems.splice(before);
    if (problems.length === 0) continue;
    if (!closest || distance(problems, context) < distance(closest, context)) closest = problems;
  }
  context.problems.length = before;
  if (matching === 0 && closest && distance(closest, context) < Infinity)
    context.problems.push(...closest.slice(0, maxCachedProblems));
  return matching;
}

/**
 * Distance of a value from an alternative: the number of problems. Infinite for another type, large
 * for another discriminator value.
 */
function distance(problems: readonly Problem[], { path }: ValidationContext): number {
  const isOtherType = problems.some(
    (problem) =>
      problem.path.length === path.length && ["type", "const", "enum"].includes(problem.keyword),
  );
  if (isOtherType) return Infinity;
  const isOtherVariant = problems.some(
    (problem) => problem.path.length === path.length + 1 && problem.keyword === "const",
  );
  return problems.length + (isOtherVariant ? 1000 : 0);
}

/** Maximum nesting of references. It also ends schemas that refer only to themselves. */
const maxRefDepth = 200;

/** References that are followed before results are cached. Most values have fewer. */
const maxUncachedRefs = 1000;

/** Problems of one part that are kept. */
const maxCachedProblems = 100;

/** References within the schema: `#`, `#/$defs/Pet`. The generator writes no others. */
export const refKeywords: readonly (readonly [string, KeywordCompiler])[] = [["$ref", ref]];

function ref(rule: unknown, { refs, root, compile }: Compilation): Check | undefined {
  if (typeof rule !== "string" || !rule.startsWith("#")) return undefined;
  let target = refs.get(rule);
  return (value, context) => {
    if (!target) refs.set(rule, (target = compile(resolveFragment(root, rule))));
    if (context.refDepth >= maxRefDepth) return report(context, "depth", maxRefDepth, value);
    return ++context.cost.followedRefs > maxUncachedRefs
      ? followRefCached(target, value, context)
      : followRef(target, value, context);
  };
}

function followRef(target: Check, value: unknown, context: ValidationContext): boolean {
  context.refDepth++;
  const isValid = target(value, context);
  context.refDepth--;
  return isValid;
}

/**
 * `followRef` with a cache by target and value. Without it, alternatives that refer to the same
 * target would double the work at every level.
 */
function followRefCached(target: Check, value: unknown, context: ValidationContext): boolean {
  const { problems, path, cost } = context;
  const cache = cost.cachedProblems.get(target) ?? new Map<unknown, readonly Problem[]>();
  cost.cachedProblems.set(target, cache);
  const cached = cache.get(value);
  if (cached) {
    // An object has one path. The same text or number can occur at several paths.
    const isObject = typeof value === "object";
    for (const problem of cached)
      problems.push(isObject ? problem : { ...problem, path: [...path] });
    return cached.length === 0;
  }
  const before = problems.length;
  const isValid = followRef(target, value, context);
  cache.set(value, isValid ? [] : problems.slice(before, before + maxCachedProblems));
  return isValid;
}

/** The schema at a JSON pointer fragment, or `true` when there is none. RFC 6901. */
function resolveFragment(root: Compilation["root"], fragment: string): unknown {
  let node: unknown = root;
  for (const step of fragment.split("/").slice(1)) {
    const key = unescapeToken(step);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return true;
    node = node[key as keyof typeof node];
  }
  return node;
}

function unescapeToken(step: string): string {
  const pointer = /%[^0-9a-f]|%.?$/i.test(step) ? step : decodeURIComponent(step);
  return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}
