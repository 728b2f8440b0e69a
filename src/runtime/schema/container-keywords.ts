import { createMatcher } from "./bounded-regexp.js";
import { type Check, checkAt, report, type ValidationContext } from "./check.js";
import type { Compilation, KeywordCompiler } from "./compile.js";
import { canonicalJson } from "./equality.js";

/** Length, items and uniqueness of arrays. */
export const arrayKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minItems", arrayLength("minItems", (length, limit) => length >= limit)],
  ["maxItems", arrayLength("maxItems", (length, limit) => length <= limit)],
  ["uniqueItems", uniqueItems],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
];

function arrayLength(
  keyword: string,
  holds: (length: number, limit: number) => boolean,
): KeywordCompiler {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return (value, trace) =>
      !Array.isArray(value) || holds(value.length, rule) || report(trace, keyword, rule, value);
  };
}

function uniqueItems(rule: unknown): Check | undefined {
  if (rule !== true) return undefined;
  return (value, trace) =>
    !Array.isArray(value) ||
    new Set(value.map(canonicalJson)).size === value.length ||
    report(trace, "uniqueItems", true, value);
}

function prefixItems(
  rule: unknown,
  { compile }: Parameters<KeywordCompiler>[1],
): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    let fine = true;
    for (let i = 0; i < checks.length && i < value.length; i++)
      fine = checkAt(i, checks[i]!, value[i], trace) && fine;
    return fine;
  };
}

function items(rule: unknown, { compile, schema }: Parameters<KeywordCompiler>[1]): Check {
  const check = compile(rule);
  const from = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    let fine = true;
    for (let i = from; i < value.length; i++) fine = checkAt(i, check, value[i], trace) && fine;
    return fine;
  };
}

function contains(rule: unknown, { compile, schema }: Parameters<KeywordCompiler>[1]): Check {
  const check = compile(rule);
  const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Infinity;
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    const before = trace.problems.length;
    const matching = value.filter((item, i) => checkAt(i, check, item, trace)).length;
    trace.problems.length = before;
    return (
      (matching >= least && matching <= most) || report(trace, "contains", { least, most }, value)
    );
  };
}

/** Properties of objects. */
export const objectKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["required", required],
  ["minProperties", propertyCount("minProperties", (size, limit) => size >= limit)],
  ["maxProperties", propertyCount("maxProperties", (size, limit) => size <= limit)],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
];

type Fields = Readonly<Record<string, unknown>>;

/** A check of objects; any other value passes. */
function checkObject(check: (value: Fields, trace: ValidationContext) => boolean): Check {
  return (value, trace) =>
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    check(value as Fields, trace);
}

function compileEntries(
  rule: unknown,
  { compile }: Compilation,
): readonly (readonly [string, Check])[] {
  return typeof rule === "object" && rule !== null
    ? Object.entries(rule).map(([key, schema]) => [key, compile(schema)] as const)
    : [];
}

function reportMissing(trace: ValidationContext, key: string): false {
  trace.path.push(key);
  report(trace, "required", key, undefined);
  trace.path.pop();
  return false;
}

function required(rule: unknown): Check | undefined {
  if (!Array.isArray(rule) || rule.length === 0) return undefined;
  const keys = rule.map(String);
  return checkObject((value, trace) => {
    let fine = true;
    for (const key of keys) if (!Object.hasOwn(value, key)) fine = reportMissing(trace, key);
    return fine;
  });
}

function propertyCount(
  keyword: string,
  holds: (size: number, limit: number) => boolean,
): KeywordCompiler {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return checkObject(
      (value, trace) =>
        holds(Object.keys(value).length, rule) || report(trace, keyword, rule, value),
    );
  };
}

function properties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, trace) => {
    let fine = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) fine = checkAt(key, check, value[key], trace) && fine;
    return fine;
  });
}

function patternProperties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation).map(
    ([pattern, check]) => [createMatcher(pattern), check] as const,
  );
  return checkObject((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) {
      for (const [matches, check] of checks)
        if (matches(key, trace.cost)) fine = checkAt(key, check, value[key], trace) && fine;
    }
    return fine;
  });
}

function additionalProperties(rule: unknown, { compile, schema }: Compilation): Check | undefined {
  if (rule === true) return undefined;
  const known = new Set(Object.keys(schema["properties"] ?? {}));
  const patterns = Object.keys(schema["patternProperties"] ?? {}).map(createMatcher);
  const check: Check =
    rule === false
      ? (value, trace) => report(trace, "additionalProperties", [...known], value)
      : compile(rule);
  return checkObject((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) {
      if (known.has(key) || patterns.some((matches) => matches(key, trace.cost))) continue;
      fine = checkAt(key, check, value[key], trace) && fine;
    }
    return fine;
  });
}

function propertyNames(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return checkObject((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) fine = checkAt(key, check, key, trace) && fine;
    return fine;
  });
}

function dependentRequired(rule: unknown): Check | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  const entries = Object.entries(rule as Record<string, unknown>).map(
    ([key, keys]) => [key, Array.isArray(keys) ? keys.map(String) : []] as const,
  );
  return checkObject((value, trace) => {
    let fine = true;
    for (const [key, others] of entries) {
      if (Object.hasOwn(value, key))
        for (const other of others)
          if (!Object.hasOwn(value, other)) fine = reportMissing(trace, other);
    }
    return fine;
  });
}

function dependentSchemas(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, trace) => {
    let fine = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) fine = check(value, trace) && fine;
    return fine;
  });
}
