import type { JsonSchema } from "../types.js";
import { combinatorKeywords, refKeywords } from "./applicators.js";
import {
  type Check,
  type Compilation,
  createContext,
  type KeywordCompiler,
  type Problem,
  report,
} from "./check.js";
import { arrayKeywords, objectKeywords } from "./container-keywords.js";
import { numberKeywords, stringKeywords, typeKeywords } from "./scalar-keywords.js";

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
