/** Keywords that few schemas have. */
import { createMatcher } from "./bounded-regexp.js";
import {
  type Check,
  checkAt,
  type Compilation,
  type KeywordCompiler,
  report,
  type ValidationContext,
} from "./check.js";
import { checkObject, compileEntries, reportMissing } from "./object-checks.js";

type Keywords = readonly (readonly [string, KeywordCompiler])[];

/** Rare keywords of arrays. */
export const rareArrayKeywords: Keywords = [
  ["prefixItems", prefixItems],
  ["contains", contains],
];

/** Rare keywords of objects. */
export const rareObjectKeywords: Keywords = [
  ["patternProperties", patternProperties],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
];

/** Rare keywords that combine schemas. */
export const rareCombinators: Keywords = [
  ["not", not],
  ["if", conditional],
];

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
