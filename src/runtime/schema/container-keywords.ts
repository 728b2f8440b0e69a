/** Keywords of arrays and objects. */
import { canonicalJson } from "../data/canonical-json.js";
import { isObject } from "../data/values.js";
import { createMatcher } from "./bounded-regexp.js";
import {
  atLeast,
  atMost,
  type Check,
  checkAt,
  type Compilation,
  type KeywordCompiler,
  limit,
  report,
  type ValidationContext,
} from "./check.js";

/** Keywords of arrays. */
export const arrayKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minItems", limit("minItems", lengthOf, atLeast)],
  ["maxItems", limit("maxItems", lengthOf, atMost)],
  ["uniqueItems", uniqueItems],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
];

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function uniqueItems(rule: unknown): Check | undefined {
  if (rule !== true) return undefined;
  return (value, context) =>
    !Array.isArray(value) ||
    new Set(value.map(canonicalJson)).size === value.length ||
    report(context, "uniqueItems", true, value);
}

function prefixItems(rule: unknown, { compile }: Compilation): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const checks = rule.map(compile);
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    let isValid = true;
    for (let i = 0; i < checks.length && i < value.length; i++)
      isValid = checkAt(i, checks[i]!, value[i], context) && isValid;
    return isValid;
  };
}

function items(rule: unknown, { compile, schema }: Compilation): Check {
  const check = compile(rule);
  const from = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    let isValid = true;
    for (let i = from; i < value.length; i++)
      isValid = checkAt(i, check, value[i], context) && isValid;
    return isValid;
  };
}

function contains(rule: unknown, { compile, schema }: Compilation): Check {
  const check = compile(rule);
  const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Infinity;
  return (value, context) => {
    if (!Array.isArray(value)) return true;
    const before = context.problems.length;
    const matching = value.filter((item, i) => checkAt(i, check, item, context)).length;
    context.problems.length = before;
    return (
      (matching >= least && matching <= most) || report(context, "contains", { least, most }, value)
    );
  };
}

/** Keywords of objects. */
export const objectKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["required", required],
  ["minProperties", limit("minProperties", sizeOf, atLeast)],
  ["maxProperties", limit("maxProperties", sizeOf, atMost)],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
];

type Fields = Readonly<Record<string, unknown>>;

/** A check for objects. Other values are valid. */
function checkObject(check: (value: Fields, context: ValidationContext) => boolean): Check {
  return (value, context) => !isObject(value) || check(value, context);
}

function compileEntries(
  rule: unknown,
  { compile }: Compilation,
): readonly (readonly [string, Check])[] {
  return typeof rule === "object" && rule !== null
    ? Object.entries(rule).map(([key, schema]) => [key, compile(schema)] as const)
    : [];
}

function reportMissing(context: ValidationContext, key: string): false {
  context.path.push(key);
  report(context, "required", key, undefined);
  context.path.pop();
  return false;
}

function required(rule: unknown): Check | undefined {
  if (!Array.isArray(rule) || rule.length === 0) return undefined;
  const keys = rule.map(String);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of keys) if (!Object.hasOwn(value, key)) isValid = reportMissing(context, key);
    return isValid;
  });
}

function sizeOf(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

function properties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) isValid = checkAt(key, check, value[key], context) && isValid;
    return isValid;
  });
}

function patternProperties(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation).map(
    ([pattern, check]) => [createMatcher(pattern), check] as const,
  );
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) {
      for (const [matches, check] of checks)
        if (matches(key, context.cost))
          isValid = checkAt(key, check, value[key], context) && isValid;
    }
    return isValid;
  });
}

function additionalProperties(rule: unknown, { compile, schema }: Compilation): Check | undefined {
  if (rule === true) return undefined;
  const declaredNames = new Set(Object.keys(schema["properties"] ?? {}));
  const patterns = Object.keys(schema["patternProperties"] ?? {}).map(createMatcher);
  const check: Check =
    rule === false
      ? (value, context) => report(context, "additionalProperties", [...declaredNames], value)
      : compile(rule);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) {
      if (declaredNames.has(key) || patterns.some((matches) => matches(key, context.cost)))
        continue;
      isValid = checkAt(key, check, value[key], context) && isValid;
    }
    return isValid;
  });
}

function propertyNames(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return checkObject((value, context) => {
    let isValid = true;
    for (const key of Object.keys(value)) isValid = checkAt(key, check, key, context) && isValid;
    return isValid;
  });
}

function dependentRequired(rule: unknown): Check | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  const entries = Object.entries(rule as Record<string, unknown>).map(
    ([key, keys]) => [key, Array.isArray(keys) ? keys.map(String) : []] as const,
  );
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, others] of entries) {
      if (Object.hasOwn(value, key))
        for (const name of others)
          if (!Object.hasOwn(value, name)) isValid = reportMissing(context, name);
    }
    return isValid;
  });
}

function dependentSchemas(rule: unknown, compilation: Compilation): Check {
  const checks = compileEntries(rule, compilation);
  return checkObject((value, context) => {
    let isValid = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) isValid = check(value, context) && isValid;
    return isValid;
  });
}
