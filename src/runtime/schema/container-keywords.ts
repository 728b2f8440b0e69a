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
} from "./check.js";
import { checkObject, compileEntries, reportMissing } from "./object-checks.js";
import { rareArrayKeywords, rareObjectKeywords } from "./rare-keywords.js";

/** Keywords of arrays. */
export const arrayKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["minItems", limit("minItems", lengthOf, atLeast)],
  ["maxItems", limit("maxItems", lengthOf, atMost)],
  ["uniqueItems", uniqueItems],
  ...rareArrayKeywords,
  ["items", items],
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

/** Keywords of objects. */
export const objectKeywords: readonly (readonly [string, KeywordCompiler])[] = [
  ["required", required],
  ["minProperties", limit("minProperties", sizeOf, atLeast)],
  ["maxProperties", limit("maxProperties", sizeOf, atMost)],
  ["properties", properties],
  ...rareObjectKeywords,
  ["additionalProperties", additionalProperties],
];

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
