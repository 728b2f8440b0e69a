/** One step into a value: a property name or an index. */
export type PathSegment = string | number;

/**
 * One way in which a value differs from its schema. What to say about it is `describe`'s business.
 */
export interface Problem {
  /**
   * From the root of the value to the part that is wrong; for a missing or an unknown property, to
   * that property.
   */
  readonly path: readonly PathSegment[];
  /** The JSON Schema keyword that is not satisfied. */
  readonly keyword: string;
  /** What the keyword says: the bound, the allowed values, the types, the known names. */
  readonly rule: unknown;
  /** The part that is wrong. */
  readonly value: unknown;
}

/**
 * Where a check is, and what was found so far. One is shared by all checks of one value, so that a
 * valid value allocates nothing.
 */
export interface ValidationContext {
  readonly path: PathSegment[];
  readonly problems: Problem[];
  /** References followed and not yet left. */
  refDepth: number;
  /** What this value has cost so far, of all that could cost too much. */
  readonly cost: ValidationCost;
}

/** Shared by all traces of one value. */
export interface ValidationCost {
  /** Of patterns. */
  patternSteps: number;
  /** References followed. */
  followedRefs: number;
  /**
   * What is wrong with the parts that were looked at, by the check that was asked; kept from a
   * number of references on.
   */
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

/** Tests one value; writes what is wrong to the trace and says whether all is well. */
export type Check = (value: unknown, trace: ValidationContext) => boolean;

/** Records a problem at the place of the trace; always false, so that a check can return it. */
export function report(
  trace: ValidationContext,
  keyword: string,
  rule: unknown,
  value: unknown,
): false {
  trace.problems.push({ path: [...trace.path], keyword, rule, value });
  return false;
}

/** Runs a check one step further in. */
export function checkAt(
  step: PathSegment,
  check: Check,
  value: unknown,
  trace: ValidationContext,
): boolean {
  trace.path.push(step);
  const fine = check(value, trace);
  trace.path.pop();
  return fine;
}
