import type { Compilation, Keyword } from "./compile.js";
import { type Check, type Problem, type Trace, wrong } from "./problem.js";

/** Keywords that put schemas together. */
export const combiningKeywords: readonly (readonly [string, Keyword])[] = [
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
    attempt(checks, value, trace, 1) > 0 || wrong(trace, "anyOf", rule, value);
}

function oneOf(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) => {
    const matching = attempt(checks, value, trace, 2);
    if (matching === 1) return true;
    return wrong(trace, matching === 0 ? "anyOf" : "oneOf", rule, value);
  };
}

function not(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return (value, trace) => !silently(check, value, trace) || wrong(trace, "not", rule, value);
}

function conditional(rule: unknown, { compile, schema }: Compilation): Check {
  const [test, then, otherwise] = [compile(rule), compile(schema["then"]), compile(schema["else"])];
  return (value, trace) => (silently(test, value, trace) ? then : otherwise)(value, trace);
}

function silently(check: Check, value: unknown, trace: Trace): boolean {
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
function attempt(checks: readonly Check[], value: unknown, trace: Trace, enough: number): number {
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
function distance(problems: readonly Problem[], { path }: Trace): number {
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
