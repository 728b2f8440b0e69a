import { equal } from "./equal.js";
import type { Keyword } from "./compile.js";
import { type Check, wrong } from "./problem.js";

/** `type`, `const` and `enum`. `type` stands first: see `all` in compile.ts. */
export const valueKeywords: readonly (readonly [string, Keyword])[] = [
  ["type", type],
  ["const", constant],
  ["enum", enumeration],
];

const isType: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  string: (value) => typeof value === "string",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function type(rule: unknown): Check | undefined {
  const names = (Array.isArray(rule) ? rule : [rule]).filter(
    (name) => typeof name === "string" && Object.hasOwn(isType, name),
  );
  const tests = names.map((name) => isType[name as string]!);
  const [first, second] = tests;
  if (!first) return undefined;
  if (tests.length === 1)
    return (value, trace) => first(value) || wrong(trace, "type", names, value);
  if (tests.length === 2)
    return (value, trace) => first(value) || second!(value) || wrong(trace, "type", names, value);
  return (value, trace) => tests.some((test) => test(value)) || wrong(trace, "type", names, value);
}

function constant(rule: unknown): Check {
  return (value, trace) => equal(value, rule) || wrong(trace, "const", rule, value);
}

function enumeration(rule: unknown): Check | undefined {
  if (!Array.isArray(rule)) return undefined;
  const simple = new Set(rule.filter((member) => typeof member !== "object" || member === null));
  const deep = rule.filter((member) => typeof member === "object" && member !== null);
  return (value, trace) =>
    simple.has(value) ||
    deep.some((member) => equal(member, value)) ||
    wrong(trace, "enum", rule, value);
}
