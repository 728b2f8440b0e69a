import type { Compilation, Keyword } from "./compile.js";
import { matcher } from "./pattern.js";
import { type Check, inside, type Trace, wrong } from "./problem.js";

/** Properties of objects. */
export const objectKeywords: readonly (readonly [string, Keyword])[] = [
  ["required", required],
  ["minProperties", count("minProperties", (size, limit) => size >= limit)],
  ["maxProperties", count("maxProperties", (size, limit) => size <= limit)],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
];

type Fields = Readonly<Record<string, unknown>>;

/** A check of objects; any other value passes. */
function ofObjects(check: (value: Fields, trace: Trace) => boolean): Check {
  return (value, trace) =>
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    check(value as Fields, trace);
}

function schemas(rule: unknown, { compile }: Compilation): readonly (readonly [string, Check])[] {
  return typeof rule === "object" && rule !== null
    ? Object.entries(rule).map(([key, schema]) => [key, compile(schema)] as const)
    : [];
}

function missing(trace: Trace, key: string): false {
  trace.path.push(key);
  wrong(trace, "required", key, undefined);
  trace.path.pop();
  return false;
}

function required(rule: unknown): Check | undefined {
  if (!Array.isArray(rule) || rule.length === 0) return undefined;
  const keys = rule.map(String);
  return ofObjects((value, trace) => {
    let fine = true;
    for (const key of keys) if (!Object.hasOwn(value, key)) fine = missing(trace, key);
    return fine;
  });
}

function count(keyword: string, holds: (size: number, limit: number) => boolean): Keyword {
  return (rule): Check | undefined => {
    if (typeof rule !== "number") return undefined;
    return ofObjects(
      (value, trace) =>
        holds(Object.keys(value).length, rule) || wrong(trace, keyword, rule, value),
    );
  };
}

function properties(rule: unknown, compilation: Compilation): Check {
  const checks = schemas(rule, compilation);
  return ofObjects((value, trace) => {
    let fine = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) fine = inside(key, check, value[key], trace) && fine;
    return fine;
  });
}

function patternProperties(rule: unknown, compilation: Compilation): Check {
  const checks = schemas(rule, compilation).map(
    ([pattern, check]) => [matcher(pattern), check] as const,
  );
  return ofObjects((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) {
      for (const [matches, check] of checks)
        if (matches(key, trace.spent)) fine = inside(key, check, value[key], trace) && fine;
    }
    return fine;
  });
}

function additionalProperties(rule: unknown, { compile, schema }: Compilation): Check | undefined {
  if (rule === true) return undefined;
  const known = new Set(Object.keys(schema["properties"] ?? {}));
  const patterns = Object.keys(schema["patternProperties"] ?? {}).map(matcher);
  const check: Check =
    rule === false
      ? (value, trace) => wrong(trace, "additionalProperties", [...known], value)
      : compile(rule);
  return ofObjects((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) {
      if (known.has(key) || patterns.some((matches) => matches(key, trace.spent))) continue;
      fine = inside(key, check, value[key], trace) && fine;
    }
    return fine;
  });
}

function propertyNames(rule: unknown, { compile }: Compilation): Check {
  const check = compile(rule);
  return ofObjects((value, trace) => {
    let fine = true;
    for (const key of Object.keys(value)) fine = inside(key, check, key, trace) && fine;
    return fine;
  });
}

function dependentRequired(rule: unknown): Check | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  const entries = Object.entries(rule as Record<string, unknown>).map(
    ([key, keys]) => [key, Array.isArray(keys) ? keys.map(String) : []] as const,
  );
  return ofObjects((value, trace) => {
    let fine = true;
    for (const [key, others] of entries) {
      if (Object.hasOwn(value, key))
        for (const other of others) if (!Object.hasOwn(value, other)) fine = missing(trace, other);
    }
    return fine;
  });
}

function dependentSchemas(rule: unknown, compilation: Compilation): Check {
  const checks = schemas(rule, compilation);
  return ofObjects((value, trace) => {
    let fine = true;
    for (const [key, check] of checks)
      if (Object.hasOwn(value, key)) fine = check(value, trace) && fine;
    return fine;
  });
}
