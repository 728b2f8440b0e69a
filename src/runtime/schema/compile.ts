/** Compilation of a JSON Schema to a check, with the keywords that combine schemas. */
import type { JsonSchema } from "../types.js";
import {
  type Check,
  type Compilation,
  createContext,
  type KeywordCompiler,
  type Problem,
  report,
  type ValidationContext,
} from "./check.js";
import { closestProblems } from "./alternatives.js";
import { rareCombinators } from "./rare-keywords.js";
import { arrayKeywords, objectKeywords } from "./container-keywords.js";
import { numberKeywords, stringKeywords, typeKeywords } from "./scalar-keywords.js";

/** Keywords that combine schemas. */
const combinatorKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ...rareCombinators,
];

/** References within the schema: `#`, `#/$defs/Pet`. The generator writes no others. */
const refKeywords: readonly (readonly [string, KeywordCompiler])[] = [["$ref", ref]];

/**
 * The supported keywords, in the order in which problems are reported. Others are annotations, as
 * JSON Schema defines for unknown keywords. Of the standard keywords, `unevaluated*`, `$dynamicRef`
 * and remote references are not supported.
 */
const keywords: ReadonlyMap<string, KeywordCompiler> = new Map([
  ...typeKeywords,
  ...numberKeywords,
  ...stringKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...combinatorKeywords,
  ...refKeywords,
]);

/** Returns all problems of a value. Valid values have none. */
export type Validator = (value: unknown) => readonly Problem[];

const noProblems: readonly Problem[] = [];

/**
 * Compiles a JSON Schema 2020-12 to closures. No code is generated. The run time is bounded for any
 * schema and any value: regular expressions have a budget, uniqueness is linear, references have a
 * maximum depth, and repeated checks are cached. Interpreting validators need ten times the time of
 * parsing the result, which matters because every result is validated.
 * https://json-schema.org/draft/2020-12/json-schema-validation
 */
export function compile(root: JsonSchema | boolean): Validator {
  const refs = new Map<string, Check>();
  const build = (schema: unknown): Check => compileSchema(schema, { root, refs, compile: build });
  const check = build(root);
  return (value) => {
    const context = createContext();
    return check(value, context) ? noProblems : context.problems;
  };
}

const acceptAll: Check = () => true;
const rejectAll: Check = (value, context) => report(context, "false", false, value);

function compileSchema(schema: unknown, compilation: Omit<Compilation, "schema">): Check {
  if (schema === false) return rejectAll;
  if (typeof schema !== "object" || schema === null) return acceptAll;
  const inSchema = { ...compilation, schema: schema as JsonSchema };
  const checks: Check[] = [];
  for (const [name, keyword] of keywords) {
    const check = Object.hasOwn(schema, name)
      ? keyword(inSchema.schema[name], inSchema)
      : undefined;
    if (check) checks.push(check);
  }
  return combineChecks(checks, Object.hasOwn(schema, "type"));
}

/**
 * Runs all checks, so that all problems are reported at once. After a type error, the other checks
 * are skipped: their problems would only repeat it.
 */
function combineChecks(checks: readonly Check[], hasType: boolean): Check {
  const [first, ...rest] = checks;
  if (!first) return acceptAll;
  if (rest.length === 0) return first;
  return (value, context) => {
    let isValid = first(value, context);
    if (!isValid && hasType) return false;
    for (const check of rest) isValid = check(value, context) && isValid;
    return isValid;
  };
}

const validators = new WeakMap<JsonSchema, Validator>();

/** The validator of a schema, compiled on first use. */
export function validatorFor(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = compile(schema)));
  return validator;
}

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
  const failed: (readonly Problem[])[] = [];
  for (const check of checks) {
    if (check(value, context) && ++matching === enough) break;
    const problems = context.problems.splice(before);
    if (problems.length > 0) failed.push(problems.slice(0, maxCachedProblems));
  }
  context.problems.length = before;
  if (matching === 0) context.problems.push(...closestProblems(failed, context.path.length));
  return matching;
}

/** Maximum nesting of references. It also ends schemas that refer only to themselves. */
const maxRefDepth = 200;

/** References that are followed before results are cached. Most values have fewer. */
const maxUncachedRefs = 1000;

/** Maximum number of reported problems of one part. */
const maxCachedProblems = 100;

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
