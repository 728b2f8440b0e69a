import type { Keyword } from "./compile.js";
import { fingerprint } from "./equal.js";
import { type Check, inside, wrong } from "./problem.js";

/** Length, items and uniqueness of arrays. */
export const arrayKeywords: readonly (readonly [string, Keyword])[] = [
  ["minItems", count("minItems", (length, limit) => length >= limit)],
  ["maxItems", count("maxItems", (length, limit) => length <= limit)],
  ["uniqueItems", unique],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
];

function count(keyword: string, holds: (length: number, limit: number) => boolean): Keyword {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return (value, trace) =>
      !Array.isArray(value) || holds(value.length, rule) || wrong(trace, keyword, rule, value);
  };
}

function unique(rule: unknown): Check | undefined {
  if (rule !== true) return undefined;
  return (value, trace) =>
    !Array.isArray(value) ||
    new Set(value.map(fingerprint)).size === value.length ||
    wrong(trace, "uniqueItems", true, value);
}

function prefixItems(rule: unknown, { compile }: Parameters<Keyword>[1]): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    let fine = true;
    for (let i = 0; i < checks.length && i < value.length; i++)
      fine = inside(i, checks[i]!, value[i], trace) && fine;
    return fine;
  };
}

function items(rule: unknown, { compile, schema }: Parameters<Keyword>[1]): Check {
  const check = compile(rule);
  const from = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    let fine = true;
    for (let i = from; i < value.length; i++) fine = inside(i, check, value[i], trace) && fine;
    return fine;
  };
}

function contains(rule: unknown, { compile, schema }: Parameters<Keyword>[1]): Check {
  const check = compile(rule);
  const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Infinity;
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    const before = trace.problems.length;
    const matching = value.filter((item, i) => inside(i, check, item, trace)).length;
    trace.problems.length = before;
    return (
      (matching >= least && matching <= most) || wrong(trace, "contains", { least, most }, value)
    );
  };
}
