/** One step into a value: a property name or an index. */
export type Step = string | number;

/**
 * One way in which a value differs from its schema. What to say about it is `describe`'s business.
 */
export interface Problem {
  /**
   * From the root of the value to the part that is wrong; for a missing or an unknown property, to
   * that property.
   */
  readonly path: readonly Step[];
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
export interface Trace {
  readonly path: Step[];
  readonly problems: Problem[];
  /** References followed and not yet left. */
  refs: number;
  /** What this value has cost so far, of all that could cost too much. */
  readonly spent: Spent;
}

/** Shared by all traces of one value. */
export interface Spent {
  /** Of patterns. */
  steps: number;
  /** References followed. */
  followed: number;
  /**
   * What is wrong with the parts that were looked at, by the check that was asked; kept from a
   * number of references on.
   */
  readonly known: Map<Check, Map<unknown, readonly Problem[]>>;
}

export function newTrace(): Trace {
  return { path: [], problems: [], refs: 0, spent: { steps: 0, followed: 0, known: new Map() } };
}

/** Tests one value; writes what is wrong to the trace and says whether all is well. */
export type Check = (value: unknown, trace: Trace) => boolean;

/** Records a problem at the place of the trace; always false, so that a check can return it. */
export function wrong(trace: Trace, keyword: string, rule: unknown, value: unknown): false {
  trace.problems.push({ path: [...trace.path], keyword, rule, value });
  return false;
}

/** Runs a check one step further in. */
export function inside(step: Step, check: Check, value: unknown, trace: Trace): boolean {
  trace.path.push(step);
  const fine = check(value, trace);
  trace.path.pop();
  return fine;
}
