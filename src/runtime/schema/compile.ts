import type { JsonSchema } from "../types.js";
import { combinatorKeywords, refKeywords } from "./applicators.js";
import { type Check, createContext, type Problem, report } from "./check.js";
import { arrayKeywords, objectKeywords } from "./container-keywords.js";
import { numberKeywords, stringKeywords, typeKeywords } from "./scalar-keywords.js";

/**
 * What a keyword may need to compile: other schemas, the whole document, and the schema it stands
 * in.
 */
export interface Compilation {
  readonly root: JsonSchema | boolean;
  readonly schema: JsonSchema;
  /** Checks of `$ref` targets, by reference. */
  readonly refs: Map<string, Check>;
  compile(schema: unknown): Check;
}

/** Turns the value of one keyword into a check; `undefined` when there is nothing to check. */
export type KeywordCompiler = (rule: unknown, compilation: Compilation) => Check | undefined;

/**
 * Every keyword that is checked, in the order in which problems are told. A keyword that is not
 * here is a note to the reader, as JSON Schema has it for unknown keywords; of the standard ones
 * these are `unevaluated*`, `$dynamicRef` and remote references.
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

/** All problems of a value; none when it satisfies the schema. */
export type Validator = (value: unknown) => readonly Problem[];

const noProblems: readonly Problem[] = [];

/**
 * Compiles a JSON Schema 2020-12 to closures: no code is generated, and no schema or value can make
 * a check run away (patterns are bounded, uniqueness is linear, references have a depth, and no
 * part is asked the same twice for long). Why not a library: the result of every call is checked,
 * and interpreting validators take ten times as long as parsing it did.
 * https://json-schema.org/draft/2020-12/json-schema-validation
 */
export function compile(root: JsonSchema | boolean): Validator {
  const refs = new Map<string, Check>();
  const build = (schema: unknown): Check => compileSchema(schema, { root, refs, compile: build });
  const check = build(root);
  return (value) => {
    const trace = createContext();
    return check(value, trace) ? noProblems : trace.problems;
  };
}

const acceptAll: Check = () => true;
const rejectAll: Check = (value, trace) => report(trace, "false", false, value);

function compileSchema(schema: unknown, compilation: Omit<Compilation, "schema">): Check {
  if (schema === false) return rejectAll;
  if (typeof schema !== "object" || schema === null) return acceptAll;
  const here = { ...compilation, schema: schema as JsonSchema };
  const checks: Check[] = [];
  for (const [name, keyword] of keywords) {
    const check = Object.hasOwn(schema, name) ? keyword(here.schema[name], here) : undefined;
    if (check) checks.push(check);
  }
  return combineChecks(checks, Object.hasOwn(schema, "type"));
}

/**
 * Every check runs, so that all problems are told at once; but a value of the wrong type has no
 * other problems worth telling.
 */
function combineChecks(checks: readonly Check[], typed: boolean): Check {
  const [first, ...rest] = checks;
  if (!first) return acceptAll;
  if (rest.length === 0) return first;
  return (value, trace) => {
    let fine = first(value, trace);
    if (!fine && typed) return false;
    for (const check of rest) fine = check(value, trace) && fine;
    return fine;
  };
}
