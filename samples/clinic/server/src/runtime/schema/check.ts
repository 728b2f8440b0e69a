import type { JsonSchema } from "../types.js";

/** A property name or an array index. */
export type PathSegment = string | number;

/** A violation of a schema. `describeProblem` makes a message of it. */
export interface Problem {
  /** Path to the invalid part, or to the missing or unknown property. */
  readonly path: readonly PathSegment[];
  /** The violated JSON Schema keyword. */
  readonly keyword: string;
  /** The value of the keyword: a bound, the allowed values, types or property names. */
  readonly rule: unknown;
  /** The invalid part. */
  readonly value: unknown;
}

/**
 * State of a validation. All checks of one value share it, so that a valid value needs no further
 * allocations.
 */
export interface ValidationContext {
  readonly path: PathSegment[];
  readonly problems: Problem[];
  /** Nesting of the references that are being followed. */
  refDepth: number;

  readonly cost: ValidationCost;
}

/** Work done for one value, as far as it must be limited. */
export interface ValidationCost {
  /** Estimated steps of regular expressions. */
  patternSteps: number;
  /** Number of references that were followed. */
  followedRefs: number;
  /** Results of checks by the checked part. Filled after a number of followed references. */
  readonly cachedProblems: Map<Check, Map<unknown, readonly Problem[]>>;
}

export function createContext(): ValidationContext {
  return {
    path: [],
    problems: [],
    refDepth: 0,
    cost: { patternSteps: 0, followedRefs: 0, cachedProblems: new Map() },
  };
}

/** Checks a value. Adds problems to the context and returns whether the value is valid. */
export type Check = (value: unknown, context: ValidationContext) => boolean;

/** Adds a problem at the current path. Returns false, as the result of a check. */
export function report(
  context: ValidationContext,
  keyword: string,
  rule: unknown,
  value: unknown,
): false {
  context.problems.push({ path: [...context.path], keyword, rule, value });
  return false;
}

/** Checks a member or an item of the current value. */
export function checkAt(
  segment: PathSegment,
  check: Check,
  value: unknown,
  context: ValidationContext,
): boolean {
  context.path.push(segment);
  const isValid = check(value, context);
  context.path.pop();
  return isValid;
}

/** Input of a keyword compiler. */
export interface Compilation {
  readonly root: JsonSchema | boolean;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  /** Checks of `$ref` targets, by reference. */
  readonly refs: Map<string, Check>;
  compile(schema: unknown): Check;
}

/** Compiles the value of a keyword to a check. Undefined when nothing has to be checked. */
export type KeywordCompiler = (rule: unknown, compilation: Compilation) => Check | undefined;
